"""Micro F1 at three levels of ICD-10 for 1,622 cases with 1,000 resamples, beside a plain loop over Python's sets."""

from __future__ import annotations

import random

import numpy as np
import timing

from medzh_score.benchmark.answers import answer, answer_table
from medzh_score.benchmark.registry import find_config
from medzh_score.configs.cmhe_dd.metrics import METRICS, statistics
from medzh_score.stats.sums import TOTAL
from medzh_score.stats.values import Bootstrap, values
from medzh_score.terminology.icd10 import icd10

CASES, EXAM, RESAMPLES, SEED, REPEATS = 1_622, 1_295, 1_000, 7, 3
CONFIG = find_config("cmhe_dd")
F1 = tuple(f"F1-level-{level}" for level in range(3))


def main() -> None:
    """Measure and print."""
    rows, said = drawn()
    layout = CONFIG.layout(rows)
    answers = [answer("；".join(codes), "codes") if codes else answer(None, "no code") for codes in said]
    table = answer_table({(0, 0): answers}, np.ones((CASES, 1), bool), {})
    gold = [row["codes"] for row in rows]

    def ours() -> list[tuple[float | None, ...]]:
        counts = statistics(layout, table, {})
        found = values(layout, counts[np.newaxis], METRICS, bootstrap=Bootstrap(RESAMPLES), unit="percent")[0][TOTAL]
        return [(found[name].value, found[name].low, found[name].high) for name in F1]

    def rival() -> list[tuple[float, ...]]:
        return [plain(gold, said, level) for level in range(3)]

    equal = np.allclose(np.array(ours(), float), np.array(rival()), atol=1e-9)
    ours_s, rival_s, ratio = timing.interleaved(ours, rival, REPEATS)
    timing.report(
        "icd", ours_s, [timing.Rival("a plain Python loop", rival_s, ratio)], equal=bool(equal), metrics=len(METRICS)
    )


def drawn() -> tuple[list[dict[str, object]], list[list[str]]]:
    """Draw cases with one to three codes, and answers of which half are right in part."""
    draw = random.Random(SEED)  # noqa: S311 - a benchmark
    categories = list(icd10().places)
    rows, said = [], []
    for number in range(CASES):
        part = "exam" if number < EXAM else "chat"
        codes = draw.choices(categories, k=1 if part == "exam" else draw.randint(1, 3))
        rows.append({"id": f"case-{number:04d}", "part": part, "codes": codes})
        said.append([code for code in codes if draw.random() < 1 / 2] + draw.choices(categories, k=draw.randint(0, 2)))
    return rows, said


def plain(gold: list[list[str]], said: list[list[str]], level: int) -> tuple[float, float, float]:
    """Count with sets, case by case, and again in each resample, over the counts of each case."""
    places = icd10().places
    counts = []
    for right, mine in zip(gold, said, strict=True):
        one, other = ({places[code].at(level) for code in codes} for codes in (right, mine))
        counts.append((len(one & other), len(other), len(one)))
    generator = np.random.Generator(np.random.PCG64(0))
    replicates = []
    for _ in range(RESAMPLES):
        chosen = generator.integers(0, len(counts), len(counts)).tolist()
        replicates.append(f1(counts[index] for index in chosen))
    low, high = np.quantile(replicates, [0.025, 0.975])
    return f1(counts), float(low), float(high)


def f1(counts) -> float:  # noqa: ANN001 - any iterable of triples
    """Pool hits, said and right."""
    hits = said = right = 0
    for one in counts:
        hits += one[0]
        said += one[1]
        right += one[2]
    return 200 * hits / (said + right)


if __name__ == "__main__":
    main()
