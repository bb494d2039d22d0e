"""PeMeBench's choice sets by ``simple-1``: letters at the beginning, or after 答案 or 选, where nothing else is meant.

The paper read Spark's responses "by a simple regular expression" (49.19 right) and by hand (77.42) and does not print
the expression. This one stands for it. It is strict: where it is in doubt it takes nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.config import answer
from medzh_score.extraction.choice_next import before_next
from medzh_score.extraction.choice_side import LETTERS
from medzh_score.extraction.locating import part, stripped, substituted
from medzh_score.extraction.option_labels import taken_back
from medzh_score.extraction.preparation import spoken
from medzh_score.extraction.preparation_places import locate_spoken
from medzh_score.extraction.reading import Reading
from medzh_score.extraction.tcmd_lines import REJECTED

if TYPE_CHECKING:
    from medzh_score.config import Answer
    from medzh_score.extraction.choice_side import ChoiceSide

RUN = r"([A-H](?:[、，, ]*[A-H])*+)(?![A-Za-z0-9])"
BEGINNING = re.compile(RUN)
MARKED = re.compile(rf"(?:答案(?:是|为|：|:)|选择?(?!项))\s*{RUN}")
SETS_OFF = re.compile(r"[.．、:：)）\s]*")  # between a letter and its option's text
ENDS = re.compile(
    r"\s*\Z|[^\S\n]*\n|[。！!；;，,（(]|[.．]\s*(?:\Z|\n)|\s+(?:[（(]|因为|由于|理由|解析)"
)  # after letters; B超 and E. coli are none
TEXT_ENDS = re.compile(r"\s*(?:\Z|[\n。.！!；;，,（(])")
GLOSS = re.compile(r"\s*[（(][^（）()\n]*[)）]")
# A further letter, or another reading, that belongs to the answer: then it is more than was read.
GOES_ON = re.compile(
    r"[\s、，,；;。.•·*-]*(?:[/&＆+和与及或]|以及|还有|或者|and\b|or\b)?\s*(?:选项)?[A-H]+(?![A-Za-z0-9])"
    r"|[\s，,；;。]*(?:也可|可能|或|其次|但|还是)"
)
MARKUP = re.compile(r"[*`]")
SPACES = re.compile(r"[、，, ]")
UNFINISHED = answer(None, "unfinished thinking")
EMPTY = answer(None, "empty")
NOTHING = answer(None, "nothing found")


def read(text: str, side: ChoiceSide) -> Answer:
    """Read the letters at the beginning of a response, or after 答案是, 答案为, 答案：, 选 or 选择.

    They count where a stop, the end, or the option's own text follows, no denial, and no other option. At the
    beginning and after a marker they must be the same. What was thought, and the next question of a base model, are no
    part of the response.

    Parameters
    ----------
    text : str
        The response, untouched.
    side : ChoiceSide
        What was asked.

    Returns
    -------
    Answer
        The letters in order, each once; None by the rule ``empty``, ``unfinished thinking``, ``several`` (different
        commitments), ``no such label`` (a letter that the question has not) or ``nothing found``.

    References
    ----------
    PeMeBench, section 3.2.2.

    Examples
    --------
    >>> from medzh_score.extraction.choice_side import ChoiceSide
    >>> side = ChoiceSide(("钙", "铁", "锌"))
    >>> read("A、C。因为……", side).value, read("应选A、C", side).value, read("C反应蛋白升高", side).value
    ('AC', 'AC', None)
    """
    said = spoken(text)
    if said is None:
        return UNFINISHED
    said = before_next(MARKUP.sub("", said)).strip()
    if not said:
        return EMPTY
    found = [letters for letters, _ in _committed(said, side)]
    if len(set(found)) > 1:
        return answer(None, "several")
    if not found or not found[0]:
        return NOTHING
    return (
        answer(found[0], "letters")
        if set(found[0]) <= set(LETTERS[: len(side.options)])
        else answer(None, "no such label")
    )


def _committed(said: str, side: ChoiceSide) -> list[tuple[str, re.Match[str]]]:
    """Find what a text commits itself to, and where; a marker without letters that count is a doubt."""
    opening = BEGINNING.match(said)
    found = [] if opening is None else [(_letters(said, opening, side), opening)]
    found = [one for one in found if one[0]]  # what opens no answer may be a word or a list of the options
    marked = (mark for mark in MARKED.finditer(said) if not taken_back(said, mark.start()))
    return found + [(_letters(said, mark, side), mark) for mark in marked]


def explain(text: str, side: ChoiceSide) -> Reading:
    """Say where letters were read.

    Parameters
    ----------
    text : str
        The response, untouched.
    side : ChoiceSide
        What was asked.

    Returns
    -------
    Reading
        As `read` gives it, with the letters; of several commitments those of all.

    Examples
    --------
    >>> from medzh_score.extraction.choice_side import ChoiceSide
    >>> explain("**应选A、C**", ChoiceSide(("钙", "铁", "锌")))
    Reading(value='AC', rule='letters', spans=(Span(start=4, end=7),))
    """
    found = read(text, side)
    located = locate_spoken(text)
    if located is None:
        return Reading(found.value, found.rule)
    located = substituted(located, MARKUP)
    located = stripped(part(located, 0, len(before_next(located.text))))
    places = {mark.span(1) for _, mark in _committed(located.text, side)}
    return Reading(found.value, found.rule, tuple(located.span(*place) for place in sorted(places)))


def _letters(text: str, found: re.Match[str], side: ChoiceSide) -> str:
    """Give the letters in order; empty where what they are or what follows them tells that they are no answer."""
    run = found[1]
    letters = "".join(sorted({letter for letter in run if letter in LETTERS}))
    if len(run) > 1 and not SPACES.search(run) and run != letters:
        return ""  # no alphabet, but a word: CEA
    end = found.end(1)
    texts = side.question.texts
    if texts.leading(text, found.start(1)) is not None:
        return ""  # an option that reads as letters
    own = side.question.own(run) if len(run) == 1 else None
    gap = SETS_OFF.match(text, end)
    met = texts.leading(text, gap.end()) if gap and own is not None else None
    if gap and own is not None and met is not None:
        if not texts.same(own, met.option) or not TEXT_ENDS.match(met.rest):
            return ""
        written = texts.texts[met.option].strip()
        if not text.startswith(written, gap.end()):
            return ""  # nobody knows where it ends
        end = gap.end() + len(written)
    elif not ENDS.match(text, end):
        return ""
    gloss = GLOSS.match(text, end)
    after = gloss.end() if gloss else end
    return "" if REJECTED.match(text, after) or GOES_ON.match(text, after) else letters
