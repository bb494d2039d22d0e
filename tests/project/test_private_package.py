"""The package that the manual prints works as it stands there, with no edit in this tree."""

from __future__ import annotations

import json
import os
import re

import pytest
from installed import install
from places import ROOT
from simulated import write_lines

GUIDE = ROOT / "docs" / "en" / "private.md"
PRINTED = re.compile(r"^`(?P<path>[\w./-]+)`[^`\n]*[:,][^#]*?^```\w+\n(?P<content>.*?)^```$", re.MULTILINE | re.DOTALL)
FILES = {
    "pyproject.toml",
    "triage_bench/scoring.py",
    "triage_bench/building.py",
    "triage_bench/triage.schema.json",
    "triage_bench/triage.md.jinja",
    "triage_bench/sources.toml",
}
PLACES = ["急诊", "门诊", "门诊", "急诊", "门诊"]
# Right, right, wrong, unreadable, right: 3 of 5; of 急诊 1 of 2, of 门诊 2 of 3. Counted by hand.
RESPONSES = ["急诊。胸痛不能等。", "门诊即可。", "急诊，以防万一。", "建议尽快就医。", "门诊"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Write the files that the guide prints, and the metadata that pip would write."""
    folder = tmp_path_factory.mktemp("site")
    printed = {match["path"]: match["content"] for match in PRINTED.finditer(GUIDE.read_text(encoding="utf-8"))}
    assert set(printed) == FILES
    for path, content in {**printed, "triage_bench/__init__.py": ""}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, encoding="utf-8")
    return install(folder)


@pytest.fixture(scope="module")
def run(installed, tmp_path_factory, forked):
    """Give a function that runs a module with the private package on the path, in a folder of its own."""
    folder = tmp_path_factory.mktemp("work")
    environment = {
        **os.environ,
        "PYTHONPATH": str(installed),
        "MEDZH_SOURCES": str(folder / "cache"),
        "PYTHONUTF8": "1",
    }

    def run(*words, status=0):
        done = forked("-m", *words, cwd=folder, env=environment)
        assert done.returncode == status, done.stderr
        return done.stdout + done.stderr

    run.folder = folder
    lines = [{"number": number, "complaint": f"主诉{number}", "place": place} for number, place in enumerate(PLACES)]
    write_lines(folder / "own.jsonl", lines)
    write_lines(
        folder / "predictions.jsonl",
        [{"id": f"triage-{number:04d}", "prediction": text} for number, text in enumerate(RESPONSES)],
    )
    run.built = run("dataset_scripts", "build", "triage", "--recipe", "official", "--source", "own.jsonl")
    return run


def test_it_conforms(run):
    words = ("dataset_scripts", "check-config", "triage", "--data", "build/medzh")
    assert run(*words) == "triage: all checks passed\n"


def test_it_is_built_and_checked(run):
    assert "triage official: test 5 records" in run.built
    assert "no problems found" in run("dataset_scripts", "check", "build/medzh")


def test_its_card_has_its_section_and_says_that_the_file_is_not_the_pinned_one(run):
    card = (run.folder / "build" / "medzh" / "README.md").read_text(encoding="utf-8")
    assert "5 complaints, each with the place that the department chose." in card
    assert "| `complaint` | string | What the patient says. |" in card
    assert "NOT verified against a pinned file" in card


def test_its_sources_are_listed(run):
    assert "triage" in run("dataset_scripts", "fetch", "--list", "triage")


def test_its_prompts_are_written(run):
    run("medzh_score", "prompts", "triage", "--output", "prompts.jsonl")
    first = json.loads((run.folder / "prompts.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert first["id"] == "triage-0000"
    assert first["messages"][0]["content"].startswith("患者主诉：主诉0\n")


def test_its_predictions_are_scored(run):
    run("medzh_score", "prompts", "triage", "--output", "sent.jsonl")
    options = ("--prompts", "sent.jsonl", "--to", "json", "--output", "report.json", "--items", "items.jsonl")
    run("medzh_score", "score", "triage", "predictions.jsonl", *options)
    report = json.loads((run.folder / "report.json").read_text(encoding="utf-8"))
    assert report["metrics"]["accuracy"]["value"] == pytest.approx(60)
    by_place = {place: named["accuracy"]["value"] for place, named in report["groups"]["answer"].items()}
    assert by_place == {"急诊": pytest.approx(50), "门诊": pytest.approx(200 / 3)}
    assert report["coverage"]["unparsed"] == 1
    assert report["signature"]["prompt"] == "ours-zh-1"
    assert re.fullmatch(r"start-1\+[0-9a-f]{8}", report["signature"]["rule"])
    items = [json.loads(line) for line in (run.folder / "items.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [item["right"] for item in items] == [True, True, False, False, True]


def test_a_missing_prediction_is_skipped_or_wrong_as_asked(run):
    lines = (run.folder / "predictions.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (run.folder / "four.jsonl").write_text("".join(lines[:4]), encoding="utf-8")
    expected = {"wrong": 40, "skip": 50}  # 2 right of 5, and of 4
    for missing, value in expected.items():
        text = run("medzh_score", "score", "triage", "four.jsonl", "--missing", missing, "--to", "json", "--quiet")
        assert json.loads(text)["metrics"]["accuracy"]["value"] == pytest.approx(value)


def test_it_stands_beside_the_configs_of_this_tree(run):
    table = run("medzh_score", "configs")
    assert "triage" in table
    assert "sdak" in table
    run("dataset_scripts", "build", "sdak", "--recipe", "mini")
    text = run("dataset_scripts", "check", "build/medzh")
    assert text.count("no problems found") == 2


def test_without_facts_of_a_paper_reported_says_so(run):
    assert "paper.json" in run("medzh_score", "published", "triage", status=2)
