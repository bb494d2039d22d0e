"""Sheets as workbooks and in GB18030: what a person fills in with Excel or WPS is read as the CSV in UTF-8 is."""

from __future__ import annotations

import io
import zipfile

import openpyxl
import pytest

from medzh_score.command_line import main
from medzh_score.files import workbooks
from medzh_score.files.input_file import InputFile
from medzh_score.files.sheets import read_rows, sheet_bytes
from medzh_score.files.workbooks import as_named, from_csv
from medzh_score.messages.errors import MedzhError

HEAD = ("id", "prompt", "prediction")
ROWS = (
    {"id": "a-1", "prompt": '第一行\n第二行，带“引号”" _x000D_ _x005F_', "prediction": "正确"},
    {"id": "a-2", "prompt": "=1+1", "prediction": ""},
    {"id": "003", "prompt": "发热", "prediction": "0.5"},
)
CSV = sheet_bytes(HEAD, ROWS)


def rows_of(path, required=("id", "prediction")):
    with InputFile(path) as file:
        return list(read_rows(file, required))


@pytest.fixture
def saved(tmp_path):
    """Save a sheet under a name."""

    def save(name, content):
        (tmp_path / name).write_bytes(content)
        return tmp_path / name

    return save


def workbook(*rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def test_a_workbook_holds_what_the_csv_holds(saved):
    by_csv, by_workbook = rows_of(saved("a.csv", CSV)), rows_of(saved("a.xlsx", from_csv(CSV, "x.xlsx")))
    assert [row for _, row in by_csv] == [row for _, row in by_workbook]
    assert by_csv[0][1]["prompt"] == ROWS[0]["prompt"]
    assert [number for number, _ in by_workbook] == [2, 3, 4]  # rows as Excel numbers them


def test_no_cell_is_a_formula():
    sheet = openpyxl.load_workbook(io.BytesIO(from_csv(b"id,prompt\n1,=1+1\n", "x.xlsx"))).active
    assert [(cell.value, cell.data_type) for cell in sheet[2]] == [("1", "s"), ("=1+1", "s")]


def test_equal_sheets_are_equal_workbooks(monkeypatch):
    first = from_csv(CSV, "x.xlsx")
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    assert from_csv(CSV, "x.xlsx") == first


def test_the_name_decides():
    assert as_named("x.csv", CSV) == as_named(None, CSV) == CSV
    assert as_named("x.XLSX", CSV) == from_csv(CSV, "x.xlsx")


def test_numbers_and_blanks_are_read_as_they_are_seen(saved):
    rows = ("a", 1.0, 0.5), (None,) * 3, ("b", 2, True), ("c", 0, "对_x002C__xD842__xDFB7_")
    found = rows_of(saved("p.xlsx", workbook(("id", "run", "prediction"), *rows)))
    assert found == [
        (2, {"id": "a", "run": "1", "prediction": "0.5"}),
        (4, {"id": "b", "run": "2", "prediction": "TRUE"}),
        (5, {"id": "c", "run": "0", "prediction": "对,𠮷"}),  # as Excel writes what XML cannot say
    ]


def test_what_wps_saves_is_read_as_utf_8_is(saved):
    text = CSV.decode("utf-8-sig")
    assert rows_of(saved("gb.csv", text.encode("gb18030"))) == rows_of(saved("u.csv", CSV))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("id,prediction\na,正确\n".encode() + "b,不完全正确\n".encode("gb18030"), "GB18030"),
        ("id,prediction\na,不完全正确\n".encode("gb18030") + "b,正确\n".encode(), "is not UTF-8"),
        (b"id,prediction\na,\xff\xfe\xff\n", "is not UTF-8"),
    ],
)
def test_mixed_and_damaged_files_are_refused(saved, content, words):
    with pytest.raises(MedzhError, match=words):
        rows_of(saved("m.csv", content))


@pytest.mark.parametrize("cut", [4, 200, -30])
def test_a_damaged_workbook_is_refused(saved, cut):
    with pytest.raises(MedzhError, match="workbook"):
        rows_of(saved("d.xlsx", from_csv(CSV, "x.xlsx")[:cut]))


def test_a_workbook_that_unpacks_to_too_much_is_refused(saved, monkeypatch):
    monkeypatch.setattr(workbooks, "LARGEST", 1 << 10)
    with pytest.raises(MedzhError, match="is too large"):
        rows_of(saved("big.xlsx", from_csv(CSV, "x.xlsx")))


def test_a_cell_that_a_workbook_would_cut_is_refused():
    with pytest.raises(MedzhError) as caught:
        from_csv(f"id,prompt\na,短\nb,{'长' * 32_768}\n".encode(), "x.xlsx")
    assert str(caught.value).startswith("x.xlsx:3: field prompt: the cell of b is longer than a workbook holds")
    assert str(caught.value).endswith("write the sheet as CSV: --out FILE.csv")
    with pytest.raises(MedzhError, match=r"write the sheet as CSV: --to sheet$"):
        as_named("x.xlsx", f"id,prompt\nb,{'长' * 32_768}\n".encode(), "--to sheet")


