"""The rule ``tf-1``: whether an answer to a yes-or-no question of CARE-MI says that its claim holds.

The verdict stands at the head of the answer, or behind 答案：. What hedges, or says both, is none: the rest of a long
answer is for raters.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property

from medzh_score.extraction.care_mi_claims import echo, negated, says_of_claim
from medzh_score.extraction.preparation import prepared

NAME = "tf-1"
AGREE, REFUSE = "agree", "refuse"
OPPOSITE = {AGREE: REFUSE, REFUSE: AGREE}

_QUOTES = "\"'“”‘’「」『』《》()[]【】 "
_OPENERS = re.compile(
    r"(?:\d{1,2}[.、)]|[您你]好|嗯|好的|总的来说|综上所述|一般来说|根据[^,。!?;\n]{1,24}(?=,)|因此|所以)[,。!:、\s]*"
)
_CONCLUSION = re.compile(r"(?:答案|结论|回答|答)(?:是|为)?:\s*")
_HEDGES = re.compile(
    r"不一定|未必|不完全|不尽|不总|部分|有时|例外|不确定|难说|不好说|取决于|而定|看情况|也不是|也许|或许|大概"
    r"|maybe|perhaps|not sure|and no\b"
)
_ENDS = re.compile(r"[。!?;\n]|\.(?!\d)|$")


@dataclass(frozen=True)
class Claim:
    """What a yes-or-no question asks about.

    Attributes
    ----------
    question, true_statement, false_statement : str
        Of the record.
    """

    question: str
    true_statement: str
    false_statement: str

    @cached_property
    def words(self) -> str:
        """The claim itself, as answers are compared with it."""
        return plain(self.true_statement).rstrip("。.")

    @cached_property
    def opposite(self) -> str:
        """The false statement, likewise."""
        return plain(self.false_statement).rstrip("。.")

    @cached_property
    def negative(self) -> bool:
        """Whether the claim denies something, so that 不是 may deny it or repeat it."""
        return negated(self.words)


def plain(text: str) -> str:
    """Fold widths and case, as both sides are compared.

    Parameters
    ----------
    text : str
        A statement or an answer.
    """
    return unicodedata.normalize("NFKC", text).lower().strip()


def read(text: str, claim: Claim) -> str | None:
    """Read whether an answer agrees with the claim of its question or denies it.

    Parameters
    ----------
    text : str
        The prediction.
    claim : Claim
        What was asked about.

    Returns
    -------
    str or None
        ``agree`` or ``refuse``; None where the answer hedges, says both, speaks of something else or says nothing.

    Examples
    --------
    >>> claim = Claim("妊娠剧吐会引起脱水吗？", "妊娠剧吐会引起脱水。", "妊娠剧吐不会引起脱水。")
    >>> [read(text, claim) for text in ("是的，应当补液。", "不会。", "不一定。")]
    ['agree', 'refuse', None]
    """
    said = plain(prepared(text) or "")
    if not said:
        return None
    head, *conclusions = _CONCLUSION.split(said)
    verdicts = {_at_head(part, claim) for part in conclusions}
    if not conclusions:
        return _at_head(head, claim)
    if len(verdicts) > 1:
        return None
    (verdict,) = verdicts
    before = _at_head(head, claim)
    return None if before not in {None, verdict} else verdict


def _at_head(text: str, claim: Claim) -> str | None:
    """Read the first sentence, and see that what follows at once does not say the contrary."""
    text = _without_openers(text)
    end = _ENDS.search(text)
    sentence, mark, rest = (text, "", "") if end is None else (text[: end.start()], end[0], text[end.end() :])
    if mark == "?" or _HEDGES.search(sentence):
        return None
    clause, *others = (part.strip(_QUOTES) for part in sentence.split(","))
    following = _ENDS.split(_without_openers(rest), maxsplit=1)[0].split(",")[0].strip(_QUOTES)
    beside = {found for part in others if (found := _of_clause(part, claim))}
    after = _of_clause(following, claim)
    verdict = _of_clause(clause, claim)
    if verdict is None and (verdict := _restated(sentence, claim)) and beside == {REFUSE}:
        verdict, beside = OPPOSITE[verdict], set()  # the statement, and beside it that it is wrong
    return None if verdict is None or OPPOSITE[verdict] in {*beside, after} else verdict


def _without_openers(text: str) -> str:
    text = text.strip(_QUOTES).lstrip()
    while opening := _OPENERS.match(text):
        text = text[opening.end() :].lstrip(_QUOTES)
    return text


def _of_clause(clause: str, claim: Claim) -> str | None:
    """Read a clause that is a verdict and nothing else, or that says of the claim's own verb whether it holds."""
    found = says_of_claim(clause, negative=claim.negative)
    if found is None:
        found = echo(clause, claim.words)
    return None if found is None else (AGREE if found else REFUSE)


def _restated(sentence: str, claim: Claim) -> str | None:
    """See whether the sentence begins with one of the two statements, whole."""
    for statement, verdict in ((claim.words, AGREE), (claim.opposite, REFUSE)):
        if statement and sentence.startswith(statement) and sentence[len(statement) :][:1] in {"", ","}:
            return verdict
    return None
