"""The rule ``strict-1`` of TCMD on groups: several sub-answers in one text, and what real texts make of the rule.

The rows stand in ``data/tcmd_group_answers.jsonl``, each with the sentence of the rule's description it comes from.
"""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import openpyxl
import pytest

from medzh_score.extraction import tcmd_agreed
from medzh_score.extraction.tcmd_strict import Part, Side, read

LETTERS = "ABCDE"
TABLE = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "tcmd_group_answers.jsonl").read_text(encoding="utf-8").splitlines()
]
FORMULAS = ("桂枝汤", "麻黄汤", "小青龙汤", "银翘散", "桑菊饮")
GROUPS = {
    "3": (  # one stem: what pattern, what treatment, what formula
        ("太阳中风证", "太阳伤寒证", "风热犯肺证", "外寒里饮证", "少阳证"),
        ("解肌发表，调和营卫", "发汗解表，宣肺平喘", "疏散风热", "解表散寒，温肺化饮", "和解少阳"),
        ("桂枝汤", "麻黄汤", "银翘散", "小青龙汤", "小柴胡汤"),
    ),
    "2": (FORMULAS, FORMULAS),  # shared options
    "mix": (("风寒", "风热", "暑湿", "燥邪"), FORMULAS),
}
TCMBENCH = (
    "ywjawmw/TCMBench/c3168875e299627472085c58a6b312c041ba6494/data_demo/first_level/gpt-4-0613_{}/seperate_0-1.json"
)
CMEXAM = "kyre-99/CMExam-Dataset/303a45e554c059c773be4cb951acb7247b405f74/val.xlsx"
# Rows of the table that ``strict-2`` reads otherwise, what it reads, and why.
ANOTHER_GROUP = {
    "1.A 2.C 1.B": ([None, "C"], "contradiction: the first question has two answers"),
    "1.A\n2.C\n3.B\n\n1.B\n2.B\n3.B": ([None, None, "B"], "contradiction: two questions have two answers each"),
    "1.A 2.C 3.B\n答案：BCA": ([None, "C", None], "contradiction: the list of the answers says otherwise"),
    "1. 选A\n2. 选C\n3. 选B\n答案：A": (["A", "C", None], "contradiction: the last section has two answers"),
    "1. 答案：C\n2. 解析略。\n答案：B、D": ([None, None], "contradiction: 答案：B、D may answer both questions"),
}


def side(name):
    return Side(tuple(map(Part, GROUPS[name])), 5)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row['source']}: {row['text'][:30]!r}")
def test_table(row):
    answers = read(row["text"], side(row["group"]), 0)
    assert [answer.value for answer in answers] == row["values"], row["source"]
    assert [answer.rule for answer in answers] == row["rules"], row["source"]


def test_the_table_is_large_and_reaches_every_rule():
    assert len(TABLE) >= 200
    assert len({(row["text"], row["group"]) for row in TABLE}) == len(TABLE)
    rules = {rule for row in TABLE for rule in row["rules"]}
    assert {"numbered", "in order", "marker"} <= rules
    assert {
        "not given",
        "several",
        "no such label",
        "contradiction",
        "negated",
        "empty",
        "unfinished thinking",
    } <= rules


@pytest.mark.parametrize(
    "form", ["1.{} 2.{}", "1. {}\n2. {}", "（1）{}；（2）{}", "第一题选{}，第二题选{}", "{}{}", "答案：{}、{}"]
)
def test_every_variant_maps_back(form):
    """The options that a B1 group shares are permuted once; each label means what stood at its place."""
    asked = side("2")
    for variant, order in enumerate(permutations(range(5))):
        first, second = order.index(3), order.index(0)
        answers = read(form.format(LETTERS[first], LETTERS[second]), asked, variant)
        assert [answer.value for answer in answers] == ["D", "A"]
        assert [answer.note for answer in answers] == [LETTERS[first], LETTERS[second]]


@pytest.mark.parametrize("variant", [0, 7, 63, 119])
def test_numbered_texts_mean_their_options_in_every_variant(variant):
    answers = read("1. 银翘散\n2. 桂枝汤", side("2"), variant)
    assert [answer.value for answer in answers] == ["D", "A"]


