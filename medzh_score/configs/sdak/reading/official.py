"""SDAK's ``official`` rule: the windows of the authors' ``code/evaluate.py``, its quirks included.

The authors ask two questions of the raw text: does its beginning match the pattern "correct", does it match the
pattern "incorrect"? A text may match both (不完全正确 does). A factual claim is then supported when the first holds,
a counterfactual one refuted when the second holds, and a text is an answer when either does. So where both hold, the
answer is the one that the authors credit: "correct" on the factual, "incorrect" on the counterfactual claim.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from medzh_score.benchmark.answers import Reading, Span

if TYPE_CHECKING:
    from medzh_score.configs.sdak.reading.reason import ClaimSide

LONGEST_WINDOW = 10

# Wording and how many characters from the start of the text are searched for it.
CORRECT_WINDOWS = (("是的", 3), ("是正确的", 10))
INCORRECT_WINDOWS = (
    ("错误", 3),
    ("不正确", 10),
    ("这个说法是错误的", 10),
    ("这个说法是不正确的", 10),
    ("不完全正确", 10),
    ("不是", 5),
)
VERDICT_WINDOW = 5
NOTHING = Reading(None, "nothing")


def _name(wording: str, width: int) -> str:
    return f"{wording}[:{width}]"


MEANINGS = {
    _name(wording, width): f"{wording} stands in the first {width} characters"
    for wording, width in (("正确", VERDICT_WINDOW), *CORRECT_WINDOWS, *INCORRECT_WINDOWS)
}


def read(text: str, side: ClaimSide) -> Reading:
    """Read an answer as the authors' script does, by the wording in its window, such as ``正确[:5]``.

    Examples
    --------
    >>> from medzh_score.configs.sdak.reading.reason import FACTUAL
    >>> found = read("答案：正确。", FACTUAL)
    >>> found.value, found.why, found.spans
    ('correct', '正确[:5]', (Span(start=3, end=5),))
    """
    correct, incorrect = _windows(text[:LONGEST_WINDOW])
    credited, other = (incorrect, correct) if side.counterfactual else (correct, incorrect)
    found = credited or other or NOTHING
    return side.noted(found, text) if side.counterfactual else found


@lru_cache(maxsize=1 << 16)
def _windows(head: str) -> tuple[Reading | None, Reading | None]:
    return _correct(head), _incorrect(head)


def _correct(head: str) -> Reading | None:
    start = head[:VERDICT_WINDOW]
    if "正确" in start and "不正确" not in start:
        return _in_window(head, "正确", VERDICT_WINDOW, "correct")
    return _first(head, CORRECT_WINDOWS, "correct")


def _incorrect(head: str) -> Reading | None:
    return _first(head, INCORRECT_WINDOWS, "incorrect")


def _first(head: str, windows: tuple[tuple[str, int], ...], value: str) -> Reading | None:
    for wording, width in windows:
        if wording in head[:width]:
            return _in_window(head, wording, width, value)
    return None


def _in_window(head: str, wording: str, width: int, value: str) -> Reading:
    start = head.index(wording)
    return Reading(value, _name(wording, width), (Span(start, start + len(wording)),))
