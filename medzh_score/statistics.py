"""From statistics to values with intervals: metric = formula(sum of statistics), resampled by unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray

    from medzh_score.config import Layout, Metric

GENERATOR = "PCG64"
LEVEL = 0.95
BATCH = 64  # resamples that are summed in one product: bounds the memory
TOTAL = ("", "")  # the key of all items, beside (breakdown, group)
GroupKey = tuple[str, str]


@dataclass(frozen=True)
class Value:
    """A metric's value on some items.

    Attributes
    ----------
    value : float or None
        The mean of the formula over the runs in which it is defined; None if there is none.
    low, high : float or None
        The percentile bootstrap interval over units; None without one.
    std : float or None
        The standard deviation over runs; None for fewer than two.
    ddof : int
        Of the standard deviation.
    per_run : tuple of float or None
        The formula in each run.
    n : int
        How many items stand in the denominator of at least one run.
    unit : str
        ``percent`` or ``fraction``.
    why : str or None
        Why it is undefined, where it is.
    """

    value: float | None
    low: float | None
    high: float | None
    std: float | None
    ddof: int
    per_run: tuple[float | None, ...]
    n: int
    unit: str
    why: str | None = None


@dataclass(frozen=True)
class Bootstrap:
    """How intervals are drawn.

    Attributes
    ----------
    resamples : int
        How many; 0 means no interval.
    seed : int
        Of NumPy's PCG64.
    """

    resamples: int = 1000
    seed: int = 0


def values(  # noqa: PLR0913 - all that a value depends on
    layout: Layout,
    statistics: NDArray[np.float64],
    metrics: tuple[Metric, ...],
    *,
    bootstrap: Bootstrap,
    unit: str,
    ddof: int = 1,
) -> list[dict[GroupKey, dict[str, Value]]]:
    """Compute every metric on all items and on every group of every breakdown, with intervals.

    Parameters
    ----------
    layout : Layout
        Items, units and groups.
    statistics : array, shape (rules, items, runs, k)
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

    Returns
    -------
    list of dict
        For each rule from (breakdown, group), ``TOTAL`` for all items, to metric name to `Value`. An interval is
        None where fewer than two units were drawn from or the metric is undefined in most resamples.
    """
    rules, _, runs, width = statistics.shape
    groups = {key: _unit_sums(layout, statistics, rows) for key, rows in _rows(layout).items()}
    drawn = {key: np.empty((bootstrap.resamples, rules, runs, width)) for key in groups}
    units = int(layout.units.max(initial=-1)) + 1
    with _one_thread():
        for start, weights in _weights(units, bootstrap):
            for key, (members, sums) in groups.items():
                product = weights[:, members] @ sums.reshape(len(members), -1)
                drawn[key][start : start + len(weights)] = product.reshape(-1, rules, runs, width)
    return [
        {
            key: {
                metric.name: _value(metric, statistics[rule, rows], drawn[key][:, rule], unit, ddof, units)
                for metric in metrics
            }
            for key, rows in _rows(layout).items()
        }
        for rule in range(rules)
    ]


def _one_thread() -> AbstractContextManager[object]:
    """Keep the products on one thread: those of BLAS wait for each other for seconds when a core is busy."""
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[object] = threadpool_limits(limits=1, user_api="blas")
    return limits


def _rows(layout: Layout) -> dict[GroupKey, NDArray[np.int64]]:
    """Find the items of each group; groups in the layout's order, or the alphabet's."""
    rows = {TOTAL: np.arange(len(layout.items))}
    for breakdown, labels in layout.groups.items():
        written = np.asarray(labels)
        there = set(labels)
        order = layout.orders.get(breakdown, ())
        for label in [*(label for label in order if label in there), *sorted(there.difference(order))]:
            rows[breakdown, label] = np.flatnonzero(written == label)
    return rows


def _unit_sums(
    layout: Layout, statistics: NDArray[np.float64], rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Add rows inside units: the units that have any, and their sums, shape (units, rules, runs, k)."""
    order = rows[np.argsort(layout.units[rows], kind="stable")]
    members, starts = np.unique(layout.units[order], return_index=True)
    by_item = np.moveaxis(statistics[:, order], 0, 1)
    return members, np.add.reduceat(by_item, starts, axis=0)


def _weights(units: int, bootstrap: Bootstrap) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Draw how often each unit stands in each resample, a batch of resamples at a time."""
    generator = np.random.Generator(np.random.PCG64(bootstrap.seed))
    for start in range(0, bootstrap.resamples, BATCH):
        count = min(BATCH, bootstrap.resamples - start)
        batch = np.empty((count, units))
        for row in batch:
            row[:] = np.bincount(generator.integers(0, units, units), minlength=units)
        yield start, batch


def _value(  # noqa: PLR0913, PLR0917 - all that a value depends on
    metric: Metric,
    rows: NDArray[np.float64],
    drawn: NDArray[np.float64],
    unit: str,
    ddof: int,
    units: int,
) -> Value:
    per_run = metric.formula(rows.sum(axis=0))
    if metric.requires is not None and not rows[..., metric.requires].any():
        per_run = np.full_like(per_run, np.nan)
    counted = int((rows[..., metric.denominator] != 0).any(axis=1).sum())
    defined = per_run[~np.isnan(per_run)]
    listed = tuple(None if np.isnan(value) else float(value) for value in per_run)
    if not len(defined):
        return Value(None, None, None, None, ddof, listed, counted, unit, metric.undefined)
    low, high = _interval(_mean_over_runs(metric.formula(drawn))) if units > 1 else (None, None)
    std = float(defined.std(ddof=ddof)) if len(defined) > 1 else None
    return Value(float(defined.mean()), low, high, std, ddof, listed, counted, unit)


def _mean_over_runs(replicates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average over the runs in which a replicate is defined; nan where there is none."""
    defined = ~np.isnan(replicates)
    counts = defined.sum(axis=1)
    sums = np.where(defined, replicates, 0.0).sum(axis=1)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def _interval(replicates: NDArray[np.float64]) -> tuple[float | None, float | None]:
    defined = replicates[~np.isnan(replicates)]
    if 2 * len(defined) <= len(replicates):
        return None, None
    low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def breakdowns(
    by_group: Mapping[GroupKey, dict[str, Value]],
) -> dict[str, dict[str, dict[str, Value]]]:
    """Nest groups under their breakdowns, all items aside.

    Parameters
    ----------
    by_group : mapping of (breakdown, group) to metrics
        One entry of what `values` returns.
    """
    nested: dict[str, dict[str, dict[str, Value]]] = {}
    for key, named in by_group.items():
        if key != TOTAL:
            nested.setdefault(key[0], {})[key[1]] = named
    return nested
