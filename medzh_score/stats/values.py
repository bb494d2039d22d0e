"""From statistics to values with intervals: metric = formula(sum of statistics), resampled by unit."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import compress, count, islice
from typing import TYPE_CHECKING, Literal

import numpy as np

from medzh_score.benchmark.items import WITHHELD
from medzh_score.benchmark.metrics import Direction  # noqa: TC001 - the types of the fields are looked up
from medzh_score.stats.intervals import FEW, FEWEST, Interval, IntervalKind, of_share, percentiles
from medzh_score.stats.sums import TOTAL, GroupKey, column_sums, items_by_group, slices_of_runs, sums_by_runs
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray
    from threadpoolctl import ThreadpoolController

    from medzh_score.benchmark.items import ItemIndex
    from medzh_score.benchmark.metrics import Metric
    from medzh_score.stats.sums import OfRules, Sums

    SumsOfColumn = Callable[[int], Sums]  # of a column of the statistics, shape (units, runs)
    Values = Mapping[GroupKey, Mapping[str, "Value"]]


Kind = Literal["auto", "bootstrap"]
GENERATOR = "PCG64"
BATCH = 64  # resamples that are summed in one product
HELD = 2**20  # numbers that are drawn before something is computed of them: bounds the memory
KEPT = 2**22  # sums inside units that are kept for all resamples; if there are more, each batch adds them up
SMALL = _("groups with few items are withheld for private configs")
MIN_GROUP_SIZE = 5  # items of a group that is shown
SIGNED = f"groups under {MIN_GROUP_SIZE} items"


@dataclass(frozen=True)
class Value:
    """A metric's value on some items."""

    value: float | None  # the mean of the formula over the runs in which it is defined; None if there is none
    low: float | None  # low and high: the 95 % interval; None without one
    high: float | None
    interval: IntervalKind | None  # of which kind it is
    std: float | None  # the standard deviation over runs; None for fewer than two
    ddof: int  # of the standard deviation
    per_run: tuple[float | None, ...]  # the formula in each run
    n: int  # how many items stand in the denominator of at least one run
    n_per_run: tuple[int, ...]  # how many in each run
    unit: str  # ``percent`` or ``fraction``
    direction: Direction | None  # which is better; None where neither is
    unavailable_reason: str | None = None  # why it is undefined, or else why it has no interval
    # least and most: over all items, between what it lies, whatever is unparsed or missing: of a share, what it would
    # be were all of that wrong, and were it right (`Metric.ends`); None where nothing is open, or nothing can be said
    least: float | None = None
    most: float | None = None

    @property
    def runs(self) -> int:
        """The number of runs in which the metric is defined, which the value is the mean of."""
        return sum(part is not None for part in self.per_run)


@dataclass(frozen=True)
class Bootstrap:
    """How units are resampled, with NumPy's PCG64; 0 resamples for no interval of this kind."""

    resamples: int = 1000
    seed: int = 0


def values(  # noqa: PLR0913 - all that a value depends on
    layout: ItemIndex,
    statistics: OfRules,
    metrics: tuple[Metric, ...],
    *,
    bootstrap: Bootstrap,
    unit: str,
    ddof: int = 1,
    interval: Kind = "auto",
) -> list[dict[GroupKey, dict[str, Value]]]:
    """Compute every metric on all items and on every group of every breakdown, with intervals.

    Statistics have the shape (rules, items, runs, k); given is for each rule from (breakdown, group), ``TOTAL`` for all
    items, to metric name to `Value`. The same resamples, drawn from all units, serve all rules, groups and metrics.
    Intervals are Wilson's for shares and the bootstrap's for all others (``auto``), or the bootstrap's for all. There
    is none where fewer than two units count, it would have no width, or most resamples leave the metric undefined.
    """
    rows = items_by_group(layout)
    formulas = {metric.name: metric.formula for metric in metrics if interval == "bootstrap" or metric.share is None}
    places = {name: place for place, name in enumerate(formulas)}

    def of_metrics(sums: Sums) -> NDArray[np.float64]:
        return np.stack([mean_over_runs(formula(sums)) for formula in formulas.values()], axis=-1)

    drawn = replicates(layout, statistics, rows, of_metrics, bootstrap) if formulas else {}

    def interval_of(rule: int, key: GroupKey, sums: SumsOfColumn, metric: Metric) -> Interval:
        if (sums(metric.denominator) != 0).any(axis=1).sum() < FEWEST:
            return Interval(unavailable_reason=FEW)
        if metric.name not in places:
            return of_share(metric, sums)
        return percentiles(drawn[key][:, rule, places[metric.name]])

    return [
        _values_of(layout, metrics, every, rows, partial(interval_of, rule), unit, ddof)
        for rule, every in enumerate(statistics)
    ]


