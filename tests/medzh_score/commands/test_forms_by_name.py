"""The name of what is written decides its form where --to does not, and never promises another."""

from __future__ import annotations

import json

import openpyxl
import pytest

from medzh_score.cli.main import main


def test_reports_are_written_as_their_names_end(tmp_path):
    reported = ("reported", "care_mi", "--out")
    assert main([*reported, str(tmp_path / "r.JSON")]) == 0
    json.loads((tmp_path / "r.JSON").read_text(encoding="utf-8"))
    for name, form in (("r.md", "markdown"), ("r.tex", "latex"), ("r.txt", "text"), ("r", "text")):
        assert main([*reported, str(tmp_path / name)]) == 0
        assert main([*reported, str(tmp_path / "stated"), "--to", form]) == 0
        assert (tmp_path / name).read_bytes() == (tmp_path / "stated").read_bytes()
    assert main([*reported, str(tmp_path / "r.json"), "--to", "text"]) == 0  # what is said goes before the name
    assert (tmp_path / "r.json").read_bytes() == (tmp_path / "r.txt").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (("reported", "care_mi"), "r.xlsx"),
        (("reported", "care_mi", "--to", "text"), "r.html"),
        (("prompts", "care_mi", "--data", "mini", "--to", "chat"), "p.xlsx"),
        (("prompts", "care_mi", "--data", "mini"), "p.html"),
        (("prompts", "care_mi", "--data", "mini", "--to", "chat"), "p.csv"),
        (("prompts", "care_mi", "--data", "mini", "--to", "sheet"), "p.jsonl"),
        *((("reported", "care_mi"), f"r.{one}") for one in ("csv", "tsv", "pdf", "docx", "xls", "htm", "jsonl")),
    ],
)
def test_a_name_that_promises_another_form_is_refused(arguments, name, tmp_path, capsys):
    out = tmp_path / name
    assert main([*arguments, "--out", str(out)]) == 2
    error = capsys.readouterr().err
    assert f"what is written here is no .{name.rpartition('.')[2]}" in error
    assert "did you mean" not in error
    assert not out.exists()


@pytest.mark.parametrize("command", [("score", "care_mi", "x.jsonl"), ("compare", "a", "b")])
def test_items_are_lines_of_json(command, tmp_path, capsys):
    items = tmp_path / "it.xlsx"
    assert main([*command, "--items", str(items)]) == 2
    assert "field --items: what is written here is no .xlsx; expected .jsonl" in capsys.readouterr().err
    assert not items.exists()


def test_a_workbook_needs_no_form(tmp_path):
    asked = ["prompts", "care_mi", "--data", "mini", "--out"]
    for name in ("p.csv", "p.xlsx", "p.jsonl"):
        assert main([*asked, str(tmp_path / name), "-q"]) == 0
    rows = list(openpyxl.load_workbook(tmp_path / "p.xlsx").active.iter_rows(values_only=True))
    lines = (tmp_path / "p.jsonl").read_text(encoding="utf-8").splitlines()
    assert [row[0] for row in rows[1:]] == [json.loads(line)["id"] for line in lines]
    assert (tmp_path / "p.csv").read_text(encoding="utf-8-sig").startswith("id,")
