"""CMHE-HD's statements by rule: true ones and, in the same form, ones that a change makes false by the question's key.

A form must not give away what is true, and an answer that only denies is no answer to a patient's question. So every
statement affirms, and what is affirmed is the key or another option.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dataset_scripts.recipes.cmhe_hd.claims import Claim

NUMBER, ENTITY = "number", "entity"
RULES = {
    NUMBER: "a dose, a time or another quantity, by one of the same unit twice as large, or half as large",
    ENTITY: "a disease, a drug, a treatment and so on, by another option of the same question",
}


@dataclass(frozen=True)
class Exchange:
    """One change."""

    rule: str  # of RULES
    point: str
    replacement: str
    response: str  # the statement with it


def exchange(claim: Claim, seed: int) -> Exchange:
    """Put another option in the place of the key."""
    other = min(claim.wrong, key=lambda option: _lot(seed, claim.key, claim.right, option))
    rule = NUMBER if claim.kind in ("time", "amount") else ENTITY
    return Exchange(rule, claim.right, other, f"{claim.begun}{other}。")


def halves(claims: Sequence[Claim]) -> tuple[list[Claim], list[Claim]]:
    """Part claims in two halves that ask for the same and in the same words, as far as there are two of a wording."""
    parts: tuple[list[Claim], list[Claim]] = ([], [])
    more: dict[tuple[str, str], int] = {}  # of a wording in the first half than in the second
    for claim in claims:
        wording = claim.kind, claim.wording
        into = (more.get(wording, 0) or len(parts[0]) - len(parts[1])) > 0
        parts[into].append(claim)
        more[wording] = more.get(wording, 0) + (-1 if into else 1)
    return parts


def _lot(seed: int, *names: str) -> str:
    return hashlib.sha256(":".join((str(seed), *names)).encode()).hexdigest()
