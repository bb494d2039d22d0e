"""How the predictions cover what was asked, as the parts of a bar."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from medzh_score.benchmark.answer_table import SECOND_READING
from medzh_score.report.readiness import tells_clear

if TYPE_CHECKING:
    from medzh_score.report.report import Report


class Part(NamedTuple):
    """A part of the bar: its class in the style sheet, what it is called, and how many predictions it holds."""

    kind: str
    name: str
    predictions: int


def parts_of(report: Report) -> tuple[Part, ...]:
    """Part all that was expected; the counts sum to it, and only what a rule tells is called clear."""
    coverage, fired = report.coverage, report.results[report.rule].fired
    answered = coverage.read - coverage.unread
    second = sum(one.answers for one in fired if one.wording == SECOND_READING and one.answered)
    clear = coverage.clear if tells_clear(report.rule, fired) else 0
    parts = (
        Part("clear", "read clearly", clear),
        Part("read", "read", answered - clear - second),
        Part("second", "by a second reader", second),
        Part("unread", "unread", coverage.unread - coverage.empty),
        Part("empty", "empty", coverage.empty),
        Part("missing", "missing or failed", coverage.missing),
    )
    return tuple(part for part in parts if part.predictions)
