"""CMHE-HD by ``simple-1``: the word that the prompt asks for, at the beginning or right after Answer:, nothing else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.config import answer
from medzh_score.configs.cmhe_hd_words import NO, YES
from medzh_score.extraction.locating import stripped, substituted
from medzh_score.extraction.preparation import spoken
from medzh_score.extraction.preparation_places import locate_spoken
from medzh_score.extraction.reading import Reading

if TYPE_CHECKING:
    from medzh_score.config import Answer

WORD = r"[\[(（【「“\"'*]*(?P<word>yes|no|是的?|否|有|没有)"
# What may follow the word: the end, or a mark that is no slash. So 是否, 有些 and Yes/No are no answer.
END = r"(?=[\])）】」”\"'*]*\s*(?:$|[\n，。、,.;；:：!！(（—-]))"
BEGINNING = re.compile(rf"\s*{WORD}{END}", re.IGNORECASE)
# The doctor's answer is not the model's.
MARKED = re.compile(rf"(?:(?<!doctor's )(?<!doctor’s )\bAnswer|答案)\s*(?::|：|is|是|为)\s*{WORD}{END}", re.IGNORECASE)
# A verdict word between stops, brackets or line ends, wherever it stands.
ALONE = re.compile(
    rf"(?:^|(?<=[\s，。、,.;；:：!！(（—-])){WORD}{END}",
    re.IGNORECASE | re.MULTILINE,
)
BOLD = "**"
VALUES = {"yes": YES, "是": YES, "是的": YES, "有": YES, "no": NO, "否": NO, "没有": NO}


def read(text: str, _side: object) -> Answer:
    r"""Read the word at the beginning of a response, or after Answer: or 答案：; two different ones are none.

    Thinking and bold type are taken off.

    Parameters
    ----------
    text : str
        The response, untouched.
    _side : object
        Not looked at.

    Returns
    -------
    Answer
        ``Yes`` or ``No`` by the rule ``beginning`` or ``marker``; None by the rule ``empty``,
        ``unfinished thinking``, ``two verdicts`` or ``nothing found``.

    References
    ----------
    CMHE, section 3.1, which asks for the one word and does not say how it was read.

    Examples
    --------
    >>> read("No.", None).value, read("The dose is too high.\nAnswer: Yes", None).value
    ('No', 'Yes')
    >>> read("不好说。", None).value is None
    True
    """
    said = spoken(text)
    if said is None or not said.strip():
        return answer(None, "empty" if said is not None else "unfinished thinking")
    opening, found = _verdicts(said.strip().replace(BOLD, ""))
    values = {VALUES[one["word"].lower()] for one in found}
    if len(values) == 1:
        return answer(values.pop(), "beginning" if opening else "marker")
    return answer(None, "two verdicts" if values else "nothing found")


def _verdicts(said: str) -> tuple[bool, list[re.Match[str]]]:
    """Find the words that count, and say whether one opens the text; a word elsewhere counts only beside these."""
    opening = BEGINNING.match(said)
    found = [one for one in (opening, *MARKED.finditer(said)) if one]
    return opening is not None, [*found, *ALONE.finditer(said)] if found else []


def explain(text: str, side: object) -> Reading:
    """Say where a word was read.

    Parameters
    ----------
    text : str
        The response, untouched.
    side : object
        Not looked at.

    Returns
    -------
    Reading
        As `read` gives it, with the words; those of two verdicts, too.

    Examples
    --------
    >>> explain("**Yes**", None)
    Reading(value='Yes', rule='beginning', spans=(Span(start=2, end=5),))
    """
    found = read(text, side)
    located = locate_spoken(text)
    if located is None:
        return Reading(found.value, found.rule)
    located = substituted(stripped(located), re.compile(re.escape(BOLD)))
    places = {one.span("word") for one in _verdicts(located.text)[1]}
    return Reading(found.value, found.rule, tuple(located.span(*place) for place in sorted(places)))
