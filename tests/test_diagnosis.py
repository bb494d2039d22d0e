"""The diagnosis that a response states as its conclusion: tables, and what holds for every text.

The rows of ``data/diagnoses_stated.jsonl`` were written by hand, in the manner of models of every size, with the
diagnosis that a careful reader takes each to state, or null.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medzh_score.config import find_config
from medzh_score.extraction import diagnosis
from medzh_score.extraction.cmhe_dd_names import linked
from medzh_score.terminology.disease_names import our_dictionary
from medzh_score.terminology.icd_codes import category_of

DATA = Path(__file__).parent / "data"


def rows(name):
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


TABLE, LINKED = rows("diagnoses_stated.jsonl"), rows("cmhe_dd_diagnoses.jsonl")
TEXTS = sorted({row["text"] for row in (*TABLE, *LINKED)})
NOT_FOUND = {"empty", "unclosed", "refusal", "contradiction", "hedge", "nothing"}
RULES = {rule.name: rule for rule in find_config("cmhe_dd").rules}


def coded(rule, text):
    (found,) = RULES[rule].read(text, None, 0)
    return {category_of(code) for code in (found.value or "").split("；") if code}


def counts(rule, of_set):
    """Count the categories that are right, wrong and missing."""
    found = Counter()
    for row in LINKED:
        if row["set"] == of_set:
            said, gold = coded(rule, row["text"]), set(row["codes"])
            found.update(right=len(said & gold), wrong=len(said - gold), missing=len(gold - said))
    return found["right"], found["wrong"], found["missing"]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: repr(row["text"][:40]))
def test_table(row):
    assert diagnosis.read(row["text"]).value == row["value"]


def test_the_table_is_large_and_has_both():
    assert len({row["text"] for row in TABLE}) == len(TABLE) >= 150
    assert min(Counter(row["value"] is None for row in TABLE).values()) >= 60


@pytest.mark.parametrize("wording", diagnosis.WORDINGS, ids=lambda wording: wording.name)
def test_wordings_find_their_example_and_not_the_other(wording):
    assert wording.expression.search(wording.matches)
    assert not wording.expression.search(wording.misses)
    assert diagnosis.read(wording.matches).value in {"急性阑尾炎", "银屑病", "克罗恩病", "acute appendicitis"}
    assert diagnosis.read(wording.misses).value is None


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "empty"),
        ("<think>诊断：肺炎", "unclosed"),
        ("抱歉，我无法作出诊断，请咨询医生。", "refusal"),
        ("最终诊断：肺炎。最终诊断：肺癌。", "contradiction"),
        ("考虑肺炎或肺结核。", "hedge"),
        ("可能的诊断：肺炎、肺结核。", "hedge"),
        ("多喝水。", "nothing"),
        ("鉴别诊断：肺炎、肺结核。", "nothing"),
        ("急性阑尾炎", "alone"),
        ("诊断：急性阑尾炎", "diagnosis"),
        ("最终诊断：急性阑尾炎", "final diagnosis"),
        ("初步诊断：急性阑尾炎", "first diagnosis"),
        ("肺炎诊断明确。", "said behind"),
    ],
)
def test_rules_have_names_that_say_why(text, rule):
    assert diagnosis.read(text).rule == rule


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("**诊断**：**急性阑尾炎**。", ["急性阑尾炎"]),
        ("初步诊断：\n1. 肺炎\n2. ２型糖尿病", ["肺炎", "２型糖尿病"]),
        ("<think>肺炎？</think>診斷：肺結核", ["肺結核"]),
        ('{"诊断": "急性阑尾炎"}', ["急性阑尾炎"]),
        ("诊断：肺炎。综上，诊断为肺结核。", ["肺炎", "肺结核"]),
        ("多喝水。", []),
    ],
)
def test_spans_are_those_of_the_raw_text(text, spans):
    assert [text[slice(*span)] for span in diagnosis.explain(text).spans] == spans


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: repr(text[:30]))
def test_what_is_explained_is_what_is_read(text):
    found, reading = diagnosis.read(text), diagnosis.explain(text)
    assert (found.value, found.rule) == (reading.value, reading.rule)
    assert not found.value or len(reading.spans) == len(found.value.split("；"))
    (named,), (shown,) = RULES["names-2"].read(text, None, 0), RULES["names-2"].explain(text, None, 0)
    assert (named.value, named.rule) == (shown.value, shown.rule)


@given(
    text=st.text(
        st.sampled_from("诊断是为：考虑或、，。；\n1.2急性肺炎结核胃溃疡排除鉴别可能最终不患有<think></think>**（）?"),
        max_size=60,
    )
)
def test_any_text_is_read_as_it_is_explained(text):
    found, reading = diagnosis.read(text), diagnosis.explain(text)
    assert (found.value, found.rule) == (reading.value, reading.rule)
    assert (found.rule in NOT_FOUND) == (found.value is None)
    assert all(0 <= start < end <= len(text) for start, end in reading.spans)


@pytest.mark.parametrize(
    "refusal", ["抱歉，我无法诊断。", "作为AI，我不能提供医疗诊断。", "I'm sorry, but I can't diagnose."]
)
@pytest.mark.parametrize("more", ["", "请尽快就医。", "请咨询医生是否患有肺炎。", " Please consult a doctor."])
def test_no_refusal_is_a_diagnosis(refusal, more):
    assert diagnosis.read(refusal + more).value is None


def test_a_long_text_is_read_in_one_go():
    for part in ("诊断：", "考虑", "肺炎、", "最可能", "鉴别诊断：\n", "1. 肺炎\n", "The patient has "):
        diagnosis.read(part * 4_000)


# By set: categories that are right, wrong, and missing. Nothing was mended by the fourth set.
NAMES_2 = {"first": (251, 0, 44), "second": (81, 0, 18), "third": (70, 1, 23), "fourth": (71, 1, 29)}


def test_names_in_the_stated_diagnosis_are_more_often_right():
    """What a text offers as possible beside others is right in these sets, too: names-2 leaves it out."""
    found = {of_set: counts("names-2", of_set) for of_set in NAMES_2}
    assert found == NAMES_2
    for sets in (NAMES_2, ["fourth"]):
        right, wrong, _ = map(sum, zip(*(found[of_set] for of_set in sets), strict=True))
        right_1, wrong_1, _ = map(sum, zip(*(counts("names-1", of_set) for of_set in sets), strict=True))
        assert right / (right + wrong) > right_1 / (right_1 + wrong_1)


def test_names_2_links_each_name_by_itself():
    text = "诊断：肺炎合并胸腔积液。鉴别诊断：肺结核。既往高血压。"
    (found,), (reading,) = RULES["names-2"].read(text, None, 0), RULES["names-2"].explain(text, None, 0)
    assert found.value == "；".join(linked("肺炎", our_dictionary())[0] + linked("胸腔积液", our_dictionary())[0])
    assert [text[slice(*span)] for span in reading.spans] == ["肺炎", "胸腔积液"]
    assert RULES["names-2"].replaces == "names-1"


@pytest.mark.parametrize(
    ("text", "rule"), [("诊断：某某综合征", "no name"), ("鉴别诊断：肺炎", "nothing"), ("", "empty")]
)
def test_why_names_2_finds_no_code(text, rule):
    (found,) = RULES["names-2"].read(text, None, 0)
    assert (found.value, found.rule) == (None, rule)
