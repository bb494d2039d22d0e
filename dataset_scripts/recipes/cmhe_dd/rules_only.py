"""CMHE-DD rebuilt by rules alone: nobody is asked, and what a rule cannot do is left out."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING

from dataset_scripts.recipes.banks.likeness import Seen
from dataset_scripts.recipes.cmhe_dd.by_rule import described_chat, described_exam
from dataset_scripts.recipes.cmhe_dd.coding import sure_codes, title_of
from dataset_scripts.recipes.cmhe_dd.made import record_of_case
from dataset_scripts.recipes.cmhe_dd.records import RULE
from medzh_score.terminology.icd_codes import category_of
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dataset_scripts.recipe import Record
    from dataset_scripts.recipes.cmhe_dd.cases import Case
    from dataset_scripts.recipes.cmhe_dd.coding import Coded
    from dataset_scripts.recipes.cmhe_dd.made import Made
    from medzh_score.terminology.disease_names import Dictionary

GRAM, ALIKE = 4, 0.5  # characters, and the share of common ones, from which on two cases are one
DISPUTED = "a case like it has another disease, or other numbers"
NOT_CODED = "a name is no official name and no listed alias"
# A title that says what the name does not: that nothing bled, whether it is acute, how a tumour behaves, or that the
# disease is none of those with a code of their own.
QUALIFIED = re.compile(
    r"\bwithout\b|\bbefore\b|\bnot (?:specified|elsewhere)\b|uncertain or unknown|^(?:Other|Unspecified)\b"
)
CODE_SAYS_MORE = "the title of its code says more than its name, or its code is cut"
# A title that leaves open which of its category the case is, as its findings may tell; of a tumour it is only the site.
OPEN = re.compile(r"^(?!Malignant neoplasm).*(?<!and )\bunspecified\b")
LEAVES_OPEN = "its code leaves open what the case may tell"
ALIKE_BEFORE = "a case before says the same"
DIGITS = re.compile(r"\d+")


def made_by_rule(cases: Sequence[Case], dictionary: Dictionary) -> Made:
    """Make records of cases whose names the dictionary is sure of and whose description a rule can give."""
    coded = sure_codes((name for case in cases for name in case.names), dictionary)
    made = [_made(case, coded, dictionary) for case in cases]
    disputed = _disputed([record for record, _ in made if record is not None])
    undisputed = [(None, DISPUTED) if record and record["id"] in disputed else (record, what) for record, what in made]
    seen = Seen()
    return [
        (None, ALIKE_BEFORE) if record and _is_like_one(record, seen) else (record, what) for record, what in undisputed
    ]


def _made(case: Case, coded: Coded, dictionary: Dictionary) -> tuple[Record | None, str]:
    """Make a record of a case, or say why it is none."""
    if not case.names or any(name not in coded.codes for name in case.names):
        return None, NOT_CODED
    codes = [code for name in case.names for code in coded.codes[name]]
    titles = [title for code in codes if (title := title_of(code)) is not None]
    if len(titles) < len(codes) or any(map(QUALIFIED.search, titles)):
        return None, CODE_SAYS_MORE
    if case.part == "chat":
        description, why = described_chat(case, codes, dictionary)
    elif any(map(OPEN.search, titles)):
        return None, LEAVES_OPEN
    else:
        description, why = described_exam(case, codes)
    return (None, why) if description is None else record_of_case(case, case.names, description, coded, RULE)


def _is_like_one(record: Record, seen: Seen) -> bool:
    """Say whether a case before it with the same diseases is worded like it; else take it down."""
    case = record["description"], "；".join(record["diseases"])
    alike = seen.is_like_one(*case)
    if not alike:
        seen.add(*case)
    return alike


def _disputed(records: Sequence[Record]) -> set[str]:
    """Find cases that differ in a few words and their diseases, or in their numbers alone: one of the two is wrong."""
    forms = [fold(record["description"]) for record in records]
    grams = [{form[at : at + GRAM] for at in range(len(form) - GRAM + 1)} for form in forms]
    categories = [{category_of(code) for code in record["codes"]} for record in records]
    worded = [DIGITS.sub("", form) for form in forms]
    return {
        records[place]["id"]
        for one, other in combinations(range(len(records)), 2)
        if worded[one] == worded[other]
        or (
            not categories[one] & categories[other]
            and len(grams[one] & grams[other]) > ALIKE * min(len(grams[one]), len(grams[other]))
        )
        for place in (one, other)
    }