def test_questions_of_different_sizes_are_shifted_each_by_itself():
    """Source: a variant of such a group is a cyclic shift, modulo the number of each question's options."""
    orders = list(permutations(range(5)))
    variant = orders.index((3, 4, 0, 1, 2))
    answers = read("1.A 2.A", side("mix"), variant)
    assert [answer.value for answer in answers] == ["D", "D"]
    answers = read("1.B 2.B", side("mix"), variant)
    assert [answer.value for answer in answers] == ["A", "E"]


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_a_part_asked_alone_is_read_as_a_single_question(size):
    part = Part(FORMULAS[:size])
    for text in ("A", "1.A", "答案：B", "桂枝汤", "E", "不选A"):
        assert read(text, Side((part,), size), 1) == read(text, Side((Part(FORMULAS[:size]),), size), 1)
        assert len(read(text, Side((part,), size), 1)) == 1


@pytest.mark.parametrize("kind", ["CVR", "FKU", "KHC"])
def test_real_answers_of_tcmbench_are_read_as_its_authors_read_them(upstream_file, kind):
    """GPT-4's answers to questions with a shared stem, alone, and with shared options; alone and as a whole group."""
    item = json.loads(upstream_file(TCMBENCH.format(kind)).read_text(encoding="utf-8"))["example"][0]
    asked = item["question"] if isinstance(item["question"], list) else [item]
    shared = item.get("share_content", "")
    parts = [_part(one["sub_question"] if "sub_question" in one else one["question"], shared) for one in asked]
    expected = [one["model_answer"][0] for one in asked]
    for one, part, letter in zip(asked, parts, expected, strict=True):
        (answer,) = read(one["model_output"], Side((part,), 5), 0)
        assert (answer.value, answer.rule) == (letter, "marker")
    if len(asked) > 1:
        whole = "\n".join(f"{number}）\n{one['model_output']}" for number, one in enumerate(asked, start=1))
        assert [answer.value for answer in read(whole, Side(tuple(parts), 5), 0)] == expected


def _part(question, shared):
    lines = [line.strip() for line in (shared + "\n" + question).splitlines()]
    options = [line[2:].strip() for line in lines if line and line[0] in LETTERS and line[1] in ".．"]
    assert len(options) == 5
    return Part(tuple(options))


def test_real_explanations_give_no_letter_but_the_one_that_they_call_right(upstream_file):
    """6,800 explanations of examination questions: prose full of labels, of which some call one the right answer."""
    book = openpyxl.load_workbook(upstream_file(CMEXAM), read_only=True)
    read_count = right = wrong = 0
    for _, options, gold, explanation in list(book["Sheet1"].iter_rows(values_only=True))[1:]:
        texts = tuple(option[2:].strip() for option in str(options).split("\\n") if option.strip())
        if not explanation or not 2 <= len(texts) <= 5 or len(str(gold)) != 1:
            continue
        (answer,) = read(str(explanation), Side((Part(texts),), len(texts)), 0)
        read_count += 1
        right += answer.value == gold
        wrong += answer.value not in {None, gold}
    book.close()
    assert read_count > 6_000
    assert right > 500
    assert wrong <= 5


@pytest.mark.parametrize("row", TABLE, ids=lambda row: repr(row["text"][:40]))
def test_strict_2_reads_groups_as_labelled_or_for_a_reason(row):
    expected, _ = ANOTHER_GROUP.get(row["text"], (row["values"], ""))
    answers = tcmd_agreed.read(row["text"], side(row["group"]), 0)
    assert [answer.value for answer in answers] == expected
    told = tcmd_agreed.explain(row["text"], side(row["group"]), 0)
    assert [(one.value, one.rule) for one in told] == [(answer.value, answer.rule) for answer in answers]
    assert all(0 <= span.start < span.end <= len(row["text"]) for one in told for span in one.spans)


def test_the_rows_that_strict_2_reads_otherwise_are_rows_of_the_table():
    assert set(ANOTHER_GROUP) <= {row["text"] for row in TABLE}
