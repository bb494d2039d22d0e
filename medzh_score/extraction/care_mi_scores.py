"""What a judge's text gives an answer of CARE-MI: one number from 0 to 1, or nothing.

The paper's judges give a scalar. What holds another number, a reason or a percent sign is unreadable: a guess at which
number was meant would be a score that nobody gave.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.between import Between
from medzh_score.extraction import score
from medzh_score.extraction.preparation import spoken

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SCORE = Between(0, 1)
_WORDS = (
    "评分|得分|分数|打分|正确性|可解释性|score|rating|judge?ment|correctness|interpretability"
    "|(?:你的|我的|正确性|可解释性)(?:评分|得分|分数|打分)|your judge?ment|(?:correctness|interpretability) score"
)
_NUMBER = "[0-9０-９.．]*[0-9０-９]"
_FORM = re.compile(
    rf"(?:(?:{_WORDS})(?:结果)?\s*(?:为|是|is)?\s*[:：=]?\s*)?(?P<number>{_NUMBER})\s*分?[。.]?", re.IGNORECASE
)


def score_reader(aspect: str) -> Callable[[str, Mapping[str, str]], Mapping[str, str] | None]:
    """Make the reader of a round's responses.

    Parameters
    ----------
    aspect : str
        The round, and its column.

    Returns
    -------
    callable
        From a text and the context, which is not looked at, to the score under the name of the aspect, or None.

    Examples
    --------
    >>> read = score_reader("correctness")
    >>> read("评分：0.80", {}), read("**0.8分**。", {}), read("0.8，因为基本正确", {})
    ({'correctness': '0.8'}, {'correctness': '0.8'}, None)
    """

    def read(text: str, _context: Mapping[str, str]) -> Mapping[str, str] | None:
        said = (spoken(text) or "").replace("*", "").strip()
        found = _FORM.fullmatch(said)
        number = SCORE.read(found["number"]) if found else None
        return None if number is None else {aspect: number}

    return read


def stated_score_reader(aspect: str) -> Callable[[str, Mapping[str, str]], Mapping[str, str] | None]:
    """Make the reader of a round's responses by ``score-2``: the one score that a response states, with reasons or not.

    Parameters
    ----------
    aspect : str
        The round, and its column.

    Returns
    -------
    callable
        From a text and the context, which is not looked at, to the score under the name of the aspect, or None.

    Examples
    --------
    >>> read = stated_score_reader("correctness")
    >>> read("0.8，因为基本正确", {}), read("0.8，或者0.3", {})
    ({'correctness': '0.8'}, None)
    """

    def read(text: str, _context: Mapping[str, str]) -> Mapping[str, str] | None:
        number = score.read(text, SCORE).value
        return None if number is None else {aspect: number}

    return read
