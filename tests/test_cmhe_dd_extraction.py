"""From a text to codes, by the three ways of CMHE-DD: tables of texts, and what each way reads in them."""

from __future__ import annotations

import re

import pytest

from medzh_score.config import find_config
from medzh_score.extraction.cmhe_dd_codes import codes_in, read, read_judged
from medzh_score.extraction.cmhe_dd_names import reader
from medzh_score.metrics.cmhe_dd import FOR_JUDGE
from medzh_score.terminology.disease_names import dictionary_of

NATIONAL = (
    "hint-lab/chinese-medical-kg/ef00c6c955a4210a4e13073c36f7b215ea51ed3d/data/国家临床版2.0疾病诊断编码（ICD-10）.xlsx"
)
NAMES = dictionary_of(
    [
        ("J18.9", "肺炎"),
        ("J18.0", "支气管肺炎"),
        ("J15.7", "支原体肺炎"),
        ("A16.2", "肺结核"),
        ("C34.9", "肺癌"),
        ("J20.9", "急性支气管炎"),
        ("J44.9", "COPD"),
        ("E11.9", "2型糖尿病"),
        ("E14.9", "糖尿病"),
        ("C85.9", "非霍奇金淋巴瘤"),
        ("I10", "高血压"),
        ("R50.9", "发热"),
        ("R05", "咳嗽"),
        ("B99", "感染"),
        ("J00", "急性鼻咽炎[感冒]"),
    ],
    "test",
)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("J30.4", ["J30.4"]),
        ("诊断：变应性鼻炎（J30.4）", ["J30.4"]),
        ("诊断编码为ｊ３０．４。", ["J30.4"]),
        ("j30.401", ["J30.401"]),
        ("J304", ["J30.4"]),
        ("a00.000x001", ["A00.000x001"]),
        ("A35.x00", ["A35.x00"]),
        ("A17.0† 与 G01*", ["A17.0", "G01"]),
        ("**I10**，E11.9", ["I10", "E11.9"]),
        ("K29；K29；K21.0", ["K29", "K21.0"]),
        ("I10.", ["I10"]),
        ("C99.0", ["C99.0"]),  # a code that ICD-10 does not have is a code all the same
        ("编码J18", ["J18"]),
        # No codes.
        ("维生素B12缺乏", []),
        ("维生素 B12 120pg/mL", []),
        ("T12椎体骨折", []),
        ("P53突变，S100蛋白阳性", []),
        ("CD20（+），G6PD正常", []),
        ("H1N1，HLA-B27阳性", []),
        ("p53", []),
        ("K562细胞", []),
        ("COVID19", []),
        ("J00-J99", []),
        ("呼吸系统疾病（J30-J39）中的J31.0", ["J31.0"]),
        ("没有诊断", []),
    ],
)
def test_codes_in_a_text(text, codes):
    assert codes_in(text)[0] == codes


@pytest.mark.parametrize(
    ("text", "codes", "out"),
    [
        ("考虑J18.9，排除A16.2", ["J18.9"], 1),
        ("不考虑肺结核（A16.2）", [], 1),
        ("鉴别诊断：A16.2、C34.9", [], 2),
        ("J18.9可能性大，C34.9可能性小", ["J18.9"], 1),
    ],
)
def test_codes_that_a_text_rules_out(text, codes, out):
    assert codes_in(text) == (codes, out)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("<think>肺炎（J18.9）", "unclosed"),
        ("<think>肺炎（J18.9）</think>不清楚", "no"),
        ("排除肺炎（J18.9）", "all ruled out"),
    ],
)
def test_why_there_is_no_code(text, rule):
    by_code, by_name = read(text, None), reader(lambda: NAMES)(text, None)
    assert by_code.value is None
    assert by_name.value is None
    assert by_code.rule == (rule if rule != "no" else "no code")
    assert by_name.rule == (rule if rule != "no" else "no name")


def test_the_number_of_ruled_out_mentions_is_noted():
    assert read("J18.9，排除A16.2、C34.9", None).note == "ruled out 2"
    assert reader(lambda: NAMES)("肺炎，排除肺结核", None).note == "ruled out 1"
    assert read("J18.9", None).note is None


def test_the_three_ways_are_three_rules_and_the_papers_is_first():
    rules = find_config("cmhe_dd").rules
    assert [rule.name for rule in rules] == ["judge-1", "codes-1", "names-1", "names-2"]
    assert [rule.replaces for rule in rules] == [None, None, None, "names-1"]
    text = "考虑肺炎（J18.1）"
    by_judge, by_code, by_name = (rule.read(text, None, 0)[0] for rule in rules[:3])
    assert (by_judge.value, by_judge.rule) == (text, FOR_JUDGE)
    assert by_code.value == "J18.1"
    assert by_name.value == "J18.9"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("1. Pneumonia\n2. J18.9", "J18.9"),
        ("肺炎：J18.9\n高血压：I10", "J18.9；I10"),
        ('{"disease": "pneumonia", "code": "J18.9"}', "J18.9"),
        ("J18.9, J18.9", "J18.9"),
        ("E99.1", "E99.1"),
        ("<think>J20.9?</think>J18.9", "J18.9"),
        ("无", "无"),
        ("None.", "无"),
        ("肺炎", None),
        ("", None),
        ("<think>J18.9", None),
        ("报告没有给出诊断", None),
    ],
)
def test_what_a_judge_says(text, codes):
    assert read_judged(text, {}) == (None if codes is None else {"codes": codes})


def test_every_code_of_the_national_edition_is_read_in_a_text(upstream_file):
    import openpyxl

    book = openpyxl.load_workbook(upstream_file(NATIONAL), read_only=True)
    written = [str(row[0]) for row in book.worksheets[0].iter_rows(min_row=2, values_only=True)]
    plain = [code for code in written if re.fullmatch(r"[A-Z][0-9]{2}\.[0-9x]{3}(x[0-9]{3})?", code)]
    assert len(plain) > 34_000
    wrong = [code for code in plain if codes_in(f"诊断为某病（{code}）。")[0] != [code]]
    assert wrong == []
