"""Diagnoses in manners that no other set has, written before any rule read them, and shapes of JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from medzh_score.extraction import diagnosis

DATA = Path(__file__).parent / "data" / "answers_fresh_diagnosis.jsonl"
ROWS = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
AS_LABELLED = 25  # of 25; 14 before any of them was mended by

SHAPES = (
    ('{"diagnosis": {"name": "肺炎", "icd": "J18"}}', "肺炎"),
    ('{"result": {"diagnosis": [{"name": "肺炎", "code": "J18"}]}}', "肺炎"),
    ('{"diagnoses": [{"名称": "肺炎"}, {"名称": "高血压"}]}', "肺炎；高血压"),
    ('{"主要诊断": "肺炎", "其他诊断": ["2型糖尿病", "高血压"]}', "肺炎；2型糖尿病；高血压"),
    ('{"主要诊断": {"疾病名称": "肺炎"}, "其他诊断": [{"疾病名称": "高血压"}]}', "肺炎；高血压"),
    ('{"主要诊断": "肺炎", "其他诊断": "无"}', "肺炎"),
    ('{"diagnosis": "肺炎", "其他诊断": []}', "肺炎"),
    ('{"diagnosis": [{"name": "肺炎", "status": "排除"}]}', None),
    ('{"diagnosis": [{"name": "肺炎", "present": false}]}', None),
    ('{"diagnoses": [{"name": "肺炎", "probability": 0.6}, {"name": "肺结核", "probability": 0.3}]}', None),
    ('{"diagnoses": [{"name": "肺炎", "rank": 1}, {"name": "肺结核", "rank": 2}]}', None),
    ('{"diagnoses": [{"code": "J18"}]}', None),
)
DENIED = (
    ("诊断：肺炎（已排除）", None),
    ("诊断：肺炎。该诊断已被推翻。", None),
    ("诊断：肺炎。患者无肺炎。", None),
    ("诊断：肺炎。患者无肺结核。", "肺炎"),
    ("诊断：无痛性甲状腺炎", "无痛性甲状腺炎"),
    ("诊断：肺炎\n需要排除：肺炎支原体感染", "肺炎"),
    ("考虑肺炎。以上诊断均已排除。", None),
    ("患者诊断为肺炎的可能性为零。", None),
    ("如果诊断明确，就是肺癌，需要手术。", None),
    ("如果是肺结核，应有盗汗；本例为肺炎。", "肺炎"),
    ("最像偏头痛，不过偏头痛已被排除，故诊断为丛集性头痛。", "丛集性头痛"),
    ("入院诊断：胃炎\n出院诊断：急性胰腺炎", "急性胰腺炎"),
    ("看起来像感冒，实际上是肺炎。", "肺炎"),
    ("肺炎，不，肺结核。", "肺结核"),
    ("严格来说，糖尿病是一种代谢性疾病。", None),
)


def read(row):
    return diagnosis.read(row["text"]).value


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_nothing_is_read_as_another_or_invented(row):
    assert read(row) in (row["label"], None)


def test_as_many_are_read_as_labelled():
    assert sum(read(row) == row["label"] for row in ROWS) >= AS_LABELLED


@pytest.mark.parametrize(("text", "value"), [*SHAPES, *DENIED])
def test_tables(text, value):
    assert diagnosis.read(text).value == value
