"""CMHE-HD without models: an examination question as a patient's question, and its key as what a doctor answers.

The key of a question with one right answer says two things: that the statement with this answer is true, and that it is
false with any of the others. So a correct pair and an exchange that makes it wrong both rest on the examiners.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataset_scripts.recipes.banks.choice_questions import undecided
from dataset_scripts.recipes.banks.stems import asked_clause, begins_with_a_patient, is_examined, is_sound, mended
from dataset_scripts.recipes.cmhe_hd.claim_words import (
    ASKED,
    BEGINS,
    COMPARES,
    DENIES,
    DISEASE_ENDS,
    ELSEWHERE,
    LISTED,
    NEEDS_COMPARISON,
    NEEDS_WITNESS,
    OPEN,
    OPEN_WITHOUT_FINDINGS,
    OPTION_IS_NO_NAME,
    QUANTITY,
    REFERS,
    TRADITIONAL,
)
from dataset_scripts.recipes.cmhe_hd.neighbours import are_neighbours
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from dataset_scripts.recipes.banks.questions import Question

TWICE = re.compile(r"((?!治疗)[^\W\d]{2,}).*\1")  # a slip of the pen, most often
FEWEST, MOST = 8, 60  # characters of a stem without a case
LONGEST_OPTION = 20
LONGEST_CLAUSE = 24  # of a question behind a case
CONSIDERS = re.compile(r"(?<=考虑)[是为]$")  # 首先考虑是 says the verb twice
FAR = 1.9  # times
BEST_OF_FIVE = "asks for the first of several, and neither its words nor findings on a patient tell which"
ALIKE = 0.4  # of the characters of two options, from which on one may say what the other says


@dataclass(frozen=True)
class Claim:
    """A question with what its key says of it."""

    key: str  # what the source calls the question
    source: str
    kind: str  # of what is asked for, such as drug
    question: str
    begun: str  # the statement up to its answer
    wording: str  # of the question as far as others have it: of its last clause, or without a case of its comparison
    right: str
    wrong: tuple[str, ...]  # other options of the question that can take the answer's place

    @property
    def answer(self) -> str:
        """The true statement."""
        return f"{self.begun}{self.right}。"


def claim_of(question: Question, key: str, explanation: str = "") -> Claim | str:
    """Make a claim of a question, or say why it is none.

    Where several answers may be right in some way, the bank's explanation must name the answer, too.
    """
    if reason := undecided(question):
        return reason
    before, clause = asked_clause(mended(question.text))
    stem = before + clause
    case = begins_with_a_patient(stem) and len(stem) > FEWEST
    asked = ASKED.search(clause)
    if not asked or (asked["verb"] == "为" and REFERS.search(clause[-8:])):
        return "asks for nothing that ends its sentence"
    kind = next(name for name in ASKED.groupindex if name != "verb" and asked[name])
    begun = CONSIDERS.sub("", clause if case else stem)
    right = question.right.rstrip("。.")
    wrong = tuple(
        one for option in question.options if _takes_its_place(one := option.rstrip("。."), right, kind, stem)
    )
    reason = _unfit(stem, begun, kind, case=case) or _unfit_answer(right, kind, stem)
    reason = reason or _contested(question.answer, right, kind, explanation)
    if reason or not wrong:
        return reason or "no other option can take its place"
    text = f"{CONSIDERS.sub('', stem).removesuffix(asked['verb'])}{_asks(kind, clause)}"
    compared = COMPARES.search(begun)
    wording = clause if case else f"{compared[0] if compared else ''}{asked['verb']}"
    return Claim(key, question.source, kind, text, begun, wording, right, wrong)


def _asks(kind: str, clause: str) -> str:
    if CONSIDERS.search(clause):
        return "什么？"
    if kind == "time":
        return "是什么时候？" if BEGINS.search(clause) else "是多久？"
    return {"site": "是哪里？", "amount": "是多少？"}.get(kind, "是什么？")


def _contested(letter: str, right: str, kind: str, explanation: str) -> str:
    if kind in NEEDS_WITNESS and right not in explanation:
        return "no explanation names its answer"
    return "its explanation denies its answer" if re.search(rf"[（(][A-E]*{letter}[A-E]*错", explanation) else ""


def _unfit(stem: str, begun: str, kind: str, *, case: bool) -> str:
    """Say why a question cannot be asked as it stands, or its statement not be judged, if so."""
    compares = COMPARES.search(begun)
    fails = {
        "is cut, garbled, or no sentence": not is_sound(stem) or not _is_sentence(stem, begun, case=case),
        "refers to what is not there": REFERS.search(begun) or LISTED.search(stem),
        "is about traditional medicine, where several answers may be right": TRADITIONAL.search(stem),
        "is not about patients": ELSEWHERE.search(stem),
        "denies or forbids": DENIES.search(begun),
        "may have other true answers": kind in NEEDS_COMPARISON and (not compares or "鉴别" in begun),
        BEST_OF_FIVE: kind in OPEN or (kind in OPEN_WITHOUT_FINDINGS and not (case and is_examined(stem))),
    }
    return next((reason for reason, found in fails.items() if found), "")


def _is_sentence(stem: str, begun: str, *, case: bool) -> bool:
    if case:
        return len(begun) <= LONGEST_CLAUSE
    return "。" not in stem and FEWEST <= len(stem) <= MOST and not TWICE.search(stem)


def _unfit_answer(right: str, kind: str, stem: str) -> str:
    return (
        "" if _is_name(right, kind) and right not in stem else "its answer is no name of its kind, or in the question"
    )


def _is_name(option: str, kind: str) -> bool:
    if kind in ("time", "amount"):
        return QUANTITY.fullmatch(option) is not None
    if not 1 < len(option) <= LONGEST_OPTION or OPTION_IS_NO_NAME.search(option) or not is_sound(option):
        return False
    if TRADITIONAL.search(option) or (kind != "check" and re.search(r"\d", option)):
        return False
    ends_as_disease = DISEASE_ENDS.search(option) is not None
    return ends_as_disease if kind == "disease" else kind != "site" or not (ends_as_disease or option.endswith("血"))


def _takes_its_place(option: str, right: str, kind: str, stem: str) -> bool:
    """Tell whether an option can stand for the right one: of its kind, not in the question, and not nearly the same."""
    if fold(option) == fold(right) or not _is_name(option, kind) or option in stem or are_neighbours(option, right):
        return False
    if kind in ("time", "amount"):
        return _apart(option, right)
    if option in right or right in option:
        return False
    ours, theirs = set(option), set(right)
    return len(ours & theirs) / len(ours | theirs) < ALIKE


def _apart(option: str, right: str) -> bool:
    """Tell whether two quantities have one unit and lie so far apart that no other book has the one for the other."""
    one, other = QUANTITY.fullmatch(option), QUANTITY.fullmatch(right)
    if not one or not other or (one["unit"], one["before"]) != (other["unit"], other["before"]):
        return False
    low, high = float(one["low"]), float(one["high"] or one["low"])
    least, most = float(other["low"]), float(other["high"] or other["low"])
    return low <= high and least <= most and (high * FAR <= least or most * FAR <= low)
