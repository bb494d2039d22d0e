"""A user's own questions for PeMeBench's Table 4, in the interchange form or by a mapping file, and what is refused."""

from __future__ import annotations

import csv
import json
import re

import pytest
from tables import holds

from dataset_scripts.building.checking import check
from dataset_scripts.command_line import main
from dataset_scripts.recipes.banks.choice_questions import read_cmexam
from medzh_score.messages.errors import MedzhError

FIVE = ["肺炎", "喉炎", "脑炎", "心肌炎", "尿路结石"]
HEAD = ("Question", "Options", "Answer", "Explanation")
OPTIONS = "A 肺炎\nB 喉炎"
OPEN = '[fields]\nquestion = "q"\nanswer = "a"\n[split]\nall = "test"\n'
CHOICE = f'{OPEN}[options]\ncolumns = ["x", "y"]\n'


@pytest.fixture
def mapping(tmp_path):
    def write(text):
        (tmp_path / "m.toml").write_text(text, encoding="utf-8")
        return f"mapping={tmp_path / 'm.toml'}"

    return write


def table(path, *rows, head=HEAD):
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([head, *rows])
    return path


def test_the_interchange_form(rebuilt, write_lines, tmp_path):
    rows = [
        {"question": "小儿肺炎的并发症有", "options": FIVE, "answer": "ACD", "upstream_key": "k1"},
        {"question": "成人肺炎", "options": FIVE, "answer": "A"},
    ]
    _, records = rebuilt("pemebench_cmexam", f"pemebench-cmexam={write_lines(tmp_path / 'own.jsonl', rows)}")
    (row,) = records.values()
    assert (row["answer"], row["upstream_key"], row["source"]) == ("ACD", "k1", "pemebench-cmexam")
    assert check(tmp_path / "out").problems == []


def test_a_fault_in_the_interchange_form_is_refused(refused, write_lines, tmp_path):
    row = {"question": "小儿肺炎是", "options": FIVE, "answer": "A"}

    def place(change):
        path = write_lines(tmp_path / "own.jsonl", [row | {"question": "小儿喉炎是"}, row | change])
        error = refused("pemebench_cmexam", f"pemebench-cmexam={path}")
        return error.line, error.field

    faults = [
        ({"answer": "CA"}, "answer"),
        ({"answer": ""}, "answer"),
        ({"answer": "AF"}, "answer"),
        ({"options": FIVE[:2], "answer": "C"}, "answer"),
        ({"options": ["甲"]}, "options"),
        ({"options": ["铁", "铁 "]}, "options"),
        ({"options": [*FIVE, "己"]}, "options"),
        ({"question": "小儿\x00肺炎"}, "question"),
        ({"question": " "}, "question"),
        ({"matched": []}, "matched"),
        ({"mine": 1}, "mine"),
    ]
    holds([(change, (2, field)) for change, field in faults], place)


def test_any_form_with_a_mapping_file(rebuilt, mapping, tmp_path):
    rows = [("小儿肺炎的病原", "病毒", "真菌", "甲"), ("女，3岁，咳嗽", "肺炎", "喉炎", "B")]
    own = table(tmp_path / "own.csv", *rows, head=("q", "x", "y", "a"))
    how = mapping(CHOICE).replace("mapping", "pemebench_medqa-mapping", 1)
    made, records = rebuilt("pemebench_medqa", f"pemebench-medqa={own}", how)
    (row,) = records.values()
    assert (row["answer"], row["options"]) == ("B", ["肺炎", "喉炎"])
    assert any("left out" in one.title or "left out" in str(one.rows) for one in made.tables)


def test_several_right_answers_with_a_mapping_file(rebuilt, mapping, write_lines, tmp_path):
    rows = [
        {"q": "小儿肺炎的并发症有", "x": "脓胸", "y": "气胸", "a": "B、A"},
        {"q": "小儿腹泻的并发症有", "x": "脱水", "y": "酸中毒", "a": ["脱水", "B"]},
        {"q": "小儿喉炎的表现是", "x": "犬吠样咳嗽", "y": "血尿", "a": "A"},
    ]
    own = f"pemebench-cmexam={write_lines(tmp_path / 'own.jsonl', rows)}"
    _, records = rebuilt("pemebench_cmexam", own, mapping(CHOICE))
    assert sorted(row["answer"] for row in records.values()) == ["A", "AB", "AB"]


def test_open_questions_with_a_mapping_file(rebuilt, mapping, write_lines, tmp_path):
    path = write_lines(tmp_path / "own.jsonl", [{"q": "宝宝发热", "a": "多饮水"}, {"q": "成人发热", "a": "休息"}])
    assert list(rebuilt("pemebench_huatuo", f"pemebench-huatuo={path}", mapping(OPEN))[1]) == ["宝宝发热"]


def test_a_mapping_file_alone_is_refused(refused, mapping, tmp_path):
    error = refused("pemebench_cmexam", mapping(OPEN), f"cmexam-test={table(tmp_path / 'test.csv')}")
    assert "a mapping file without a file to be mapped" in str(error)


