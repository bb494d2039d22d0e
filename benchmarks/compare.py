"""Comparisons of the sizes that people have, with a baseline and of all pairs, beside other tests of the same vectors.

20 systems on 14,048 pairs (28,096 claims), in one run and in three, and 200 systems on 460 questions in 120 variants,
with 1,000 resamples and 10,000 swaps, each in a process of its own; `seconds`, `cpu_s` and `mb` say what each takes,
the last above imports and data. The test of 19 systems with a baseline stands beside scipy's `permutation_test` and
sacrebleu's paired approximate randomisation, of one system each, and a loop over 40 swaps, whose times are scaled.
`equal` says whether p is that of the loop, and that of the others within what 10,000 draws move it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import scipy.stats
import timing

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.config import Table
from medzh_score.benchmark.items import ItemIndex
from medzh_score.benchmark.metrics import Metric  # noqa: TC001 - scripts are read as they are run
from medzh_score.configs.sdak import metrics as sdak
from medzh_score.configs.tcmd import metrics as tcmd
from medzh_score.render.tables import as_text
from medzh_score.stats.compare import PERMUTATIONS, compare_systems
from medzh_score.stats.permutation import randomisation_p, swap_masks
from medzh_score.stats.systems import Systems

SEED, LOOPED = 20260401, 40
SCIPY, SACREBLEU, LOOP = (
    "scipy.stats.permutation_test, vectorised",
    "sacrebleu's paired approximate randomisation",
    "a plain loop over swaps and systems",
)
CLOSE = (0, 17, 18)  # systems of which the last differ least from the baseline
DRAWN_APART = 0.03  # of p, by 10,000 draws
FACT, ACCURACY = pick("metric", sdak.METRICS, "FactAcc"), pick("metric", tcmd.METRICS, "accuracy")


@dataclass(frozen=True)
class Size:
    """What is compared."""

    name: str
    metric: Metric
    systems: int
    units: int
    runs: int
    variants: int
    seconds: float  # that it may take
    all_pairs: bool


SIZES = tuple(
    Size(name, *size, all_pairs)
    for name, *size in (
        ("SDAK, one run", FACT, 20, 14_048, 1, 1, 30.0),
        ("SDAK, three runs", FACT, 20, 14_048, 3, 1, 30.0),
        ("120 variants", ACCURACY, 200, 460, 1, 120, 60.0),
    )
    for all_pairs in (False, True)
)


def systems_of(size: Size) -> Systems:
    """Draw systems, the later the better."""
    draw = np.random.default_rng(SEED)
    chance = draw.beta(1, 1, (1, size.units, 1)) / 2 + np.linspace(0.1, 0.4, size.systems)[:, np.newaxis, np.newaxis]
    shape = (size.systems, size.units, size.runs)
    right = draw.binomial(size.variants, np.broadcast_to(chance, shape)) / size.variants
    if size.metric is FACT:
        made = np.zeros((*shape, sdak.PairColumns.width))
        made[..., (sdak.PairColumns.pairs, sdak.PairColumns.followed)] = 1
        made[..., sdak.PairColumns.right] = right
    else:
        made = np.zeros((*shape, tcmd.SubQuestionColumns.width))
        made[..., (tcmd.SubQuestionColumns.items, tcmd.SubQuestionColumns.readable)] = 1
        made[..., tcmd.SubQuestionColumns.answers] = size.variants
        made[..., tcmd.SubQuestionColumns.right] = right
    units = np.arange(size.units)
    layout = ItemIndex(tuple(map(str, units)), units[:, np.newaxis], units, {})
    labels = tuple(f"system-{place}" for place in range(size.systems))
    return Systems(labels, layout, made, np.zeros(shape), np.full(size.units, size.variants))


def compare(size: Size, systems: Systems) -> None:
    """Compare once."""
    compare_systems(
        systems,
        (size.metric,),
        "percent",
        baseline=None if size.all_pairs else systems.labels[0],
        permutations=PERMUTATIONS,
    )


@dataclass(frozen=True)
class Taken:
    """What a comparison takes."""

    seconds: float
    cpu_s: float
    mb: float


def taken(size: Size) -> Taken:
    """Compare once, and measure it in this process."""
    work = partial(compare, size, systems_of(size))
    peak, cpu = timing.peak_kilobytes(), time.process_time()
    seconds = timing.seconds(work)
    return Taken(seconds, time.process_time() - cpu, (timing.peak_kilobytes() - peak) / 1024)


def taken_alone(place: int) -> Taken:
    """Measure a comparison in a process of its own."""
    done = subprocess.run([sys.executable, __file__, str(place)], check=True, capture_output=True, text=True)
    return Taken(**json.loads(done.stdout))


def looped(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Swap the rows of each system by a loop over swaps and systems."""
    masks = np.concatenate(list(swap_masks(len(one), LOOPED, SEED, LOOPED))).astype(bool)
    p = []
    for place in range(one.shape[1]):
        first, second = one[:, place], other[:, place]
        observed = abs(FACT.formula(first.sum(axis=0)).mean() - FACT.formula(second.sum(axis=0)).mean())
        extreme = 0
        for mask in masks[:, :, np.newaxis, np.newaxis]:
            swapped = np.where(mask, second, first).sum(axis=0), np.where(mask, first, second).sum(axis=0)
            extreme += abs(FACT.formula(swapped[0]).mean() - FACT.formula(swapped[1]).mean()) >= observed - 1e-9
        p.append((extreme + 1) / (LOOPED + 1))
    return np.array(p)


