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
_MODULES = {
    "Reading": "medzh_score.benchmark.answers",
    "Span": "medzh_score.benchmark.answers",
    "asks_for_wrong": "medzh_score.extraction.letters",
    "read_diagnosis": "medzh_score.extraction.diagnosis",
    "read_groups": "medzh_score.extraction.groups",
    "read_letters": "medzh_score.extraction.letters",
    "read_score": "medzh_score.extraction.score",
    "read_verdict": "medzh_score.extraction.verdict",
    "read_yes_no": "medzh_score.extraction.yes_no",
}


def __getattr__(name: str) -> object:
    """Import what is asked for and no more, once."""
    if name in _MODULES:
        return globals().setdefault(name, getattr(import_module(_MODULES[name]), name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
