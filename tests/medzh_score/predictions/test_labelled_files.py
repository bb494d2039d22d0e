"""Files of several models: the label before the sign says whose answers they are."""

from __future__ import annotations

import json

import pytest
from uncoded import uncoded

from medzh_score.command_line import main
from medzh_score.messages.errors import MedzhError
from medzh_score.predictions.labelled_files import by_label, split_label

MODELS = ("predictions", "predictions-second")


def test_files_of_one_label_are_one_set():
    assert by_label("--after", ["a=1.jsonl", "b=2.jsonl", "a=3.jsonl"]) == {
        "a": ["1.jsonl", "3.jsonl"],
        "b": ["2.jsonl"],
    }
    assert by_label("--after", ["1.jsonl", "-"]) == {"": ["1.jsonl", "-"]}


def test_what_exists_under_the_whole_name_has_no_label(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lr=3.jsonl").write_text("{}", encoding="utf-8")
    assert split_label("lr=3.jsonl") == ("", "lr=3.jsonl")
    assert split_label("lr=4.jsonl") == ("lr", "4.jsonl")
    assert split_label("runs/lr=4.jsonl") == ("", "runs/lr=4.jsonl")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a=1.jsonl", "2.jsonl"], "some files have a label and others none"),
        (["a="], "is blank before or after its sign"),
        (["=1.jsonl"], "is blank before or after its sign"),
    ],
)
def test_labels_that_say_nothing_are_refused(names, message):
    with pytest.raises(MedzhError, match=message):
        by_label("--after", names)


def labelled_sheet(care_mi_build, care_mi_sample, capfdbinary):
    """Give the files of two models by their labels, one as a pattern, and a sheet about both."""
    files = [f"{model}={care_mi_sample / model}*.jsonl" for model in MODELS]
    files[0] = f"predictions={care_mi_sample / 'predictions.jsonl'}"
    asked = ["prompts", "care_mi", "--round", "correctness", "--after", *files, "--data", str(care_mi_build)]
    assert main([*asked, "--to", "sheet"]) == 0
    return files, capfdbinary.readouterr().out.decode("utf-8-sig")


def test_examples_to_train_on_are_of_the_models_that_labels_name(care_mi_build, care_mi_sample, tmp_path, capfdbinary):
    files, sheet = labelled_sheet(care_mi_build, care_mi_sample, capfdbinary)
    path, out = tmp_path / "filled.csv", tmp_path / "train.jsonl"
    path.write_text(sheet.replace(",,\r\n", ",0.5,甲\r\n"), encoding="utf-8", newline="")
    words = ["judge-data", "care_mi", *reversed(files), "--data", str(care_mi_build), "--round", f"correctness={path}"]
    assert main([*words, "--test-model", "predictions-second", "--out", str(out)]) == 0
    examples = list(map(json.loads, out.read_text(encoding="utf-8").splitlines()))
    scored = [one for one in examples if one["label_from"] == "people"]
    texts = {}
    for model in MODELS:
        lines = (care_mi_sample / f"{model}.jsonl").read_text(encoding="utf-8").splitlines()
        texts[model] = {line["id"]: line["prediction"] for line in map(json.loads, lines)}
    assert {one["answered_by"] for one in scored} == set(MODELS)
    assert len(scored) == 54
    for one in scored:
        assert texts[one["answered_by"]][one["id"]] in one["text"]
        assert (one["model_disjoint"] == "test") == (one["answered_by"] == "predictions-second")


def test_scores_without_codes_do_not_say_which_models_answers_they_judge(
    care_mi_build, care_mi_sample, tmp_path, capfdbinary
):
    files, _ = labelled_sheet(care_mi_build, care_mi_sample, capfdbinary)
    words = ["judge-data", "care_mi", *files, "--data", str(care_mi_build), "--out", str(tmp_path / "train.jsonl")]
    sheet = uncoded(care_mi_sample / "ratings-correctness.csv", tmp_path)
    assert main([*words, "--round", f"correctness={sheet}"]) == 2
    assert b"58 values do not say which model's answers they judge" in capfdbinary.readouterr().err
    # What the message says to do where a sheet numbers the files as runs.
    plain = [file.partition("=")[2] for file in files]
    ratings = [f"correctness={care_mi_sample / f'ratings-correctness{name}.csv'}" for name in ("", "-second")]
    words = ["judge-data", "care_mi", *plain, "--file-per-run", *words[4:]]
    assert main([*words, "--round", ratings[0], "--round", ratings[1]]) == 0
    assert b"54 scored answers" in capfdbinary.readouterr().err
