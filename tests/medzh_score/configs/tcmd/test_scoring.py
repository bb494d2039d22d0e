"""TCMD scored: what is shown under a letter is what it means, and forms that are read sooner say the same."""

from __future__ import annotations

import json
import random
import re
from itertools import permutations

import numpy as np
import pytest
from places import CASE_FILES, SAMPLES

from medzh_score.benchmark.variants import order_of
from medzh_score.cli.main import main
from medzh_score.configs.tcmd.config import CONFIG
from medzh_score.configs.tcmd.reading import plain
from medzh_score.data.records import load_records
from medzh_score.extraction.letters import read_letters
from medzh_score.scoring.pipeline import score
from medzh_score.ui.errors import MedzhError

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
        assert main(["prompts", "tcmd", "--data", str(minis), "--output", str(path), *options]) == 0
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


def test_what_the_prompt_shows_under_a_letter_is_what_the_letter_means(groups, sent, minis):
    """Read from the prompts themselves, not from the numbering: the line of a letter holds that option."""
    rows = load_records(minis, "tcmd").rows
    asked = {one.id: one for one in CONFIG.queries(rows, CONFIG.layout(rows))}
    _, prompts = sent("--variants", "all", "--shots", "0")
    for one in prompts:
        members = groups[one["id"]]
        if len(members) > 1:
            continue
        lines = one["messages"][-1]["content"].splitlines()
        variant = one.get("variant", 0)
        for letter in LETTERS[: len(members[0]["options"])]:
            shown = next(line for line in lines if line.startswith(f"{letter}. "))
            (answer,) = CONFIG.rules[0].read(letter, asked[one["id"]].context, variant)
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


OPTIONS = ("桂枝", "麻黄", "杏仁", "甘草", "石膏")
ORDERS = list(permutations(range(5)))
HEADS = (
    *("答案：{}。", "{}。", "答案是{}。", "【答案】{}\n", "故选{}。", "正确答案：{}。", "{}\n", "（{}）", "选{}"),
    *("本题选{}。", "因此选{}\n", "答案 {}", "最佳答案为：{}。", "所以应选{}。", "选项{}，", "{}或", "不选{}。"),
    *("应选{}。", "{}、", ""),
)
TAILS = (
    *("桂枝为君药。", "麻黄、桂枝相须为用，", "其余各项均不符合。", "粪-口传播为主。", "为乳癖(乳腺增生)；"),
    *("B", "(C)", "错。", "無法確定。", "難以判斷，", "對此說不準。", "沒有把握。"),
)


def labelled_texts():
    files = ("answers_labelled", "answers_judged_letters", "answers_fresh_letters", "answers_unseen")
    rows = [
        json.loads(line)
        for name in files
        for line in (CASE_FILES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    sample = (SAMPLES / "tcmd" / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    return [row["text"] for row in rows] + [json.loads(line)["prediction"] for line in sample]


@pytest.fixture(scope="module")
def clauses():
    """Give the clauses of labelled answers of all kinds and of the sample, each with what ends it."""
    found = {clause for text in labelled_texts() for clause in re.findall(r"[^。，；\n]+[。，；\n]?", text)}
    return sorted(found, key=lambda clause: (len(clause), clause))


def disagreements(texts, orders, *, wrong=False):
    """Give the texts that are read sooner, and otherwise than as a whole."""
    found, sooner = [], 0
    for text, order in zip(texts, orders, strict=True):
        one = plain(text, OPTIONS, order)
        if one is None:
            continue
        sooner += 1
        whole = read_letters(text, [OPTIONS[place] for place in order], wrong=wrong)
        if (
            one.note != whole.value
            or (one.value is None) != (whole.value is None)
            or (one.value is not None and one.reason != whole.reason)
        ):
            found.append((text, order, one.note, whole))
        elif one.value is not None:
            assert OPTIONS["ABCDE".index(one.value)] == OPTIONS[order["ABCDE".index(one.note)]]
    return found, sooner


@pytest.mark.parametrize(
    "doubt", ["无法确定。", "無法確定。", "難以判斷。", "對此說不準。", "沒有把握。", "答案有誤。", "應改為B。"]
)
def test_a_doubt_behind_a_label_is_read_as_a_whole_in_either_script(doubt):
    assert plain(f"故选A。{doubt}", OPTIONS, ORDERS[0]) is None


@pytest.mark.parametrize("seed", range(2))
def test_what_is_read_sooner_is_what_the_whole_reading_says(clauses, seed):
    draw = random.Random(seed)  # noqa: S311 - texts for a test
    texts = []
    for _ in range(4000):
        head = draw.choice(HEADS).format(draw.choice("ABCDEFＡ"))
        pieces = draw.choices(clauses, k=draw.randint(0, 3)) + draw.choices(TAILS, k=draw.randint(0, 1))
        draw.shuffle(pieces)
        texts.append(head + "".join(pieces))
    found, sooner = disagreements(texts, [draw.choice(ORDERS) for _ in texts], wrong=seed % 2 == 1)
    assert found == []
    assert sooner > 300
