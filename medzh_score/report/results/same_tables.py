"""Whether what is made again holds the statistics and the answers of a result folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.report.results.folder import ITEMS, STATISTICS
from medzh_score.report.results.result import Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from medzh_score.report.report import Report

ROWS = 1 << 16  # that are compared at once
ROUNDING = 1e-9  # relative: what another version of numpy may do to the last digits


@dataclass(frozen=True)
class Verified:
    """What is as the report says, and what is not."""

    same: tuple[str, ...]
    problems: tuple[str, ...]


def same_tables(saved: Result, made: Report) -> Iterator[Verified]:
    """Compare the statistics and the answers of a result folder with those of its report made again."""
    with TemporaryDirectory() as place:
        made.save(Path(place) / "made", texts=saved.texts)
        again = Result.load(Path(place) / "made")
        yield _compared(STATISTICS, _statistics_apart(saved, again), "rows of items and runs")
        yield _compared(ITEMS, _answers_apart(saved.items(), again.items()), "rows of answers")


def _answers_apart(saved: pa.Table, again: pa.Table) -> int | None:
    """Count the rows that differ, not all of them at once; None where there are more of the one."""
    if saved.num_rows != again.num_rows:
        return None
    if saved.equals(again):
        return 0
    parts = ((one.slice(start, ROWS).to_pylist() for one in (saved, again)) for start in range(0, len(saved), ROWS))
    return sum(bool(one != other) for rows, others in parts for one, other in zip(rows, others, strict=True))


def _statistics_apart(saved: Result, again: Result) -> int | None:
    """Count the rows that differ; None where the rows are of other items or runs."""
    keys = [(one.layout.items, one.runs, list(one.statistics)) for one in (saved, again)]
    same_units = np.array_equal(saved.layout.units, again.layout.units)
    if keys[0] != keys[1] or not same_units or saved.layout.groups != again.layout.groups:
        return None
    counts, others = (np.stack(list(one.statistics.values())) for one in (saved, again))
    apart = ~np.isclose(counts, others, rtol=ROUNDING, atol=ROUNDING).all(axis=-1)
    apart |= (saved.missing != again.missing)[np.newaxis]
    for place, name in enumerate(saved.statistics):
        apart[place] |= saved.unread[name] != again.unread[name]
    return int(apart.sum())


def _compared(file: str, apart: int | None, what: str) -> Verified:
    if apart is None:
        return Verified((), (f"{file}: is of other items, runs or rules",))
    if apart:
        return Verified((), (f"{file}: {apart} {what} differ",))
    return Verified((f"{file}: the same {what}",), ())
