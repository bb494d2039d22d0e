"""A set of predictions is of one model: the sets that would pool several, in every form that names one.

Source: the layouts are those that the tools write: lm_eval 0.4 (``loggers/evaluation_tracker.py``), OpenCompass and
EvalScope (``predictions/<model>/``), lighteval (``details/<model>/<date>/``).
"""

from __future__ import annotations

import json

import pytest
from answer_forms import (
    DATE,
    Came,
    asked_and_answered,
    batch_lines,
    evalscope_folder,
    evalscope_lines,
    inspect_log,
    inspect_log_as_a_whole,
    lighteval_details,
    lm_eval_samples,
    native_lines,
    opencompass_entries,
    sheet,
)
from places import SAMPLES
from simulated import write_lines

from medzh_score.benchmark.registry import find_config
from medzh_score.cli.main import main
from medzh_score.data.records import load_records
from medzh_score.render.report import rendered
from medzh_score.scoring.check import check
from medzh_score.scoring.pipeline import score
from medzh_score.ui.errors import MedzhError

ONE, OTHER = "org__model-7b", "org__model-7b-2026-01-31"
OPTIONS = {"bootstrap": 0, "missing": "wrong", "file_per_run": True}  # rounds of the same model have not come back


@pytest.fixture(scope="module")
def config():
    return find_config("sdak")


@pytest.fixture(scope="module")
def data(config, minis):
    return load_records(minis, config.name)


@pytest.fixture(scope="module")
def asked(config, data):
    return [Came(line["id"], line["messages"], texts[0]) for line, texts in asked_and_answered(config, data.rows)]


FORMS = (
    *(native_lines, sheet, batch_lines, inspect_log, inspect_log_as_a_whole, evalscope_lines, evalscope_folder),
    *(opencompass_entries, lm_eval_samples, lighteval_details),
)


def write(form, asked, model, folder):
    folder.mkdir(parents=True, exist_ok=True)
    return form(asked, folder, model)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
def test_files_of_two_models_are_no_runs_of_one(config, data, asked, form, tmp_path):
    """Three models with three runs each were pooled as nine runs of one, in every config."""
    first, second = (write(form, asked, model, tmp_path / name) for model, name in ((ONE, "a"), (OTHER, "b")))
    for label in (None, "mine"):
        with pytest.raises(MedzhError) as refused:
            score(config.name, [first, second], data, model=label, **OPTIONS)
        assert (refused.value.file, refused.value.field, refused.value.found) == (str(second), "model", OTHER)
        assert refused.value.line is not None
        assert f"expected {ONE}, as in {first}, line " in str(refused.value)
    checked = check(config.name, [first, second], data, file_per_run=True)
    assert (checked.status, str(checked.error)) == (2, str(refused.value))
    again = write(form, asked, ONE, tmp_path / "c")
    report = score(config.name, [first, again], data, **OPTIONS)
    assert (report.model, report.served_as, report.signature["runs"]) == (ONE, None, "2")
    assert not any("have no model name" in note for note in report.notes)


def test_failed_requests_and_blank_names_name_nobody(config, data, asked, tmp_path):
    lines = [{"id": one.id, "prediction": one.text, "model": ONE} for one in asked]
    failed = {"id": asked[0].id, "error": "timed out", "model": OTHER}
    lines[-1]["model"] = " "
    path = write_lines(tmp_path / "p.jsonl", [failed, *lines])
    report = score(config.name, path, data, bootstrap=0, missing="wrong")
    assert (report.model, report.coverage.missing) == (ONE, 0)


def test_files_that_name_nobody_are_noted_where_they_count_as_runs(config, data, asked, tmp_path):
    lines = [{"id": one.id, "prediction": one.text} for one in asked]
    paths = [write_lines(tmp_path / f"{name}.jsonl", lines) for name in "abc"]
    said = (
        "{} of 3 files that count as runs (such as {}.jsonl) have no model name. All files "
        "are treated as runs of one model."
    )
    report = score(config.name, paths, data, **OPTIONS)
    assert said.format(3, "a") in report.notes
    write_lines(paths[0], [{**line, "model": ONE} for line in lines])
    report = score(config.name, paths, data, model="mine", **OPTIONS)
    assert said.format(2, "b") in report.notes
    assert (report.model, report.served_as) == ("mine", ONE)
    # Parts of one set, and one file with several runs, are no files that count as runs.
    parts = [write_lines(tmp_path / "d.jsonl", lines[:1]), write_lines(tmp_path / "e.jsonl", lines[1:])]
    numbered = write_lines(tmp_path / "f.jsonl", [*lines, *({**line, "run": 1} for line in lines)])
    for files in (parts, numbered):
        notes = score(config.name, files, data, bootstrap=0, missing="wrong").notes
        assert not any("have no model name" in note for note in notes)


FOLDERS = {
    "of runs": (lm_eval_samples, "run-1", "run-2"),
    "of seeds": (opencompass_entries, "seed0", "seed1234"),
    "of times": (lm_eval_samples, "20260131_093000", "2026-02-01"),
    "of numbers": (evalscope_folder, "0", "1"),
}


@pytest.mark.parametrize(("form", "first", "second"), FOLDERS.values(), ids=FOLDERS)
def test_folders_into_which_people_sort_runs_name_nobody(form, first, second, data, config, asked, tmp_path):
    paths = [write(form, asked, name, tmp_path / name) for name in (first, second)]
    report = score(config.name, paths, data, **OPTIONS)
    assert report.model is None
    assert any("have no model name" in note for note in report.notes)


