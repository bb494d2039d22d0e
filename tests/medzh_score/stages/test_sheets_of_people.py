"""Sheets as people fill them in: other order, full-width signs, notes, merged cells, a signature, blank rows."""

from __future__ import annotations

import csv
import io
import json

import pytest
from commands import called
from openpyxl import Workbook, load_workbook
from places import SAMPLES

from medzh_score.cli.main import main
from medzh_score.io.tables import HEADINGS, headings
from medzh_score.scoring.pipeline import score
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import language

ANSWERS = SAMPLES / "sdak" / "predictions.jsonl"
CARE = SAMPLES / "care_mi" / "predictions.jsonl"
HEADS = "编号,采样,回答校验码,类型,事实断言,对事实断言的回答,反事实断言,对反事实断言的回答"
VALUES = ("事实断言的理由成立", "反事实断言的理由成立")


def sheet_of(config, stage, answers, path, lang="zh"):
    words = ["prompts", config, "--stage", stage, "--data", "mini", "--predictions", str(answers), "-o", str(path)]
    assert main([*words, "--to", path.suffix[1:], "--lang", lang]) == 0
    return path


@pytest.fixture(scope="module")
def workbook(tmp_path_factory):
    return sheet_of("sdak", "reason", ANSWERS, tmp_path_factory.mktemp("sheets") / "reason.xlsx")


def table_of(path):
    return [[cell or "" for cell in row] for row in load_workbook(path).worksheets[0].iter_rows(values_only=True)]


def accr(path, **options):
    report = score("sdak", ANSWERS, "mini", stages={"reason": path}, bootstrap=0, **options)
    return report.metrics["AccR"]


def filled(workbook, answers=("是", "是"), annotator="张三"):
    """Fill every row alike: head, then rows."""
    head, *rows = table_of(workbook)
    return [head, *([*row[:-3], *answers, annotator] for row in rows)]


def save(path, rows, merge=()):
    book = Workbook()
    for row in rows:
        book.active.append(row)
    for cells in merge:
        book.active.merge_cells(cells)
    book.save(path)
    return path


def test_a_workbook_has_chinese_heads_choices_widths_and_a_guide(workbook):
    book = load_workbook(workbook)
    sheet, guide = book.worksheets
    assert [cell.value for cell in sheet[1]] == [*HEADS.split(","), *VALUES, "标注者"]
    assert [rule.formula1 for rule in sheet.data_validations.dataValidation] == ['"是,否"', '"是,否"']
    assert sheet["E2"].alignment.wrap_text
    assert sheet.column_dimensions["F"].width > sheet.column_dimensions["B"].width
    assert guide.title == "填写说明"
    assert any("标注者" in cell.value for (cell,) in guide)


def test_numbers_are_held_to_their_range(tmp_path):
    sheet = load_workbook(sheet_of("care_mi", "correctness", CARE, tmp_path / "c.xlsx")).worksheets[0]
    (rule,) = sheet.data_validations.dataValidation
    assert (rule.type, rule.formula1, rule.formula2) == ("decimal", "0", "1")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_heading_is_read_back(lang):
    with language(lang):
        assert len(set(headings(HEADINGS))) == len(HEADINGS)
    text = ",".join(headings(HEADINGS))
    assert text.count(",") == len(HEADINGS) - 1


def test_a_sheet_filled_as_people_do_reads_as_one_filled_cleanly(workbook, tmp_path):
    clean = accr(save(tmp_path / "clean.xlsx", filled(workbook)))
    head, *rows = filled(workbook, ("Ｙ", "１"), "")
    rows[0][-1] = "李四"  # merged over all rows
    order = [10, 2, 0, 9, 8, 1]
    dirty = [
        [*(row[place] for place in order), note]
        for row, note in zip([head, *rows], ["备注", "看不清", *[""] * len(rows)], strict=False)
    ]
    dirty.append(["", "", "", "", "", "", "审核人：王五 2026-03-01"])
    path = save(tmp_path / "dirty.xlsx", dirty, [f"A2:A{len(rows) + 1}"])
    assert (clean.value, clean.n) == (100.0, len(rows))
    assert accr(path).value == 100.0
    report = score("sdak", ANSWERS, "mini", stages={"reason": path}, bootstrap=0)
    assert "李四" in report.signature["annotators"]


