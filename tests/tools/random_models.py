"""Made-up models, which answer each sample by chance, and judges who always say the same of the same text."""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np
from places import SAMPLES
from sheet_files import save_sheet, sheet_rows
from tool_runs import lines_of
from uncoded import item_of

from medzh_score.benchmark.metrics import Ratio
from medzh_score.benchmark.registry import find_config
from medzh_score.benchmark.stages import Between
from medzh_score.cli.main import main
from medzh_score.data.records import load_records
from medzh_score.scoring import compute
from medzh_score.scoring.pipeline import score

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.metrics import Metric
    from medzh_score.results.report import Report

KNOWN = 0.4  # of what is asked, in a run
JUNK = ("不知道。", "对不起，我无法回答这个问题。", "治疗治疗治疗，检查检查检查，以及其他若干与此无关的话。" * 8)
BLANK = {"id", "run", "answer_hash", "annotator"}  # of a sheet: what a judge does not judge by


@dataclass(frozen=True)
class Line:
    """One thing that a model said: a line of the predictions, or of a later round that the same model answers."""

    stage: str
    said: dict[str, Any]


@dataclass(frozen=True)
class Scored:
    """A report, with the statistics behind it."""

    report: Report
    layout: Any
    statistics: NDArray[np.float64]  # rules, items, runs, k
    metrics: tuple[Metric, ...]

    @property
    def chosen(self):
        """The statistics of the chosen rule."""
        found: NDArray[np.float64] = self.statistics[list(self.report.results).index(self.report.rule)]
        return found

    def denominators(self):
        """Give, of each metric, the sums of what it divides by and of what it counts, by rule, run and group."""
        groups = [np.ones(len(self.layout.items), bool)]
        groups += [np.asarray(of) == label for of in self.layout.groups.values() for label in sorted(set(of))]
        return {
            metric.name: [
                self.statistics[:, group][..., column].sum(axis=1).round(9).tolist()
                for group in groups
                for column in columns_below(metric)
            ]
            for metric in self.metrics
        }

    def kept(self):
        """Name the items that count."""
        there = self.chosen.any(axis=(1, 2))
        return frozenset(item for item, counts in zip(self.layout.items, there, strict=True) if counts)


def columns_below(metric):
    """Name the columns that stand in a denominator."""
    below = {metric.denominator, *([] if metric.share is None else [metric.share])}
    if isinstance(metric.formula, Ratio):
        below.add(metric.formula.denominator)
    return sorted(below)


class Bench:
    """A config with its sample, and a folder to write in."""

    def __init__(self, name, minis, folder, write_lines):
        self.config: Config = find_config(name)
        self.folder, self.write_lines, self.data = folder, write_lines, minis
        self.records = load_records(self.data, name)
        self.layout = self.config.layout(self.records.rows)
        self.asked = {one.id: one for one in self.config.queries(self.records.rows, self.layout)}
        self.again = [later.name for later in self.config.stages if later.of_same_model]

    @cached_property
    def sample(self):
        """Give what the sample's model says, without codes: what it answers in later rounds is not of these texts."""
        named = [("", "predictions.jsonl"), *((name, f"{name}.jsonl") for name in self.again)]
        told = [(name, said) for name, file in named for said in lines_of(SAMPLES / self.config.name / file)]
        return [Line(name, {**said, "id": item_of(said["id"])}) for name, said in told]

    def model(self, seed, runs=2):
        """Let a model know some of it in a run, and say of the rest what the sample says of this or that, or junk."""
        draw = random.Random(seed)  # noqa: S311
        made = []
        for run in range(runs):
            known = {name for name in self.asked if draw.random() < KNOWN}
            for line in self.sample:
                others = [other.said["prediction"] for other in self.sample if other.stage == line.stage]
                right = line.said["prediction"] if line.stage else self.gold(line.said)
                texts = [line.said["prediction"], right, *draw.sample(others, 2), "", draw.choice(JUNK)]
                text = right if line.said["id"] in known else draw.choice(texts)
                made.append(Line(line.stage, {**line.said, "run": run, "prediction": text}))
        return made

    def gold(self, said):
        """Give the gold of what was asked, or what the sample says where that is in another order."""
        members = self.asked[said["id"]].members
        golds = [self.records.rows[member]["answer"] for member in members]
        return golds[0] if len(golds) == 1 and not said.get("variant") else said["prediction"]

    def key(self, line):
        """Tell what a line shows to have been asked: a round, a run, and a variant of what has the same variants."""
        return line.stage, line.said["run"], self.asked[line.said["id"]].variants, line.said.get("variant", 0)

    def without(self, lines, seed, share, kept=()):
        """Leave out a share of what was said, though nothing so wholly that it could not be seen to be missing."""
        draw = random.Random(seed)  # noqa: S311
        found = [line for line in lines if line in kept or draw.random() >= share]
        seen = {self.key(line) for line in found}
        return found + list({key: line for line in lines if (key := self.key(line)) not in seen}.values())

    def score(self, lines, **options):
        """Score what a model said; by the config's first rule judged by all that judge, by another by nobody."""
        predictions = self.write_lines(self.folder / "p.jsonl", [one.said for one in lines if not one.stage])
        stages = {
            name: [self.write_lines(self.folder / f"{name}.jsonl", [one.said for one in lines if one.stage == name])]
            for name in self.again
        }
        if options.get("rule", self.config.rules[0].name) == self.config.rules[0].name:
            for later in self.config.stages:
                if not later.of_same_model and later.about == "answers" and (sheet := self._judge(later, predictions)):
                    stages[later.name] = [sheet]
        caught: list[Any] = []

        def values(layout, statistics, metrics, **more):
            caught[:] = layout, np.array(statistics), metrics
            return computed(layout, statistics, metrics, **more)

        computed = compute.values
        with patch.object(compute, "values", values):
            report = score(self.config.name, predictions, self.records, **{"bootstrap": 0, "stages": stages, **options})
        return Scored(report, *caught)

    def _judge(self, later, predictions):
        """Ask about all answers in a sheet and fill it in; None where there is nothing to ask about."""
        sheet = self.folder / f"{later.name}.csv"
        sheet.unlink(missing_ok=True)
        words = ["prompts", self.config.name, "--stage", later.name, "--predictions", str(predictions)]
        status = main([*words, "--data", str(self.data), "--to", "csv", "--output", str(sheet), "--quiet"])
        if status:
            return None
        rows = sheet_rows(sheet.read_text(encoding="utf-8"))
        for row in rows:
            shown = [text for column, text in sorted(row.items()) if column not in BLANK and column not in later.values]
            row |= {column: self._said(column, allowed, row["id"], shown) for column, allowed in later.values.items()}
            row["annotator"] = "甲"
        return save_sheet(sheet, rows)

    def _said(self, column, allowed, item, shown):
        """Judge: by the digest of what is shown, so that equal answers are judged alike."""
        place = int.from_bytes(hashlib.sha256("\n".join([column, *shown]).encode()).digest()[:4], "big")
        if isinstance(allowed, Between):
            return ("0", "0.5", "1", "1")[place % 4]
        if allowed:
            return str(allowed[place % len(allowed)])
        codes = dict(
            zip(self.layout.items, self.layout.item_texts[column], strict=True)
        )  # a text: the gold's, or another's
        return "；".join(
            (codes[item], codes[item], self.layout.item_texts[column][place % len(codes)], ("无",))[place % 4]
        )