def replicates(
    layout: ItemIndex,
    statistics: OfRules,
    rows: Mapping[GroupKey, NDArray[np.int64]],
    value: Callable[[Sums], NDArray[np.float64]],
    bootstrap: Bootstrap,
) -> dict[GroupKey, NDArray[np.float64]]:
    """Compute of each group's units as resampled what ``value`` gives of sums of shape (resamples, rules, runs, k)."""
    of_one = len(statistics), *statistics[0].shape[1:]  # an item's, or all that is summed of a resample
    units = int(layout.clusters.max(initial=-1)) + 1
    weights_of, at_once = _weights(units, bootstrap), max(1, HELD // (BATCH * max(units, math.prod(of_one))))
    found = {key: [value(np.empty((0, *of_one)))] for key in rows}
    fit = math.prod(of_one) * sum(map(len, rows.values())) <= KEPT
    kept = {key: [*sums_by_runs(layout, statistics, chosen)] for key, chosen in rows.items()} if fit else {}
    with one_thread():
        while batches := list(islice(weights_of, at_once)):
            for key, chosen in rows.items():
                drawn = np.empty((sum(map(len, batches)), *of_one))
                for some, members, sums in kept.get(key) or sums_by_runs(layout, statistics, chosen):
                    flat = sums.reshape(len(members), -1)
                    for start, weights in zip(count(0, BATCH), batches, strict=False):
                        part = drawn[start : start + len(weights), :, some]
                        of_members = weights if len(members) == units else weights[:, members]
                        part[:] = (of_members @ flat).reshape(part.shape)
                found[key].append(value(drawn))
    return {key: np.concatenate(values) for key, values in found.items()}


def one_thread() -> AbstractContextManager[object]:
    """Keep the products on one thread: those of BLAS wait for each other for seconds when a core is busy."""
    limits: AbstractContextManager[object] = _libraries().limit(limits=1, user_api="blas")
    return limits


@cache
def _libraries() -> ThreadpoolController:
    """Find the libraries that products run in, once: looking for them takes longer than most products."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _weights(units: int, bootstrap: Bootstrap) -> Iterator[NDArray[np.float64]]:
    """Draw how often each unit stands in each resample, a batch of resamples at a time."""
    generator = np.random.Generator(np.random.PCG64(bootstrap.seed))
    for start in range(0, bootstrap.resamples, BATCH):
        batch = np.empty((min(BATCH, bootstrap.resamples - start), units))
        for row in batch:
            row[:] = np.bincount(generator.integers(0, units, units), minlength=units)
        yield batch


def _values_of(  # noqa: PLR0913, PLR0917 - all that the values of a rule depend on
    layout: ItemIndex,
    metrics: tuple[Metric, ...],
    every: Sums,
    rows: Mapping[GroupKey, NDArray[np.int64]],
    interval: Callable[[GroupKey, SumsOfColumn, Metric], Interval],
    unit: str,
    ddof: int,
) -> dict[GroupKey, dict[str, Value]]:
    """Compute all metrics of all groups."""
    _unused, runs, width = every.shape
    sums = np.empty((len(rows), runs, width))  # of all groups, for one call of a formula
    for some in slices_of_runs(runs, len(every) * width):
        for place, chosen in enumerate(rows.values()):
            every[chosen, some].sum(axis=0, out=sums[place, some])
    per_run = [metric.formula(sums) for metric in metrics]
    found: dict[GroupKey, dict[str, Value]] = {}
    for place, (key, chosen) in enumerate(rows.items()):
        named = found.setdefault(key, {})
        of_units = cache(partial(column_sums, layout, every, chosen))
        for metric, of_groups in zip(metrics, per_run, strict=True):
            defined = of_groups[place][~np.isnan(of_groups[place])]
            bounds = (
                interval(key, of_units, metric)
                if len(defined)
                else Interval(unavailable_reason=metric.undefined_reason)
            )
            counted = every[..., metric.denominator][chosen] != 0
            value = Value(
                value=float(defined.mean()) if len(defined) else None,
                low=bounds.low,
                high=bounds.high,
                interval=bounds.kind,
                std=float(defined.std(ddof=ddof)) if len(defined) > 1 else None,
                ddof=ddof,
                per_run=tuple(None if np.isnan(value) else value for value in of_groups[place].tolist()),
                n=int(counted.any(axis=1).sum()),
                n_per_run=tuple(counted.sum(axis=0).tolist()),
                unit=unit,
                direction=metric.direction,
                unavailable_reason=bounds.unavailable_reason,
            )
            named[metric.name] = _withheld_value(value) if key[1] == WITHHELD else value
    return found


def _withheld_value(value: Value) -> Value:
    """Keep of the value of small groups how many items they have."""
    none = (None,) * len(value.per_run)
    kept = replace(
        value, value=None, low=None, high=None, interval=None, std=None, per_run=none, unavailable_reason=SMALL
    )
    return replace(kept, least=None, most=None)


def mean_over_runs(replicates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average over the runs, the last axis, in which a replicate is defined; nan where there is none."""
    defined = ~np.isnan(replicates)
    counts = defined.sum(axis=-1)
    sums = np.where(defined, replicates, 0.0).sum(axis=-1)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def breakdowns(
    by_group: Mapping[GroupKey, dict[str, Value]],
) -> dict[str, dict[str, dict[str, Value]]]:
    """Nest groups under their breakdowns, all items aside."""
    nested: dict[str, dict[str, dict[str, Value]]] = {}
    for key, named in by_group.items():
        if key != TOTAL:
            nested.setdefault(key[0], {})[key[1]] = named
    return nested


def without_small_groups(layout: ItemIndex, counted: Sequence[bool]) -> ItemIndex:
    """Put the items of each breakdown's small groups together, so that no difference gives one of them away."""
    return replace(layout, groups={name: _together(labels, counted) for name, labels in layout.groups.items()})


def _together(labels: Sequence[str], counted: Sequence[bool]) -> list[str]:
    withheld = small(Counter(compress(labels, counted)))
    return [WITHHELD if label in withheld else label for label in labels]


def without_small_values(by_group: Values) -> dict[GroupKey, dict[str, Value]]:
    """Withhold what a metric has in groups of which few items count in it, as those that have none of an answer."""
    kept = {key: dict(named) for key, named in by_group.items()}
    for breakdown in {breakdown for breakdown, _unused in by_group}:
        groups = {group: named for (name, group), named in by_group.items() if name == breakdown and group}
        for metric in next(iter(groups.values()), {}):
            counts = {group: named[metric].n for group, named in groups.items() if named[metric].n}
            for group in small(counts):
                kept[breakdown, group][metric] = _withheld_value(groups[group][metric])
    return kept


def small(counts: Mapping[str, int]) -> set[str]:
    """Choose the groups that are withheld: those that are small, and more until nobody can take one from all.

    What is withheld can be had as all items less those that are shown. So it is no single group, and not small itself,
    where there are others to add: the next smallest, of equals the first by name. What is withheld already is several.
    """
    order = sorted(counts, key=lambda label: (label != WITHHELD, counts[label], label))
    count = sum(label == WITHHELD or counts[label] < MIN_GROUP_SIZE for label in order)
    several = 1 if WITHHELD in counts else 2
    while 0 < count < len(order) and (
        count < several or sum(counts[label] for label in order[:count]) < MIN_GROUP_SIZE
    ):
        count += 1
    return set(order[:count])
