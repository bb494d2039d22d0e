"""A report that was written as JSON, read back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from medzh_score.benchmark.tables import Table  # noqa: TC001 - msgspec looks the types of the fields up
from medzh_score.files.document import read_document
from medzh_score.files.input_file import InputFile

if TYPE_CHECKING:
    from pathlib import Path

SHAPE = "a report as `medzh-score score --to json` writes it"


@dataclass(frozen=True)
class ReadValue:
    """A metric on some items, as far as comparisons need it."""

    value: float | None
    n: int
    unit: str


@dataclass(frozen=True)
class ReadReport:
    """A report that was read back, as far as comparisons and figures need it."""

    config: str
    metrics: dict[str, ReadValue]
    groups: dict[str, dict[str, dict[str, ReadValue]]]
    signature: dict[str, str]
    tables: dict[str, Table] = field(default_factory=dict)
    model: str | None = None


def read_report(path: Path) -> ReadReport:
    """Read a report back."""
    with InputFile(path) as file:
        report: ReadReport = read_document(file, ReadReport, SHAPE)
    return report
