"""How much of a prediction is read: one that runs on and on is left unread, or cut where the whole text counts."""

from __future__ import annotations

from itertools import chain, starmap
from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.answers import Reading
from medzh_score.extraction.whole_text import AnswerIn, answer_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.benchmark.rules import Rule

LONGEST = 100_000  # characters of an answer: more than models write today, and fewer than overlap can take
SIGNED = f"{LONGEST} characters"
CUT = "cut text"  # why there is an answer where the beginning of a text stands for the whole
TOO_LONG = Reading(None, "too long")


def beginning(text: str) -> str:
    """Give as much of a text as is read: nearly always all of it."""
    return text[:LONGEST]


def runs_on(text: str) -> bool:
    """Say whether a text is longer than what is read."""
    return len(text) > LONGEST


def read_by(rule: Rule, text: str, side: Any, variant: int) -> Sequence[Reading]:  # noqa: ANN401 - as rules take it
    """Read a prediction by a rule, whoever made it; of one that runs on no rule reads an answer."""
    if not runs_on(text):
        return rule.read(text, side, variant)
    if not rule.whole:
        return [TOO_LONG for _ in rule.read("", side, variant)]
    found = rule.read(beginning(text), side, variant)
    return [TOO_LONG if one.value is None else one._replace(why=CUT, note=None) for one in found]


def read_in(rule: Rule, text: str, side: Any, variant: int) -> Sequence[Reading]:  # noqa: ANN401 - as rules take it
    """Read the answer in a prediction by a rule; the places are those in the whole text."""
    answer = answer_in(text) or AnswerIn("", [])
    found = read_by(rule, answer.text, side, variant)
    return [one._replace(spans=tuple(chain.from_iterable(starmap(answer.places, one.spans)))) for one in found]