def test_blank_rows_are_listed_at_most_five(workbook, tmp_path, capsys):
    rows = filled(workbook)
    for place in (2, 3, 5, 8, 9, 11, 12):
        rows[place][-3:] = ["", "", ""]
    path = save(tmp_path / "blank.xlsx", rows)
    words = ("score", "sdak", ANSWERS, "--data", "mini", "--stage", f"reason={path}", "--missing", "wrong")
    assert main([*map(str, words), "--to", "json", "-o", str(tmp_path / "report.json")]) == 0
    assert "blank.xlsx: blank rows: 3, 4, 6, 9, 10 and 2 more" in capsys.readouterr().err


def test_an_identical_row_counts_once_and_another_one_is_refused(workbook, tmp_path):
    rows = filled(workbook)
    assert accr(save(tmp_path / "twice.xlsx", [*rows, rows[4]])).value == 100.0
    other = [*rows[4][:-3], "否", "否", "张三"]
    with pytest.raises(MedzhError, match=rf"other.xlsx:{len(rows) + 1}: .*two annotations"):
        accr(save(tmp_path / "other.xlsx", [*rows, other]))


@pytest.mark.parametrize("place", [0, 3])
def test_a_signature_below_the_rows_is_skipped_and_said(workbook, tmp_path, place, capsys):
    rows = filled(workbook)
    last = [""] * len(rows[0])
    last[place] = "签名：张三"
    path = save(tmp_path / "signed.xlsx", [*rows, last])
    words = ("score", "sdak", ANSWERS, "--data", "mini", "--stage", f"reason={path}")
    assert main([*map(str, words), "--to", "json", "-o", str(tmp_path / "report.json")]) == 0
    assert f"signed.xlsx:{len(rows) + 1}: skipped because it has no id" in capsys.readouterr().err
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["metrics"]["AccR"]["value"] == 100.0


def test_a_signature_with_a_value_is_refused_with_its_row(workbook, tmp_path):
    rows = filled(workbook)
    with pytest.raises(MedzhError, match=rf"signed.xlsx:{len(rows) + 1}: "):
        accr(save(tmp_path / "signed.xlsx", [*rows, ["签名", *[""] * (len(rows[0]) - 4), "是", "是", "张三"]]))


def test_a_sheet_that_names_nobody_is_of_the_annotator_that_is_named(workbook, tmp_path):
    path = save(tmp_path / "nobody.xlsx", filled(workbook, annotator=""))
    report = score("sdak", ANSWERS, "mini", stages={"reason": path}, bootstrap=0, annotator="王五")
    assert "王五" in report.signature["annotators"]


def test_an_audit_sheet_counts_identical_rows_once(tmp_path):
    path = sheet_of("sdak", "audit", ANSWERS, tmp_path / "audit.csv")
    head, *rows = csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline=""))
    answers = [[*row[:-2], "无答案", "甲"] for row in rows]
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([head, *answers, answers[0]])
    report = score("sdak", ANSWERS, "mini", stages={"audit": path}, bootstrap=0)
    assert report.audit is not None


def test_standard_output_has_texts_unchanged(tmp_path, capfdbinary):
    called("prompts", "sdak", "--data", "mini", "--to", "csv")
    out = capfdbinary.readouterr().out
    assert out.startswith(b"id,run,prompt,prediction,annotator")
    called("prompts", "sdak", "--data", "mini", "--to", "csv", "-o", tmp_path / "s.csv")
    assert (tmp_path / "s.csv").read_bytes().startswith(b"\xef\xbb\xbfid,run,")
