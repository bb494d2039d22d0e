"""CMHE-HD's answers that a rule tampers with: one change, after which the key of the question calls them wrong."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataset_scripts.recipes.cmhe_hd.claim_words import CONTRAINDICATES

if TYPE_CHECKING:
    from dataset_scripts.recipes.cmhe_hd.claims import Claim

NUMBER, NEGATION, CONTRAINDICATION, ENTITY = "number", "negation", "contraindication", "entity"
RULES = {
    NUMBER: "a dose, a time or another quantity, by one of the same unit twice as large, or half as large",
    NEGATION: "what is affirmed is denied",
    CONTRAINDICATION: "what is first choice is forbidden, or what is forbidden is first choice or advisable",
    ENTITY: "a disease, a drug, a treatment and so on, by another option of the same question",
}
# A word of the statement, what takes its place, and the kinds of questions whose statements it makes false.
DENIALS = (
    ("最可能", "最不可能", ("disease", "pathogen", "cause")),
    ("最常见", "最少见", ("disease", "pathogen", "cause", "symptom", "site")),
    ("可引起", "不会引起", ("drug",)),
    ("可导致", "不会导致", ("drug",)),
    ("具有", "不具有", ("drug",)),
    ("属于", "不属于", ("drug",)),
    ("可用于", "不可用于", ("drug",)),
)
REVERSALS = (
    (r"(?<!宜)首选(?=的|药|治|抗)", "禁用", ("drug", "treatment")),
    (r"(?<!应)[禁忌]用", "首选", ("drug", "treatment")),
    ("不宜", "适宜", ("drug", "treatment")),
)


@dataclass(frozen=True)
class Exchange:
    """One change."""

    rule: str  # of RULES
    point: str
    replacement: str
    response: str  # the statement with it


def exchanges_of(claim: Claim) -> list[Exchange]:
    """List the changes that make a claim's statement false; other drugs may be forbidden, too, so none is exchanged."""
    named = NUMBER if claim.kind in ("time", "amount") else ENTITY
    others = () if CONTRAINDICATES.search(claim.begun) else claim.wrong
    found = [Exchange(named, claim.right, other, f"{claim.begun}{other}。") for other in others]
    for rule, words in ((NEGATION, DENIALS), (CONTRAINDICATION, REVERSALS)):
        found += [
            Exchange(rule, places[0], opposite, f"{re.sub(word, opposite, claim.begun)}{claim.right}。")
            for word, opposite, kinds in words
            if claim.kind in kinds and len(places := re.findall(word, claim.begun)) == 1
        ]
    return found


def exchange_of(claim: Claim, seed: int) -> Exchange | None:
    """Draw one change, if any makes it false: a rule first, lest questions with many options decide, then a change."""
    found = exchanges_of(claim)
    if not found:
        return None
    rule = min({one.rule for one in found}, key=lambda name: _lot(seed, claim.key, name))
    return min(
        (one for one in found if one.rule == rule), key=lambda one: _lot(seed, claim.key, one.point, one.replacement)
    )


def _lot(seed: int, *names: str) -> str:
    return hashlib.sha256(":".join((str(seed), *names)).encode()).hexdigest()
