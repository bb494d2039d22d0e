"""What judge models of CARE-MI are trained on: labels as people gave them, and nothing of the test in the training."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from tool_runs import lines_of

from medzh_score.benchmark.judging import cut, majority
from medzh_score.command_line import main
from medzh_score.text.folding import fold

MODELS = ("predictions", "predictions-second")


@pytest.fixture
def export(care_mi_build, care_mi_sample, tmp_path, capsys):
    """Give a function that writes training data of both samples, and gives the lines and what was said."""

    def call(*options, aspects=("correctness",), files=None):
        files = files or [care_mi_sample / f"{model}.jsonl" for model in MODELS]
        out = tmp_path / "out.jsonl"
        words = ["judge-data", "care_mi", *files, "--file-per-run", "--data", care_mi_build, "--out", out, *options]
        for aspect in aspects:
            for name in ("", "-second"):
                words += ["--round", f"{aspect}={care_mi_sample / f'ratings-{aspect}{name}.csv'}"]
        status = main(list(map(str, words)))
        captured = capsys.readouterr()
        assert status == 0, captured.err
        return lines_of(out), captured.err.splitlines()

    return call


def test_statements_and_scored_answers_are_examples(export, care_mi_rows, care_mi_sample):
    """Source: the sample's files: 28 questions, 28 and 26 scored answers."""
    lines, said = export()
    by_kind = {}
    for line in lines:
        by_kind.setdefault(line["answered_by"], []).append(line)
    assert {kind: len(some) for kind, some in by_kind.items()} == {
        "true statement": 28,
        "false statement": 28,
        "predictions": 28,
        "predictions-second": 26,
    }
    assert {line["label"] for line in by_kind["true statement"]} == {1}
    assert {line["label"] for line in by_kind["false statement"]} == {0}
    assert said[0] == "correctness: 54 scored answers and 56 statements, all evidence"
    by_id = {row["id"]: row for row in care_mi_rows}
    for line in by_kind["false statement"]:
        row = by_id[line["id"]]
        assert line["text"] == (
            "Given question and evidence, judge if the following answer is correct:\n"
            f"Question: {row['question']}\nEvidences: {''.join(row['evidence'])}\n"
            f"Answer: {row['false_statement']}\nYour judgement:"
        )
    sheet = (care_mi_sample / "ratings-correctness.csv").read_text(encoding="utf-8-sig").splitlines()[1:]
    given = {}
    for item, _, number, who in (line.split(",") for line in sheet):
        given.setdefault(item, {})[who] = Fraction(number)
    for line in by_kind["predictions"]:
        mine = given[line["id"]]
        assert line["label"] == float(mine.get("arbiter", (mine["甲"] + mine["乙"]) / 2))
        assert line["label_from"] == "people"
    assert "model_disjoint" not in lines[0]


@pytest.mark.parametrize("options", [(), ("--seed", "7"), ("--share", "0.4"), ("--evidence", "20")])
def test_no_question_statement_or_context_leaks_between_questions(export, care_mi_rows, options):
    lines, _ = export(*options)
    by_id = {row["id"]: row for row in care_mi_rows}
    texts = {"train": set(), "test": set()}
    for line in lines:
        row = by_id[line["id"]]
        if line["question_disjoint"] != "unused":
            texts[line["question_disjoint"]] |= {
                fold(row[name]) for name in ("question", "context", "true_statement", "false_statement") if row[name]
            }
    assert texts["test"]
    assert texts["train"].isdisjoint(texts["test"])
    tested = {line["id"] for line in lines if line["question_disjoint"] == "test"}
    assert all(line["label_from"] == "people" for line in lines if line["question_disjoint"] == "test")
    assert all(
        line["question_disjoint"] == "unused"
        for line in lines
        if line["id"] in tested and line["label_from"] == "statement"
    )
    share = 0.4 if "0.4" in options else 0.2
    assert share * 28 <= len(tested) <= share * 28 + 2


