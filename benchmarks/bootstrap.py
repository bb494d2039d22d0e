"""1,000 resamples over 14,048 pairs, all metrics, all types, beside a plain loop over resamples."""

from __future__ import annotations

import numpy as np
import texts
import timing

from medzh_score.configs.sdak.config import CONFIG
from medzh_score.readers.align import collect
from medzh_score.readers.files import PredictionFiles
from medzh_score.stats.sums import TOTAL, GroupKey
from medzh_score.stats.values import Bootstrap, values

RESAMPLES, SEED, REPEATS = 1000, 7, 5


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

    expected, found = rival(), ours()
    equal = found.keys() == expected.keys() and all(same(found[key], expected[key]) for key in found)
    ours_s, rival_s, ratio = timing.interleaved(ours, rival, REPEATS)
    timing.report("bootstrap", ours_s, "a plain loop over resamples", rival_s, ratio, equal=equal)


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


if __name__ == "__main__":
    main()
