"""A user's own file: JSON Lines, CSV and XLSX give the same records, and a row with a fault names line and column."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from openpyxl import Workbook
from places import ROOT

from dataset_scripts.building.build import build
from medzh_score.data.records import load_records
from medzh_score.ui.errors import MedzhError

if TYPE_CHECKING:
    from pathlib import Path

ORGANS = ["心", "肝", "脾", "肺", "肾"]
HEART = {
    "question": "开窍于舌的脏是",
    "options": ORGANS,
    "answer": "A",
    "type": "A1",
    "subject": "中医基础理论",
    "split": "test",
    "explanation": "心开窍于舌，\n其华在面。",
}
LIVER = {**HEART, "question": "开窍于目的脏是", "answer": "B", "split": "train", "explanation": None}
ROWS = [HEART, LIVER]
NAMES = ["split", "answer", "options", "explanation", "subject", "question", "type"]  # in an order of its own


def as_cells(rows: list[dict[str, Any]], between: str = "|") -> list[list[Any]]:
    """Write rows as a table with a head; a list has ``between`` between its texts."""
    body = [[between.join(row[name]) if isinstance(row[name], list) else row[name] for name in NAMES] for row in rows]
    return [NAMES, *body]


def as_csv(cells: list[list[Any]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(cells)
    return text.getvalue().encode("utf-8")


def as_xlsx(cells: list[list[Any]]) -> bytes:
    book, content = Workbook(), io.BytesIO()
    for row in cells:
        book.active.append(row)  # type: ignore[union-attr]
    book.save(content)
    return content.getvalue()


def as_lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode("utf-8")


def built(tmp_path: Path, content: bytes, name: str) -> dict[str, Any]:
    """Build TCMD of a file, and give what its records say by question."""
    (tmp_path / name).write_bytes(content)
    out = tmp_path / "out" / "medzh"
    made = build("tcmd", "official", out, given=[str(tmp_path / name)])
    told = ("answer", "options", "explanation", "type", "subject")
    return {
        record["question"]: {column: record[column] for column in told}
        for split in made.records
        for record in load_records(out, "tcmd", split=split).rows
    }


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("own.jsonl", as_lines(ROWS)),
        ("own.jsonl.gz", gzip.compress(as_lines(ROWS), mtime=0)),
        ("own.csv", as_csv(as_cells(ROWS))),
        ("bom.csv", b"\xef\xbb\xbf" + as_csv(as_cells(ROWS, "\n"))),
        ("own.csv.gz", gzip.compress(as_csv(as_cells(ROWS)), mtime=0)),
        ("own.xlsx", as_xlsx(as_cells(ROWS))),
        ("lines.xlsx", as_xlsx(as_cells(ROWS, "\n"))),
        ("json.xlsx", as_xlsx(as_cells([{**row, "options": json.dumps(row["options"])} for row in ROWS]))),
        ("blank.xlsx", as_xlsx([[None] * 7, *as_cells(ROWS), [None] * 7])),
    ],
)
def test_every_form_gives_the_same_records(tmp_path: Path, name: str, content: bytes) -> None:
    told = ("answer", "options", "explanation", "type", "subject")
    assert built(tmp_path, content, name) == {row["question"]: {column: row[column] for column in told} for row in ROWS}


@pytest.mark.parametrize(
    ("options", "answer", "letter"),
    [(ORGANS, *row) for row in (("A", "A"), ("ａ", "A"), (" b ", "B"), ("肝", "B"), ("肝 ", "B"))]
    + [(["3", "2"], "2", "B")],
)
def test_an_answer_is_a_letter_or_the_text_of_an_option(
    tmp_path: Path, options: list[str], answer: str, letter: str
) -> None:
    found = built(tmp_path, as_lines([{**HEART, "options": options, "answer": answer}]), "own.jsonl")
    assert found[HEART["question"]]["answer"] == letter


def changed(**changes: Any) -> list[dict[str, Any]]:
    return [HEART, {**LIVER, **changes}]


# What is wrong with the second row, the column that is named, and words of the message.
FAULTS = [
    (
        {"answer": 1},
        "answer",
        "the answer is a number: expected one of A, B, C, D, E, or the text of an option, found ('1'|1)",
    ),
    ({"answer": "1"}, "answer", "the answer is a number"),
    ({"answer": True}, "answer", "the answer does not name an option|the answer is not one of the options"),
    ({"question": "\u200b"}, "question", "the text contains no words"),
    ({"options": ["心", "\u200b\u2060"]}, "options/1", "the text contains no words"),
    ({"answer": "F"}, "answer", "the answer is not one of the options"),
    ({"answer": "胆"}, "answer", "the answer is not one of the options"),
    ({"answer": "AB"}, "answer", "the answer is not one of the options"),
    ({"answer": "A", "options": ["B", "A"]}, "answer", "the answer matches more than one option"),
    ({"answer": ""}, "answer", "the answer is not one of the options|the value is missing"),
    ({"options": ["心"]}, "options", "expected 2 to 5 options"),
    (
        {"options": ["心", "心 "], "answer": "A"},
        "options",
        "(two options are equal|the answer matches more than one option)",
    ),
    (
        {"question": "心开窍于\u2f8f目"},
        "question",
        r"character 5 is the radical U\+2F8F: expected the ordinary character \(use NFKC normalization\), found",
    ),
    (
        {"question": "\u2ed3期"},
        "question",
        r"character 1 is the radical U\+2ED3: expected the ordinary character \(replace the radical by hand",
    ),
    ({"question": "目\ue123"}, "question", "character 2 is the private-use character U\\+E123"),
    ({"question": "目\U000f0001"}, "question", "character 2 is the private-use character U\\+F0001"),
    ({"options": ["心", "肝\u2f08"]}, "options/1", "character 2 is the radical U\\+2F08"),
    (
        {"question": "目\ufffd"},
        "question",
        r"character 2 is U\+FFFD: expected text without control characters or U\+FFFD, found",
    ),
    ({"subject": "骨伤科学"}, "subject", "the value does not match the schema"),
    ({"level": "难"}, "level", "no field with this name|unknown column"),
    ({"question": None}, "question", "the value is (null|missing)"),
]


@pytest.mark.parametrize("form", ["jsonl", "csv", "xlsx"])
@pytest.mark.parametrize(("changes", "field", "words"), FAULTS)
def test_a_row_with_a_fault_refuses_the_file(
    tmp_path: Path, form: str, changes: dict[str, Any], field: str, words: str
) -> None:
    rows = changed(**changes)
    if form == "jsonl":
        content, line = as_lines(rows), 2
    else:
        names = [*NAMES, *(name for name in changes if name not in NAMES)]
        cells = [[row.get(name) for name in names] for row in rows]
        listed = [["|".join(cell) if isinstance(cell, list) else cell for cell in row] for row in cells]
        table = [names, *listed]
        content = as_csv(table) if form == "csv" else as_xlsx(table)
        # A column that the config does not have is named at the head; the first row's explanation has two lines in CSV.
        line = 1 if "level" in changes else 4 if form == "csv" else 3
    with pytest.raises(MedzhError, match=words) as caught:
        built(tmp_path, content, f"own.{form}")
    assert (caught.value.line, caught.value.field) == (line, field)
    assert "\n" not in str(caught.value).replace("\n  ", "")
    assert not (tmp_path / "out" / "medzh").exists()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        (
            "own.json",
            json.dumps(ROWS).encode(),
            r"the file is a JSON array: expected one JSON object per line, or a \.csv or \.xlsx file",
        ),
        (
            "own.xlsx",
            b"version https://git-lfs.github.com/spec/v1\n",
            r"the file is a Git LFS pointer, not the file itself\n  Fix: fetch the file: git lfs pull",
        ),
        ("own.csv", b"<!DOCTYPE html><html>", "the file is an HTML page, not the file itself"),
        ("own.jsonl", b"\n<html><body>", "the file is an HTML page, not the file itself"),
        (
            "own.txt",
            b"question,answer\n",
            r"the file is not JSON Lines, CSV or XLSX: .*\n  Fix: see the manual for how to write .* pandas",
        ),
        (
            "own.csv",
            as_csv(as_cells(ROWS)).decode().encode("gb18030"),
            r"the line is not valid UTF-8: .*\n  Fix: save the file as UTF-8",
        ),
        ("own.csv", as_csv([["question", "question"]]), "two columns have the same name"),
        ("own.csv", as_csv([[name for name in NAMES if name != "answer"]]), "the header has no column answer"),
        (
            "own.csv",
            as_csv(as_cells(ROWS)) + b"a,b\r\n",
            ":5: the row and the header differ in the number of cells: expected 7 cells, as in the header, found 2",
        ),
        ("own.csv", as_csv(as_cells(ROWS)) + b'"open', "invalid table"),
        ("own.xlsx", b"PK\x03\x04\x14\x00", r"the workbook is damaged\n  Fix: copy, download or save the file again"),
        ("own.jsonl", as_lines(ROWS)[:-60], "invalid JSON"),
        ("own.jsonl", b"", "no question is in the test split"),
        ("own.csv", b"", "no question is in the test split"),
    ],
)
def test_a_file_that_is_something_else_is_told_what_to_do(
    tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    with pytest.raises(MedzhError, match=words) as caught:
        built(tmp_path, content, name)
    assert "\n" not in str(caught.value).replace("\n  ", "")


OWN_FILE = "use `--source FILE` to provide your file, with the columns of the schema"


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("cmhe_ce", f"{OWN_FILE}; CMHE-CE is available only as a folder on a shared drive, in an undocumented format"),
        ("cmhe_dd", f"{OWN_FILE}; CMHE-DD is available only as a folder on a shared drive, in an undocumented format"),
        ("cmhe_hd", f"{OWN_FILE}; the format of the released files is not documented"),
        ("tcmd", f"{OWN_FILE}; TCMD has not been released"),
        ("pemebench_medqa", r"provide a file of MedQA, such as Mainland/test\.jsonl, with `--source FILE`"),
    ],
)
def test_without_a_file_the_user_is_told_what_to_bring(tmp_path: Path, config: str, words: str) -> None:
    with pytest.raises(MedzhError, match=words):
        build(config, "official", tmp_path / "medzh")


def test_the_faults_of_all_rows_are_counted(tmp_path: Path) -> None:
    rows = [{**HEART, "answer": 1}, {**LIVER, "answer": 2}, HEART]
    with pytest.raises(MedzhError, match=r'own\.jsonl:1: field "answer": the answer is a number \(and 1 more\)'):
        built(tmp_path, as_lines(rows), "own.jsonl")


@pytest.mark.parametrize(
    ("config", "row", "column", "value"),
    [
        (
            "cmhe_dd",
            {"description": "鼻痒、喷嚏三年。", "codes": "J30.4|J45.9", "part": "chat"},
            "codes",
            ["J30.4", "J45.9"],
        ),
        (
            "pemebench",
            {
                "department": "新生儿疾病",
                "task": "疾病知识",
                "kind": "definition",
                "question": "什么是新生儿黄疸？",
                "answer": "胆红素升高。",
                "entities": "胆红素",
            },
            "entities",
            ["胆红素"],
        ),
        ("cmhe_hd", {"question": "要吃药吗？", "response": "遵医嘱。", "partition": "correct"}, "answer", "No"),
    ],
)
def test_a_sheet_of_another_config_is_read_too(
    tmp_path: Path, config: str, row: dict[str, str], column: str, value: object
) -> None:
    (tmp_path / "own.xlsx").write_bytes(as_xlsx([[*row], [*row.values()]]))
    out = tmp_path / "out" / "medzh"
    build(config, "official", out, given=[str(tmp_path / "own.xlsx")])
    (record,) = load_records(out, config).rows
    assert record[column] == value


# The lines of pandas in the manual, run on such a workbook as they are for.
EXAMPLE_HEAD = ("题型", "科目", "题干", "A", "B", "C", "D", "E", "答案", "解析", "集")
EXAMPLE_ROWS = (
    ("单选", "中医基础理论", "开窍于舌的脏是", "心", "肝", "脾", "肺", "肾", 1, "心开窍于舌。", "考试"),
    ("单选", "中药学", "长于清心火的药物是", "黄柏", "黄连", "黄芩", None, None, 2, None, "练习"),
)


def test_the_example_of_the_manual_makes_a_file_that_builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / "en" / "data.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    book = Workbook()
    for row in (EXAMPLE_HEAD, *EXAMPLE_ROWS):
        book.active.append(row)  # type: ignore[union-attr]
    book.save(tmp_path / "QUESTIONS.xlsx")
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "data.md", "exec"), {})  # noqa: S102 - our own manual
    build("tcmd", "official", tmp_path / "out" / "medzh", given=["QUESTIONS.jsonl"])
    (heart,) = load_records(tmp_path / "out" / "medzh", "tcmd").rows
    (herb,) = load_records(tmp_path / "out" / "medzh", "tcmd", split="train").rows
    assert (heart["answer"], heart["explanation"], heart["options"]) == (
        "A",
        "心开窍于舌。",
        ["心", "肝", "脾", "肺", "肾"],
    )
    assert (herb["answer"], herb["options"], herb["explanation"]) == ("B", ["黄柏", "黄连", "黄芩"], None)
