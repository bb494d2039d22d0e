"""The interval of a difference between two prompts: a bootstrap over pairs that keeps both prompts together."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from medzh_score.benchmark.layout import Layout
from medzh_score.benchmark.metrics import Metric
from medzh_score.files.input_file import InputFile
from medzh_score.files.lines import decoded, numbered_lines
from medzh_score.messages.errors import MedzhError
from medzh_score.statistics.formulas.ratio import ratio
from medzh_score.statistics.values import GENERATOR, Bootstrap, values

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Formula
    from medzh_score.report.sensitivity import Difference, Sensitivity
    from medzh_score.statistics.values import Value

RIGHT_FIRST, COUNTED_FIRST, RIGHT_SECOND, COUNTED_SECOND = range(4)
SCALE = {"percent": 100.0, "fraction": 1.0}
SKIPPED = "skipped"
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Verdict:
    """What one rule says of an item in one run."""

    verdict: str = ""


@dataclass(frozen=True)
class ItemLine:
    """A line of an items file, as far as it is needed here."""

    item: str
    run: int
    right: bool
    groups: dict[str, str]
    rule: str = ""
    rules: dict[str, Verdict] = field(default_factory=dict)

    @property
    def counted(self) -> bool:
        """Whether the item stands in the denominator of this run."""
        return self.rule not in self.rules or self.rules[self.rule].verdict != SKIPPED


Lines = dict[tuple[str, int], ItemLine]


def read_items(path: Path) -> Lines:
    """Read an items file."""
    decoder = msgspec.json.Decoder(ItemLine)
    lines: Lines = {}
    with InputFile(path) as file:
        for number, raw in numbered_lines(file):
            line: ItemLine = decoded(decoder, raw, file, number)
            if (line.item, line.run) in lines:
                raise MedzhError("comes twice in a run", file=path, line=number, field="item", found=line.item)
            lines[line.item, line.run] = line
    if not lines:
        raise MedzhError("holds no items", file=path, expected="what medzh-score score --items writes")
    return lines


def with_intervals(found: Sensitivity, first: Path, second: Path, bootstrap: Bootstrap) -> Sensitivity:
    """Add the 95 % interval of each difference, None in groups of too few items: a paired percentile bootstrap.

    Each resample draws items once for both prompts, all runs of an item together.
    """
    ours, theirs = read_items(first), read_items(second)
    _refuse_other_items(ours, theirs, second)
    layout, statistics = _paired(ours, theirs)
    metrics = _metrics(SCALE[found.unit])
    by_group = values(layout, statistics, metrics, bootstrap=bootstrap, unit=found.unit)[0]
    rows = []
    for row in found.rows:
        computed = by_group.get(row.key, {})
        _refuse_other_values(row, computed, found.metric)
        rows.append(replace(row, low=computed["difference"].low, high=computed["difference"].high))
    drawn = f"{bootstrap.resamples} resamples, percentile 95%, {GENERATOR} seed {bootstrap.seed}"
    return replace(found, rows=tuple(rows), interval=f"paired bootstrap over items, {drawn}")


def _refuse_other_items(ours: Lines, theirs: Lines, file: Path) -> None:
    if ours.keys() != theirs.keys():
        item, run = min(ours.keys() ^ theirs.keys())
        raise MedzhError("the items files are of different items", file=file, field="item", found=f"{item} run {run}")
    for key, line in ours.items():
        if line.groups != theirs[key].groups:
            raise MedzhError("stands in another group than in the first file", file=file, field="item", found=key[0])


def _refuse_other_values(row: Difference, computed: Mapping[str, Value], metric: str) -> None:
    expected = {"first": row.first, "second": row.second}
    found = {name: value.value for name, value in computed.items() if name in expected}
    if found.keys() != expected.keys() or not all(_same(found[name], expected[name]) for name in expected):
        raise MedzhError(
            f"the items files do not give the {metric} of the reports",
            field=" ".join(row.key).strip() or "all",
            expected=f"{row.first} and {row.second}",
            found=list(found.values()),
            advice="name the items files of these two reports; they hold what FactAcc counts",
        )


def _same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def _paired(ours: Lines, theirs: Lines) -> tuple[Layout, NDArray[np.float64]]:
    """Put both files beside each other: items by id, so that the order of the lines does not matter."""
    items = {item: index for index, item in enumerate(sorted({item for item, _ in ours}))}
    runs = {run: index for index, run in enumerate(sorted({run for _, run in ours}))}
    counts = np.zeros((1, len(items), len(runs), 4))
    labels: dict[str, dict[str, str]] = {}
    for (item, run), line in ours.items():
        cell = counts[0, items[item], runs[run]]
        other = theirs[item, run]
        cell[COUNTED_FIRST], cell[RIGHT_FIRST] = line.counted, line.counted and line.right
        cell[COUNTED_SECOND], cell[RIGHT_SECOND] = other.counted, other.counted and other.right
        for breakdown, label in line.groups.items():
            labels.setdefault(breakdown, {})[item] = label
    groups = {breakdown: [of.get(item, "") for item in items] for breakdown, of in labels.items()}
    members = np.empty((len(items), 0), np.int64)
    return Layout(tuple(items), members, np.arange(len(items)), groups), counts


def _metrics(scale: float) -> tuple[Metric, ...]:
    first, second = ratio(RIGHT_FIRST, COUNTED_FIRST, scale), ratio(RIGHT_SECOND, COUNTED_SECOND, scale)

    def difference(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return second(sums) - first(sums)

    named: dict[str, tuple[Formula, int]] = {
        "first": (first, COUNTED_FIRST),
        "second": (second, COUNTED_SECOND),
        "difference": (difference, COUNTED_FIRST),
    }
    return tuple(
        Metric(name, name, formula, column, "no item was counted") for name, (formula, column) in named.items()
    )
