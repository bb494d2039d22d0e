"""A user's own questions for PeMeBench's Table 4: in the interchange form, and by a mapping file."""

from __future__ import annotations

import pytest

from dataset_scripts.building.build import build
from dataset_scripts.building.checking import check
from medzh_score.data.records import load_records
from medzh_score.messages.errors import MedzhError

FIVE = ("肺炎", "喉炎", "脑炎", "心肌炎", "尿路结石")


@pytest.fixture(autouse=True)
def no_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("MEDZH_SOURCES", str(tmp_path / "cache"))


def records(config, out):
    return {row["question"]: row for row in load_records(out, config).rows}


def test_the_interchange_form(write_lines, tmp_path):
    rows = [
        {"question": "小儿肺炎的并发症有", "options": list(FIVE), "answer": "ACD", "upstream_key": "k1"},
        {"question": "成人肺炎", "options": list(FIVE), "answer": "A"},
    ]
    path = write_lines(tmp_path / "own.jsonl", rows)
    build("pemebench_cmexam", "rebuilt", tmp_path / "out", given=[f"pemebench-cmexam={path}"])
    (row,) = records("pemebench_cmexam", tmp_path / "out").values()
    assert (row["answer"], row["upstream_key"], row["source"]) == ("ACD", "k1", "pemebench-cmexam")
    assert check(tmp_path / "out").problems == []


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"answer": "CA"}, "answer"),
        ({"answer": ""}, "answer"),
        ({"answer": "AF"}, "answer"),
        ({"options": list(FIVE[:2]), "answer": "C"}, "answer"),
        ({"options": ["甲"]}, "options"),
        ({"options": ["铁", "铁 "]}, "options"),
        ({"options": [*FIVE, "己"]}, "options"),
        ({"question": "小儿\x00肺炎"}, "question"),
        ({"question": " "}, "question"),
        ({"matched": []}, "matched"),
        ({"mine": 1}, "mine"),
    ],
)
def test_a_fault_in_the_interchange_form_is_refused(change, field, write_lines, tmp_path):
    row = {"question": "小儿肺炎", "options": list(FIVE), "answer": "A"}
    path = write_lines(tmp_path / "own.jsonl", [row | {"question": "小儿喉炎"}, row | change])
    with pytest.raises(MedzhError) as caught:
        build("pemebench_cmexam", "rebuilt", tmp_path / "out", given=[f"pemebench-cmexam={path}"])
    assert (caught.value.line, caught.value.field) == (2, field)
    assert not (tmp_path / "out").exists()


def test_any_form_with_a_mapping_file(tmp_path):
    table = tmp_path / "own.csv"
    table.write_text("stem,a,b,right\n小儿肺炎的病原,病毒,真菌,甲\n女，3岁，咳嗽,肺炎,喉炎,B\n", encoding="utf-8")
    mapping = tmp_path / "m.toml"
    mapping.write_text(
        '[fields]\nquestion = "stem"\nanswer = "right"\n[options]\ncolumns = ["a", "b"]\n[split]\nall = "test"\n',
        encoding="utf-8",
    )
    given = [f"pemebench-medqa={table}", f"pemebench_medqa-mapping={mapping}"]
    made = build("pemebench_medqa", "rebuilt", tmp_path / "out", given=given)
    (row,) = records("pemebench_medqa", tmp_path / "out").values()
    assert (row["answer"], row["options"]) == ("B", ["肺炎", "喉炎"])
    assert any("left out" in table.title or "left out" in str(table.rows) for table in made.tables)


def test_several_right_answers_with_a_mapping_file(write_lines, tmp_path):
    rows = [
        {"q": "小儿肺炎的并发症有", "x": "脓胸", "y": "气胸", "a": "B、A"},
        {"q": "小儿腹泻的并发症有", "x": "脱水", "y": "酸中毒", "a": ["脱水", "B"]},
        {"q": "小儿喉炎的表现是", "x": "犬吠样咳嗽", "y": "血尿", "a": "A"},
    ]
    path = write_lines(tmp_path / "own.jsonl", rows)
    mapping = tmp_path / "m.toml"
    mapping.write_text(
        '[fields]\nquestion = "q"\nanswer = "a"\n[options]\ncolumns = ["x", "y"]\n[split]\nall = "test"\n',
        encoding="utf-8",
    )
    given = [f"pemebench-cmexam={path}", f"mapping={mapping}"]
    build("pemebench_cmexam", "rebuilt", tmp_path / "out", given=given)
    assert [row["answer"] for row in records("pemebench_cmexam", tmp_path / "out").values()].count("AB") == 2
    assert len(records("pemebench_cmexam", tmp_path / "out")) == 3


def test_open_questions_with_a_mapping_file(write_lines, tmp_path):
    path = write_lines(tmp_path / "own.jsonl", [{"q": "宝宝发热", "a": "多饮水"}, {"q": "成人发热", "a": "休息"}])
    mapping = tmp_path / "m.toml"
    mapping.write_text('[fields]\nquestion = "q"\nanswer = "a"\n[split]\nall = "test"\n', encoding="utf-8")
    given = [f"pemebench-huatuo={path}", f"mapping={mapping}"]
    build("pemebench_huatuo", "rebuilt", tmp_path / "out", given=given)
    assert list(records("pemebench_huatuo", tmp_path / "out")) == ["宝宝发热"]


def test_a_mapping_file_alone_is_refused(tmp_path):
    mapping = tmp_path / "m.toml"
    mapping.write_text('[fields]\nquestion = "q"\n', encoding="utf-8")
    table = tmp_path / "test.csv"
    table.write_text("Question,Options,Answer,Explanation\n", encoding="utf-8")
    given = [f"mapping={mapping}", f"cmexam-test={table}"]
    with pytest.raises(MedzhError, match="a mapping file without a file to be mapped"):
        build("pemebench_cmexam", "rebuilt", tmp_path / "out", given=given)