def test_a_sheet_goes_out_and_comes_back_as_a_workbook(tmp_path, sdak_build, sdak_sample, capsys):
    """The same judgements by CSV, workbook and GB18030 give the same report."""
    first, reports = str(sdak_sample / "predictions.jsonl"), []
    for name, encoding in (("s.csv", "utf-8-sig"), ("s.xlsx", None), ("g.csv", "gb18030")):
        out = tmp_path / name
        asked = ["prompts", "sdak", "--round", "reason", "--after", first, "--sample", "12", "--data", str(sdak_build)]
        assert main([*asked, "--out", str(out)]) == 0
        _fill(out, encoding)
        scored = ["score", "sdak", first, "--data", str(sdak_build), "--round", f"reason={out}", "--bootstrap", "0"]
        assert main([*scored, "--round-sample", "reason=12:0", "--to", "csv"]) == 0
        reports.append(capsys.readouterr().out)
    assert reports[0] == reports[1] == reports[2]
    assert "AccR" in reports[0]


def _fill(path, encoding):
    """Say yes in every cell that is asked for, and who said it."""
    if encoding is None:
        book = openpyxl.load_workbook(path)
        head = [cell.value for cell in book.active[1]]
        for row in book.active.iter_rows(min_row=2):
            for name, cell in zip(head, row, strict=True):
                cell.value = _said(name, cell.value)
        book.save(path)
        return
    with InputFile(path) as file:
        rows = [{name: _said(name, value) for name, value in row.items()} for _, row in read_rows(file, ("id",))]
    path.write_bytes(sheet_bytes(tuple(rows[0]), rows).decode("utf-8-sig").encode(encoding))


def _said(name, value):
    return "yes" if name in {"factual_supported", "counterfactual_supported"} else "甲" if name == "rater" else value


def test_rows_on_a_second_sheet_are_never_lost_in_silence(tmp_path):
    """A blank sheet, as Excel adds, is none."""
    book = openpyxl.Workbook()
    book.active.append(["id", "prediction"])
    book.active.append(["a", "B"])
    other = book.create_sheet("其余")
    book.save(tmp_path / "p.xlsx")
    with InputFile(tmp_path / "p.xlsx") as file:
        assert file.text().read() == b"id,prediction\r\na,B\r\n"
    other.append(["b", "C"])
    book.save(tmp_path / "p.xlsx")
    with InputFile(tmp_path / "p.xlsx") as file, pytest.raises(MedzhError, match=r"several sheets.*其余"):
        file.text()


def with_sheet(content, *changes):
    """Change the XML of a workbook's first sheet."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(written, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            for before, after in changes if name == "xl/worksheets/sheet1.xml" else ():
                assert before in part
                part = part.replace(before, after)
            new.writestr(name, part)
    return written.getvalue()


FORMULA = workbook(("id", "prediction"), ("a", "=1+1"), ("b", "正确"))
BARE = b'<c r="B2"><f>1+1</f><v></v></c>'


@pytest.mark.parametrize(
    "cell",
    [
        BARE,
        b'<c r="B2"><f>1+1</f><v/></c>',
        b'<c r="B2"><f>1+1</f></c>',
        b'<c r="B2" s="1" t="str">\n<f t="shared" ref="B2:B3" si="0">LEFT("x",1)</f> </c>',
        b'<c r="B2"><f t="shared" si="0"/></c>',
        b'<x:c xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main" r="B2"><x:f>1+1</x:f></x:c>',
    ],
)
@pytest.mark.parametrize("at_once", [*range(527, 557, 4), workbooks.BLOCK])
def test_a_formula_without_its_value_is_refused(saved, monkeypatch, cell, at_once):
    monkeypatch.setattr(workbooks, "BLOCK", at_once)
    with pytest.raises(MedzhError) as refused:
        rows_of(saved("a.xlsx", with_sheet(FORMULA, (BARE, cell))))
    assert "a.xlsx: field B2: holds a formula without its value" in str(refused.value)


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        (b'<c r="B2"><f>1+1</f><v>2</v></c>', "2"),
        (b'<c r="B2" t="str"><f>""</f><v></v></c>', ""),  # computed, and empty
        (b'<c r="B2" t="inlineStr"><is><t>&lt;f&gt;1&lt;/f&gt;&lt;/c&gt;</t></is></c>', "<f>1</f></c>"),
    ],
)
def test_a_value_beside_a_formula_is_read(saved, cell, value):
    (_, first), _ = rows_of(saved("a.xlsx", with_sheet(FORMULA, (BARE, cell))))
    assert first["prediction"] == value
