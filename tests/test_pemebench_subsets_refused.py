"""What the pediatric subsets refuse: files of others, damaged ones, those that leave nothing."""

from __future__ import annotations

import csv
import json
import re

import pytest

from dataset_scripts.building.build import build
from dataset_scripts.command_line import main
from dataset_scripts.recipes.banks.choice_questions import read_cmexam
from medzh_score.messages.errors import MedzhError

HEAD = ("Question", "Options", "Answer", "Explanation")
OPTIONS = "A 肺炎\nB 喉炎"
MAPPING = '[fields]\nquestion = "q"\nanswer = "a"\n[options]\ncolumns = ["x", "y"]\n[split]\nall = "test"\n'


@pytest.fixture(autouse=True)
def no_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("MEDZH_SOURCES", str(tmp_path / "cache"))


def table(path, *rows, head=HEAD):
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([head, *rows])
    return path


def refused(config, *given, out):
    with pytest.raises(MedzhError) as caught:
        build(config, "rebuilt", out, given=given)
    assert not out.exists()
    return caught.value


@pytest.mark.parametrize(
    "content", [b"\xff\xfe\n", b"[1]\n", b'{"question": "a"\n', b"PK\x03\x04\n", b'{"a": 1, "a": 2}\n']
)
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
def test_hostile_files_give_one_line(config, source, content, tmp_path, capsys):
    file = tmp_path / "file"
    file.write_bytes(content)
    arguments = ["build", config, "--recipe", "rebuilt", "--source", f"{source}={file}", "--out", str(tmp_path / "out")]
    assert main(arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert str(file) in line
    assert not (tmp_path / "out").exists()


def test_a_file_without_children_is_refused(write_lines, tmp_path):
    path = write_lines(tmp_path / "h.jsonl", [{"question": "成人发热", "answer": "甲"}])
    error = refused("pemebench_huatuo", str(path), out=tmp_path / "out")
    assert error.problem == "no question of these sources is about children"
    assert error.found == "1 rows of huatuo-test: 1 not about children"


@pytest.mark.parametrize(
    ("options", "answer", "reason"),
    [
        ({"A": "甲", "B": "乙"}, "a", "no answer"),
        ({"a": "甲", "b": "乙"}, "a", "lettering"),
        (dict(zip("ABCDEFG", "甲乙丙丁戊己庚", strict=True)), "A", "lettering"),
        ({"A": "甲", "B": "乙"}, "C", "answer without option"),
    ],
)
def test_where_no_row_can_be_asked_the_reasons_are_told(options, answer, reason, write_lines, tmp_path):
    path = write_lines(tmp_path / "m.jsonl", [{"question": "小儿肺炎", "options": options, "answer_idx": answer}])
    error = refused("pemebench_medqa", str(path), out=tmp_path / "out")
    assert error.problem == "no row of these sources can be asked and scored"
    assert f"1 {reason} (" in error.found


def test_where_no_row_of_apollo_or_cmexam_can_be_asked_the_reason_is_told(tmp_path):
    row = {"question": "小儿肺炎", "options": "(A) 甲.\n(B) 乙.", "answer": "A", "source": "medqa-mcmle"}
    apollo = tmp_path / "zh.json"
    apollo.write_text(json.dumps([row], ensure_ascii=False), encoding="utf-8")
    cmexam = table(tmp_path / "t.csv", ("小儿肺炎", OPTIONS, "a", ""))
    for config, given in (("pemebench_medqa", f"apollo-zh-test={apollo}"), ("pemebench_cmexam", str(cmexam))):
        error = refused(config, given, out=tmp_path / "out")
        assert error.problem == "no row of these sources can be asked and scored"
        assert "1 no answer (" in error.found


def test_where_all_are_contradicted_it_is_said(tmp_path):
    path = table(tmp_path / "t.csv", ("小儿肺炎", OPTIONS, "A", ""), ("小儿肺炎", OPTIONS, "B", ""))
    error = refused("pemebench_cmexam", str(path), out=tmp_path / "out")
    assert "equal ones have different answers" in error.problem
    assert "2 contradicted" in error.found


def test_where_a_mapping_maps_nothing_it_is_said(tmp_path):
    own = table(tmp_path / "own.csv", ("小儿肺炎", "甲", "乙", "丙"), head=("q", "x", "y", "a"))
    mapping = tmp_path / "m.toml"
    mapping.write_text(MAPPING, encoding="utf-8")
    error = refused("pemebench_medqa", f"pemebench-medqa={own}", f"mapping={mapping}", out=tmp_path / "out")
    assert "1 of 1 rows were left out, 1 as answer is none of the options" in error.problem
    assert (error.line, error.field) == (2, "answer")


def test_cmexam_as_csv_refuses_a_workbook_a_column_twice_and_damage(tmp_path):
    book = tmp_path / "val.xlsx"
    book.write_bytes(b"PK\x03\x04rest")
    cases = [
        (book, "is a workbook", None, None),
        (table(tmp_path / "twice.csv", head=(*HEAD, "Question")), "a column stands twice", 1, "Question"),
        (table(tmp_path / "nul.csv", ("小儿\x00肺炎", OPTIONS, "A", "")), "holds a character", 3, "Question"),
    ]
    late = tmp_path / "late.csv"
    late.write_bytes(b"Question,Options,Answer,Explanation\n" + "小儿,A 甲,A,\n".encode("gb18030"))
    cases.append((late, "is not UTF-8", 2, None))
    for path, problem, line, field in cases:
        with pytest.raises(MedzhError, match=re.escape(problem)) as caught:
            list(read_cmexam("cmexam-test", path))
        assert (caught.value.line, caught.value.field) == (line, field)
