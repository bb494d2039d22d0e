"""What a person put into the outbox, or filled in there, is never taken away."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sheet_files import save_sheet, sheet_rows
from simulated import as_native, prompts_in

from medzh_score.cli.main import main

SHEET = "outbox/sheets/sdak--reason--a.csv"


@pytest.fixture
def suite(tmp_path, minis):
    """Give a suite of two models, of which one is whole and is to be judged by a person."""
    folder = tmp_path / "suite"
    plan = ["--models", "a", "b", "--configs", "sdak", "--judge", "reason=lin", "--data", str(minis)]
    assert main(["suite", "plan", str(folder), *plan, "--quiet"]) == 0
    assert main(["suite", "prompts", str(folder), "--quiet"]) == 0
    file = as_native(prompts_in(folder / "outbox/_shared/sdak--answer.jsonl"), "a", tmp_path)
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
    assert main(["suite", "prompts", str(suite), "--to", "csv", "--quiet"]) == 0
    assert {name for name in below(suite) if name.startswith("outbox/")} == {SHEET, "outbox/mine.txt"}


@pytest.mark.parametrize("form", ["chat", "csv"])
def test_a_sheet_that_was_filled_in_where_it_was_written_is_named_and_nothing_changes(suite, capsys, form):
    assert main(["suite", "prompts", str(suite), "--to", "csv", "--quiet"]) == 0
    sheet = filled(suite / SHEET)
    before = below(suite)
    assert main(["suite", "prompts", str(suite), "--to", form]) == 2
    changed = "the file has changed since it was written, and the changes would be lost"
    assert f"{SHEET}: {changed}" in capsys.readouterr().err
    assert below(suite) == before
    sheet.rename(suite / "filled.csv")
    assert main(["suite", "prompts", str(suite), "--to", form]) == 0


def test_a_file_that_stands_where_another_is_to_be_written_is_named_and_stays(suite, capsys):
    (suite / SHEET).parent.mkdir(parents=True)
    (suite / SHEET).write_text("mine")
    before = below(suite)
    assert main(["suite", "prompts", str(suite), "--to", "csv"]) == 2
    assert f"{SHEET}: the file has changed since it was written" in capsys.readouterr().err
    after = below(suite)
    assert {name: after[name] for name in before if name != "prompts/plan.lock"} == {
        name: before[name] for name in before if name != "prompts/plan.lock"
    }


def test_what_a_kill_left_half_exchanged_is_known_as_written(suite, monkeypatch):
    unlink = Path.unlink

    def killed(path, **options):
        if path.is_relative_to(suite / "outbox"):
            raise KeyboardInterrupt
        unlink(path, **options)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", killed)
        assert main(["suite", "prompts", str(suite), "--to", "csv", "--quiet"]) != 0
    written = json.loads((suite / "outbox.json").read_text())
    assert list(written) == ["_shared/sdak--answer.jsonl", SHEET.removeprefix("outbox/")]
    assert main(["suite", "prompts", str(suite), "--to", "csv", "--quiet"]) == 0
    assert {name for name in below(suite) if name.startswith("outbox/")} == {SHEET}


def test_models_that_are_asked_alike_share_a_file_until_one_of_them_lacks_less(tmp_path, minis, capsys):
    suite = tmp_path / "suite"
    models = ["--models", "a", "b", "c", "text"]
    assert main(["suite", "plan", str(suite), *models, "--configs", "sdak", "--data", str(minis), "--quiet"]) == 0
    plan = suite / "plan.toml"
    text = plan.read_text("utf-8").replace('label = "c"\n', 'label = "c"\nsystem = "您是医生。"\n')
    plan.write_text(text.replace('label = "text"\nform = "chat"', 'label = "text"\nform = "text"'), "utf-8")
    prompts, own = suite / "prompts/sdak/answer.jsonl", suite / "prompts/sdak/answer--c.jsonl"
    capsys.readouterr()
    assert main(["suite", "prompts", str(suite)]) == 0
    said = capsys.readouterr().err
    shared = "outbox/_shared/sdak--answer.jsonl"
    assert outgoing(suite) == {shared: prompts.read_bytes(), "outbox/c/sdak--answer.jsonl": own.read_bytes()}
    assert f"{shared} for a, b: {len(prompts_in(prompts))} calls each, " in said
    assert "Models with a different format (use --to text): text\n" in said
    assert main(["suite", "prompts", str(suite), "--to", "text"]) == 0
    assert "Models with a different format (use --to chat): a, b, c\n" in capsys.readouterr().err
    assert list(outgoing(suite)) == ["outbox/text/sdak--answer.jsonl"]
    half = as_native(prompts_in(prompts)[:5], "b", tmp_path)
    assert main(["suite", "add", str(suite), str(half), "--quiet"]) == 0
    assert main(["suite", "prompts", str(suite), "--quiet"]) == 0
    rest = b"".join(prompts.read_bytes().splitlines(keepends=True)[5:])
    assert outgoing(suite) == {
        "outbox/a/sdak--answer.jsonl": prompts.read_bytes(),
        "outbox/b/sdak--answer.jsonl": rest,
        "outbox/c/sdak--answer.jsonl": own.read_bytes(),
    }


def test_judges_that_are_asked_alike_share_a_file_of_each_model(tmp_path, minis):
    suite = tmp_path / "suite"
    judges = ["--judge", "correctness=a", "--judge", "correctness=b", "--judge", "interpretability=j"]
    plan = ["--models", "a", "b", "--configs", "care_mi", *judges, "--data", str(minis), "--quiet"]
    assert main(["suite", "plan", str(suite), *plan]) == 0
    for model in ("a", "b"):
        answers = as_native(prompts_in(suite / "prompts/care_mi/answer.jsonl"), model, tmp_path / model)
        assert main(["suite", "add", str(suite), str(answers), "--quiet"]) == 0
    assert main(["suite", "prompts", str(suite), "--quiet"]) == 0
    places = {path.stem: path.read_bytes() for path in suite.glob("prompts/care_mi/*.jsonl") if path.stem != "answer"}
    assert set(outgoing(suite).values()) == set(places.values())
    assert len(outgoing(suite)) == len(places)


def outgoing(suite):
    return {name: content for name, content in sorted(below(suite).items()) if name.startswith("outbox/")}
