"""A person's second sheet takes the place of the first only where the user says so, and no file is lost."""

from __future__ import annotations

import json

import openpyxl
import pytest
from sheet_files import save_sheet, sheet_rows
from simulated import as_native, prompts_in

from medzh_score.cli.main import main


@pytest.fixture
def suite(tmp_path, minis):
    """Give a suite of a model whose answers a person is to judge."""
    folder = tmp_path / "suite"
    plan = ["--models", "a", "--configs", "sdak", "--judge", "reason=lin", "--data", str(minis)]
    assert main(["suite", "plan", str(folder), *plan, "--quiet"]) == 0
    file = as_native(prompts_in(folder / "prompts/sdak/answer.jsonl"), "a", tmp_path)
    assert main(["suite", "add", str(folder), str(file), "--quiet"]) == 0
    assert main(["suite", "prompts", str(folder), "--to", "csv", "--quiet"]) == 0
    return folder


@pytest.fixture
def sheet(suite, tmp_path):
    """Fill in the sheet: all rows alike, or some."""

    def fill(name, verdict, rows=slice(None)):
        text = (suite / "outbox/sheets/sdak--reason--a.csv").read_text(encoding="utf-8")
        verdicts = {"factual_supported": verdict, "counterfactual_supported": "no"}
        return save_sheet(tmp_path / name, [row | verdicts for row in sheet_rows(text)[rows]])

    return fill


def sheets(suite):
    return {path.name: path.read_bytes() for path in (suite / "answers/a/sdak").glob("*.csv")}


def test_the_next_step_of_a_round_of_people_names_their_sheet(suite, sheet, add, capsys):
    def steps():
        capsys.readouterr()
        assert main(["suite", "status", str(suite), "--to", "json"]) == 3
        return json.loads(capsys.readouterr().out)["next"]

    whole = sheet("whole.csv", "yes")
    count = len(sheet_rows(whole.read_text(encoding="utf-8")))
    add_more = f"medzh-score suite add {suite} FILE…"
    assert steps() == [f"medzh-score suite prompts {suite} --to csv  # {count} rows", add_more]
    assert add(sheet("part.csv", "yes", slice(5)))[0] == 0
    assert steps() == [f"medzh-score suite prompts {suite} --to csv  # {count - 5} rows", add_more]
    assert main(["suite", "prompts", str(suite), "--to", "csv", "--quiet"]) == 0
    assert len(sheet_rows((suite / "outbox/sheets/sdak--reason--a.csv").read_text(encoding="utf-8"))) == count - 5
    lock = suite / "prompts" / "plan.lock"
    lock.write_text(json.dumps(json.loads(lock.read_text("utf-8")) | {"sources": {}}), "utf-8")
    assert steps()[0].endswith(f" --to csv  # {count - 5} rows; tasks without prompts: 1")
    assert add(whole)[0] == 0
    assert main(["suite", "prompts", str(suite), "--to", "csv", "--quiet"]) == 0
    assert steps() == [f"medzh-score suite score {suite}  # 1 of 1 ready"]


def test_another_verdict_is_refused_by_its_row_and_stands_beside_the_first_where_it_is_to_replace(suite, sheet, add):
    first, second = sheet("first.csv", "yes"), sheet("second.csv", "no")
    count = len(sheet_rows(first.read_text(encoding="utf-8")))
    assert add(first) == (0, f"{first}: sdak reason of a by lin: {count} new, 0 unchanged, 0 replaced\n")
    before = sheets(suite)
    status, said = add(second)
    assert status == 2
    assert "second.csv:2: the response to sdak-" in said
    assert "expected 'factual_supported: yes; counterfactual_supported: no', found 'factual_supported: no; c" in said
    assert "use --overwrite to replace the stored response" in said
    assert sheets(suite) == before
    assert add(second, "--overwrite") == (
        0,
        f"{second}: sdak reason of a by lin: 0 new, 0 unchanged, {count} replaced\n",
    )
    assert sheets(suite) == {**before, "reason--lin~2.csv": second.read_bytes()}
    assert add(second)[1].endswith(f": 0 new, {count} unchanged, 0 replaced\n")
    assert add(first)[0] == 2  # it is the second that stands
    assert len(sheets(suite)) == 2


@pytest.mark.parametrize(
    ("cell", "problem"),
    [("", "the cell is blank, but other cells of the row are filled in"), ("maybe", "invalid value for this column")],
)
def test_a_row_that_cannot_be_scored_is_refused_before_the_sheet_is_kept(suite, sheet, add, cell, problem):
    path = sheet("first.csv", "yes")
    rows = sheet_rows(path.read_text(encoding="utf-8"))
    save_sheet(path, [*rows[:3], rows[3] | {"counterfactual_supported": cell}, *rows[4:]])
    status, said = add(path)
    assert (status, sheets(suite)) == (2, {})
    assert f'first.csv:5: field "counterfactual_supported": {problem}: expected yes or no' in said
    assert add(sheet("mended.csv", "yes"))[0] == 0
    assert main(["suite", "score", str(suite), "--quiet"]) == 0


def test_sheets_go_out_and_come_back_as_workbooks_too(suite, sheet, add, tmp_path):
    by_csv = sheet_rows(sheet("whole.csv", "yes").read_text(encoding="utf-8"))
    assert main(["suite", "prompts", str(suite), "--to", "xlsx", "--quiet"]) == 0
    (path,) = (suite / "outbox/sheets").glob("*.xlsx")
    book = openpyxl.load_workbook(path)
    head, *rows = book.active.iter_rows()
    names = [cell.value for cell in head]
    assert [row[names.index("id")].value for row in rows] == [row["id"] for row in by_csv]
    for row in rows:
        for name, value in (("factual_supported", "yes"), ("counterfactual_supported", "no"), ("annotator", "lin")):
            row[names.index(name)].value = value
    book.save(tmp_path / "filled.xlsx")
    status, errors = add(tmp_path / "filled.xlsx")
    assert (status, errors) == (
        0,
        f"{tmp_path / 'filled.xlsx'}: sdak reason of a by lin: {len(by_csv)} new, 0 unchanged, 0 replaced\n",
    )
