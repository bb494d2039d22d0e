"""Names of diseases in texts: which are linked, which are only parts of longer terms, and which are ruled out."""

from __future__ import annotations

import pytest

from medzh_score.extraction.cmhe_dd_edges import is_term
from medzh_score.extraction.cmhe_dd_names import linked
from medzh_score.terminology.disease_names import dictionary_of, folded, folded_with_gaps

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
        ("肺炎", ["J18.9"]),
        ("支气管肺炎", ["J18.0"]),  # the longest name
        ("支气管肺炎，肺炎", ["J18.0"]),  # one category once
        ("考虑肺炎和肺结核", ["J18.9", "A16.2"]),
        ("Ⅱ型糖尿病", ["E11.9"]),
        ("II型糖尿病", ["E11.9"]),
        ("２ 型 糖尿病", ["E11.9"]),
        ("copd急性加重", ["J44.9"]),
        ("COPDX", []),  # a part of another word
        ("感冒", ["J00"]),
        ("急性鼻咽炎", ["J00"]),
        ("**肺**炎", ["J18.9"]),
        ("发热、咳嗽，诊断为肺炎", ["J18.9"]),  # symptoms beside a disease
        ("发热、咳嗽待查", ["R50.9", "R05"]),  # symptoms alone
        ("肺部感染", []),  # 感染 is a part of it
        ("肺部感染：支原体肺炎", ["J15.7"]),
        ("无法判断", []),
        # Ruled out.
        ("排除肺炎", []),
        ("可排除肺炎、肺结核", []),
        ("不考虑肺炎，考虑急性支气管炎", ["J20.9"]),
        ("暂不考虑肺结核", []),
        ("不支持肺炎的诊断", []),
        ("没有肺炎", []),
        ("无肺炎", []),
        ("无高血压、糖尿病", []),
        ("否认高血压、2型糖尿病病史，诊断为肺炎", ["J18.9"]),
        ("并非肺炎而是肺结核", ["A16.2"]),
        ("是肺结核，而非肺癌", ["A16.2"]),
        ("肺炎可能性小", []),
        ("肺炎、肺结核可能性不大", []),
        ("肺癌已排除", []),
        ("肺癌证据不足", []),
        ("需与肺结核、肺癌相鉴别", []),
        ("肺炎。鉴别诊断：肺结核、肺癌", ["J18.9"]),
        ("诊断：肺炎\n鉴别诊断：\n1. 肺结核：痰检阴性\n2. 肺癌：年龄不符\n治疗建议：控制肺炎", ["J18.9"]),
        ("## 鉴别诊断\n肺结核\n## 最终诊断\n肺癌", ["C34.9"]),
        ("有肺癌家族史", []),
        ("无法诊断肺炎", []),
        ("肺炎（J18.9）可排除", []),
        ("肺炎（J18.9）、肺结核（A16.2）可能性小", []),
        ("考虑肺炎的可能性不大", []),
        ("排除肺结核后诊断为肺炎", ["J18.9"]),
        # Not ruled out.
        ("不能排除肺炎", ["J18.9"]),
        ("不除外肺结核", ["A16.2"]),
        ("肺炎不能排除", ["J18.9"]),
        ("肺癌待排", ["C34.9"]),
        ("非霍奇金淋巴瘤", ["C85.9"]),
        ("非典型肺炎", []),  # a name of its own, which this dictionary lacks
        ("肺炎（J18.9）不能排除", ["J18.9"]),
        ("无明显诱因出现发热，考虑肺炎", ["J18.9"]),
        ("没有胸痛，肺炎", ["J18.9"]),
        ("肺炎可能性大，肺癌可能性小", ["J18.9"]),
    ],
)
def test_names_in_a_text(text, codes):
    assert linked(text, NAMES)[0] == codes


