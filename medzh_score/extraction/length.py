"""How much of a prediction is read: one that runs on and on is left unread, or cut where the whole text counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.answers import Reading
from medzh_score.extraction.preparation import after_thinking, in_one_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.benchmark.rules import Rule

LONGEST = 100_000  # characters behind the thinking
WITH_THINKING = 800_000  # in all: more than models write today, and fewer than the overlap of two texts can take
SIGNED = f"{LONGEST} characters, {WITH_THINKING} with thinking"
CUT = "cut text"  # why there is an answer where the beginning of a text stands for the whole
TOO_LONG = Reading(None, "too long")


def beginning(text: str) -> str:
    """Give as much of a text as is read: nearly always all of it.

    Examples
    --------
    >>> len(beginning("<think>多饮水？</think>" + "多饮水。" * 25_001)) - len("<think>多饮水？</think>")
    100000
    """
    if len(text) <= LONGEST:
        return text
    start = after_thinking(in_one_width(text))
    return text[: WITH_THINKING if start < 0 else min(WITH_THINKING, start + LONGEST)]


def runs_on(text: str) -> bool:
    """Say whether a text is longer than what is read."""
    return len(beginning(text)) < len(text)


def read_by(rule: Rule, text: str, side: Any, variant: int) -> Sequence[Reading]:  # noqa: ANN401 - as rules take it
    """Read a prediction by a rule, whoever made it; of one that runs on no rule reads an answer."""
    if not runs_on(text):
        return rule.read(text, side, variant)
    if not rule.whole:
        return [TOO_LONG for _ in rule.read("", side, variant)]
    found = rule.read(beginning(text), side, variant)
    return [TOO_LONG if one.value is None else one._replace(why=CUT, note=None) for one in found]
