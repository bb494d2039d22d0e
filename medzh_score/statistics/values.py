"""From statistics to values with intervals: metric = formula(sum of statistics), resampled by unit."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import count, islice
from typing import TYPE_CHECKING, Literal

import numpy as np

from medzh_score.benchmark.layout import WITHHELD
from medzh_score.benchmark.metrics import Direction  # noqa: TC001 - the types of the fields are looked up
from medzh_score.statistics.intervals import FEW, FEWEST, Interval, IntervalKind, of_share, percentiles
from medzh_score.statistics.sums import TOTAL, GroupKey, column_sums, items_by_group, slices_of_runs, sums_by_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray
    from threadpoolctl import ThreadpoolController

    from medzh_score.benchmark.layout import Layout
    from medzh_score.benchmark.metrics import Metric
    from medzh_score.statistics.sums import OfRules, Sums

    SumsOfColumn = Callable[[int], Sums]  # of a column of the statistics, shape (units, runs)

Kind = Literal["auto", "bootstrap"]
GENERATOR = "PCG64"
BATCH = 64  # resamples that are summed in one product
HELD = 2**20  # numbers that are drawn before something is computed of them: bounds the memory
SMALL = "groups of a private config that have few items are withheld"


@dataclass(frozen=True)
class Value:
    """A metric's value on some items.

    Attributes
    ----------
    value : float or None
        The mean of the formula over the runs in which it is defined; None if there is none.
    low, high : float or None
        The 95 % interval; None without one.
    interval : {"wilson", "bootstrap"} or None
        Of which kind it is.
    std : float or None
        The standard deviation over runs; None for fewer than two.
    ddof : int
        Of the standard deviation.
    per_run : tuple of float or None
        The formula in each run.
    n : int
        How many items stand in the denominator of at least one run.
    n_per_run : tuple of int
        How many in each run.
    unit : str
        ``percent`` or ``fraction``.
    direction : {"higher", "lower"} or None
        Which is better; None where neither is.
    why : str or None
        Why it is undefined, or else why it has no interval.
    least, most : float or None
        Over all items, between what it lies, whatever is unparsed or missing: of a share, what it would be were all of
        that wrong, and were it right (`Metric.ends`); None where nothing is open, or nothing can be said.
    """

    value: float | None
    low: float | None
    high: float | None
    interval: IntervalKind | None
    std: float | None
    ddof: int
    per_run: tuple[float | None, ...]
    n: int
    n_per_run: tuple[int, ...]
    unit: str
    direction: Direction | None
    why: str | None = None
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True)
class Bootstrap:
    """How units are resampled, with NumPy's PCG64; 0 resamples for no interval of this kind."""

    resamples: int = 1000
    seed: int = 0


def values(  # noqa: PLR0913 - all that a value depends on
    layout: Layout,
    statistics: OfRules,
    metrics: tuple[Metric, ...],
    *,
    bootstrap: Bootstrap,
    unit: str,
    ddof: int = 1,
    interval: Kind = "auto",
) -> list[dict[GroupKey, dict[str, Value]]]:
    """Compute every metric on all items and on every group of every breakdown, with intervals.

    Parameters
    ----------
    layout : Layout
        Items, units and groups.
    statistics : array or sequence of arrays, shape (rules, items, runs, k)
        What each item contributes, for each rule that was applied.
    metrics : tuple of Metric
        What is computed from the sums.
    bootstrap : Bootstrap
        Resamples and seed. The same resamples serve all rules, groups and metrics; they are drawn from all units,
        not within groups.
    unit : str
        Of the metrics.
    ddof : int
        Of the standard deviation over runs.
    interval : {"auto", "bootstrap"}
        Of shares by Wilson and of all others by the bootstrap, or of all by the bootstrap.

    Returns
    -------
    list of dict
        For each rule from (breakdown, group), ``TOTAL`` for all items, to metric name to `Value`. An interval is
        None where fewer than two units count, where it would have no width, or where the metric is undefined in most
        resamples.
    """
    rows = items_by_group(layout)
    formulas = {metric.name: metric.formula for metric in metrics if interval == "bootstrap" or metric.share is None}
    places = {name: place for place, name in enumerate(formulas)}

    def of_metrics(sums: Sums) -> NDArray[np.float64]:
        return np.stack([mean_over_runs(formula(sums)) for formula in formulas.values()], axis=-1)

    drawn = replicates(layout, statistics, rows, of_metrics, bootstrap) if formulas else {}

    def interval_of(rule: int, key: GroupKey, sums: SumsOfColumn, metric: Metric) -> Interval:
        if (sums(metric.denominator) != 0).any(axis=1).sum() < FEWEST:
            return Interval(why=FEW)
        if metric.name not in places:
            return of_share(metric, sums)
        return percentiles(drawn[key][:, rule, places[metric.name]])

    return [
        _values_of(layout, metrics, every, rows, partial(interval_of, rule), unit, ddof)
        for rule, every in enumerate(statistics)
    ]


def replicates(
    layout: Layout,
    statistics: OfRules,
    rows: Mapping[GroupKey, NDArray[np.int64]],
    value: Callable[[Sums], NDArray[np.float64]],
    bootstrap: Bootstrap,
) -> dict[GroupKey, NDArray[np.float64]]:
    """Compute of each group's units as resampled what ``value`` gives of sums of shape (resamples, rules, runs, k)."""
    of_one = len(statistics), *statistics[0].shape[1:]  # an item's, or all that is summed of a resample
    units = int(layout.units.max(initial=-1)) + 1
    weights_of, at_once = _weights(units, bootstrap), max(1, HELD // (BATCH * max(units, math.prod(of_one))))
    found = {key: [value(np.empty((0, *of_one)))] for key in rows}
    with one_thread():
        while batches := list(islice(weights_of, at_once)):
            for key, chosen in rows.items():
                drawn = np.empty((sum(map(len, batches)), *of_one))
                for some, members, sums in sums_by_runs(layout, statistics, chosen):
                    flat = sums.reshape(len(members), -1)
                    for start, weights in zip(count(0, BATCH), batches, strict=False):
                        part = drawn[start : start + len(weights), :, some]
                        part[:] = (weights[:, members] @ flat).reshape(part.shape)
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
    layout: Layout,
    metrics: tuple[Metric, ...],
    every: Sums,
    rows: Mapping[GroupKey, NDArray[np.int64]],
    interval: Callable[[GroupKey, SumsOfColumn, Metric], Interval],
    unit: str,
    ddof: int,
) -> dict[GroupKey, dict[str, Value]]:
    """Compute all metrics of all groups."""
    _, runs, width = every.shape
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
            bounds = interval(key, of_units, metric) if len(defined) else Interval(why=metric.undefined)
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
                why=bounds.why,
            )
            named[metric.name] = withheld_value(value) if key[1] == WITHHELD else value
    return found


def withheld_value(value: Value) -> Value:
    """Keep of the value of small groups how many items they have."""
    none = (None,) * len(value.per_run)
    kept = replace(value, value=None, low=None, high=None, interval=None, std=None, per_run=none, why=SMALL)
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
