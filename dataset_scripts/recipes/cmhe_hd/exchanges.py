"""CMHE-HD's statements by rule: true ones and, in the same forms, ones that a change makes false by the question's key.

A form must not give away what is true. So each has true and false statements: what is affirmed may be the key or
another option, what is denied another option or the key, and of a first choice that is called forbidden the denial
is true.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataset_scripts.recipes.cmhe_hd.claim_words import CONTRAINDICATES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dataset_scripts.recipes.cmhe_hd.claims import Claim

NUMBER, NEGATION, CONTRAINDICATION, ENTITY = "number", "negation", "contraindication", "entity"
RULES = {
    NUMBER: "a dose, a time or another quantity, by one of the same unit twice as large, or half as large",
    NEGATION: "what is affirmed is denied",
    CONTRAINDICATION: "what is first choice is forbidden, or what is forbidden is first choice",
    ENTITY: "a disease, a drug, a treatment and so on, by another option of the same question",
}
AFFIRMED, DENIED, REVERSED = "affirmed", "denied", "reversed"
DENIED_OF = 5  # one in so many true statements denies another option
IS_NOT = "不是"
# A word of the statement and its opposite, in statements of these kinds.
REVERSALS = ((re.compile(r"(?<!宜)首选(?=的|药|治|抗)"), "禁用"), (re.compile(r"(?<!应)[禁忌]用"), "首选"))
REVERSED_KINDS = frozenset(("drug", "treatment"))


@dataclass(frozen=True)
class Exchange:
    """One change."""

    rule: str  # of RULES
    point: str
    replacement: str
    response: str  # the statement with it


def reversal(claim: Claim) -> tuple[str, str] | None:
    """Give the one word of a statement that says first choice or forbidden, and its opposite, if there is one."""
    for word, opposite in REVERSALS if claim.kind in REVERSED_KINDS else ():
        if len(places := word.findall(claim.begun)) == 1:
            return places[0], opposite
    return None


def true_statement(claim: Claim, form: str, seed: int) -> str:
    """Say in a form what the key says."""
    if form == AFFIRMED:
        return claim.answer
    if form == REVERSED and (words := reversal(claim)):
        return _denied(claim.begun.replace(*words), claim.right)
    return _denied(claim.begun, _other(claim, seed))


def false_statement(claim: Claim, form: str, seed: int) -> Exchange:
    """Say in a form the opposite of what the key says, by one change of the true statement."""
    if form == AFFIRMED:
        other = _other(claim, seed)
        named = NUMBER if claim.kind in ("time", "amount") else ENTITY
        return Exchange(named, claim.right, other, f"{claim.begun}{other}。")
    if form == REVERSED and (words := reversal(claim)):
        return Exchange(CONTRAINDICATION, *words, f"{claim.begun.replace(*words)}{claim.right}。")
    verb = claim.begun[-1]
    return Exchange(NEGATION, f"{verb}{claim.right}", f"{IS_NOT}{claim.right}", _denied(claim.begun, claim.right))


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


def forms(true: Sequence[Claim], false: Sequence[Claim]) -> tuple[dict[str, str], dict[str, str]]:
    """Give each claim its form, by its key, so that as many true statements as false ones deny, and reverse.

    Another drug may be forbidden, too: what is forbidden is never affirmed of it, nor denied of another one.
    """
    able = [[one.key for one in claims if reversal(one)] for claims in (true, false)]
    reversed_ = [keys[: min(map(len, able)) // 2] for keys in able]
    # A true reversal denies, a false one does not.
    denials = len(true) // DENIED_OF, len(true) // DENIED_OF + len(reversed_[0])
    found = []
    for claims, keys, number in zip((true, false), reversed_, denials, strict=True):
        rest = [one for one in claims if one.key not in keys]
        forbids = [one.key for one in rest if CONTRAINDICATES.search(one.begun)]
        others = [one.key for one in rest if one.key not in forbids]
        denied = others[:number] if claims is true else [*forbids, *others][:number]
        chosen = {**dict.fromkeys(keys, REVERSED), **dict.fromkeys(denied, DENIED)}
        found.append({one.key: chosen.get(one.key, AFFIRMED) for one in claims})
    return found[0], found[1]


def _denied(begun: str, answer: str) -> str:
    return f"{begun[:-1]}{IS_NOT}{answer}。"


def _other(claim: Claim, seed: int) -> str:
    return min(claim.wrong, key=lambda other: _lot(seed, claim.key, claim.right, other))


def _lot(seed: int, *names: str) -> str:
    return hashlib.sha256(":".join((str(seed), *names)).encode()).hexdigest()
