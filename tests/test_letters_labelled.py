"""Letters in answers that were written against rules of former days: few are read as another, most as labelled.

A row of groups has a letter or none for each question; single rows one. Several letters where one was asked for are the
value as they stand, and no answer by the labels of that time.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from medzh_score.extraction import read_groups, read_letters

DATA = Path(__file__).parent / "data"
FORMULAS = ("桂枝汤", "麻黄汤", "小青龙汤", "银翘散", "桑菊饮")
OPTIONS = {
    "f": FORMULAS,
    "all": ("发热", "咳嗽", "皮疹", "以上都是", "以上都不是"),
    "pre": ("高血压", "高血压病", "高血压危象", "低血压", "体位性低血压"),
    "ig": ("IgA", "IgG", "IgM", "IgE", "IgD"),
    "lat": ("B超", "CT检查", "MRI", "PPD试验", "维生素D"),
    "m": ("肺炎", "喉炎", "脑炎", "心肌炎", "尿路结石"),
}
GROUPS = {
    "3": (
        ("太阳中风证", "太阳伤寒证", "风热犯肺证", "外寒里饮证", "少阳证"),
        ("解肌发表，调和营卫", "发汗解表，宣肺平喘", "疏散风热", "解表散寒，温肺化饮", "和解少阳"),
        ("桂枝汤", "麻黄汤", "银翘散", "小青龙汤", "小柴胡汤"),
    ),
    "2": (FORMULAS, FORMULAS),
    "mix": (("风寒", "风热", "暑湿", "燥邪"), FORMULAS),
}


def rows(name):
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def told(reading, label):
    """Say how a reading stands to a label."""
    if reading.value == label or (label is None and reading.why == "several"):
        return "right"
    if reading.value is None:
        return "missed"
    return "invented" if label is None else "wrong"


def single(name, label, *, several=False):
    return Counter(
        told(
            read_letters(row["text"], OPTIONS[row["options"]], several=several and row.get("several", False)),
            row[label],
        )
        for row in rows(name)
        if row["options"] in OPTIONS
    )


@pytest.mark.parametrize(
    ("name", "label", "several"),
    [
        ("option_letters_answers.jsonl", "value", True),
        ("tcmd_single_answers.jsonl", "value", False),
        ("pemebench_choice_answers.jsonl", "lenient", True),
    ],
)
def test_answers_to_one_question(name, label, several):
    found = single(name, label, several=several)
    assert found["wrong"] <= 0.02 * found.total(), found
    assert found["wrong"] + found["invented"] <= 0.06 * found.total(), found
    assert found["right"] >= 0.75 * found.total(), found


def test_answers_to_a_group():
    found = Counter(
        told(reading, label)
        for row in rows("tcmd_group_answers.jsonl")
        for reading, label in zip(read_groups(row["text"], GROUPS[row["group"]]), row["values"], strict=True)
    )
    assert found["wrong"] + found["invented"] <= 0.02 * found.total(), found
    assert found["right"] >= 0.8 * found.total(), found
