"""The diagnoses to which a text commits itself: a table of our own, and rows that were written for older rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from labels import Row, agree

from medzh_score.extraction import read_diagnosis

DATA = Path(__file__).parent / "data"
# Of the rows of diagnoses_stated.jsonl, written before this reading: as many are read rightly, and no more wrongly.
STATED_RIGHT, STATED_WRONG = 195, 2  # of 206


@pytest.mark.parametrize(
    ("text", "names", "why"),
    [
        ("诊断：急性阑尾炎。", ("急性阑尾炎",), "diagnosis field"),
        ("诊断为急性胆管炎（K83.0），依据：黄疸。", ("急性胆管炎",), "diagnosis said"),
        ("初步诊断：糖尿病酮症酸中毒（DKA）合并肺炎", ("糖尿病酮症酸中毒", "肺炎"), "diagnosis field"),
        ("本例最可能的诊断是肾结石。", ("肾结石",), "diagnosis said"),
        ("综合考虑诊断为支气管扩张。", ("支气管扩张",), "diagnosis said"),
        ('{"诊断": "神经根型颈椎病", "依据": "1. 颈痛"}', ("神经根型颈椎病",), "diagnosis field"),
        (
            "#诊断结果#\n股骨颈骨折、骨质疏松症\n\n#诊断依据#\n(1) 跌倒",
            ("股骨颈骨折", "骨质疏松症"),
            "diagnosis heading",
        ),
        ("初步诊断：\n1. 肺炎\n2. ２型糖尿病\n\n建议：住院", ("肺炎", "２型糖尿病"), "diagnosis field"),
        ("<疾病>\n甲亢", ("甲亢",), "diagnosis heading"),
        ("**急性胃炎**", ("急性胃炎",), "alone"),
        ("The most likely diagnosis is acute pancreatitis.", ("acute pancreatitis",), "diagnosis said"),
        ("中医证候：湿热下注\n疾病诊断：混合痔，肛乳头瘤", ("混合痔", "肛乳头瘤"), "diagnosis field"),
        ("主要诊断：胃溃疡\n其他诊断：缺铁性贫血", ("胃溃疡", "缺铁性贫血"), "diagnosis field"),
        ("入院诊断：胃炎\n出院诊断：急性胰腺炎", ("急性胰腺炎",), "diagnosis field"),
        ("诊断：胃炎。\n更正：诊断：急性胰腺炎", ("急性胰腺炎",), "diagnosis field"),
        ("二尖瓣狭窄和反流", ("二尖瓣狭窄和反流",), "alone"),
        ("診斷：膽囊結石", ("膽囊結石",), "diagnosis field"),
        ("缺铁性贫血\n患者，男，30岁。\nAnswer: 胃溃疡", ("缺铁性贫血",), "alone"),
        ("您可能患有胃炎。", None, "hedge"),
        ("诊断：肺炎或肺结核", None, "hedge"),
        ("肺炎？", None, "nothing"),
        ("疑似肺癌，建议检查。", None, "hedge"),
        ("原因可能包括：\n1. 颈椎病\n2. 贫血", None, "hedge"),
        ("鉴别诊断：肺炎、肺结核。", None, "nothing"),
        ("既往史：曾诊断为高血压。", None, "nothing"),
        ("您母亲被诊断为腰椎骨折。", None, "nothing"),
        ("如果诊断为肺癌，就要手术。", None, "supposed"),
        ("诊断：肺炎。本例并非肺炎。", None, "denied"),
        ("最终诊断：肺炎。最终诊断：肺癌。", None, "contradiction"),
        ("<think>诊断：肺炎", None, "unfinished thinking"),
        ("很抱歉，我无法作出诊断。", None, "refusal"),
        ("多喝水，注意休息。", None, "nothing"),
        (" ", None, "empty"),
    ],
)
def test_table(text, names, why):
    reading = read_diagnosis(text)
    assert (reading.value, reading.why) == (names, why)
    assert names is None or [text[slice(*span)] for span in reading.spans] == list(names)


def test_rows_stated_for_older_rules():
    lines = (DATA / "diagnoses_stated.jsonl").read_text(encoding="utf-8").splitlines()
    outcomes = []
    for line in lines:
        row = json.loads(line)
        label = tuple(row["value"].split("；")) if row["value"] else None
        outcomes.append(agree(Row("", "diagnosis", row["text"], label), read_diagnosis(row["text"]).value))
    assert outcomes.count("right") >= STATED_RIGHT
    assert outcomes.count("wrong") + outcomes.count("invented") <= STATED_WRONG


@pytest.mark.parametrize(
    ("text", "clear"),
    [("诊断：急性阑尾炎。", True), ("急性阑尾炎", True), ("诊断：急性阑尾炎。也可能有腹膜炎。", False)],
)
def test_clear_where_all_was_understood(text, clear):
    assert read_diagnosis(text).clear is clear
