"""A private benchmark from a workbook: columns by name, kinds by content, and the way from new to a score."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from openpyxl import Workbook

from dataset_scripts.building.workbook import questions_from
from dataset_scripts.cli.main import main
from medzh_score.ui.errors import MedzhError

HEAD = ["序号", "题目", "选项A", "选项 B", "Ｃ", "D", "答案", "解析"]
ROWS = [
    [1, "治疗缺铁性贫血首选的药物是", "维生素B12", "叶酸", "硫酸亚铁", "维生素C", "Ｃ", "补铁"],
    [2, "测血压最常用的部位是", "上臂", "手指", "踝部", "颈部", "上臂", None],
    [3, "链霉素的典型不良反应是", "牙齿黄染", "便秘", "耳毒性", None, "c", None],
]


def book(path, rows):
    made = Workbook()
    for row in rows:
        made.active.append(row)
    made.save(path)
    return path


def test_it_is_built_installed_and_scored_without_a_network(tmp_path):
    source = book(tmp_path / "q.xlsx", [HEAD, *ROWS])
    assert main(["new", "icu", "--from", str(source), "--output", str(tmp_path / "own")]) == 0
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--target", tmp_path / "site", tmp_path / "own"], check=True)
    assert (tmp_path / "site" / "icu_bench" / "mini.jsonl").is_file()
    assert not list((tmp_path / "site").rglob("*.secret")) + list((tmp_path / "site").rglob("icu.jsonl"))

    def run(*words):
        environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site"), "PYTHONUTF8": "1"}
        done = subprocess.run(
            [sys.executable, "-m", *map(str, words)], cwd=tmp_path, env=environment, check=True, capture_output=True
        )
        return done.stdout.decode()

    own = tmp_path / "own" / "icu_bench" / "icu.jsonl"
    assert "test 3 records" in run("dataset_scripts", "build", "icu", "--recipe", "official", "--source", own)
    run("medzh_score", "prompts", "icu", "--output", "p.jsonl")
    prompts = [json.loads(line) for line in (tmp_path / "p.jsonl").read_text(encoding="utf-8").splitlines()]
    answers = {"缺铁": "C", "血压": "B", "链霉素": "C"}  # the second one is wrong
    said = [
        {"id": one["id"], "prediction": letter}
        for one in prompts
        for word, letter in answers.items()
        if word in one["messages"][0]["content"]
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(one) + "\n" for one in said), encoding="utf-8")
    report = json.loads(run("medzh_score", "score", "icu", "a.jsonl", "--to", "json", "--quiet"))
    assert report["metrics"]["accuracy"]["value"] == pytest.approx(200 / 3)
    assert report["private"] is True


def test_options_and_answers_are_read_as_people_write_them(tmp_path):
    kind, rows = questions_from(book(tmp_path / "q.xlsx", [HEAD, *ROWS]))
    assert kind == "letters"
    assert [(one["options"], one["answer"]) for one in rows] == [
        (["维生素B12", "叶酸", "硫酸亚铁", "维生素C"], "C"),
        (["上臂", "手指", "踝部", "颈部"], "A"),
        (["牙齿黄染", "便秘", "耳毒性"], "C"),
    ]
    assert rows[0]["explanation"] == "补铁"


@pytest.mark.parametrize(
    ("rows", "kind", "answers"),
    [
        ([["question", "A", "B", "C", "answer"], ["q", "x", "y", "z", "C、A"]], "several", ["AC"]),
        ([["题干", "选项", "正确答案"], ["q", "A．舌\nB．目", "目"]], "letters", ["B"]),
        ([["题目", "答案"], ["甲", "正确"], ["乙", "×"]], "true-false", ["对", "错"]),
        ([["题目", "参考答案"], ["甲", "多喝水"]], "open", ["多喝水"]),
    ],
)
def test_the_kind_follows_from_columns_and_answers(tmp_path, rows, kind, answers):
    found, records = questions_from(book(tmp_path / "q.xlsx", rows))
    assert (found, [one["answer"] for one in records]) == (kind, answers)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["题目", "A", "B"], ["q", "x", "y"]], "q.xlsx:1: a column is missing: answer"),
        ([["题目", "A", "B", "答案"], ["q", "x", "y", "D"]], 'q.xlsx:2: field "answer": the answer is not an option'),
        (
            [["题目", "A", "B", "答案"], ["q", "x", None, "A"]],
            'q.xlsx:2: field "options": the options are incomplete or repeated',
        ),
        ([["题目", "A", "B", "答案"], [None, "x", "y", "A"]], 'q.xlsx:2: field "question": the cell is blank'),
        ([["题目", "问题", "答案"], ["q", "q", "A"]], "two columns have the same meaning"),
        ([["题目", "答案"]], "the file contains no questions"),
    ],
)
def test_what_is_missing_is_named_with_its_row(tmp_path, rows, message):
    with pytest.raises(MedzhError, match=message):
        questions_from(book(tmp_path / "q.xlsx", rows))


def test_columns_that_are_not_used_are_named(tmp_path, capsys):
    source = book(tmp_path / "q.xlsx", [HEAD, *ROWS])
    assert main(["new", "icu", "--from", str(source), "--output", str(tmp_path / "own")]) == 0
    assert "q.xlsx: unused columns: 序号" in capsys.readouterr().err
