"""1,000 resamples over 14,048 pairs, all metrics, all types, beside scipy's `bootstrap` and a plain loop.

The loop draws what we draw, so that its intervals are equal; scipy draws for each group and metric anew, so that its
ends are equal within what drawing moves them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.stats
import texts
import timing

from medzh_score.configs.sdak.config import CONFIG
from medzh_score.readers.align import collect
from medzh_score.readers.files import PredictionFiles
from medzh_score.stats.sums import TOTAL, GroupKey
from medzh_score.stats.values import Bootstrap, values

RESAMPLES, SEED, REPEATS = 1000, 7, 5
LOOP, SCIPY = "a plain loop over resamples", "scipy.stats.bootstrap, vectorised"
DRAWN_APART = 0.2  # of the width of an interval, by which 1,000 draws may move an end


def main() -> None:
    """Measure and print."""
    records = texts.records()
    path = texts.predictions(records, 1, 40, SEED)
    layout = CONFIG.layout(records.rows)
    asked = CONFIG.queries(records.rows, layout)
    collected = collect([row["id"] for row in records.rows], asked, CONFIG.rules, PredictionFiles((path,)))
    counts = CONFIG.statistics(layout, collected.tables["official"], {})
    types = np.array(layout.groups["type"])
    masks = {TOTAL: np.ones(len(types), bool), **{("type", name): types == name for name in sorted(set(types))}}

    def ours() -> dict[tuple[GroupKey, str], tuple[float | None, float | None]]:
        drawn = Bootstrap(RESAMPLES, SEED)
        (found,) = values(layout, counts[None], CONFIG.metrics, bootstrap=drawn, unit="percent", interval="bootstrap")
        return {(key, name): (value.low, value.high) for key, named in found.items() for name, value in named.items()}

    def rival() -> dict[tuple[GroupKey, str], tuple[float | None, float | None]]:
        generator = np.random.Generator(np.random.PCG64(SEED))
        replicates: dict[tuple[GroupKey, str], list[float]] = {}
        for _ in range(RESAMPLES):
            chosen = generator.integers(0, len(types), len(types))
            rows, labels = counts[chosen], types[chosen]
            for key in masks:
                group = rows if key == TOTAL else rows[labels == key[1]]
                for metric in CONFIG.metrics:
                    value = metric.formula(group.sum(axis=0)).mean()
                    replicates.setdefault((key, metric.name), []).append(float(value))
        return {key: interval(listed) for key, listed in replicates.items()}

    def vectorised() -> dict[tuple[GroupKey, str], tuple[float | None, float | None]]:
        drawn: dict[tuple[GroupKey, str], tuple[float | None, float | None]] = {}
        for key, mask in masks.items():
            rows = counts[mask].mean(axis=1)
            for metric in CONFIG.metrics:
                each = metric.formula(rows)
                if np.isnan(each).any():
                    drawn[key, metric.name] = None, None  # no mean over pairs
                    continue
                result = scipy.stats.bootstrap(
                    (each,), np.mean, n_resamples=RESAMPLES, vectorized=True, method="percentile", rng=SEED, batch=100
                )
                drawn[key, metric.name] = tuple(map(float, result.confidence_interval))
        return drawn

    expected, found, other = rival(), ours(), vectorised()
    equal = found.keys() == expected.keys() and all(same(found[key], expected[key]) for key in found)
    equal = equal and all(near(found[key], other[key]) for key in found)
    ours_s, taken = timing.beside(ours, {SCIPY: vectorised, LOOP: rival}, REPEATS)
    timing.report("bootstrap", ours_s, [replace(taken[SCIPY], bound=5, note="other draws"), taken[LOOP]], equal=equal)


def interval(replicates: list[float]) -> tuple[float | None, float | None]:
    """Take the percentiles of the defined replicates."""
    defined = [value for value in replicates if value == value]  # noqa: PLR0124 - nan differs from itself
    if 2 * len(defined) <= len(replicates):
        return None, None
    return float(np.quantile(defined, 0.025)), float(np.quantile(defined, 0.975))


def same(one: tuple[float | None, float | None], other: tuple[float | None, float | None]) -> bool:
    """Compare two intervals to the last bits."""
    if None in one or None in other:
        return one == other
    return bool(np.allclose(np.array(one, float), np.array(other, float), rtol=1e-12, atol=0))


def near(one: tuple[float | None, float | None], other: tuple[float | None, float | None]) -> bool:
    """Say whether two intervals from other draws agree."""
    if None in one or None in other:
        return one == other
    return bool(np.all(np.abs(np.array(one) - np.array(other)) <= DRAWN_APART * (one[1] - one[0]) + 1e-9))


if __name__ == "__main__":
    main()
