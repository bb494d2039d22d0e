"""CMHE-HD's records and files that users bring: the interchange form, mapping files, and what is refused."""

from __future__ import annotations

import hashlib
import json
import unicodedata

import pytest

from dataset_scripts.building.build import build
from dataset_scripts.building.checking import check as check_build
from dataset_scripts.packaging.features import read_schema
from dataset_scripts.packaging.validating import invalid
from dataset_scripts.recipes.cmhe_hd.records import check, order, record_of, table_1
from medzh_score.data.records import load_records
from medzh_score.files.package_files import package_file
from medzh_score.messages.errors import MedzhError

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
    return record_of(**{**TRUE, "source": "own", "recipe": "official"} | changes)


@pytest.fixture
def bring(tmp_path):
    """Give a function that builds from lines, or from a text and a mapping file."""

    def bring(lines, mapping=None, name="own.jsonl"):
        path = tmp_path / name
        if isinstance(lines, str):
            path.write_text(lines, encoding="utf-8")
        else:
            path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines), encoding="utf-8")
        given = [str(path)]
        if mapping is not None:
            (tmp_path / "mapping.toml").write_text(mapping, encoding="utf-8")
            given.append(f"cmhe_hd-mapping={tmp_path / 'mapping.toml'}")
        return build("cmhe_hd", "official", tmp_path / "build" / "medzh", given=given)

    return bring


def rows(tmp_path):
    return {row["question"]: row for row in load_records(tmp_path / "build" / "medzh", "cmhe_hd").rows}


# Records.


def test_a_record_is_valid_and_its_id_follows_from_the_dialogue():
    record = made()
    assert invalid([record], SCHEMA) == []
    texts = [unicodedata.normalize("NFKC", record[name]) for name in ("question", "response")]
    content = json.dumps(texts, ensure_ascii=False)
    assert record["id"] == "cmhehd-" + hashlib.sha256(content.encode("utf-8")).hexdigest()[:10]
    assert record["upstream_key"] == record["id"]
    assert (record["answer"], made(partition="generated")["answer"], made(partition="tampered")["answer"]) == (
        *("No", "Yes", "Yes"),
    )


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({"question": "烫伤后 怎么处理?"}, True),
        ({"partition": "generated", "upstream_key": "7"}, True),
        ({"response": "先用冷水冲洗。"}, False),
        ({"question": "烫伤后怎么处理？先", "response": "用流动的凉水冲洗。"}, False),
    ],
)
def test_an_id_changes_with_the_dialogue_alone(changes, same):
    assert (made(**changes)["id"] == made()["id"]) is same


def test_records_stand_by_partition_as_in_table_2():
    assert [order(made(partition=name)) for name in ("generated", "tampered", "correct")] == [0, 1, 2]


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


def test_a_dialogue_that_stands_twice_is_found_in_whatever_partition():
    (problem,) = check({"test": [made(), made(partition="generated")]})
    assert "the dialogue stands twice" in problem
    assert check({"test": [made()]}) == []


def test_counts_stand_beside_the_papers():
    table = table_1({"test": [made(), made(question="二", partition="tampered")]})
    assert table.rows == (("generated", 387, 0), ("tampered", 613, 1), ("correct", 1000, 1), ("all", 2000, 2))


# Files that users bring.


def test_the_interchange_form_is_read(bring, tmp_path):
    built = bring([TRUE, FALSE])
    assert built.records == {"test": 2}
    assert built.notes == ()
    found = rows(tmp_path)
    assert found[FALSE["question"]]["edits"] == FALSE["edits"]
    assert found[FALSE["question"]]["answer"] == "Yes"
    assert found[TRUE["question"]]["edits"] == []
    assert {row["source"] for row in found.values()} == {"cmhe_hd"}
    assert check_build(tmp_path / "build" / "medzh").problems == []
    card = (tmp_path / "build" / "medzh" / "README.md").read_text(encoding="utf-8")
    assert "documented nowhere" in card
    assert "Nothing shows that the file is CMHE-HD" in card


def test_labels_and_partitions_may_have_other_names(bring, tmp_path):
    bring(
        [TRUE | {"partition": "正确", "answer": "否"}, FALSE | {"partition": "Modified", "answer": "是", "edits": []}]
    )
    assert {row["partition"] for row in rows(tmp_path).values()} == {"correct", "tampered"}


def test_a_note_says_where_edits_are_not_known(bring):
    built = bring([TRUE, FALSE | {"edits": []}])
    assert built.notes == ("of 1 tampered responses nobody says what was changed (edits)",)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"partition": "unknown"}, "field partition: is not what the schema says"),
        ({"answer": "Yes"}, "field answer: is not that of its partition; expected No, for the partition is correct"),
        ({"edits": ["甲 -> 乙"]}, "field edits: stand at a response that is not tampered"),
        ({"response": " "}, "field response"),
        ({"question": "烫伤\ufffd"}, "field question: holds a character that no text has"),
        ({"more": "x"}, "own.jsonl:1"),
    ],
)
def test_a_faulty_line_is_refused(bring, change, words):
    with pytest.raises(MedzhError) as caught:
        bring([TRUE | change])
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (TRUE, "field response: repeats another row"),
        (TRUE | {"partition": "generated"}, "field partition: an equal dialogue is in another partition"),
    ],
)
def test_a_dialogue_that_stands_twice_is_refused(bring, second, words):
    with pytest.raises(MedzhError) as caught:
        bring([TRUE, second])
    assert words in str(caught.value)
    assert "line 1 has it" in str(caught.value)


def test_a_form_of_its_own_is_read_by_a_mapping_file(bring, tmp_path):
    text = (
        "num,patient,doctor,kind,label\n1,烫伤后怎么处理？,先用流动的凉水冲洗。,C,0\n"
        "2,流鼻血怎么办？,把头尽量向后仰。,T,1\n3,咳嗽怎么办？,,G,1\n"
    )
    mapping = (
        '[fields]\nquestion = "patient"\nresponse = "doctor"\npartition = "kind"\nanswer = "label"\n'
        'upstream_key = "num"\n'
        '[split]\nall = "test"\n[values.partition]\nC = "correct"\nT = "tampered"\nG = "generated"\n'
        '[values.answer]\n0 = "No"\n1 = "Yes"\n'
    )
    built = bring(text, mapping, "own.csv")
    assert built.records == {"test": 2}
    assert {row["upstream_key"] for row in rows(tmp_path).values()} == {"1", "2"}
    assert any("response" in str(row) for table in built.tables for row in table.rows)


def test_without_a_file_the_user_is_told_what_to_bring(tmp_path):
    with pytest.raises(MedzhError, match="documented nowhere: bring yours with --source FILE"):
        build("cmhe_hd", "official", tmp_path / "medzh")


def test_a_file_without_dialogues_is_named(bring):
    with pytest.raises(MedzhError, match="no question is for test"):
        bring("")


@pytest.mark.parametrize("name", ["question", "response", "partition"])
def test_a_field_that_is_not_there_is_named_and_nothing_else(bring, name):
    with pytest.raises(MedzhError) as caught:
        bring([{key: value for key, value in TRUE.items() if key != name}])
    assert f"own.jsonl:1: field {name}: is missing; expected a value; nothing was built" in str(caught.value)