# Names in the dictionary: 肺炎, 支气管肺炎, 肺结核, 肺癌, 糖尿病, 高血压 and a few others. What is longer is not in it.
@pytest.mark.parametrize(
    "text",
    [
        # A longer term, of another category or of none.
        "肺动脉高血压",
        "新生儿肺炎",
        "糖尿病肾病",
        "糖尿病性周围神经病变",
        "妊娠期高血压",
        "妊娠合并糖尿病",
        "孕28周，妊娠合并2型糖尿病",
        "门静脉高血压",
        "高血压性心脏病",
        "高血压脑病",
        "肺结核后遗症",
        "麻疹肺炎",
        "非小细胞肺癌",
        "非典型肺炎",
        "肺炎链球菌",
        "1型糖尿病",
        "急性肺炎",  # 急性 changes the category too often
        # The name of something else.
        "肺炎疫苗",
        "建议糖尿病饮食",
        "高血压药",
        "继续服用高血压药物",
        "抗肺结核药",
        "肺癌筛查",
        "糖尿病教育",
        "COPD评估测试",
    ],
)
def test_a_part_of_a_longer_term_is_not_linked(text):
    assert linked(text, NAMES)[0] == []


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("双侧肺炎", ["J18.9"]),
        ("右下肺炎", ["J18.9"]),
        ("重症肺炎", ["J18.9"]),
        ("轻度高血压", ["I10"]),
        ("可能肺炎", ["J18.9"]),
        ("考虑晚期肺癌", ["C34.9"]),
        ("小儿肺炎", ["J18.9"]),
        ("肺炎（重症）", ["J18.9"]),
        ("高血压3级", ["I10"]),
        ("COPD急性加重期", ["J44.9"]),
        ("COPD 急性加重", ["J44.9"]),
        ("肺炎患者", ["J18.9"]),
        ("肺炎引起的发热", ["J18.9"]),
        ("肺炎J18.9", ["J18.9"]),
        ("高血压 糖尿病", ["I10", "E14.9"]),
        ("高血压\t糖尿病", ["I10", "E14.9"]),
        ("诊断  肺炎", ["J18.9"]),
        ("It is 肺炎 with COPD", ["J18.9", "J44.9"]),
        ("①肺炎②高血压", ["J18.9", "I10"]),
        ("一、肺炎二、高血压", ["J18.9", "I10"]),
        ("* 肺炎\n* 高血压", ["J18.9", "I10"]),
        ("診斷：肺結核", ["A16.2"]),
        ("診斷：2型糖尿病、高血壓，排除肺癌", ["E11.9", "I10"]),
    ],
)
def test_what_may_stand_around_a_name(text, codes):
    assert linked(text, NAMES)[0] == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        # Offered, or only mentioned beside what is.
        ("患者肺炎", ["J18.9"]),
        ("患者高血压，突发胸痛，考虑肺癌", ["C34.9"]),
        ("心率快，高血压，诊断为肺炎，合并COPD", ["J18.9", "J44.9"]),
        ("1. 肺炎\n2. 高血压", ["J18.9", "I10"]),
        ("肺炎是由细菌引起的。", ["J18.9"]),
        ("诊断肺癌。肺炎是由细菌引起的。", ["C34.9"]),
        # A stated diagnosis that the dictionary lacks: what is beside it is none.
        ("诊断为结节病，伴有高血压", []),
        ("诊断为结节病。发热、咳嗽明显。", []),
        # Symptoms.
        ("发热", ["R50.9"]),
        ("发热、咳嗽，排除肺炎", []),
    ],
)
def test_what_is_offered_and_what_is_only_mentioned(text, codes):
    assert linked(text, NAMES)[0] == codes


def test_a_name_over_a_space_is_parted_where_both_sides_are_names():
    names = dictionary_of(
        [("E14.7", "糖尿病高血压"), ("E14.9", "糖尿病"), ("I10", "高血压"), ("K85.9", "急性胰腺炎")], "test"
    )
    assert linked("糖尿病 高血压", names)[0] == ["E14.9", "I10"]
    assert linked("糖尿病高血压", names)[0] == ["E14.7"]
    assert linked("急性 胰腺炎", names)[0] == ["K85.9"]


def test_space_is_remembered_where_it_was_left_out():
    form, gaps = folded_with_gaps("肺炎  高血压\tCOPD  with Ⅱ 型 糖尿病")
    assert form == folded("肺炎  高血压\tCOPD  with Ⅱ 型 糖尿病") == "肺炎高血压copd with 2型糖尿病"
    assert gaps == {2: 2, 5: 2, 10: 1, 16: 1, 17: 1}
    assert is_term(form, 0, 2, gaps, ())
    assert not is_term(form, 0, 2, {2: 1}, ())
    assert is_term(form, 0, 2, {2: 1}, {2})


def test_a_name_in_two_writings_with_two_codes_is_decided_by_the_writing():
    names = dictionary_of([("H10.9", "Ａ型病"), ("J18.9", "A型病")], "test")
    assert linked("诊断A型病", names)[0] == ["J18.9"]
    assert linked("诊断Ａ型病", names)[0] == ["H10.9"]
    assert linked("诊断a型病", names)[0] == []
    assert linked("Ａ型病，A型病", names)[0] == []
