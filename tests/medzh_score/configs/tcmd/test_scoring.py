"""TCMD from prompts to a report, on the embedded sample: what is shown is what is read back."""

from __future__ import annotations

import json

import numpy as np
import pytest
from places import SAMPLES

from medzh_score.benchmark.variants import order_of
from medzh_score.command_line import main
from medzh_score.configs.tcmd.config import CONFIG
from medzh_score.data.records import load_records
from medzh_score.messages.errors import MedzhError
from medzh_score.report.scoring import score

LETTERS = "ABCDE"
SAMPLE = SAMPLES / "tcmd" / "predictions.jsonl"


@pytest.fixture(scope="module")
def groups(minis):
    found = {}
    for row in load_records(minis, "tcmd").rows:
        found.setdefault(row["group_id"], []).append(row)
    return {name: sorted(rows, key=lambda row: row["position"]) for name, rows in found.items()}


@pytest.fixture
def sent(minis, tmp_path):
    """Give a function that writes prompts by the command and reads them."""

    def write(*options):
        path = tmp_path / "prompts.jsonl"
        assert main(["prompts", "tcmd", "--data", str(minis), "--out", str(path), *options]) == 0
        return path, [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]

    return write


def reply(rows, variant, option_of):
    """Answer as a model would that sees the options in their order of this variant."""
    largest = max(len(row["options"]) for row in rows)
    letters = []
    for row in rows:
        order = order_of(variant, len(row["options"]), largest)
        letters.append(LETTERS[order.index(option_of(row))])
    return letters[0] if len(rows) == 1 else " ".join(f"{n}.{letter}" for n, letter in enumerate(letters, 1))


def gold(row):
    return LETTERS.index(row["answer"])


def who_knows(prompts, groups):
    """Answer each prompt by the gold, in the order of its variant."""
    variants = [(one["id"], one.get("variant", 0)) for one in prompts]
    return [{"id": name, "variant": at, "prediction": reply(groups[name], at, gold)} for name, at in variants]


@pytest.mark.parametrize(
    "options", [["--variants", "cyclic"], ["--variants", "4"], ["--shots", "0", "--variants", "2"]]
)
def test_who_knows_scores_one_in_every_variant(minis, groups, sent, tmp_path, write_lines, options):
    path, prompts = sent(*options)
    predictions = write_lines(tmp_path / "p.jsonl", who_knows(prompts, groups))
    report = score("tcmd", predictions, minis, prompts=path, bootstrap=0)
    assert {name: value.value for name, value in report.metrics.items()} == dict.fromkeys(report.metrics, 1)
    assert report.coverage.missing == 0
    assert report.signature["asked"] == "groups"
    assert report.signature["prompt"] == "medzh-zh-1"


def test_what_the_prompt_shows_under_a_letter_is_what_the_letter_means(groups, sent, minis):
    """Read from the prompts themselves, not from the numbering: the line of a letter holds that option."""
    rows = load_records(minis, "tcmd").rows
    asked = {one.id: one for one in CONFIG.asked(rows, CONFIG.layout(rows))}
    _, prompts = sent("--variants", "all", "--shots", "0")
    for one in prompts:
        members = groups[one["id"]]
        if len(members) > 1:
            continue
        lines = one["messages"][-1]["content"].splitlines()
        variant = one.get("variant", 0)
        for letter in LETTERS[: len(members[0]["options"])]:
            shown = next(line for line in lines if line.startswith(f"{letter}. "))
            (answer,) = CONFIG.rules[0].read(letter, asked[one["id"]].side, variant)
            assert shown == f"{letter}. {members[0]['options'][LETTERS.index(answer.value)]}"


