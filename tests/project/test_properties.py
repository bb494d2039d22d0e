"""What holds for every config: one list, which a new config joins by being declared."""

from __future__ import annotations

import itertools
import json
import logging
import random
import re
import unicodedata
from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from places import SAMPLES
from rouge_chinese import Rouge
from uncoded import answer_in, item_of

from medzh_score.benchmark.prompts import PromptSettings
from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.benchmark.rules import DEFAULT_RULE, signed_rule
from medzh_score.conformance import faults
from medzh_score.data.records import load_records
from medzh_score.prompting.ids import joined_id
from medzh_score.scoring.pipeline import score
from medzh_score.text.tokens import words
from medzh_score.ui.errors import MedzhError

CONFIGS = config_names()
OVERLAP = [name for name in CONFIGS if "tokenizer" in find_config(name).reporting.signature_entries()]
DIFFERENCES = {metric.name for name in CONFIGS for metric in find_config(name).metrics if metric.difference}
TOP = {"percent": 100, "fraction": 1}
# What a config counts beside its scores, by whether it counts an answer: where all is right, it is the share of those.
RATES = {
    "cmhe_hd": {"Yes-rate": lambda answer: answer == "Yes"},
    # Here the first answer is the letter alone: no refusal, no part of a name, and no name.
    "cmhe_ce": {"Refusal rate": lambda _: False, "Leakage": lambda _: False, "Unnamed rate": lambda _: True},
    "pemebench": {"Empty rate": lambda answer: not answer},
}


