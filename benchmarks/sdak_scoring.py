"""Scoring three runs of all pairs by both rules, beside Python's json merely decoding the lines.

The texts are as models answer: a verdict first, if any, and its reason; `sdak_mixed` scores texts of many verdicts.
The values of the official rule are compared with a plain restatement. Peak memory is measured in a process of its own.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet  # noqa: F401 - an import of the measured process
import texts
import timing

from medzh_score.configs.sdak import reading
from medzh_score.configs.sdak.config import CONFIG
from medzh_score.scoring.options import ScoringOptions
from medzh_score.scoring.pipeline import score_with
from medzh_score.stats.values import Bootstrap

if TYPE_CHECKING:
    from medzh_score.data.records import Records
    from medzh_score.results.report import Report

RUNS, LENGTH, SEED, REPEATS = 3, 150, 20260101, 7
OPTIONS = ScoringOptions(bootstrap=Bootstrap(0))


def forget() -> None:
    """Empty the caches of the rules, so that each repeat starts as a user does."""
    reading._windows.cache_clear()  # noqa: SLF001
    reading.asserts_factual.cache_clear()


def restated(path: Path) -> tuple[float, float]:
    """Compute mean IFR and FactAcc by the official rule, plainly."""
    answers: dict[tuple[int, str], dict[str, str]] = {}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            prediction = json.loads(line)
            pair, side = prediction["id"].rsplit("-", 1)
            answers.setdefault((prediction["run"], pair), {})[side] = prediction["prediction"]

    def correct(text: str) -> bool:
        start = text[:5]
        return ("正确" in start and "不正确" not in start) or "是的" in text[:3] or "是正确的" in text[:10]

    def incorrect(text: str) -> bool:
        wordings = ("不正确", "这个说法是错误的", "这个说法是不正确的", "不完全正确")
        return "错误" in text[:3] or any(word in text[:10] for word in wordings) or "不是" in text[:5]

    followed = sum(all(correct(text) or incorrect(text) for text in pair.values()) for pair in answers.values())
    right = sum(correct(pair["f"]) and incorrect(pair["c"]) for pair in answers.values())
    return 100 * followed / len(answers), 100 * right / len(answers)


def measure(name: str, records: Records, path: Path) -> None:
    """Measure and print."""

    def ours() -> Report:
        return score_with(CONFIG, [path], records, OPTIONS)

    def rival() -> None:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                json.loads(line)

    metrics = ours().rules["official"].metrics
    ours_s, rival_s, ratio = timing.interleaved(ours, rival, REPEATS, before=forget)
    found = [metrics[name].value for name in ("IFR", "FactAcc")]
    equal = all(
        value is not None and abs(value - other) < 1e-9 for value, other in zip(found, restated(path), strict=True)
    )
    timing.report(
        name,
        ours_s,
        [timing.Rival("json.loads of each line", rival_s, ratio, bound=0.6)],
        equal=equal,
        peak_mb=timing.peak_mb(__file__, path, texts.write_build(records)),
    )


def main() -> None:
    """Measure answers as models give them."""
    records = texts.records()
    measure("sdak_scoring", records, texts.answers(records, RUNS, LENGTH, SEED))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        timing.print_rise(lambda: score_with(CONFIG, [Path(sys.argv[1])], Path(sys.argv[2]), OPTIONS))
    else:
        main()