@pytest.mark.parametrize(
    ("config", "source"),
    [
        ("pemebench_cmexam", "cmexam-test"),
        ("pemebench_cmexam", "cmexam-val-xlsx"),
        ("pemebench_cmexam", "pemebench-cmexam"),
        ("pemebench_medqa", "medqa-mainland-test"),
        ("pemebench_medqa", "apollo-zh-test"),
        ("pemebench_huatuo", "huatuo-test"),
        ("pemebench_huatuo", "pemebench-huatuo"),
    ],
)
def test_hostile_files_give_one_line(config, source, tmp_path, capsys):
    file, out = tmp_path / "file", tmp_path / "out"
    command = ["build", config, "--recipe", "rebuilt", "--source", f"{source}={file}", "--out", str(out)]

    def told(content):
        file.write_bytes(content)
        status = main(command)
        (line,) = capsys.readouterr().err.splitlines()
        return status, str(file) in line, out.exists()

    hostile = [b"\xff\xfe\n", b"[1]\n", b'{"question": "a"\n', b"PK\x03\x04\n", b'{"a": 1, "a": 2}\n']
    holds([(content, (2, True, False)) for content in hostile], told)


def test_a_file_without_children_is_refused(refused, write_lines, tmp_path):
    error = refused("pemebench_huatuo", write_lines(tmp_path / "h.jsonl", [{"question": "成人发热", "answer": "甲"}]))
    assert error.problem == "no question of these sources is about children"
    assert error.found == "1 rows of huatuo-test: 1 not about children"


def test_where_no_row_can_be_asked_the_reasons_are_told(refused, write_lines, tmp_path):
    def reason(config, given):
        error = refused(config, given)
        assert error.problem == "no row of these sources can be asked and scored"
        return re.search(r"1 ([a-z ]+) \(", error.found)[1]

    def medqa(options, answer):
        row = {"question": "小儿肺炎是", "options": options, "answer_idx": answer}
        return reason("pemebench_medqa", write_lines(tmp_path / "m.jsonl", [row]))

    seven = dict(zip("ABCDEFG", "甲乙丙丁戊己庚", strict=True))
    rows = [
        ({"A": "甲", "B": "乙"}, "a", "no answer"),
        ({"a": "甲", "b": "乙"}, "a", "lettering"),
        (seven, "A", "lettering"),
        ({"A": "甲", "B": "乙"}, "C", "answer without option"),
    ]
    holds(rows, medqa)
    row = {"question": "小儿肺炎是", "options": "(A) 甲.\n(B) 乙.", "answer": "A", "source": "medqa-mcmle"}
    (tmp_path / "zh.json").write_text(json.dumps([row], ensure_ascii=False), encoding="utf-8")
    cmexam = table(tmp_path / "t.csv", ("小儿肺炎是", OPTIONS, "a", ""))
    given = [("pemebench_medqa", f"apollo-zh-test={tmp_path / 'zh.json'}"), ("pemebench_cmexam", cmexam)]
    holds([(*one, "no answer") for one in given], reason)


def test_where_all_are_contradicted_it_is_said(refused, tmp_path):
    path = table(tmp_path / "t.csv", ("小儿肺炎是", OPTIONS, "A", ""), ("小儿肺炎是", OPTIONS, "B", ""))
    error = refused("pemebench_cmexam", path)
    assert "equal ones have different answers" in error.problem
    assert "2 contradicted" in error.found


def test_where_a_mapping_maps_nothing_it_is_said(refused, mapping, tmp_path):
    own = table(tmp_path / "own.csv", ("小儿肺炎是", "甲", "乙", "丙"), head=("q", "x", "y", "a"))
    error = refused("pemebench_medqa", f"pemebench-medqa={own}", mapping(CHOICE))
    assert "1 of 1 rows were left out, 1 as answer is none of the options" in error.problem
    assert (error.line, error.field) == (2, "answer")


def test_cmexam_as_csv_refuses_a_workbook_a_column_twice_and_damage(tmp_path):
    book, late = tmp_path / "val.xlsx", tmp_path / "late.csv"
    book.write_bytes(b"PK\x03\x04rest")
    late.write_bytes(b"Question,Options,Answer,Explanation\n" + "小儿,A 甲,A,\n".encode("gb18030"))
    cases = [
        (book, "is a workbook", None, None),
        (table(tmp_path / "twice.csv", head=(*HEAD, "Question")), "a column stands twice", 1, "Question"),
        (table(tmp_path / "nul.csv", ("小儿\x00肺炎", OPTIONS, "A", "")), "holds a character", 3, "Question"),
        (late, "is not UTF-8", 2, None),
    ]
    for path, problem, line, field in cases:
        with pytest.raises(MedzhError, match=re.escape(problem)) as caught:
            list(read_cmexam("cmexam-test", path))
        assert (caught.value.line, caught.value.field) == (line, field)
