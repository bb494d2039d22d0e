"""Tables of predictions, separated by commas or tabs, read back as the standard library wrote them."""

from __future__ import annotations

import csv
import io
from datetime import date, datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook
from read_files import lines_in, reader_of

from medzh_score.ui.errors import MedzhError

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=20).filter(str.strip)


@given(
    rows=st.lists(st.tuples(TEXTS, st.sampled_from(["", "\n", "\r\n", '"', ",", "\t", '",\n']), TEXTS), max_size=8),
    separator=st.sampled_from([",", "\t"]),
    mark=st.sampled_from(["", "\ufeff"]),
    end=st.sampled_from(["\n", "\r\n"]),
    quoting=st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
)
def test_what_the_standard_library_writes(tmp_path_factory, rows, separator, mark, end, quoting):
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=separator, lineterminator=end, quoting=quoting)
    writer.writerow(["model", "id", "note", "prediction", "run", "variant"])
    expected, line = [], 1
    for number, (one, between, other) in enumerate(rows):
        text = one + between + other
        writer.writerow(["m-1", f"i{number}", "x", text, number or "", 2])
        line += 1 + text.count("\n")
        expected.append((line, f"i{number}", text, number, 2, "m-1"))
    path = tmp_path_factory.mktemp("t") / "p.txt"
    path.write_bytes((mark + stream.getvalue()).encode("utf-8"))
    assert reader_of(path).name == "table"
    assert [(n, p.id, p.prediction, p.run, p.variant, p.model) for n, p in lines_in(path, "table")] == expected


def test_the_model_or_else_the_rater(file):
    path = file("id,prediction,model,rater\na,x,m,r\nb,x,,r\nc,x,,\n")
    assert [one.model for _, one in lines_in(path, "table")] == ["m", "r", None]


def test_why_generation_ended_and_what_failed(file):
    path = file("id,prediction,finish_reason,error\na,x,length,\nb,,,timed  out\nc,x,,NaN\nd,,stop,None\n")
    found = [(one.id, one.finish_reason, one.error) for _, one in lines_in(path, "table")]
    assert found == [("a", "length", None), ("b", None, "timed out"), ("c", None, None), ("d", "stop", None)]


def test_a_blank_cell_is_an_empty_answer_but_where_nobody_filled_in_a_row(file):
    """The column rater is that of sheets for people, who may not have come to a row yet."""
    found = lines_in(file("id,prediction\na,\nb,x\nc,  \nd,#N/A\n"), "table")
    assert [(one.id, one.prediction.strip(), one.error) for _, one in found] == [
        *(("a", "", None), ("b", "x", None), ("c", "", None), ("d", "", None))
    ]
    assert [one.id for _, one in lines_in(file("id,prediction,rater\na,,\nb,x,\nc,,r\n"), "table")] == ["b", "c"]


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (True, "TRUE"),
        (False, "FALSE"),
        (3, "3"),
        (2.0, "2"),
        (0.5, "0.5"),
        (None, ""),
        ("TRUE", "TRUE"),
        (datetime(2026, 1, 2), None),  # noqa: DTZ001 - as workbooks have it
        (date(2026, 1, 2), None),
        (time(1, 2), None),
        ("#N/A", ""),
        ("#NAME?", None),
        ("#REF!", None),
    ],
)
def test_what_a_spreadsheet_makes_of_a_text(tmp_path, cell, text):
    """A number or a truth value is what a person sees; of a date or an error nobody knows what the text was."""
    book = Workbook()
    for row in (["id", "prediction", "day"], ["a", cell, datetime(2026, 1, 2)]):  # noqa: DTZ001
        book.active.append(row)
    book.save(tmp_path / "p.xlsx")
    if text is not None:
        assert [one.prediction for _, one in lines_in(tmp_path / "p.xlsx", "table")] == [text]
        return
    with pytest.raises(MedzhError, match="a spreadsheet program converted the text to an error or a date") as refused:
        lines_in(tmp_path / "p.xlsx", "table")
    assert (refused.value.line, refused.value.field) == (2, "prediction")


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("id\tprediction\na\tx\ty\n", 2, "enclose cells that contain the separator (tab) in quotation marks"),
        (
            'id\tprediction\tvariant\n"a"\t"x\n\ny"\t1\nb\ty\t-1\n',
            5,
            "invalid variant: expected an integer of at least 0",
        ),
        ("id,déjà vu,prediction\na,x,y\n".encode("latin-1"), 1, "invalid UTF-8"),
        ("id\tprediction\na\t会传染\n".encode("utf-16"), None, "UTF-16"),
    ],
)
def test_a_wrong_table_is_named(file, content, line, message):
    path = file(content)
    with pytest.raises(MedzhError) as failure:
        lines_in(path, None, dict)
    assert message in str(failure.value)
    assert failure.value.line == line


def wrong_in(path):
    with pytest.raises(MedzhError) as failure:
        lines_in(path)
    return failure.value


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ('a\t正确\nb\t"正确\nc\t错误\n', 3),  # never closed: c's row would be b's answer
        ('a\t"正确\nb\t"错误\n', 2),
        ('a\t"正确"，因为\n', 2),  # the marks would be lost
    ],
)
def test_quotation_marks_that_no_table_has(file, rows, line):
    failure = wrong_in(file("id\tprediction\n" + rows, "p.tsv"))
    assert (failure.problem.partition(":")[0], failure.line) == ("invalid CSV", line)
