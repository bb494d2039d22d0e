"""Plain forms of TCMD's responses, read sooner: they say exactly what the whole reading says of them."""

from __future__ import annotations

import json
import random
import re
from itertools import permutations

import pytest
from places import CASE_FILES, SAMPLES

from medzh_score.configs.tcmd.reading.groups import NOTHING, plain
from medzh_score.extraction.letters import read_letters

OPTIONS = ("桂枝", "麻黄", "杏仁", "甘草", "石膏")
ORDERS = list(permutations(range(5)))
HEADS = (
    *("答案：{}。", "{}。", "答案是{}。", "【答案】{}\n", "故选{}。", "正确答案：{}。", "{}\n", "（{}）", "选{}"),
    *("本题选{}。", "因此选{}\n", "答案 {}", "最佳答案为：{}。", "所以应选{}。", "选项{}，", "{}或", "不选{}。"),
    *("应选{}。", "{}、", ""),
)
TAILS = (
    *("桂枝为君药。", "麻黄、桂枝相须为用，", "其余各项均不符合。", "粪-口传播为主。", "为乳癖(乳腺增生)；"),
    *("B", "(C)", "错。"),
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
        if one.note != whole.value or (one.value is None) != (whole.value is None):
            found.append((text, order, one.note, whole))
        elif one.value is not None:
            assert OPTIONS["ABCDE".index(one.value)] == OPTIONS[order["ABCDE".index(one.note)]]
    return found, sooner


@pytest.mark.parametrize("seed", range(4))
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


def test_labelled_answers_and_the_sample_are_read_alike():
    texts = labelled_texts()
    found, sooner = disagreements(texts, [ORDERS[7]] * len(texts))
    assert found == []
    assert sooner > 50


def test_no_plain_text_has_an_answer_that_is_not_in_it():
    assert plain("桂枝汤以温通为主。", ("麻黄", "杏仁"), (0, 1)) == NOTHING
    assert plain("麻黄为君药。", ("麻黄", "杏仁"), (0, 1)) is None
