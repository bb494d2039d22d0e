"""Configs whose answers are read from texts, each with its sample: what tests of rounds about predictions share."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from places import SAMPLES
from sheet_files import sheet_rows
from simulated import write_lines
from uncoded import answer_in, item_of

from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.benchmark.rules import DEFAULT_RULE
from medzh_score.cli.main import main
from medzh_score.data.records import load_records
from medzh_score.prompting.ids import JUDGED_ID
from medzh_score.readers.align import collect
from medzh_score.readers.files import PredictionFiles
from medzh_score.scoring.pipeline import score

READ = [name for name in config_names() if find_config(name).reads]
SECOND = [name for name in READ if find_config(name).reads.second]
NONE = "无答案"


@dataclass
class Case:
    """A config with the sample's build, the predictions that rounds ask about, and the command."""

    name: str
    data: Path
    predictions: Path
    folder: Path
    capture: object

    def __post_init__(self):
        self.config = find_config(self.name)
        self.records = load_records(self.data, self.name).rows
        self.gold = {record["id"]: record["answer"] for record in self.records}

    @property
    def of(self):
        """Give the later round whose responses are read, if it is not the first answers."""
        return self.config.reads.of and self.config.reads.of.stage

    def scored(self, predictions=None):
        """Give what is scored, and what comes with it where the predictions are responses of a later round."""
        predictions = predictions or self.predictions
        return (SAMPLES / self.name / "predictions.jsonl", {self.of: predictions}) if self.of else (predictions, {})

    def call(self, *arguments):
        status = main([*map(str, arguments), "--data", str(self.data)])
        captured = self.capture.readouterr()
        return status, captured.out.decode("utf-8"), captured.err.decode("utf-8")

    def rows(self, name, *arguments, after=None):
        """Give the rows of a round's sheet."""
        after = after or self.predictions
        status, printed, errors = self.call(
            "prompts", self.name, "--stage", name, "--predictions", after, "--to", "csv", *arguments
        )
        assert status == 0, errors
        return sheet_rows(printed)

    def score(self, predictions=None, stages=None, **options):
        first, later = self.scored(predictions)
        return score(
            self.name, first, self.data, rule=DEFAULT_RULE, bootstrap=20, stages={**later, **(stages or {})}, **options
        )

    def second(self, replies, name="fallback", *, predictions=None, **options):
        """Score with replies by the ids of rows."""
        lines = [{"id": row, "prediction": text, "model": "reader-1"} for row, text in replies.items()]
        path = self.write("replies.jsonl", lines)
        named = {} if name == "audit" else {"fallback_extractor": "reader-1"}
        return self.score(predictions, stages={name: path}, **{**named, **options})

    def write(self, name, lines):
        return write_lines(self.folder / name, lines)

    def readings(self, predictions=None):
        """Give what our rule reads of predictions with a text, by record, run and variant."""
        lines = map(json.loads, Path(predictions or self.predictions).read_text(encoding="utf-8").splitlines())
        blank = {
            (line["id"], line.get("run", 0), line.get("variant", 0))
            for line in lines
            if not answer_in(line["prediction"]).strip()
        }
        ids = [record["id"] for record in self.records]
        of = self.config.reads.of or self.config
        asked = of.queries(self.records, self.config.layout(self.records))
        rule = next(rule for rule in self.config.rules if rule.name == DEFAULT_RULE) if of is self.config else of.rule
        files = PredictionFiles((Path(predictions or self.predictions),))
        table = collect(ids, asked, [rule], files).tables[DEFAULT_RULE]
        return {
            (name, *cell): answer
            for cell, column in table.columns.items()
            for name, answer in zip(ids, column, strict=True)
            if answer is not None and (name, *cell) not in blank
        }

    def keys_expected(self, *, include_ambiguous=False):
        """Restate what is due: unread, and neither empty nor refused."""
        no = {"empty", "refusal"}
        return {
            key
            for key, answer in self.readings().items()
            if (answer.value is None and answer.reason not in no)
            or (include_ambiguous and answer.value is not None and not answer.unambiguous)
        }

    def reply(self, row):
        """Answer a row by the gold of its record: as good as any answer that can be read."""
        return self.readable(key_of(row)[0])

    def readable(self, name):
        """Give an answer that any rule reads: the gold, or a diagnosis with a code of four characters."""
        return "支气管哮喘（J45.9）" if self.name == "cmhe_dd" else self.gold[name]


def found_in(items, case):
    """Give what an items file says of each answer that rounds ask about, by record, run and variant."""
    found = {}
    for line in map(json.loads, items.read_text(encoding="utf-8").splitlines()):
        for answer in line["rules"][DEFAULT_RULE]["answers"]:
            key = answer["id"], line["run"], answer["variant"]
            came = (line["stages"][case.of] or {}) if case.of else answer
            found[key] = (came.get("choice"), came.get("found_by")) if case.of else (came["answer"], came["found_by"])
    return found


def key_of(row):
    match = JUDGED_ID.fullmatch(row if isinstance(row, str) else row["id"])
    return match["id"], int(match["run"] or 0), int(match["variant"] or 0)


OPEN = {"cmhe_ce": "B或D，第{}题", "cmhe_dd": "可能是肺炎，也可能是支气管炎，需要检查{}项。"}  # what answers nothing


def case_of(name, builds, tmp_path, capture):
    """Give a config's sample; where the rule reads nearly all of it, some answers leave open what they are."""
    reads = find_config(name).reads
    asked_again = reads.of.stage if reads and reads.of else None
    sample = SAMPLES / name / f"{asked_again or 'predictions'}.jsonl"
    if not asked_again and name != "cmhe_dd":
        return Case(name, builds, sample, tmp_path, capture)
    case = Case(name, builds, tmp_path / "responses.jsonl", tmp_path, capture)
    lines = map(json.loads, sample.read_text(encoding="utf-8").splitlines())
    bare = [{**line, "id": item_of(line["id"])} for line in lines]
    more = [line if place % 4 else {**line, "prediction": OPEN[name].format(place)} for place, line in enumerate(bare)]
    case.write("responses.jsonl", more)
    return case


def values(report, *, but=("audit", "inputs", "arguments", "warnings")):
    return {key: value for key, value in json.loads(report.as_json()).items() if key not in but}
