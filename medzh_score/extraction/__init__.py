"""Reading answers: one engine, five kinds, and the readings that belong to one config."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from medzh_score.benchmark.answers import Reading, Span
    from medzh_score.extraction.diagnosis import read_diagnosis
    from medzh_score.extraction.groups import read_groups
    from medzh_score.extraction.letters import asks_for_wrong, read_letters
    from medzh_score.extraction.score import read_score
    from medzh_score.extraction.verdict import read_verdict
    from medzh_score.extraction.yes_no import read_yes_no

__all__ = [
    "Reading",
    "Span",
    "asks_for_wrong",
    "read_diagnosis",
    "read_groups",
    "read_letters",
    "read_score",
    "read_verdict",
    "read_yes_no",
]
_ELSEWHERE = {"Reading": "benchmark.answers", "Span": "benchmark.answers", "asks_for_wrong": "extraction.letters"}


def __getattr__(name: str) -> object:
    """Import what is asked for and no more, once."""
    if name in __all__:
        module = _ELSEWHERE.get(name, f"extraction.{name.removeprefix('read_')}")
        return globals().setdefault(name, getattr(import_module(f"medzh_score.{module}"), name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
