"""Sheets as workbooks and in GB18030: what a person fills in with Excel or WPS is read as the CSV in UTF-8 is."""

from __future__ import annotations

import csv
import io
import zipfile

import openpyxl
import pytest

from dataset_scripts.terminology.tables import frequent_table
from medzh_score.io import workbooks
from medzh_score.io.encodings import BIG5, EITHER, FREQUENT, GB18030, likely_encoding
from medzh_score.io.open_input import InputFile
from medzh_score.io.paths import package_file
from medzh_score.io.sheets import Sheet, as_csv_sheet, as_workbook
from medzh_score.io.tables import csv_reader, read_rows
from medzh_score.ui.errors import MedzhError

HEAD = ("id", "prompt", "prediction")
ROWS = (
    {"id": "a-1", "prompt": '第一行\n第二行，带“引号”" _x000D_ _x005F_', "prediction": "正确"},
    {"id": "a-2", "prompt": "=1+1", "prediction": ""},
    {"id": "003", "prompt": "发热", "prediction": "0.5"},
)
SHEET = Sheet(HEAD, ROWS, ())
CSV, WORKBOOK = as_csv_sheet(SHEET, "x.csv"), as_workbook(SHEET, "x.xlsx")


def rows_of(path, required=("id", "prediction")):
    with InputFile(path) as file:
        return list(read_rows(file, required))


@pytest.fixture
def saved(tmp_path):

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


def workbook_of(*rows, **options):
    return as_workbook(Sheet(("id", "prompt"), rows, ()), "x.xlsx", **options)


def test_a_workbook_holds_what_the_csv_holds(saved):
    by_csv, by_workbook = rows_of(saved("a.csv", CSV)), rows_of(saved("a.xlsx", WORKBOOK))
    assert [row for _, row in by_workbook] == [*ROWS]
    assert [row for _, row in by_csv] == [ROWS[0], ROWS[1] | {"prompt": "'=1+1"}, ROWS[2]]
    assert b",'=1+1," in CSV  # no formula of a spreadsheet's
    assert [number for number, _ in by_workbook] == [2, 3, 4]  # rows as Excel numbers them


def test_no_cell_is_a_formula():
    sheet = openpyxl.load_workbook(io.BytesIO(workbook_of({"id": "1", "prompt": "=1+1"}))).active
    assert [(cell.value, cell.data_type) for cell in sheet[2]] == [("1", "s"), ("=1+1", "s")]


def test_equal_sheets_are_equal_workbooks(monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    assert as_workbook(SHEET, "x.xlsx") == WORKBOOK


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
        ("id,prediction\na,不完全正确\n".encode("gb18030") + "b,正确\n".encode(), "invalid UTF-8"),
        (b"id,prediction\na,\xff\xfe\xff\n", "invalid UTF-8"),
        (b"id,prediction,prediction\na,b,c\n", "duplicate column"),
    ],
)
def test_mixed_and_damaged_files_are_refused(saved, content, words):
    with pytest.raises(MedzhError, match=words):
        rows_of(saved("m.csv", content))


@pytest.mark.parametrize("cut", [4, 200, -30])
def test_a_damaged_workbook_is_refused(saved, cut):
    with pytest.raises(MedzhError, match="workbook"):
        rows_of(saved("d.xlsx", WORKBOOK[:cut]))


def test_a_cell_that_a_workbook_would_cut_is_refused():
    with pytest.raises(MedzhError) as caught:
        workbook_of({"id": "a", "prompt": "短"}, {"id": "b", "prompt": "长" * 32_768})
    assert str(caught.value).startswith('x.xlsx:3: field "prompt": the cell of b is too long for a workbook')
    assert str(caught.value).endswith("\n  Fix: write the sheet as CSV: --output FILE.csv.")
    with pytest.raises(MedzhError, match=r"\n  Fix: write the sheet as CSV: --to csv\.$"):
        workbook_of({"id": "b", "prompt": "长" * 32_768}, else_csv="--to csv")


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
    with (
        InputFile(tmp_path / "p.xlsx") as file,
        pytest.raises(MedzhError, match=r"more than one sheet contains rows.*其余"),
    ):
        file.text()


def with_sheet(content, *changes):
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
@pytest.mark.parametrize("at_once", [527, 540, 553, workbooks.BLOCK])
def test_a_formula_without_its_value_is_refused(saved, monkeypatch, cell, at_once):
    monkeypatch.setattr(workbooks, "BLOCK", at_once)
    with pytest.raises(MedzhError) as refused:
        rows_of(saved("a.xlsx", with_sheet(FORMULA, (BARE, cell))))
    assert 'a.xlsx: field "B2": the cell contains a formula without a stored value' in str(refused.value)


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


