"""Chinese names of descriptors, from tables that users bring in several forms. The descriptors are real."""

from __future__ import annotations

import csv
import io
import json

import pytest
from openpyxl import Workbook

from dataset_scripts.recipe import SourceFile
from dataset_scripts.recipes.cmhe_ce.names import NAMES, alike, read_named
from dataset_scripts.terminology.descriptor import Descriptor
from medzh_score.messages.errors import MedzhError

DESCRIPTORS = (
    Descriptor("D018798", "Anemia, Iron-Deficiency", ("C15.1",), ("Anemias, Iron-Deficiency",)),
    Descriptor("D006073", "Gout", ("C05.1",), ("Gouts", "Shared Term", "Anemia")),
    Descriptor("D000740", "Anemia", ("C15",), ("Anemias", "Shared Term")),
)
TABLE = ("concept", "name", "aliases")


@pytest.fixture
def table(tmp_path):
    def write(rows, head=TABLE[:2], name="names.csv"):
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows([head, *rows])
        (tmp_path / name).write_text(text.getvalue(), encoding="utf-8")
        return tmp_path / name

    return write


def named(path):
    own = {NAMES: SourceFile(NAMES, path, "0" * 64, pinned=False)}
    found = read_named(own, DESCRIPTORS)
    return {DESCRIPTORS[index].name: names for index, names in found.names.items()}, found


def test_tables_have_aliases_and_several_rows_for_one_concept(table):
    rows = [
        ("D018798", "缺铁性贫血", "缺铁贫血|IDA ｜ 小细胞低色素性贫血|"),
        ("D018798", "缺鐵性貧血", ""),
        ("Gout", "", "x"),
    ]
    names, found = named(table(rows, TABLE))
    expected = ["缺铁性贫血", "缺铁贫血", "IDA", "小细胞低色素性贫血", "缺鐵性貧血"]
    assert names == {"Anemia, Iron-Deficiency": expected}
    assert (found.rows, found.left_out) == (3, {"no Chinese name": 1})


def test_workbooks_are_read_by_their_header(tmp_path):
    book = Workbook()
    for row in (TABLE, ("Gout", "痛风", "痛风病|Podagra"), (None, None, None), ("D000740", "贫血")):
        book.active.append(row)
    book.save(tmp_path / "own.xlsx")
    assert named(tmp_path / "own.xlsx")[0] == {"Gout": ["痛风", "痛风病", "Podagra"], "Anemia": ["贫血"]}
    book.active["B1"] = "Name"
    book.save(tmp_path / "own.xlsx")
    with pytest.raises(MedzhError, match=r"own\.xlsx:1: field Name: is no column of the config"):
        named(tmp_path / "own.xlsx")


def test_json_lines_are_read_too(tmp_path):
    line = {"concept": "gout", "name": "痛风", "aliases": ["痛风病"]}
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps(line, ensure_ascii=False), encoding="utf-8")
    assert named(path)[0] == {"Gout": ["痛风", "痛风病"]}
    path.write_text(json.dumps(line | {"name": 1}, ensure_ascii=False), encoding="utf-8")
    with pytest.raises(MedzhError, match="field name"):
        named(path)


@pytest.mark.parametrize(
    ("concept", "name"),
    [
        ("d018798", "Anemia, Iron-Deficiency"),
        ("ＧＯＵＴ", "Gout"),
        ("Anemia,  Iron-Deficiency ", "Anemia, Iron-Deficiency"),
        ("anemias, iron-deficiency", "Anemia, Iron-Deficiency"),
        ("Anemia", "Anemia"),  # a heading comes before an entry term of another one
        ("Shared Term", None),
        ("Anaemia", None),
    ],
)
def test_identifiers_headings_and_terms_of_one_heading_alone_are_found(table, concept, name):
    names, found = named(table([(concept, "某病"), ("Gouts", "痛风")]))
    assert ("某病" in names.get(name, [])) == (name is not None)
    assert sum(found.left_out.values()) == (name is None)


@pytest.mark.parametrize(
    ("rows", "head", "problem"),
    [
        ([("Gout", "痛风\ufffd")], TABLE[:2], r"names\.csv:2: field name: holds the character U"),
        ([("Gout", "痛风", "x\ufffd")], TABLE, r"names\.csv:2: field aliases/0: holds the character U"),
        ([("", "痛风")], TABLE[:2], r"names\.csv:2: field concept"),
        ([("Gout", "痛风")], ("english", "name"), "field english: is no column of the config"),
        ([("Gout", "痛风", "x")], TABLE[:2], "has another number of cells"),
        ([("Nothing", "没有")], TABLE[:2], "names no descriptor of MeSH; .*1 rows with an identifier or English name"),
        ([("Gout", "Gicht")], TABLE[:2], "1 rows with a name without a Chinese character"),
        ([], TABLE[:2], "names no descriptor of MeSH; .*no rows"),
    ],
)
def test_faulty_tables_are_refused(table, rows, head, problem):
    with pytest.raises(MedzhError, match=problem):
        named(table(rows, head))


def test_names_are_alike_without_case_width_and_number_of_blanks():
    assert alike("Ｇout\u3000 x ") == "gout x" != alike("Goutx")