def test_a_variant_that_was_sent_and_is_lost_is_missing(minis, groups, sent, tmp_path, write_lines):
    path, prompts = sent("--variants", "cyclic", "--shots", "0")
    lines = [line for line in who_knows(prompts, groups) if line["variant"] != 33]
    predictions = write_lines(tmp_path / "p.jsonl", lines)
    with pytest.raises(MedzhError, match="predictions are missing"):
        score("tcmd", predictions, minis, prompts=path, bootstrap=0)
    wrong = score("tcmd", predictions, minis, prompts=path, bootstrap=0, missing="wrong")
    inferred = score("tcmd", predictions, minis, bootstrap=0)
    lost = sum(len(groups[one["id"]]) for one in prompts if one.get("variant", 0) == 33)
    assert wrong.coverage.missing == lost
    assert wrong.metrics["accuracy"].value < inferred.metrics["accuracy"].value == 1
    assert wrong.signature["variants"] != inferred.signature["variants"]


def test_always_the_first_position(minis, groups, sent, tmp_path, write_lines):
    """Over the cyclic set each option of a question stands first once: consistency is one of its number of options."""
    _, prompts = sent("--variants", "cyclic", "--shots", "0")
    lines = []
    for one in prompts:
        count = len(groups[one["id"]])
        text = "A" if count == 1 else " ".join(f"{n}.A" for n in range(1, count + 1))
        lines.append({"id": one["id"], "variant": one.get("variant", 0), "prediction": text})
    report = score("tcmd", write_lines(tmp_path / "p.jsonl", lines), minis, bootstrap=0)
    expected = []
    for rows in groups.values():
        largest = max(len(row["options"]) for row in rows)
        for row in rows:
            size = len(row["options"])
            expected.append(1 / size if size == largest else -(-largest // size) / largest)
    assert report.metrics["consistency-all"].value == pytest.approx(sum(expected) / len(expected))
    first = next(row for row in report.tables["positions"].rows if row[1] == "A")
    assert first[3] == 1


def test_groups_in_the_order_of_the_examination(minis, groups, tmp_path, write_lines):
    lines = [{"id": name, "prediction": reply(rows, 0, gold)} for name, rows in groups.items()]
    report = score("tcmd", write_lines(tmp_path / "p.jsonl", lines), minis, bootstrap=0)
    assert list(report.groups["realm"]) == ["中医基础", "中医经典", "中医临床", "西医综合", "医学人文"]
    assert list(report.groups["type"]) == ["A1", "A2", "A3", "B1"]
    assert list(report.groups["subject"])[:2] == ["中医基础理论", "中医诊断学"]


def test_what_a_user_reads_equals_a_count_from_the_items_file(minis, tmp_path):
    """Each breakdown, and the interval over groups drawn in a plain loop, from the answers of the items file alone."""
    items = tmp_path / "items.jsonl"
    report = score("tcmd", SAMPLE, minis, items=items, bootstrap=200, seed=5, interval="bootstrap")
    rows = load_records(minis, "tcmd").rows
    golds, owners = ({row["id"]: row[name] for row in rows} for name in ("answer", "group_id"))
    shares, by_group = {}, {}
    for text in items.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        answers = [one["answer"] for one in line["rules"]["medzh-1"]["answers"]]
        shares[line["item"]] = sum(answer == golds[line["item"]] for answer in answers) / len(answers)
        by_group.setdefault(owners[line["item"]], []).append(shares[line["item"]])
    for breakdown in ("realm", "subject", "type"):
        for label, named in report.groups[breakdown].items():
            members = [row["id"] for row in rows if row[breakdown] == label]
            assert named["accuracy"].n == len(members)
            assert named["accuracy"].value == pytest.approx(sum(map(shares.get, members)) / len(members))
    groups = [by_group[name] for name in sorted(by_group)]
    generator = np.random.Generator(np.random.PCG64(5))
    drawn = []
    for _ in range(200):
        chosen = [share for unit in generator.integers(0, len(groups), len(groups)) for share in groups[unit]]
        drawn.append(sum(chosen) / len(chosen))
    found = report.metrics["accuracy"]
    assert (found.low, found.high) == pytest.approx(tuple(np.percentile(drawn, [2.5, 97.5])))
