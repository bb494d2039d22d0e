"""A dictionary of disease names: the rows that it takes, its form of a text, and tables that are no dictionary."""

from __future__ import annotations

import gzip
from functools import partial

import pytest

from dataset_scripts.terminology import tables
from medzh_score.configs.cmhe_dd.reading import code_of
from medzh_score.io.paths import package_file
from medzh_score.terminology import disease_names
from medzh_score.terminology.disease_names import dictionary_of, our_dictionary, read_dictionary
from medzh_score.text.fold import TRADITIONAL, fold_disease_name, simplified_characters
from medzh_score.ui.errors import MedzhError


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([("E99", "某病")], "not an ICD-10 category"),
        ([("编码", "某病")], "not an ICD-10 category"),
        ([("B07", "疣")], "a single character"),
        ([("J18", "某病"), ("A16", "某病")], "several categories"),
    ],
)
def test_rows_that_can_name_nothing_are_counted(rows, reason):
    made = dictionary_of(rows, "test")
    assert made.forms == ()
    assert made.left_out[reason] == 1
    assert sum(made.left_out.values()) == 1


def test_the_disease_comes_before_its_manifestation():
    names = dictionary_of([("H28.0*", "糖尿病性白内障"), ("E14.301+H28.0*", "糖尿病性白内障")], "test")
    assert code_of("糖尿病性白内障", names) == "E14.301"


def test_synonyms_between_brackets_and_unspecified_forms_are_names_too():
    names = dictionary_of(
        [("A90", "登革热\\[古典登革热\\]"), ("B24", "人类免疫缺陷病毒[HIV]病"), ("J18", "肺炎,病原体未特指")], "test"
    )
    assert set(names.forms) >= {"登革热", "古典登革热", "人类免疫缺陷病毒病", "肺炎"}
    assert "hiv" not in names.forms  # it does not stand for the whole


def test_our_own_names_are_found_as_they_stand():
    ours = our_dictionary()
    assert sum(ours.left_out.values()) == 0
    for form, meanings in zip(ours.forms, ours.meanings, strict=True):
        for name, code in meanings.items():
            assert fold_disease_name(name) == form
            assert code_of(name, ours) == code


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Ⅱ型　糖尿病", "2型糖尿病"),
        ("III 期", "3期"),
        ("①肺炎 ❷肺癌", "(1)肺炎(2)肺癌"),
        ("rule out  COPD", "rule out copd"),
        ("COPD 患者 with 肺炎", "copd患者with肺炎"),
        ("癲癇、胃潰瘍", "癫痫、胃溃疡"),
        ("【診斷】肺炎", "[诊断]肺炎"),
        ("* 肺炎\r\n* 肺癌", "-肺炎\n\n-肺癌"),
        ("**肺**炎", "肺炎"),
        ("\ud800肺炎", "\ufffd肺炎"),
    ],
)
def test_the_form_in_which_names_are_looked_for(text, form):
    assert fold_disease_name(text) == form


def test_traditional_characters_are_one_for_one_and_end_there():
    table = simplified_characters()
    assert len(table) > 3000
    assert all(len(sign) == 1 and ord(sign) not in table for sign in table.values())
    assert max(*table, *map(ord, table.values())) < 0x10000


def test_the_table_of_traditional_characters_is_what_opencc_says():
    """Mend nothing in it by hand: it is written anew by the module that this test calls."""
    pytest.importorskip("opencc")
    assert package_file("medzh_score", TRADITIONAL).read_text(encoding="utf-8") == tables.traditional_table()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b'code,name\nJ18,"' + b"x" * 200_000,
            "n\\.csv:2: a cell is too long for a name: expected at most 1,000 characters\n  Fix: .*quotation mark",
        ),
        ("code,name\nJ18,肺炎\n".encode("gb18030"), "invalid UTF-8"),
        (b"code,other\nJ18,x\n", "a column is missing: expected name or disease"),
        (b"name\n", "a column is missing: expected code"),
        (b"", "a column is missing"),
        (b"code,name\nE99,x y\n", "the table contains no name with an ICD-10 code"),
        (gzip.compress(b"code,name\n" * 99, mtime=0)[:-9], "cannot read the complete file"),
        (gzip.compress(b"code,name\n" * 99, mtime=0)[:20], "cannot read the file"),
    ],
)
def test_a_table_that_is_no_dictionary_is_refused_in_a_line(content, message, tmp_path):
    path = tmp_path / "n.csv"
    path.write_bytes(content)
    with pytest.raises(MedzhError, match=message) as caught:
        read_dictionary(path)
    assert "\n" not in str(caught.value).replace("\n  Fix: ", "")


@pytest.mark.parametrize("content", [b'code,name\nJ18,"' + b"x" * 200, b'"' + b"x" * 200])
def test_what_the_csv_reader_refuses_is_refused_in_a_line(content, tmp_path, monkeypatch):
    monkeypatch.setattr(disease_names, "csv_reader", partial(disease_names.csv_reader, largest=100))
    path = tmp_path / "n.csv"
    path.write_bytes(content)
    with pytest.raises(
        MedzhError, match=r"n\.csv:\d+: invalid table: field larger than field limit.*\n  Fix: .*quotation"
    ):
        read_dictionary(path)