@pytest.mark.parametrize("other", ["Org/Model-7B", " org__model-7b ", "org:model-7b"])
def test_one_model_may_be_spelled_as_servers_and_tools_spell_it(other, config, data, asked, tmp_path):
    paths = [write(native_lines, asked, name, tmp_path / place) for place, name in (("a", ONE), ("b", other))]
    report = score(config.name, paths, data, **OPTIONS)
    assert report.model == ONE


@pytest.mark.parametrize("names", [("epoch-1", "epoch-2"), ("1000", "2000"), ("R1", "V3")])
def test_checkpoints_are_models(names, config, data, asked, tmp_path):
    paths = [write(lm_eval_samples, asked, name, tmp_path) for name in names]
    with pytest.raises(MedzhError, match=f"expected {names[0]}, as in"):
        score(config.name, paths, data, **OPTIONS)


@pytest.fixture
def hd_lines():
    sample = (SAMPLES / "cmhe_hd" / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in sample]


def test_a_folder_that_the_user_named_to_lm_eval_names_nobody(minis, hd_lines, tmp_path):
    """Given a file to write to, lm_eval makes no folder for the model, and its summary has that file's name."""
    samples = [
        {"doc_id": number, "doc": {"id": line["id"]}, "resps": [[line["prediction"]]]}
        for number, line in enumerate(hd_lines)
    ]
    path = write_lines(tmp_path / "mine" / f"samples_cmhe_hd_{DATE}.jsonl", samples)
    assert score("cmhe_hd", path, minis, bootstrap=0).model == "mine"
    for said, model in ((None, "mine"), ("org__m", "org__m"), ("", None)):
        write_lines(path.with_name(f"results_{DATE}.json"), [{} if said is None else {"model_name_sanitized": said}])
        assert score("cmhe_hd", path, minis, bootstrap=0).model == model
    path.with_name(f"results_{DATE}.json").rename(path.with_name(f"evening_{DATE}.json"))
    assert score("cmhe_hd", path, minis, bootstrap=0).model is None


@pytest.mark.parametrize(
    ("label", "named", "expected"),
    [
        (None, ONE, (ONE, None)),
        ("step-1000", ONE, ("step-1000", ONE)),
        (ONE, ONE, (ONE, None)),
        ("step-1000", None, ("step-1000", None)),
        (None, None, (None, None)),
    ],
)
def test_the_label_stands_first_and_the_served_name_beside_it(label, named, expected, minis, hd_lines, tmp_path):
    path = write_lines(tmp_path / "p.jsonl", [{**line, "model": named} for line in hd_lines])
    report = score("cmhe_hd", path, minis, bootstrap=0, model=label)
    assert (report.model, report.served_as) == expected
    plain = json.loads(report.as_json())
    assert (plain["model"], plain["served_as"], plain["arguments"]["model"]) == (*expected, label)
    for form in ("text", "markdown", "latex"):
        shown = rendered(report, form, full=True).replace(r"\_", "_")
        assert ("served as" in shown) == (expected[1] is not None)
        assert expected[1] is None or f"Model: step-1000, served as {ONE}" in shown
    assert report.signature == score("cmhe_hd", path, minis, bootstrap=0).signature


def test_a_round_that_is_one_models_is_not_answered_by_two(minis, tmp_path, capsys):
    """Explanations of one model and choices of two would be a familiarity of nobody."""
    sample = (SAMPLES / "cmhe_ce" / "choose.jsonl").read_text(encoding="utf-8").splitlines()
    lines = [{**json.loads(line), "model": ONE} for line in sample]
    lines[3]["model"] = OTHER
    chosen = write_lines(tmp_path / "choose.jsonl", lines)
    first = SAMPLES / "cmhe_ce" / "predictions.jsonl"
    assert main(["score", "cmhe_ce", str(first), "--data", str(minis), "--stage", f"choose={chosen}"]) == 2
    assert (
        'choose.jsonl:4: field "model": the model differs from that of earlier predictions, but one set of predictions '
        "must be from one model"
    ) in capsys.readouterr().err


AFTER = {"sdak": "reason", "cmhe_dd": "codes", "care_mi": "correctness", "pemebench": "hallucination"}


@pytest.mark.parametrize("name", AFTER)
def test_a_round_after_answers_of_two_models_is_refused(name, minis, tmp_path, capsys):
    """Its prompts would be judged as if one model had answered."""
    sample = (SAMPLES / name / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    paths = [
        write_lines(
            tmp_path / f"{model}.jsonl",
            ({**json.loads(line), "model": model} for line in sample if '"run"' not in line),
        )
        for model in (ONE, OTHER)
    ]
    given = ["--predictions", *map(str, paths), "--file-per-run", "--data", str(minis)]
    assert main(["prompts", name, "--stage", AFTER[name], *given, "--output", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert f"{paths[1]}:" in said
    assert f"expected {ONE}, as in {paths[0]}, line " in said
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("label", ["", " ", "\u3000"])
def test_a_blank_label_is_refused(minis, label):
    """It would stand where a system's name is looked for."""
    predictions = SAMPLES / "cmhe_hd" / "predictions.jsonl"
    with pytest.raises(MedzhError, match="option --model: the value is blank: expected a system name"):
        score("cmhe_hd", predictions, minis, bootstrap=0, model=label)
