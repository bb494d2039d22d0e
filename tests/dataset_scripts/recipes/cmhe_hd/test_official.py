"""CMHE-HD's records and files that users bring: in the columns of the schema, and what is refused."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from functools import partial

import pytest
from recipe_work import bring, problems_of

from dataset_scripts.packaging.schema import invalid, read_schema
from dataset_scripts.recipes.cmhe_hd.dataset import check, record_of
from medzh_score.data.records import load_records
from medzh_score.io.paths import package_file
from medzh_score.ui.errors import MedzhError

SCHEMA = read_schema(package_file("medzh_score", "schemas/cmhe_hd.schema.json"))
TRUE = {"question": "烫伤后怎么处理？", "response": "先用流动的凉水冲洗。", "partition": "correct"}
# False on purpose, as its partition says.
FALSE = {
    "question": "流鼻血怎么办？",
    "response": "把头尽量向后仰。",
    "partition": "tampered",
    "edits": ["略向前倾 -> 尽量向后仰"],
}


def made(**changes):
    return record_of(TRUE | changes, source="own", recipe="official")


@pytest.fixture
def brought(tmp_path):
    return partial(bring, tmp_path, "cmhe_hd")


def rows(tmp_path):
    return {row["question"]: row for row in load_records(tmp_path / "build" / "medzh", "cmhe_hd").rows}


# Records.


def test_a_record_is_valid_and_its_id_follows_from_the_dialogue_alone():
    record = made()
    assert invalid([record], SCHEMA) == []
    texts = [unicodedata.normalize("NFKC", record[name]) for name in ("question", "response")]
    content = json.dumps(texts, ensure_ascii=False)
    assert record["id"] == "cmhehd-" + hashlib.sha256(content.encode("utf-8")).hexdigest()[:10]
    assert record["upstream_key"] == record["id"]
    for same in ({"question": "烫伤后 怎么处理?"}, {"partition": "generated", "upstream_key": "7"}):
        assert made(**same)["id"] == record["id"]
    moved = {"question": "烫伤后怎么处理？先", "response": "用流动的凉水冲洗。"}
    for other in ({"response": "先用冷水冲洗。"}, moved):
        assert made(**other)["id"] != record["id"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"id": "cmhehd-0000000000"}, "expected the id of its content"),
        ({"answer": "Yes"}, "/answer: correct responses are No"),
        ({"edits": ["甲 -> 乙"]}, "/edits: only tampered responses have edits"),
    ],
)
def test_what_no_schema_sees_is_found(change, words):
    (problem,) = check({"test": [made() | change]})
    assert words in problem
    (problem,) = check({"test": [made(), made(partition="generated")]})
    assert "the dialogue occurs twice" in problem
    assert check({"test": [made()]}) == []


# Files that users bring.


def test_the_interchange_form_is_read(brought, tmp_path):
    built = brought([TRUE, FALSE])
    assert built.records == {"test": 2}
    assert built.notes == ()
    found = rows(tmp_path)
    assert (found[FALSE["question"]]["edits"], found[FALSE["question"]]["answer"]) == (FALSE["edits"], "Yes")
    assert found[TRUE["question"]]["edits"] == []
    assert {row["source"] for row in found.values()} == {"cmhe_hd"}
    assert problems_of(tmp_path / "build" / "medzh") == []
    card = (tmp_path / "build" / "medzh" / "README.md").read_text(encoding="utf-8")
    assert "is not documented" in card
    assert "Nothing shows that the file is CMHE-HD" in card


def without(name):
    return {key: value for key, value in TRUE.items() if key != name}


# Lines, and what is said of them.
FAULTY = {
    "a partition": ([TRUE | {"partition": "unknown"}], 'field "partition": the value does not match the schema'),
    "a label": (
        [TRUE | {"answer": "Yes"}],
        'field "answer": the answer does not match the partition: expected No, because the partition is correct',
    ),
    "edits": ([TRUE | {"edits": ["甲 -> 乙"]}], 'field "edits": only tampered responses can have the field "edits"'),
    "a blank": (
        [TRUE | {"response": " "}],
        'own.jsonl:1: field "response": the value does not match the schema: expected a non-blank string',
    ),
    "a lost character": (
        [TRUE | {"question": "烫伤\ufffd"}],
        r'own.jsonl:1: field "question": character 3 is U\+FFFD: expected text without control characters',
    ),
    "another field": ([TRUE | {"more": "x"}], "own.jsonl:1"),
    "a row twice": (
        [TRUE, TRUE],
        r'own.jsonl:2: field "response": the row repeats another row: .*only once \(first: line 1\)',
    ),
    "a dialogue twice": (
        [TRUE, TRUE | {"partition": "generated"}],
        r'field "partition": the same dialogue is in another partition: .*only once \(first: line 1\)',
    ),
    **{
        f"no {name}": (
            [without(name)],
            (
                f'own.jsonl:1: field "{name}": the value is missing: expected a value\n'
                "  Fix: correct the errors and build again; the build folder is unchanged"
            ),
        )
        for name in TRUE
    },
    "nothing": ("", "the file has no rows"),
}


@pytest.mark.parametrize(("lines", "words"), FAULTY.values(), ids=FAULTY)
def test_a_faulty_file_is_refused(brought, lines, words):
    with pytest.raises(MedzhError, match=words):
        brought(lines)