LINES = ["name,cell\n", "a," + "x" * 20 + "\n", "b,x\n", "c," + "x" * 20 + "\n"]


@pytest.fixture(autouse=True)
def _limit_of_the_process():
    before = csv.field_size_limit()
    yield
    csv.field_size_limit(before)


@pytest.mark.parametrize("elsewhere", [5, 1 << 30])
def test_a_reader_keeps_to_its_limit_between_the_rows_of_others(elsewhere):
    roomy, narrow = csv_reader(LINES, largest=20), csv_reader(LINES, largest=10)
    csv.field_size_limit(elsewhere)
    assert next(roomy) == next(narrow) == ["name", "cell"]
    assert next(roomy) == ["a", "x" * 20]
    with pytest.raises(csv.Error, match="larger than field limit"):
        next(narrow)
    csv.field_size_limit(elsewhere)
    assert [len(row[1]) for row in roomy] == [1, 20]
    assert roomy.line_num == 4


CHINESE = "妊娠期高血压疾病是产科常见的并发症，应定期产前检查。"
TRADITIONAL = "妊娠期高血壓疾病為產科常見之併發症，應定期產前檢查與監測。"


SIMPLIFIED_TEXTS = (
    *("正确", "细菌感染", "高血压患者", "错误，发热", "苯丙胺类药物", "癫痫持续状态"),
    *(CHINESE, "α-地中海贫血的诊断依靠血红蛋白电泳，体温 38.5 ℃ 并不少见，血红蛋白下降也应复查。"),
)
TRADITIONAL_TEXTS = (
    *("正確", "高血壓", "錯誤，發熱", "癲癇重積狀態", "苯丙胺類藥物與羥嗪"),
    *(TRADITIONAL, "急性闌尾炎係臨床常見之急腹症，嘅喺啲。"),
)
SHORT = ("發熱", "錯誤", "感染", "羥", "癲癇")


@pytest.mark.parametrize(
    ("texts", "encoding", "expected"), [(SIMPLIFIED_TEXTS, "gb18030", GB18030), (TRADITIONAL_TEXTS, "big5hkscs", BIG5)]
)
def test_chinese_is_known_by_how_frequent_its_characters_are(texts, encoding, expected):
    assert {likely_encoding(text.encode(encoding)) for text in texts} == {expected}


@pytest.mark.parametrize("text", SHORT)
@pytest.mark.parametrize("times", [1, 50])
def test_what_is_short_is_not_guessed_however_often_it_is_repeated(text, times):
    content = f"{text},".encode("big5") * times
    content.decode("gb18030")  # it reads as that, too
    assert likely_encoding(content) == EITHER


def test_a_sheet_in_big5_is_refused_and_named(tmp_path):
    path = tmp_path / "p.csv"
    for word, words in (("發熱", "may be GB18030 or Big5"), (TRADITIONAL, "the encoding is probably Big5")):
        path.write_bytes(f"id,prediction\na,{word}\n".encode("big5"))
        with InputFile(path) as file, pytest.raises(MedzhError) as caught:
            list(read_rows(file, ("id", "prediction")))
        assert words in caught.value.problem
        assert (caught.value.line, caught.value.advice.count("CSV UTF-8")) == (2, 1)


def test_the_table_of_frequent_characters_is_as_the_dictionary_counts():
    assert package_file("medzh_score", FREQUENT).read_text(encoding="utf-8") == frequent_table()


@pytest.mark.parametrize("word", ["头痛", "偏头痛", "贫血", "血压", "确实", "女"])
def test_a_line_of_gb18030_that_is_letters_in_utf_8_changes_nothing(tmp_path, word):
    word.encode("gb18030").decode("utf-8")
    path = tmp_path / "sheet.csv"
    rows = [f"a{place},{text}" for place, text in enumerate((word, CHINESE, word))]
    path.write_bytes("\n".join(["id,prediction", *rows]).encode("gb18030"))
    with InputFile(path) as file:
        assert [row["prediction"] for _, row in read_rows(file, ("id",))] == [word, CHINESE, word]


def test_a_line_in_utf_8_that_is_chinese_is_no_line_of_gb18030(tmp_path):
    path = tmp_path / "sheet.csv"
    path.write_bytes(f"id,prediction\na,{CHINESE}\n".encode() + f"b,{CHINESE}\n".encode("gb18030"))
    with InputFile(path) as file, pytest.raises(MedzhError, match="invalid UTF-8; the encoding is probably GB18030"):
        list(read_rows(file, ("id",)))
