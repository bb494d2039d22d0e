"""Yes or No by ``strict-2`` of CMHE-HD: tables, what holds for every text, and how it does beside ``strict-1``.

The rows of ``data/yes_no_answers.jsonl`` were written by hand, in the manner of models of every size, with what a
careful reader takes them to answer. What some say of doctors and medicines is false on purpose: that is judged there.
The rows of ``data/cmhe_hd_judged.jsonl`` that were kept apart from ``strict-1`` were not from ``strict-2``: what it
does on them is no estimate of how it reads texts that it has not met.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medzh_score.configs.cmhe_hd import CONFIG
from medzh_score.configs.cmhe_hd_words import ANSWERS
from medzh_score.extraction import cmhe_hd_cues, cmhe_hd_strict, yes_no, yes_no_marks, yes_no_parts, yes_no_wordings
from medzh_score.extraction.preparing import prepare
from medzh_score.extraction.yes_no_reasons import stated

DATA = Path(__file__).parent / "data"


def rows(name):
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


TABLE, JUDGED, ANSWERED = rows("yes_no_answers.jsonl"), rows("cmhe_hd_judged.jsonl"), rows("cmhe_hd_answers.jsonl")
TEXTS = sorted({row["text"] for table in (TABLE, JUDGED, ANSWERED) for row in table})
NOT_FOUND = {"empty", "unclosed", "refusal", "either", "contradiction", "hedge", "unsupported", "nothing"}
RULES = {rule.name: rule for rule in CONFIG.rules}
# The rows of strict-1's table that strict-2 reads otherwise: corrections of oneself, and a sentence that it knows.
READ_NOW = {
    "Answer: Yes\nWait, the dose is in fact right.\nFinal answer: No": "No",
    "答案：是\n更正后的答案：否": "No",
    "No untrue or misleading information was found in the doctor's answers.": "No",
}


@pytest.mark.parametrize("row", TABLE, ids=lambda row: repr(row["text"][:40]))
def test_table(row):
    assert yes_no.read(row["text"]).value == row["value"]


def test_the_table_is_large_and_has_every_answer():
    assert len({row["text"] for row in TABLE}) == len(TABLE) >= 190
    assert min(Counter(row["value"] for row in TABLE).values()) >= 40


@pytest.mark.parametrize("wording", yes_no.WORDINGS, ids=lambda wording: wording.name)
def test_wordings_find_their_example_and_not_the_other(wording):
    assert wording.expression.search(wording.matches)
    assert not wording.expression.search(wording.misses)


def test_wordings_have_names_of_their_own():
    names = [wording.name for wording in yes_no.WORDINGS]
    assert len(set(names)) == len(names)
    assert not NOT_FOUND & set(names)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "empty"),
        ("<think>是", "unclosed"),
        ("抱歉，我无法回答这个问题。", "refusal"),
        ("Yes/No", "either"),
        ("请用“是”或“否”回答。", "either"),
        ("医生的回答是否包含不真实或有误导性的信息？", "either"),
        ("是。否。", "contradiction"),
        ("是的，医生的回答是正确的。", "contradiction"),
        ("可能是。", "hedge"),
        ("是的，注意休息。", "unsupported"),
        ("多喝水。", "nothing"),
        ("否。", "beginning"),
        ("剂量太大。答案：是", "marked"),
        ("剂量太大。\n是", "last"),
        ("否否否", "repeated"),
        ("是否包含误导信息：否", "labelled"),
        ("是。不对，应该是否。", "corrected"),
        ("医生的回答包含误导信息。", "holds"),
        ("医生的建议是错误的。", "is wrong"),
        ("医生的回答没有误导信息。", "holds none"),
        ("医生的回答是正确的。", "is right"),
        ("The doctor's answer contains false information.", "contains"),
        ("The doctor's advice is misleading.", "is misleading"),
        ("There is no misleading information.", "contains none"),
        ("The doctor's answer is accurate.", "is accurate"),
    ],
)
def test_rules_have_names_that_say_why(text, rule):
    assert yes_no.read(text).rule == rule


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("**否**。医生的回答没有误导。", ["否"]),
        ("<think>是？</think>答案：是", ["是"]),
        ('{"answer": "Yes"}', ["Yes"]),
        ("ＮＯ", ["ＮＯ"]),
        ("剂量过大。**因此**，医生的回答包含误导信息。", ["医生的回答包含误导信息"]),
        ("答案：是\n答案：否", ["是", "否"]),
        ("是。不对，应该是否。", ["否"]),
        ("患者可以休息。", []),
    ],
)
def test_spans_are_those_of_the_raw_text(text, spans):
    assert [text[slice(*span)] for span in yes_no.explain(text).spans] == spans


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: repr(text[:30]))
def test_what_is_explained_is_what_is_read(text):
    found, reading = yes_no.read(text), yes_no.explain(text)
    assert (found.value, found.rule) == (reading.value, reading.rule)
    assert not found.value or reading.spans
    assert all(0 <= start < end <= len(text) for start, end in reading.spans)


@pytest.mark.parametrize("word", sorted(yes_no.PLAIN))
def test_words_alone_are_read_as_in_any_text(word):
    for end in ("", "。", ".\n", "！"):
        found, reading = yes_no.read(word + end), yes_no.explain(word + end)
        assert (found.value, found.rule) == (reading.value, reading.rule)


@given(
    text=st.text(
        st.sampled_from('是否有没无不的误导错正确Yes No/or:：,，.。\n医生回答因此所以更正可能<think></think>[]{}"*'),
        max_size=60,
    )
)
def test_any_text_is_read_as_it_is_explained(text):
    found, reading = yes_no.read(text), yes_no.explain(text)
    assert (found.value, found.rule) == (reading.value, reading.rule)
    assert found.value in {*ANSWERS, None}
    assert found is yes_no.read(text)
    assert (found.rule in NOT_FOUND) == (found.value is None)


@pytest.mark.parametrize(
    "refusal",
    ["抱歉，我无法判断。", "作为AI，我不能提供医疗建议。", "I'm sorry, but I cannot assist with that.", "我不知道。"],
)
@pytest.mark.parametrize("more", ["", "请咨询医生。", "如果您有其他问题，欢迎告诉我。", " Please consult a doctor."])
def test_no_refusal_is_an_answer(refusal, more):
    assert yes_no.read(refusal + more).value is None


@pytest.mark.parametrize(
    "row", [row for row in JUDGED if row["verdict"] is None], ids=lambda row: repr(row["text"][:40])
)
def test_what_a_reader_took_for_no_answer_is_none(row):
    assert yes_no.read(row["text"]).value is None


@pytest.mark.parametrize(("name", "right", "missed"), [("mended by", 138, 1), ("kept apart", 49, 0)])
def test_it_reads_more_than_strict_1_and_nothing_wrongly(name, right, missed):
    counts = {}
    for read in (yes_no.read, cmhe_hd_strict.read):
        found = [
            (row["verdict"], read(row["text"], None).value) for row in JUDGED if row["set"] == name and row["verdict"]
        ]
        counts[read] = Counter(value == verdict for verdict, value in found if value), len(found)
    of_two, every = counts[yes_no.read]
    of_one, _ = counts[cmhe_hd_strict.read]
    assert of_two == {True: right}
    assert every == right + missed
    assert of_one[True] < right


@pytest.mark.parametrize("row", ANSWERED, ids=lambda row: f"{row['shows']}: {row['text'][:30]!r}")
def test_the_table_of_strict_1_is_read_as_before_but_for_what_is_named(row):
    assert yes_no.read(row["text"]).value == READ_NOW.get(row["text"], row["strict"])


def test_strict_2_replaces_strict_1():
    rule = RULES["strict-2"]
    assert rule.replaces == "strict-1"
    (found,), (reading,) = rule.read("答案：否", None, 0), rule.explain("答案：否", None, 0)
    assert (found.value, reading.value) == ("No", "No")
    assert CONFIG.rules[0].name == "strict-1"


@pytest.mark.parametrize("kind", ["FALSE", "TRUE", "NEGATION", "HEDGE", "STANCE", "CONTRAST", "PATIENT"])
def test_where_a_cue_is_not_seen_its_expression_finds_nothing(kind):
    """The words by which parts are passed over are shorter than what is looked for: nothing may be missed."""
    expression, bit = getattr(cmhe_hd_cues, kind), getattr(yes_no_parts, kind)
    seen = 0
    for text in TEXTS:
        said = (prepare(text) or "").replace("’", "'")
        for start, end, cues, _ in yes_no_parts.parted(said)[0]:
            if expression.search(said[start:end]):
                seen += 1
                assert cues & bit, said[start:end]
    assert seen > 3


@pytest.mark.parametrize(
    ("expression", "bit"),
    [
        (yes_no_wordings.MARKED.expression, "MARKER"),
        (yes_no_wordings.LABELLED.expression, "LABEL"),
        (yes_no_wordings.CORRECTED.expression, "CORRECTION"),
        (yes_no_wordings.TAKES_BACK, "CORRECTION"),
        (yes_no_marks.UNSURE, "UNSURE"),
        (yes_no_wordings.ECHO, "ECHO"),
        (yes_no_marks.PUT_RIGHT, "RIGHTING"),
        (cmhe_hd_cues.PRAISED, "PRAISE"),
        (cmhe_hd_cues.SPARED, "SPARING"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_where_a_wording_stands_its_cue_is_seen(expression, bit):
    seen = 0
    for text in TEXTS:
        said = prepare(text) or ""
        if expression.search(said):
            seen += 1
            assert yes_no_parts.parted(said)[1] & getattr(yes_no_parts, bit), said
    assert seen


def test_every_statement_is_taken_for_one():
    for wording in yes_no_wordings.STATEMENTS:
        parts, _ = yes_no_parts.parted(wording.matches)
        said = [stated(wording.matches[start:end].strip()) for start, end, *_ in parts]
        assert (wording.value, wording.name) in said


def test_a_long_text_is_read_in_one_go():
    """Each expression looks at a character a bounded number of times: 200,000 of them must not hang the suite."""
    for part in (
        "医生的回答",
        "是否",
        "Answer",
        "没有",
        "[",
        "误导：",
        "answer is ",
        "根据对话内容",
        "更正",
        "患者：甲\n医生：乙\n",
    ):
        assert yes_no.read(part * 20_000).value is None


@pytest.mark.parametrize(("part", "value"), [("[x] 是\n", "Yes"), ("答案：是\n", "Yes"), ("否。医生", "No")])
def test_what_is_said_ten_thousand_times_is_read_once(part, value):
    assert yes_no.read(part * 10_000).value == value
