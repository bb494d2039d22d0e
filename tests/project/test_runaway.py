"""One prediction that runs on and on never blocks a file: of every config, by every rule, alone it is unread or cut."""

from __future__ import annotations

import json
from functools import cache

import pytest
from places import SAMPLES

from medzh_score.data.records import load_records
from medzh_score.extraction.whole_text import CUT, LONGEST, TOO_LONG, read_in
from medzh_score.readers.files import PredictionFiles
from medzh_score.results.result import Result
from medzh_score.scoring.check import check
from medzh_score.scoring.explain import ExplainFilter, explain
from medzh_score.scoring.pipeline import score
from medzh_score.stages.binding import FirstAnswerFiles
from medzh_score.stages.write_tasks import stage_tasks

SENTENCE = "多饮水，注意休息。"
BEYOND = "\U00020000"  # escaped in JSON, it is two halves
WHYS = {CUT, TOO_LONG.reason}
LONGER = f"is longer than {LONGEST:,} characters"


def running(length):
    return (SENTENCE * (length // len(SENTENCE) + 1))[:length]


LAST = {
    "max_chars": "<think>先看题目。</think>" + running(LONGEST),
    "longer": "<think>先看题目。</think>" + running(LONGEST + 1),
    "nothing": "\u3000",
}


@pytest.fixture(scope="module")
def lines(config):
    text = (SAMPLES / config.name / "predictions.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="module")
def folder(config, tmp_path_factory):
    return tmp_path_factory.mktemp(config.name)


@pytest.fixture(scope="module")
def with_last(config, lines, folder):
    """Give a function that scores the sample with another text as its last prediction, by every rule."""

    @cache
    def run(last):
        path = folder / f"{last}.jsonl"
        changed = [*lines[:-1], {**lines[-1], "prediction": LAST[last]}]
        path.write_text("\n".join(map(json.dumps, changed)), encoding="utf-8")
        options = {"missing": "wrong", "bootstrap": 0}
        return score(config.name, path, "mini", save=folder / last, include_text="spans", **options)

    return run


def firing(report):
    return {name: {one.wording: one.answers for one in result.matches} for name, result in report.results.items()}


def test_of_a_longer_text_nothing_is_read_or_its_beginning_counts(config, with_last):
    longest, longer = with_last("max_chars"), with_last("longer")
    assert longest.coverage.too_long == 0 < longer.coverage.too_long
    for rule in config.rules:
        why = CUT if rule.whole else TOO_LONG.reason
        assert firing(longer)[rule.name][why] == longer.coverage.too_long
        assert not WHYS & firing(longest)[rule.name].keys()


def test_no_other_answer_is_moved(config, with_last):
    """What is unread moves no number that an empty text does not move; what is cut scores as what is left of it."""
    for rule in config.rules:
        longer = with_last("longer").results[rule.name]
        same = with_last("max_chars" if rule.whole else "nothing").results[rule.name]
        assert longer.metrics == same.metrics
        assert longer.groups == same.groups


def test_it_is_named_with_file_line_and_id(lines, with_last):
    report = with_last("longer")
    (warning,) = [one for one in report.warnings if LONGER in str(one)]
    assert warning.level == "warning"
    assert f"longer.jsonl:{len(lines)} {lines[-1]['id']}" in str(warning)
    assert not [note for note in with_last("max_chars").notes if LONGER in note]
    assert report.signature["max_chars"] == "100000 characters"


def test_what_reads_again_reads_the_same(config, lines, folder, with_last):
    with_last("longer")
    assert Result.load(folder / "longer").report.coverage.too_long
    path, last = folder / "longer.jsonl", lines[-1]
    checked = check(config.name, [path], "mini")
    assert [(one.id, one.line) for one in checked.seen.too_long.first] == [(last["id"], len(lines))]
    assert checked.coverage.too_long == with_last("longer").coverage.too_long
    wanted = ExplainFilter((last["id"],), last.get("run", 0), last.get("variant", 0))
    (one,) = explain(config.name, PredictionFiles((path,)), "mini", wanted)
    assert {told.wording for part in one.parts for told in part.told} <= WHYS


def test_reasoning_is_no_part_of_the_length(config):
    """A character beyond the basic plane is one."""
    records = load_records("mini", config.name)
    groups = config.queries(records.rows, config.layout(records.rows))
    one = max(groups, key=lambda asked: len(asked.members))
    for text, runs_on in (
        (BEYOND * LONGEST, False),
        (BEYOND * (LONGEST + 1), True),
        (f"<think>{running(3 * LONGEST)}</think>多饮水。", False),
        ("<think>" + running(9 * LONGEST), False),
        (f"<think>{running(LONGEST)}</think>{BEYOND * (LONGEST + 1)}", True),
    ):
        for rule in config.rules:
            found = read_in(rule, text, one.context, 0)
            assert len(found) == len(one.members)
            assert all(reading.reason in WHYS for reading in found) == runs_on
            assert runs_on or not any(reading.reason in WHYS for reading in found)


def test_a_judge_is_shown_as_much_as_counts(config, folder, with_last):
    """As of the text that ends there, under the same code: a judgement of the one is a judgement of the other."""
    records, asked = load_records("mini", config.name), []
    for later in config.stages:
        if later.about == "answers" and config.primary_rule.whole:
            questions = []
            for last in ("max_chars", "longer"):
                with_last(last)
                after = FirstAnswerFiles(PredictionFiles((folder / f"{last}.jsonl",)))
                questions.append(stage_tasks(config, records, later, after, sample=len(records.rows)).tasks)
            assert questions[0] == questions[1]
            asked.append(max(len(text) for one in questions[1] for text in one.context.values()))
    assert all(LONGEST <= length <= len(LAST["max_chars"]) for length in asked)
    assert len(asked) == {"care_mi": 2, "pemebench": 1, "cmhe_ce": 1}.get(config.name, 0)
