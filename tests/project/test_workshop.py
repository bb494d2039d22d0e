"""A benchmark of one's own: the promised names, ``new``, ``pin`` and PediaBench's objective questions as a package."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from installed import install
from places import ROOT

from dataset_scripts import authoring as building
from dataset_scripts.building.new import KINDS
from dataset_scripts.cli.main import main
from dataset_scripts.sources.registry import REGISTRY, read_sources
from medzh_score import authoring as scoring

PEDIABENCH = ROOT / "tests" / "packages" / "pediabench"
MOST_LINES = 300  # what the whole package may take
# What other packages rely on: a name is added here, and never goes without a line in CHANGELOG.md.
PROMISED = {
    scoring: """
        ANY_TEXT COUNTED ID LETTERS DEFAULT_RULE TEXT TEXTS TEXT_OR_NONE Answer AnswerTable Query PromptBuilder
        PromptSettings Config Holds OneItemPerRecord QuestionType ItemIndex MedzhError Metric PromptTemplate
        FilledPrompt Prompting Reporting
        Reading Reads JudgeSpec Stage Rule Screen Span Table
        asks_for_wrong one_query_per_record first_counted gold_letters
        gold_place lettered letters no_tables numbered one_a_record one_of open_config options package_file
        pairs question_config ratio read_diagnosis read_groups read_letters read_score read_verdict read_yes_no
        record_alone share true_false with_fields with_values""",
    building: """
        BuildTable Built CardMetadata Dataset Recipe SourceFile content_id dataset_of
        first_sheet from_records mini package_file read_array read_objects split_at_letters with_prompts with_table""",
}
COMMIT = "a8ac50aeab30f7fd898b696a35a2cd336b83c602"
# By the README of the upstream copies: statements, choice questions and groups of pairs that the workbooks hold.
STATEMENTS, CHOICES, GROUPS = 258, 3576, 283


@pytest.mark.parametrize("module", PROMISED, ids=lambda module: module.__name__)
def test_what_is_promised_is_there(module):
    assert set(PROMISED[module].split()) == set(module.__all__)
    assert all(hasattr(import_module(module.__name__), name) for name in module.__all__)


@pytest.fixture
def using(forked, tmp_path):
    """Give a function that runs a command with a package installed."""

    def run(folder, *words, status=0, sources="none"):
        environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONUTF8": "1", "MEDZH_SOURCES": str(sources)}
        done = forked("-m", *map(str, words), cwd=tmp_path, env=environment)
        assert done.returncode == status, done.stderr
        return done.stdout + done.stderr

    return run


@pytest.mark.parametrize("kinds", [(kind,) for kind in KINDS] + [KINDS[:-1]], ids="-".join)
def test_a_new_package_conforms_builds_and_scores_from_its_first_minute(kinds, using, tmp_path):
    folder = tmp_path / "own"
    assert main(["new", "ward", "--kind", *kinds, "--output", str(folder)]) == 0
    install(folder)
    assert using(folder, "dataset_scripts", "check-config", "ward") == "ward: all checks passed\n"
    count = 4 * len(kinds)
    assert f"test {count} records" in using(folder, "dataset_scripts", "build", "ward", "--recipe", "mini")
    assert "no problems found" in using(folder, "dataset_scripts", "check", "build/medzh")
    words = ("medzh_score", "score", "ward", folder / "predictions.jsonl", "--to", "json", "--quiet")
    report = json.loads(using(folder, *words))
    value = next(iter(report["metrics"].values()))["value"]
    if kinds != ("open",):  # all but one of its questions are answered rightly
        assert value == pytest.approx(100 * (count - 1) / count)
    own = folder / "ward_bench" / "mini.jsonl"
    words = ("dataset_scripts", "build", "ward", "--recipe", "official", "--source", own)
    assert f"ward official: test {count} records" in using(folder, *words)


def test_a_line_that_a_recipe_cannot_read_is_a_fault_of_the_package_or_its_source(using, tmp_path):
    folder = tmp_path / "own"
    assert main(["new", "ward", "--output", str(folder)]) == 0
    install(folder)
    (tmp_path / "own.jsonl").write_text('{"options": ["肝", "脾"], "answer": "A"}\n', encoding="utf-8")
    words = ("dataset_scripts", "build", "ward", "--recipe", "official", "--source", "own.jsonl")
    said = using(folder, *words, status=2)
    assert 'ward-bench: field "ward: recipe official": execution failed: found "KeyError: \'question\'"' in said
    assert not (tmp_path / "build" / "medzh").exists()


def test_a_new_package_is_installed_with_what_the_extra_build_brings(tmp_path, capsys):
    """A machine without a network has that, and no index from which pip could fetch a build environment."""
    assert main(["new", "ward", "--output", str(tmp_path / "own")]) == 0
    assert f"pip install --no-build-isolation -e {tmp_path / 'own'}\n" in capsys.readouterr().out
    files = (ROOT / "pyproject.toml", tmp_path / "own" / "pyproject.toml")
    ours, own = (tomllib.loads(file.read_text(encoding="utf-8")) for file in files)
    needed = {*own["build-system"]["requires"], "editables>=0.5"}  # hatchling asks for the latter where -e is given
    assert needed <= {*ours["project"]["optional-dependencies"]["build"]}


def test_what_is_written_is_as_our_linter_wants_it(tmp_path):
    pytest.importorskip("ruff")  # environments of the wheel have no linter
    assert main(["new", "ward", "--kind", *KINDS[:-1], "--output", str(tmp_path / "own")]) == 0
    ruff = str(Path(sys.executable).with_name("ruff"))
    config = str(ROOT / "pyproject.toml")
    words = (ruff, "check", "--config", config, "--ignore", "ANN,D103,S101,INP001", str(tmp_path / "own"))
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["Ward"], "invalid config name"),
        (["sdak"], "a config with this name is already installed"),
        (["ward", "--kind", "open", "letters"], "open questions are scored by overlap"),
        (["ward", "--output", "."], "the path already exists"),
    ],
)
def test_what_cannot_be_begun_is_refused_and_nothing_is_written(words, problem, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["new", *words]) == 2
    assert problem in capsys.readouterr().err
    assert [*tmp_path.iterdir()] == []


def test_pinned_files_have_the_hash_of_git_and_their_address(tmp_path, capsys):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "True or False.txt").write_bytes(b"hello\n")
    words = ["pin", f"org/Repo@{COMMIT}", "data/True or False.txt", "--from", str(tmp_path), "--config", "ward"]
    assert main([*words, "--output", str(tmp_path / "sources.toml")]) == 0
    (source,) = read_sources(tmp_path / "sources.toml").values()
    assert source.name == "repo-true-or-false"
    assert source.blob == "ce013625030ba8dba906f756967f9e9ca394464a"  # echo hello | git hash-object --stdin
    assert source.url == f"https://raw.githubusercontent.com/org/Repo/{COMMIT}/data/True%20or%20False.txt"
    assert (source.used_by, source.licence, source.redistributable) == (("ward",), "unknown", False)
    for words, problem in {
        ("org/Repo@main", "data/x"): "invalid commit",
        (f"org/Repo@{COMMIT}", "data/none"): "the file",
        (f"org/Repo@{COMMIT}", "../x"): "the path is not inside the repository",
    }.items():
        assert main(["pin", *words, "--from", str(tmp_path)]) == 2
        assert problem in capsys.readouterr().err


def test_pediabench_takes_few_lines_and_is_what_new_writes():
    files = [file for file in PEDIABENCH.rglob("*") if file.is_file() and file.suffix != ".pyc"]
    assert sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files) <= MOST_LINES
    project = tomllib.loads((PEDIABENCH / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["medzh_score.configs"] == {"pediabench": "pediabench_bench.scoring:CONFIG"}


@pytest.fixture
def pediabench(tmp_path):
    return install(shutil.copytree(PEDIABENCH, tmp_path / "pediabench"))


def test_pediabench_conforms_and_weighs(pediabench, using, tmp_path):
    assert using(pediabench, "dataset_scripts", "check-config", "pediabench") == "pediabench: all checks passed\n"
    using(pediabench, "dataset_scripts", "build", "pediabench", "--recipe", "mini")
    using(pediabench, "medzh_score", "prompts", "pediabench", "--output", "prompts.jsonl")
    prompts = [json.loads(line) for line in (tmp_path / "prompts.jsonl").read_text(encoding="utf-8").splitlines()]
    paired = {one["id"] for one in prompts if "1.字母" in one["messages"][0]["content"]}
    said = [{"id": one["id"], "prediction": "1.B 2.A" if one["id"] in paired else "对"} for one in prompts]
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(one) + "\n" for one in said), encoding="utf-8")
    words = ("medzh_score", "score", "pediabench", "p.jsonl", "--to", "json", "--quiet")
    metrics = json.loads(using(pediabench, *words))["metrics"]
    # Right are two of three statements and one of two groups of two pairs: 3 of 9 questions, 4 of weights 7 + 4.
    assert metrics["accuracy"]["value"] == pytest.approx(100 * 3 / 9)
    assert metrics["weighted accuracy"]["value"] == pytest.approx(100 * 4 / 11)


def test_pediabench_is_built_of_its_real_workbooks(pediabench, using, upstream_root):
    pinned = read_sources(PEDIABENCH / "pediabench_bench" / "sources.toml")
    essay = read_sources(REGISTRY)["pediabench-essay"]
    assert {(one.repository, one.revision) for one in pinned.values()} == {(essay.repository, essay.revision)}
    if not all((upstream_root / one.cached_as).is_file() for one in pinned.values()):
        pytest.skip("the workbooks are not there")
    words = ("dataset_scripts", "build", "pediabench", "--recipe", "official")
    built = using(pediabench, *words, sources=upstream_root)
    left_out = [int(line.rpartition(": ")[2]) for line in built.splitlines() if line.startswith("Note: left out")]
    assert left_out == [2, 1, 17]
    assert f"test {STATEMENTS + CHOICES + GROUPS - sum(left_out):,} records" in built
    assert using(pediabench, "dataset_scripts", "check-config", "pediabench", "--data", "build/medzh") == (
        "pediabench: all checks passed\n"
    )
