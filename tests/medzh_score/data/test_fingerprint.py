from __future__ import annotations

import hashlib
import random

import pytest

from medzh_score.data.integrity import fingerprint

TYPES = {"id": "string", "text": "string", "n": "int64", "list": "list<string>"}
RECORDS = [
    {"id": f"r{number:03d}", "text": f"第{number}条“引号”\\ 与\n换行😀", "n": number, "list": ["甲", str(number)]}
    for number in range(200)
]


def test_it_is_the_sha_256_of_the_lines_that_the_docstring_describes():
    records = [{"id": "b", "n": None}, {"id": "a", "n": 1.5}]
    text = (
        '[["id","string"],["n","float64"]]\n'
        '["test",{"id":"a","n":1.5}]\n'
        '["test",{"id":"b","n":null}]\n'
        '["train",{"id":"病","n":0.0}]\n'
    )
    found = fingerprint({"train": [{"n": 0.0, "id": "病"}], "test": records}, {"n": "float64", "id": "string"})
    assert found == hashlib.sha256(text.encode()).hexdigest()


def test_order_of_records_keys_columns_and_splits_does_not_matter():
    shuffled = [dict(reversed(record.items())) for record in RECORDS]
    random.Random(3).shuffle(shuffled)  # noqa: S311 - any order will do
    first = fingerprint({"a": RECORDS, "b": RECORDS[:3]}, TYPES)
    assert first == fingerprint({"b": RECORDS[:3], "a": shuffled}, dict(reversed(TYPES.items())))


def changed(change):
    records = [dict(record) for record in RECORDS]
    change(records)
    return {"test": records}


@pytest.mark.parametrize(
    "splits",
    [
        changed(lambda records: records[5].update(text="x")),
        changed(lambda records: records[5].update(n=None)),
        changed(lambda records: records[5].update(n=True)),
        changed(lambda records: records[5]["list"] and records[5].update(list=["5", "甲"])),
        changed(lambda records: records.pop()),
        changed(lambda records: records.append({**records[0], "id": "new"})),
        {"train": RECORDS},
        {"test": RECORDS[1:], "train": RECORDS[:1]},
    ],
)
def test_another_content_has_another_fingerprint(splits):
    assert fingerprint(splits, TYPES) != fingerprint({"test": RECORDS}, TYPES)


def test_numbers_that_json_has_not_are_refused():
    with pytest.raises(ValueError, match="JSON"):
        fingerprint({"test": [{"id": "a", "n": float("nan")}]}, {})
