"""600 questions in all 120 permutations: answers, accuracy, consistency and thresholds, beside json decoding the lines.

The values are compared with a plain restatement. Peak memory is measured over a million lines, in a process of its own.
"""

from __future__ import annotations

import json
import random
import re
import sys
import tempfile
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING

import timing
from tcmd_texts import clauses, five_options

from medzh_score.configs.tcmd.config import CONFIG
from medzh_score.data.records import Origin, Records
from medzh_score.scoring.options import ScoringOptions
from medzh_score.scoring.pipeline import score_with
from medzh_score.stats.values import Bootstrap

if TYPE_CHECKING:
    from medzh_score.results.report import Report

QUESTIONS, LENGTH, SEED, REPEATS = 600, 40, 20260102, 7
MILLION = 14  # runs of 72,000 lines
LETTERS = "ABCDE"
ORDERS = list(permutations(range(5)))
OPTIONS = ScoringOptions(bootstrap=Bootstrap(0))
SHAPES = ("答案：{}。", "{}。", "答案是{}。", "【答案】{}\n", "故选{}。", "正确答案：{}。", "{}\n")


def records() -> Records:
    """Make 600 single questions of five options, under ids of their own."""
    samples = five_options()
    rows = []
    for number in range(QUESTIONS):
        name = f"tcmd-{number:010x}"
        rows.append({**samples[number % len(samples)], "id": name, "group_id": name, "position": 1, "type": "A1"})
    return Records("tcmd", "test", rows, Origin("0.0.0", "mini", "0" * 64))


def predictions(of: Records, runs: int) -> Path:
    """Write lines of about 40 characters: a letter in one of several forms, then clauses; one in 50 has no answer."""
    draw = random.Random(SEED)  # noqa: S311 - a benchmark
    words = clauses()
    path = Path(tempfile.mkdtemp()) / "predictions.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for run in range(runs):
            for record in of.rows:
                belief = draw.randrange(5)
                for variant, order in enumerate(ORDERS):
                    steady = draw.random() < 0.7
                    shown = LETTERS[order.index(belief)] if steady else draw.choice(LETTERS)
                    text = "" if draw.random() < 0.02 else draw.choice(SHAPES).format(shown)
                    while len(text) < LENGTH:
                        text += draw.choice(words)
                    line = {"id": record["id"], "prediction": text[: LENGTH + 20], "run": run, "variant": variant}
                    stream.write(json.dumps(line, ensure_ascii=False) + "\n")
    return path


LABEL = re.compile(r"(?:答案：|答案是|【答案】|故选|正确答案：|^)([A-E])[。\n]")


def restated(of: Records, path: Path) -> dict[str, float]:
    """Compute the figures plainly, from letters that a pattern of just these forms finds."""
    gold = {record["id"]: LETTERS.index(record["answer"]) for record in of.rows}
    votes: dict[str, Counter[int]] = {name: Counter() for name in gold}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            prediction = json.loads(line)
            found = LABEL.match(prediction["prediction"])
            if found:
                order = ORDERS[prediction["variant"]]
                votes[prediction["id"]][order[LETTERS.index(found[1])]] += 1
    right = sum(count[gold[name]] for name, count in votes.items()) / (len(gold) * len(ORDERS))
    valid = sum(max(count.values()) / count.total() for count in votes.values()) / len(gold)
    strict = sum(max(count.values()) / len(ORDERS) for count in votes.values()) / len(gold)
    half = 0
    for name, count in votes.items():
        (letter, most), *others = count.most_common()
        unique = not others or others[0][1] < most
        half += unique and 2 * most >= count.total() and letter == gold[name]
    return {"accuracy": right, "consistency-valid": valid, "consistency-all": strict, "half": half / len(gold)}


def figures(report: Report) -> dict[str, float | None]:
    """Take the same figures from a report."""
    found = {name: value.value for name, value in report.metrics.items() if name != "group-exact"}
    half = next(row for row in report.tables["ensemble"].rows if row[1] == 0.5)
    return {**found, "half": float(half[2] or 0)}


def peak() -> float:
    """Measure in a process of its own how far scoring a million lines rises above the imports, in MB."""
    path = predictions(records(), MILLION)
    risen = timing.peak_mb(__file__, path)
    path.unlink()
    return risen


def main() -> None:
    """Measure and print."""
    of = records()
    path = predictions(of, 1)

    def ours() -> Report:
        return score_with(CONFIG, [path], of, OPTIONS)

    def rival() -> None:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                json.loads(line)

    found, expected = figures(ours()), restated(of, path)
    equal = all(abs((found[name] or 0) - value) < 1e-9 for name, value in expected.items())
    ours_s, rival_s, ratio = timing.interleaved(ours, rival, REPEATS)
    timing.report(
        "tcmd_consistency",
        ours_s,
        [timing.Rival("json.loads of each line", rival_s, ratio, bound=0.6)],
        equal=equal,
        million_lines_peak_mb=peak(),
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        of_all = records()
        timing.print_rise(lambda: score_with(CONFIG, [Path(sys.argv[1])], of_all, OPTIONS))
    else:
        main()
