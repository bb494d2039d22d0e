"""PeMeBench's choice sets by ``simple-1``: letters at the very beginning, or right after 答案, and nothing else.

The paper read Spark's responses "by a simple regular expression" (49.19 right) and by hand (77.42) and does not print
the expression. This one stands for it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.config import answer
from medzh_score.extraction.choice_side import LETTERS

if TYPE_CHECKING:
    from medzh_score.config import Answer
    from medzh_score.extraction.choice_side import ChoiceSide

RUN = r"([A-H](?:[、，, ]*[A-H])*+)(?![A-Za-z])"
BEGINNING = re.compile(rf"\s*{RUN}")
MARKED = re.compile(rf"答案(?:是|为|：|:)\s*{RUN}")


def read(text: str, side: ChoiceSide) -> Answer:
    """Read the letters at the beginning of a response, else the first after 答案是, 答案为 or 答案：.

    Parameters
    ----------
    text : str
        The response, untouched.
    side : ChoiceSide
        What was asked.

    Returns
    -------
    Answer
        The letters in order, each once; None by the rule ``empty``, ``no such label`` (a letter that the question has
        not) or ``nothing found``.

    References
    ----------
    PeMeBench, section 3.2.2.

    Examples
    --------
    >>> from medzh_score.extraction.choice_side import ChoiceSide
    >>> side = ChoiceSide(("钙", "铁", "锌"))
    >>> read("A、C。因为……", side).value, read("应选A、C", side).value
    ('AC', None)
    """
    found = BEGINNING.match(text) or MARKED.search(text)
    if not found:
        return answer(None, "empty" if not text or text.isspace() else "nothing found")
    letters = "".join(sorted({letter for letter in found[1] if letter in LETTERS}))
    known = LETTERS[: len(side.options)]
    return answer(letters, "letters") if set(letters) <= set(known) else answer(None, "no such label")