def test_no_answer_of_a_test_model_leaks_between_models(export, care_mi_sample, tmp_path):
    """One answer of the second model is made equal to the first's, word for word."""
    first = (care_mi_sample / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    second = (care_mi_sample / "predictions-second.jsonl").read_text(encoding="utf-8").splitlines()
    copied = tmp_path / "copied.jsonl"
    copied.write_text("\n".join([first[0], *second[1:]]), encoding="utf-8")
    files = [care_mi_sample / "predictions.jsonl", copied]
    lines, said = export("--test-model", "predictions", files=files)
    sides = {}
    for line in lines:
        sides.setdefault(line["model_disjoint"], []).append(line)
    assert {line["answered_by"] for line in sides["test"]} == {"predictions"}
    assert {line["answered_by"] for line in sides["train"]} == {"copied", "true statement", "false statement"}
    assert {line["text"] for line in sides["train"]}.isdisjoint(line["text"] for line in sides["test"])
    (unused,) = sides["unused"]
    assert (unused["id"], unused["answered_by"]) == (json.loads(first[0])["id"], "copied")
    right = sum(line["label"] >= 0.5 for line in sides["test"]) / len(sides["test"])
    most = 2 * sum(line["label"] >= 0.5 for line in sides["train"]) >= len(sides["train"])
    hits = right if most else 1 - right
    assert said[1] == (
        "correctness, model_disjoint (predictions): 81 train, 28 test, 1 unused; always saying "
        f"{'right' if most else 'wrong'}, as most of train is, hits {hits:.3f} of test"
    )


@pytest.mark.parametrize("characters", [0, 1, 30, 75, 10_000])
def test_evidence_is_cut_to_the_stated_length(export, care_mi_rows, characters):
    lines, said = export("--evidence", characters)
    by_id = {row["id"]: row for row in care_mi_rows}
    for line in lines:
        evidence = line["text"].split("Evidences: ", 1)[1].split("\nAnswer: ", 1)[0]
        assert evidence == "".join(by_id[line["id"]]["evidence"])[:characters]
    assert said[0].endswith(f"at most {characters:,} characters of evidence")


def test_both_aspects_and_the_released_wording(export):
    lines, said = export("--prompt", "released-1", aspects=("correctness", "interpretability"))
    assert len(lines) == 220
    assert {line["round"] for line in lines} == {"correctness", "interpretability"}
    assert all("某AI助手: " in line["text"] for line in lines)
    assert len(said) == 6
    assert [line.partition(": ")[2] for line in said[4:]] == [
        "read as native lines, run 0",
        "read as native lines, run 1",
    ]


def test_equal_input_gives_equal_bytes(export, tmp_path):
    export("--seed", "3", "--test-model", "predictions-second")
    first = (tmp_path / "out.jsonl").read_bytes()
    export("--seed", "3", "--test-model", "predictions-second")
    assert (tmp_path / "out.jsonl").read_bytes() == first


@pytest.mark.parametrize(
    ("config", "options", "message"),
    [
        ("care_mi", ["--test-model", "GPT-4"], "--test-model: has no answer that people scored"),
        ("care_mi", ["--prompt", "x"], "there is none of that name"),
        ("sdak", [], "has no judge models to train"),
    ],
)
def test_what_is_refused(config, options, message, care_mi_build, care_mi_sample, capsys):
    file, sheet = care_mi_sample / "predictions.jsonl", care_mi_sample / "ratings-correctness.csv"
    words = ["judge-data", config, file, "--data", care_mi_build, "--round", f"correctness={sheet}", *options]
    assert main(list(map(str, words))) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("share", ["0", "1", "-0.1", "x"])
def test_a_share_is_between_0_and_1(share, capsys):
    with pytest.raises(SystemExit):
        main(["judge-data", "care_mi", "p", "--round", "a=b", "--share", share])
    assert "--share" in capsys.readouterr().err


def test_paragraphs_are_cut_in_order():
    assert cut(["abc", "def", "g"], 4) == ["abc", "d"]
    assert cut(["abc", "def"], 3) == ["abc"]
    assert cut(["abc"], None) == ["abc"]
    assert cut(["abc"], 0) == []


def test_the_most_frequent_label():
    assert majority([0.5, 0.4]) is True
    assert majority([0.4, 0.4, 1]) is False
