"""A report that was written as JSON, read back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from medzh_score.benchmark.tables import Table  # noqa: TC001 - msgspec looks the types of the fields up
from medzh_score.files.document import read_document

if TYPE_CHECKING:
    from pathlib import Path

SHAPE = "a report as `medzh-score score --to json` writes it"


@dataclass(frozen=True)
class ReadValue:
    """A metric on some items, as far as comparisons need it.

    Attributes
    ----------
    value : float or None
        None where it is undefined.
    n : int
        Over how many items.
    unit : str
        ``percent`` or ``fraction``.
    """

    value: float | None
    n: int
    unit: str


@dataclass(frozen=True)
class ReadReport:
    """A report that was read back, as far as comparisons and figures need it.

    Attributes
    ----------
    config : str
        What was scored.
    metrics : dict of str to ReadValue
        Over all items, by the chosen rule.
    groups : dict
        From breakdown to group to the same.
    signature : dict of str to str
        How the numbers came to be.
    tables : dict of str to Table
        The config's own, by the chosen rule.
    model : str or None
        Who answered.
    """

    config: str
    metrics: dict[str, ReadValue]
    groups: dict[str, dict[str, dict[str, ReadValue]]]
    signature: dict[str, str]
    tables: dict[str, Table] = field(default_factory=dict)
    model: str | None = None


def read_report(path: Path) -> ReadReport:
    """Read a report back."""
    report: ReadReport = read_document(path, ReadReport, SHAPE)
    return report