@pytest.fixture(scope="module")
def lines(config):
    text = (SAMPLES / config.name / "predictions.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def second(config, tmp_path, write_lines):
    """Give a function that lets the same model answer the later rounds that are its own, as in the sample or else."""

    def answer(lines, texts=None):
        files = {}
        for name in (later.name for later in config.stages if later.of_same_model):
            sample = (SAMPLES / config.name / f"{name}.jsonl").read_text(encoding="utf-8")
            said = texts or {item_of(line["id"]): line["prediction"] for line in map(json.loads, sample.splitlines())}
            again = [{**line, "prediction": said[line["id"]]} for line in lines]
            files[name] = write_lines(tmp_path / f"{name}.jsonl", again)
        return {"stages": files} if files else {}

    return answer


@pytest.fixture
def scored(config, minis, second, tmp_path, write_lines):
    def run(lines, texts=None, **options):
        path = write_lines(tmp_path / "p.jsonl", lines)
        options = {"bootstrap": 60, **({} if "stages" in options else second(lines, texts)), **options}
        return score(config.name, path, options.pop("data", minis), **options)

    return run


def numbers(report, *, but=()):
    """Give a report without what names its files."""
    plain = json.loads(report.as_json(), parse_constant=pytest.fail)
    return {key: value for key, value in plain.items() if key not in {"inputs", *but}}


def every_value(report):
    for result in report.results.values():
        for named in (result.metrics, *(n for groups in result.groups.values() for n in groups.values())):
            yield from named.items()


def test_the_order_of_lines_does_not_matter(lines, scored):
    expected = numbers(scored(lines))
    for seed in range(3):
        shuffled = random.Random(seed).sample(lines, len(lines))  # noqa: S311
        assert numbers(scored(shuffled)) == expected


def test_radicals_count_as_the_characters_that_look_alike(lines, scored):
    """Copies from PDFs hold them, and what a person reads is the same: overlap with references included."""
    radicals = {ord(unicodedata.normalize("NFKC", chr(code))): chr(code) for code in range(0x2F00, 0x2FD6)}
    copied = [{**line, "prediction": line["prediction"].translate(radicals)} for line in lines]
    assert copied != lines
    assert dict(every_value(scored(copied, bootstrap=0))) == dict(every_value(scored(lines, bootstrap=0)))


def test_the_order_of_records_does_not_matter_to_any_value(config, minis, lines, scored):
    """Intervals are drawn by position, so only they may differ."""
    records = load_records(minis, config.name)
    expected = scored(lines)
    for seed in range(3):
        rows = random.Random(seed).sample(records.rows, len(records.rows))  # noqa: S311
        found = scored(lines, data=type(records)(records.config, records.split, rows, records.origin))
        for (name, value), (other_name, other) in zip(every_value(found), every_value(expected), strict=True):
            assert name == other_name
            assert value.n == other.n
            assert value.value == pytest.approx(other.value, abs=1e-9)
        assert {k: v.rows for k, v in found.tables.items()} == {k: v.rows for k, v in expected.tables.items()}
        assert found.coverage == expected.coverage
        assert found.signature == expected.signature


@cache
def f_of_identical_texts(text, span):
    """Ask rouge-chinese: with 1e-8 in its denominator it gives a text itself a little less than 1."""
    words("先载入")  # quietly
    import jieba

    logging.getLogger("jieba").setLevel(logging.CRITICAL)
    joined = " ".join(jieba.lcut(text))
    metric = f"rouge-{span.lower()}"
    return Rouge(metrics=[metric]).get_scores(joined, joined)[0][metric]["f"]


def perfect(name, value, rows):
    """Say what a metric is where every answer is the gold of its record: the top, or what its own reference gives.

    A metric that follows a library joins by its name here; all others must reach the top exactly. A difference of two
    that reach it is 0.
    """
    if name in DIFFERENCES:
        return 0
    by_library = re.fullmatch(r"R-([12L])-F", name)
    if by_library is None:
        return TOP[value.unit]
    shares = [f_of_identical_texts(row["answer"], by_library[1]) for row in rows]
    return pytest.approx(TOP[value.unit] * sum(shares) / len(shares), abs=1e-9)


def test_the_gold_answer_is_perfect_by_every_rule(config, minis, scored):
    rows = load_records(minis, config.name).rows
    gold = {row["id"]: row["answer"] for row in rows}
    said = [{"id": name, "prediction": answer} for name, answer in gold.items()]
    results = [result for rule in config.rules for result in scored(said, gold, rule=rule.name).results.values()]
    layout = config.layout(rows)
    checked = 0
    rates = RATES.get(config.name, {})
    for result in results:
        parts = [(result.metrics, rows)]
        for breakdown, groups in result.groups.items():
            for label, named in groups.items():
                inside = np.asarray(layout.groups[breakdown]) == label
                parts.append((named, [rows[member] for member in layout.members[inside].flat]))
        for name, value, members in ((name, value, rows) for named, rows in parts for name, value in named.items()):
            if name in rates:
                share = sum(rates[name](row["answer"]) for row in members) / len(members)
                assert value.value == pytest.approx(TOP[value.unit] * share, abs=1e-9), name
            elif value.value is not None:
                expected = perfect(name, value, members)
                assert value.value == expected, name
                if value.interval == "wilson":
                    assert value.low < value.high == TOP[value.unit], name
                else:  # resamples of equal answers are equal: no width, no interval
                    assert (value.low, value.high) == (None, None), name
                checked += 1
    assert checked
    assert all(result.unparsed == 0 for result in results)


def test_no_answer_at_all_is_worth_nothing(config, minis, scored):
    rows = load_records(minis, config.name).rows
    report = scored([{"id": row["id"], "prediction": ""} for row in rows], {row["id"]: "" for row in rows})
    assert all(value.value in {0, None} for name, value in every_value(report) if name != "Empty rate")
    assert {value.value for name, value in every_value(report) if name == "Empty rate"} <= {100}
    assert report.coverage.empty == report.coverage.unparsed == len(rows)


@pytest.mark.parametrize("config", OVERLAP, indirect=True, scope="module")
def test_the_order_of_items_does_not_matter_to_overlap_nor_its_intervals(config, minis, lines, scored):
    """A unit is an item here, and items stand by id."""
    records = load_records(minis, config.name)
    expected = numbers(scored(lines))
    for seed in range(3):
        rows = random.Random(seed).sample(records.rows, len(records.rows))  # noqa: S311
        shuffled = type(records)(records.config, records.split, rows, records.origin)
        assert numbers(scored(lines, data=shuffled)) == expected


def test_file_per_run_is_the_same_as_numbered_lines(config, minis, lines, second, scored, tmp_path, write_lines):
    lines = [line | {"model": "step-1000"} for line in lines]  # else files that are runs are told to name nobody
    files = [write_lines(tmp_path / name, lines) for name in ("a", "b")]
    twice = lines + [line | {"run": 1} for line in lines]
    apart = score(config.name, files, minis, bootstrap=60, file_per_run=True, **second(twice))
    together = scored(twice)
    assert numbers(apart, but=("arguments",)) == numbers(together, but=("arguments",))


def test_intervals_are_ordered_and_inside_the_range(lines, scored):
    for name, value in every_value(scored(lines)):
        assert (value.low is None) == (value.high is None)
        if value.low is not None:
            assert value.low < value.high, name
            assert value.low <= value.value <= value.high or value.interval == "bootstrap", name
            top = TOP[value.unit]
            assert value.low >= (-top if name in DIFFERENCES else 0)
            assert value.high <= top
        assert (value.low is None) == (value.unavailable_reason is not None) == (value.interval is None)
        assert not (value.value is None and value.low is not None)


def test_no_resamples_give_no_interval_but_of_shares_and_the_same_values(lines, scored):
    for (_, one), (_, two) in zip(every_value(scored(lines, bootstrap=0)), every_value(scored(lines)), strict=True):
        assert one.interval != "bootstrap"
        without = {"low": None, "high": None, "interval": None, "unavailable_reason": one.unavailable_reason}
        assert one == (two if one.interval == "wilson" or one.value is None else replace(two, **without))
        assert one.unavailable_reason is None or one.low is None


def test_the_chosen_rule_only_changes_places(config, lines, scored):
    reports = [scored(lines, rule=rule.name) for rule in config.rules]
    for report, rule in zip(reports, config.rules, strict=True):
        assert report.signature["rule"] == signed_rule(rule.name)
        others = [one.name for one in config.rules if one is not rule]
        assert list(report.results) == [rule.name, *others]
        assert all(reports[0].results.get(name, result) == result for name, result in report.results.items())
        assert report.metrics is report.results[rule.name].metrics


def test_every_answer_is_counted_under_one_wording_that_always_or_never_answers(lines, config, scored):
    for rule in config.rules:
        for result in (report := scored(lines, rule=rule.name, bootstrap=0)).results.values():
            assert sum(one.answers for one in result.matches) == report.coverage.read
            assert len({one.wording for one in result.matches}) == len(result.matches)
            assert list(result.matches) == sorted(result.matches, key=lambda one: (not one.answered, -one.answers))


def plainly_read(config, minis, lines):
    """Read each line by every rule, one after the other: from rule to the answers, a member of a group each."""
    rows = load_records(minis, config.name).rows
    asked = {one.id: one for one in config.queries(rows, config.layout(rows))}
    return {
        rule.name: [
            answer
            for line in lines
            for answer in rule.read(answer_in(line["prediction"]), asked[line["id"]].context, line.get("variant", 0))
        ]
        for rule in config.rules
    }


def test_what_decided_is_what_a_plain_loop_over_the_lines_counts(config, minis, lines, scored):
    """The sample has neither failed requests nor filtered answers: a refusal is what the rule calls one."""
    answers = plainly_read(config, minis, lines)
    for rule in config.rules:
        report, found = scored(lines, rule=rule.name, bootstrap=0), answers[rule.name]
        decided = Counter(answer.reason for answer in found)
        assert {one.wording: one.answers for one in report.results[rule.name].matches} == decided
        assert report.coverage.unparsed == sum(answer.value is None for answer in found)
        assert report.coverage.refused == decided["refusal"]
        assert report.coverage.unambiguous == sum(answer.unambiguous for answer in found)
        forms = report.results[rule.name].forms
        assert sum(one.predictions for one in forms) == len(found)
        assert sum(one.unparsed for one in forms) == report.coverage.unparsed


THOUGHT = "先看选项A，再看B。答案：A。这个说法错误，不是。诊断：肺炎（J18.9）。"
INLINE = (
    "<think>{0}</think>{1}",
    "{0}\n</think>\n\n{1}<|im_end|>",
    "<|channel|>analysis<|message|>{0}<|end|><|start|>assistant<|channel|>final<|message|>{1}<|return|>",
    "<|START_THINKING|>{0}<|END_THINKING|><|START_RESPONSE|>{1}<|END_RESPONSE|>",
    "<|channel>thought\n{0}<channel|>{1}",
    "<longcat_think>{0}</longcat_think>{1}<｜end▁of▁sentence｜>{0}",
)


def test_reasoning_moves_nothing_whether_a_server_separated_it_or_not(lines, scored, second):
    """By every rule: bare answers, answers behind reasoning of many forms, and reasoning in a field of its own."""
    answers = [answer_in(line["prediction"]) for line in lines]
    bare = [{**line, "prediction": text} for line, text in zip(lines, answers, strict=True)]
    inline = [
        {**line, "prediction": INLINE[place % len(INLINE)].format(THOUGHT, line["prediction"])}
        for place, line in enumerate(bare)
    ]
    separated = [
        {
            "custom_id": joined_id(line["id"], line.get("run", 0), line.get("variant", 0)),
            "response": {"body": {"choices": [{"message": {"content": line["prediction"], field: THOUGHT}}]}},
        }
        for line, field in zip(bare, itertools.cycle(("reasoning_content", "reasoning")))
    ]
    options = {"bootstrap": 20, **second(bare)}
    expected = numbers(scored(bare, **options))
    assert expected["signature"]["reasoning"] == "removed"
    assert numbers(scored(inline, **options)) == expected
    assert numbers(scored(separated, **options)) == expected
    kept = scored(inline, **options, keep_reasoning=True)
    assert kept.signature["reasoning"] == "kept"
    assert {name: one.value for name, one in kept.results[DEFAULT_RULE].metrics.items()} == {
        name: one["value"] for name, one in expected["rules"].get(DEFAULT_RULE, expected)["metrics"].items()
    }


def test_groups_of_a_breakdown_hold_every_item_once(lines, scored):
    report = scored(lines)
    for groups in report.groups.values():
        for metric in report.metrics:
            assert sum(named[metric].n for named in groups.values()) == report.metrics[metric].n


def test_no_table_of_the_card_is_broken(minis):
    """Of a run of lines with bars the first two are its head, and all have as many cells."""
    runs = re.findall(r"(?:^\|.*\n)+", (minis / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(runs) > 2
    for head, dashes, *rows in (run.splitlines() for run in runs):
        assert re.fullmatch(r"\|(?: --- \|)+", dashes)
        assert rows
        assert {len(re.findall(r"(?<!\\)\|", row)) for row in (head, *rows)} == {dashes.count("|")}


def test_everything_is_explained(config):
    assert config.title
    for part in (*config.rules, *config.metrics, *config.stages):
        assert part.name.strip()
        assert len(part.summary) > 10
    assert all(metric.undefined_reason for metric in config.metrics)
    assert all(prompt.text and prompt.printed_in for prompt in config.prompting.templates)
    for parts in (config.rules, config.metrics, config.stages, config.prompting.templates):
        assert len({part.name for part in parts}) == len(parts)


def test_it_conforms(config, minis):
    """What other packages are held to, this one keeps, by every rule: prompts, layout, right answers and none."""
    rows = load_records(minis, config.name).rows
    assert all(row["answer"] for row in rows)
    assert [str(fault) for fault in faults(config, rows)] == []


def test_all_that_is_prompted_can_be_answered(config, minis):
    rows = load_records(minis, config.name).rows
    asker = config.prompting.builder(rows, PromptSettings(config.prompting.templates[0]))
    asked = {one.id: one for one in config.queries(rows, config.layout(rows))}
    assert {**asker.variants, **asker.alone} == {name: one.variants for name, one in asked.items()}
    assert sorted(index for name in asker.variants for index in asked[name].members) == list(range(len(rows)))
    assert all((asked[name].part_of is not None) == (name in asker.alone) for name in asked)


def test_the_variants_of_a_prompt_differ(config, minis):
    rows = load_records(minis, config.name).rows
    asker = config.prompting.builder(rows, PromptSettings(config.prompting.templates[0]))
    for name, variants in [*asker.variants.items(), *asker.alone.items()]:
        if name in asker.alone and variants.shifts_only:
            continue  # shifted by its group's largest question, a smaller one comes round again
        shown = [asker.ask(name, variant) for variant in variants.numbers]
        assert len({question.turns for question in shown}) == len({question.text for question in shown}) == len(shown)


@pytest.mark.parametrize(
    "options",
    [
        {"rule": "x"},
        {"missing": "x"},
        {"reader": "x"},
        {"stages": {"x": "x"}},
        {"ddof": 2},
        {"bootstrap": -1},
        {"bootstrap": 1_000_001},
        {"seed": -1},
    ],
)
def test_unknown_options_are_refused(lines, scored, options):
    with pytest.raises(MedzhError):
        scored(lines, **options)


def test_an_unknown_config_is_refused():
    assert CONFIGS
    with pytest.raises(MedzhError, match="unknown config"):
        find_config("nothing")
    with pytest.raises(MedzhError, match="unknown config"):
        score("nothing", "p.jsonl")


def two_runs(lines):
    """Give the sample's first run twice."""
    first = [line for line in lines if not line.get("run")]
    return first + [{**line, "run": 1} for line in first]


def test_skip_keeps_what_every_run_has(lines, scored):
    """A unit that lacks something in one run counts in none: the run alone, without it, gives each run's values."""
    both = two_runs(lines)
    half = len(both) // 2
    kept = scored(both[:half] + both[half + 1 :], missing="skip", bootstrap=0, allow_partial_runs=True)
    alone = scored(both[1:half], missing="skip", bootstrap=0)
    assert any("dropped from all runs" in note for note in kept.notes)
    for (name, value), (_, one) in zip(every_value(kept), every_value(alone), strict=True):
        for found in value.per_run:
            assert found == (None if one.value is None else pytest.approx(one.value, abs=1e-9)), name
