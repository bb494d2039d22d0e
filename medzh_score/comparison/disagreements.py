"""The units in which systems differ, with what each answered: what to look at next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from medzh_score.io.atomic import open_for_writing
from medzh_score.stats.sums import unit_sums
from medzh_score.stats.values import mean_over_runs
from medzh_score.ui.i18n import plain_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pyarrow as pa
    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Metric
    from medzh_score.comparison.align import Comparable
    from medzh_score.results.result import LabeledResult, Result


COLUMNS = ("id", "run", "variant", "answer", "found_by", "note", "text")


@dataclass(frozen=True)
class _Answers:
    """What a system answered: rows sorted by the place of their item, and where each item's begin."""

    table: pa.Table
    starts: NDArray[np.int64]

    def of(self, item: int) -> Iterator[dict[str, Any]]:
        """Give each answer with its prediction's id, run and variant; the text where it was saved."""
        start, stop = self.starts[item : item + 2].tolist()
        for row in self.table.slice(start, stop - start).to_pylist():
            yield {name: value for name, value in row.items() if name != "text" or value is not None}


def write_differing(path: Path, systems: Comparable) -> None:
    """Write a JSON line for each unit in which two systems or more differ, in the order of the units' ids."""
    encoder = msgspec.json.Encoder(enc_hook=plain_text)
    with open_for_writing(path) as stream:
        for line in differing_units(systems):
            stream.write(encoder.encode(line) + b"\n")


def differing_units(systems: Comparable) -> Iterator[dict[str, Any]]:
    """Give each unit with its items and groups, and of each system the metrics of that unit alone and its answers."""
    layout = systems.together.systems.layout
    ends = np.cumsum(np.bincount(layout.clusters))[:-1]
    rows = [row.tolist() for row in np.split(np.argsort(layout.clusters, kind="stable"), ends)]
    answers = [_answers_of(one, systems.rule, layout.items) for one in systems.results]
    first = systems.results[0].result.layout
    groups = {name: dict(zip(first.items, labels, strict=True)) for name, labels in first.groups.items()}
    given = systems.together.systems.statistics
    sums = np.moveaxis(unit_sums(layout, given, np.arange(len(layout.items)))[1], 0, 1)
    alone = {metric.name: mean_over_runs(metric.formula(sums)) for metric in systems.metrics}
    named = {unit: [layout.items[row] for row in rows[unit]] for unit in _differing(systems.metrics, sums)}
    for unit, items in sorted(named.items(), key=lambda one: min(one[1])):
        yield {
            "unit": min(items),
            "items": items,
            "groups": {name: list(dict.fromkeys(of[item] for item in items)) for name, of in groups.items()},
            "systems": {
                one.label: {
                    "metrics": {metric: _plain(values[place, unit]) for metric, values in alone.items()},
                    "answers": [answer for row in rows[unit] for answer in answers[place].of(row)],
                }
                for place, one in enumerate(systems.results)
            },
        }


def _differing(metrics: Sequence[Metric], sums: NDArray[np.float64]) -> list[int]:
    """Find the units in which a metric, or whether and how often it counts, is not the same in all systems.

    Where a metric has no value in any unit alone, as a correlation, all that the unit contributes is compared.
    """
    differs = np.zeros(sums.shape[1], bool)
    for metric in metrics:
        values = metric.formula(sums)
        seen = np.stack([values, sums[..., metric.denominator]], axis=-1)
        seen = sums if np.isnan(values).all() else seen
        differs |= ~np.isclose(seen, seen[:1], rtol=1e-12, atol=1e-12, equal_nan=True).all(axis=(0, 2, 3))
    return np.flatnonzero(differs).tolist()


def _plain(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _answers_of(one: LabeledResult[Result], rule: str, items: Sequence[str]) -> _Answers:
    import pyarrow as pa
    import pyarrow.compute as pc

    table = one.result.items()
    table = table.filter(pc.equal(table["rule"], rule))
    places = pc.index_in(table["item"], value_set=pa.array(items)).fill_null(-1).to_numpy()
    order = np.argsort(places, kind="stable")
    return _Answers(table.select(COLUMNS).take(order), np.searchsorted(places[order], np.arange(len(items) + 1)))