def by_scipy(right: np.ndarray, place: int) -> float:
    """Test one system with the baseline, the last, by scipy, vectorised, so many swaps at once as memory holds."""
    result = scipy.stats.permutation_test(
        (right[:, place], right[:, -1]),
        lambda one, other, axis: one.mean(axis=axis) - other.mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=PERMUTATIONS,
        batch=500,
        rng=SEED,
    )
    return float(result.pvalue)


class Mean:
    """What sacrebleu asks of a metric, for values that are there already."""

    def _extract_corpus_statistics(self, values: np.ndarray, _references: None) -> np.ndarray:
        return values[:, np.newaxis]

    def _aggregate_and_compute(self, stats: np.ndarray) -> SimpleNamespace:
        return SimpleNamespace(score=float(np.sum(stats)))


def by_sacrebleu(right: np.ndarray, place: int) -> float:
    """Test one system with the baseline by sacrebleu's paired approximate randomisation."""
    from sacrebleu.significance import Result, _paired_ar_test

    baseline, metric = right[:, -1], Mean()
    info = {"mean": (baseline[:, np.newaxis], Result(float(baseline.sum()), None))}
    _, found = _paired_ar_test(info, "system", right[:, place], None, {"mean": metric}, PERMUTATIONS, seed=SEED)
    return float(found["mean"].p_value)


def main() -> int:
    """Measure each comparison, then the test of all systems with a baseline beside the loop."""
    if len(sys.argv) > 1:
        print(json.dumps(asdict(taken(SIZES[int(sys.argv[1])]))))
        return 0
    measured = [taken_alone(place) for place in range(len(SIZES))]
    rows = tuple(
        (
            size.name,
            size.systems,
            size.units,
            "all pairs" if size.all_pairs else "with a baseline",
            its.seconds,
            size.seconds,
            its.cpu_s,
            its.mb,
        )
        for size, its in zip(SIZES, measured, strict=True)
    )
    columns = ("data", "systems", "units", "compared", "seconds", "at most", "CPU seconds", "MB")
    print(as_text(Table("Comparisons, 1,000 resamples and 10,000 swaps", columns, rows), decimals=1))
    sums = np.moveaxis(systems_of(SIZES[0]).statistics, 0, 1)
    one, other = sums[:, :-1], np.broadcast_to(sums[:, -1:], sums[:, :-1].shape)
    ours = partial(randomisation_p, one, other, FACT.formula, permutations=PERMUTATIONS, seed=SEED)
    few = partial(randomisation_p, one, other, FACT.formula, permutations=LOOPED, seed=SEED)
    right = sums[..., 0, sdak.PairColumns.right]
    p, systems = ours(), right.shape[1] - 1
    same = bool((few() == looped(one, other)).all())
    near = [
        bool(np.allclose(of(right, place), p[place], atol=DRAWN_APART))
        for of in (by_scipy, by_sacrebleu)
        for place in CLOSE
    ]
    best = CLOSE[-1]
    ours_s, timed = timing.beside(
        ours,
        {
            SCIPY: lambda: by_scipy(right, best),
            SACREBLEU: lambda: by_sacrebleu(right, best),
            LOOP: lambda: looped(one, other),
        },
        3,
    )
    scales = {SCIPY: systems, SACREBLEU: systems, LOOP: PERMUTATIONS / LOOPED}
    rivals = [
        replace(rival, seconds=rival.seconds * scales[name], ratio=rival.ratio * scales[name], bound=bound, note=note)
        for (name, rival), bound, note in zip(
            timed.items(),
            (20, 20, None),
            ("one of 19 systems, scaled", "one of 19 systems, scaled", "40 swaps, scaled"),
            strict=True,
        )
    ]
    found = {name: [round(getattr(its, name), 1) for its in measured] for name in ("seconds", "cpu_s", "mb")}
    equal = same and all(near)
    timing.report("compare", ours_s, rivals, equal=equal, **found)
    kept = all(its.seconds <= size.seconds for size, its in zip(SIZES, measured, strict=True))
    return 0 if equal and kept else 1


if __name__ == "__main__":
    sys.exit(main())
