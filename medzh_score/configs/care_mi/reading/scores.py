"""What a judge's text gives an answer of CARE-MI: one score from 0 to 1, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.allowed_values import Between
from medzh_score.extraction.score import read_score

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SCORE = Between(0, 1)


def score_reader(aspect: str) -> Callable[[str, Mapping[str, str]], Mapping[str, str] | None]:
    """Make the reader of a round's responses, which gives the score under the name of the aspect.

    Examples
    --------
    >>> read = score_reader("correctness")
    >>> read("评分：0.80", {}), read("0.8，因为基本正确", {}), read("评分：8.5/10", {})
    ({'correctness': '0.8'}, {'correctness': '0.8'}, None)
    """

    def read(text: str, _context: Mapping[str, str]) -> Mapping[str, str] | None:
        value = read_score(text, SCORE.low, SCORE.high).value
        number = SCORE.read(f"{value:.9f}") if isinstance(value, float) else None
        return None if number is None else {aspect: number}

    return read
