"""What a person put into the outbox, or filled in there, is never taken away."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sheet_files import save_sheet, sheet_rows
from simulated import as_native, prompts_in

from medzh_score.command_line import main

SHEET = "outbox/sheets/sdak--reason--a.csv"


@pytest.fixture
def suite(tmp_path, minis):
    """Give a suite of two models, of which one is whole and is to be judged by a person."""
    folder = tmp_path / "suite"
    plan = ["--models", "a", "b", "--configs", "sdak", "--judge", "reason=lin", "--data", str(minis)]
    assert main(["suite", "plan", str(folder), *plan, "--quiet"]) == 0
    assert main(["suite", "prompts", str(folder), "--quiet"]) == 0
    file = as_native(prompts_in(folder / "outbox/a/sdak--answer.jsonl"), "a", tmp_path)
    assert main(["suite", "add", str(folder), str(file), "--quiet"]) == 0
    return folder


def below(suite):
    return {path.relative_to(suite).as_posix(): path.read_bytes() for path in suite.rglob("*") if path.is_file()}


def filled(path):
    text = path.read_text(encoding="utf-8")
    rows = [row | {"factual_supported": "yes", "counterfactual_supported": "no"} for row in sheet_rows(text)]
    return save_sheet(path, rows)


def test_what_was_written_gives_way_and_what_a_person_put_there_stays(suite):
    (suite / "outbox/mine.txt").write_text("mine")
    assert main(["suite", "prompts", str(suite), "--quiet"]) == 0
    assert {name for name in below(suite) if name.startswith("outbox/")} == {
        "outbox/b/sdak--answer.jsonl",
        "outbox/mine.txt",
    }
    assert main(["suite", "prompts", str(suite), "--to", "sheet", "--quiet"]) == 0
    assert {name for name in below(suite) if name.startswith("outbox/")} == {SHEET, "outbox/mine.txt"}


@pytest.mark.parametrize("form", ["chat", "sheet"])
def test_a_sheet_that_was_filled_in_where_it_was_written_is_named_and_nothing_changes(suite, capsys, form):
    assert main(["suite", "prompts", str(suite), "--to", "sheet", "--quiet"]) == 0
    sheet = filled(suite / SHEET)
    before = below(suite)
    assert main(["suite", "prompts", str(suite), "--to", form]) == 2
    assert f"{SHEET}: is not as it was written to be sent, and would be lost" in capsys.readouterr().err
    assert below(suite) == before
    sheet.rename(suite / "filled.csv")
    assert main(["suite", "prompts", str(suite), "--to", form]) == 0


def test_a_file_that_stands_where_another_is_to_be_written_is_named_and_stays(suite, capsys):
    (suite / SHEET).parent.mkdir(parents=True)
    (suite / SHEET).write_text("mine")
    before = below(suite)
    assert main(["suite", "prompts", str(suite), "--to", "sheet"]) == 2
    assert f"{SHEET}: is not as it was written" in capsys.readouterr().err
    after = below(suite)
    assert {name: after[name] for name in before if name != "sources.jsonl"} == {
        name: before[name] for name in before if name != "sources.jsonl"
    }


def test_what_a_kill_left_half_exchanged_is_known_as_written(suite, monkeypatch):
    unlink = Path.unlink

    def killed(path, **options):
        if path.is_relative_to(suite / "outbox"):
            raise KeyboardInterrupt
        unlink(path, **options)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", killed)
        assert main(["suite", "prompts", str(suite), "--to", "sheet", "--quiet"]) != 0
    written = [json.loads(line)["name"] for line in (suite / "outbox.jsonl").read_text().splitlines()]
    assert written == ["a/sdak--answer.jsonl", "b/sdak--answer.jsonl", SHEET.removeprefix("outbox/")]
    assert main(["suite", "prompts", str(suite), "--to", "sheet", "--quiet"]) == 0
    assert {name for name in below(suite) if name.startswith("outbox/")} == {SHEET}


def test_a_package_takes_no_filled_sheet_away(suite, tmp_path, capsys):
    assert main(["suite", "prompts", str(suite), "--to", "sheet", "--quiet"]) == 0
    assert main(["suite", "pack", str(suite), "--prompts", "--out", str(tmp_path / "in.zip"), "--quiet"]) == 0
    assert main(["suite", "add", str(tmp_path / "inside"), str(tmp_path / "in.zip"), "--quiet"]) == 0
    filled(tmp_path / "inside" / SHEET)
    before = below(tmp_path / "inside")
    assert main(["suite", "add", str(tmp_path / "inside"), str(tmp_path / "in.zip")]) == 2
    assert f"{SHEET}: is not as it was written" in capsys.readouterr().err
    assert below(tmp_path / "inside") == before
