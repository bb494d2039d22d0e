"""CARE-MI's expert filter: from the votes on a sample to whether it stays (paper, section 3 and appendix A.1)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Ballot = Mapping[str, bool]  # what one rater said, by column
    Verdict = Mapping[str, bool]  # what holds, by column; one that is still open is not in it

# The columns of the sheet, in the order in which experts are to judge; evidence columns stand before the last one.
CRITERIA = ("single_answer", "medical_norms", "right_and_direct")
EVIDENCE = "evidence_{}"
EVIDENCE_COLUMN = re.compile(r"evidence_[1-9]\d*")
FLUENT = "fluent"
APPENDIX, TEXT = "appendix", "text"
RULES = (APPENDIX, TEXT)
KEPT = "kept"
OPEN = "raters disagree, and no arbiter has said"
FEW = "too few paragraphs are relevant"
UNFLUENT = "not linguistically fluent"
NEGATIVE = "too many negative evaluations"
FAILED = {
    "single_answer": "more than one correct answer",
    "medical_norms": "the claim is not in line with medical norms, or controversial",
    "right_and_direct": "the true statement is wrong, or no direct answer",
}


@dataclass(frozen=True)
class Rule:
    """Which samples stay, where the paper gives two rules.

    ``appendix`` (A.1): all three criteria hold, enough paragraphs are relevant, and the sample is fluent, each by the
    common vote of the raters or else the arbiter's. ``text`` (section 3): what received too many negative evaluations
    of the raters together is discarded; an arbiter's vote is none of them.
    """

    name: str = APPENDIX
    # paragraphs that must be relevant, the appendix's N_E; by "text" a rater with fewer votes it down once
    evidence: int = 3
    negatives: int = 2  # with how many negative evaluations the rule "text" discards


PAPERS = Rule()


def described(rule: Rule) -> str:
    """Say in one line what a rule keeps.

    >>> described(PAPERS)
    "the appendix's rule: criteria 1 to 3 hold, at least 3 paragraphs are relevant (N_E), and the sample is fluent"
    """
    if rule.name == APPENDIX:
        kept = f"criteria 1 to 3 hold, at least {rule.evidence} paragraphs are relevant (N_E), and the sample is fluent"
        return f"the appendix's rule: {kept}"
    negative = f"{rule.negatives} or more negative evaluations of the raters together"
    return f"the main text's rule: discarded with {negative}, fewer than {rule.evidence} relevant paragraphs being one"


def disputed(ballots: Sequence[Ballot]) -> tuple[str, ...]:
    """List the columns in which raters differ, in the order of the sheet.

    >>> disputed([{"single_answer": True, "fluent": True}, {"single_answer": False, "fluent": True}])
    ('single_answer',)
    """
    return tuple(column for column, vote in ballots[0].items() if any(one[column] != vote for one in ballots))


def verdict_of(ballots: Sequence[Ballot], arbiter: Ballot) -> dict[str, bool]:
    """Say what holds of a sample: what all raters say, and where they differ what the arbiter says.

    A disputed column of which the arbiter has said nothing is not in it; of others the arbiter's vote does not count.
    """
    differ = disputed(ballots)
    votes = {column: arbiter.get(column) if column in differ else vote for column, vote in ballots[0].items()}
    return {column: vote for column, vote in votes.items() if vote is not None}


def relevant(votes: Ballot) -> int:
    """Count the paragraphs that are relevant, the appendix's N_E.

    >>> relevant({"single_answer": True, "evidence_1": True, "evidence_2": False, "fluent": True})
    1
    """
    return sum(vote for column, vote in votes.items() if EVIDENCE_COLUMN.fullmatch(column))


def negatives(ballot: Ballot, rule: Rule) -> int:
    """Count a rater's negative evaluations of a sample, 0 to 5: criteria, evidence as a whole, and language."""
    return sum(not ballot[column] for column in (*CRITERIA, FLUENT)) + (relevant(ballot) < rule.evidence)


def fate_of(ballots: Sequence[Ballot], verdict: Verdict, rule: Rule) -> str:
    """Say what becomes of a sample.

    ``kept``, or the first reason why not, fluency last. A paragraph of which the verdict says nothing is not relevant.
    """
    if rule.name == TEXT:
        return KEPT if sum(negatives(ballot, rule) for ballot in ballots) < rule.negatives else NEGATIVE
    for column in CRITERIA:
        if not verdict.get(column, True):
            return FAILED[column]
    if any(column not in verdict for column in CRITERIA):
        return OPEN
    if relevant(verdict) < rule.evidence:
        return FEW
    if FLUENT not in verdict:
        return OPEN
    return KEPT if verdict[FLUENT] else UNFLUENT


def remaining(verdicts: Iterable[Verdict], columns: Sequence[str], evidence: int) -> int:
    """Count the samples that remain with certain criteria and a threshold of evidence, as in Figure 5.

    >>> remaining([{"single_answer": True, "evidence_1": True}, {"single_answer": True}], ["single_answer"], 1)
    1
    """
    return sum(all(one.get(column) for column in columns) and relevant(one) >= evidence for one in verdicts)
