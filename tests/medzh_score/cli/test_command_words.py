"""What every command takes and says: help, version, examples that parse, near misses, and where the shell completes."""

from __future__ import annotations

import re
import shlex
import subprocess
from importlib import import_module

import pytest
from rich.cells import cell_len

import medzh_score
from medzh_score.benchmark.registry import config_names
from medzh_score.cli.main import main as score
from medzh_score.ui.cli import everything_declared
from medzh_score.version import VERSION

PROGRAMS = {"medzh-score": "medzh_score", "medzh-build": "dataset_scripts"}
PARSERS = {program: import_module(f"{package}.cli.main").parser for program, package in PROGRAMS.items()}
MAINS = {program: import_module(f"{package}.cli.main").main for program, package in PROGRAMS.items()}
EXAMPLES = {program: import_module(f"{package}.cli.main").EXAMPLES for program, package in PROGRAMS.items()}
LEAVES = [(program, name) for program in PROGRAMS for name in everything_declared(PARSERS[program]())]


def ended(program, *words):
    with pytest.raises(SystemExit) as raised:
        MAINS[program](list(words))
    return raised.value.code


@pytest.mark.parametrize(("program", "name"), LEAVES)
def test_each_command_has_two_examples_that_it_takes(program, name):
    examples = EXAMPLES[program][name]
    assert len(set(examples)) == 2
    for line in examples:
        assert line.startswith(f"{name} ") or line == name
        given = PARSERS[program]().parse_args(shlex.split(line)[1:])
        assert given.run is not None


@pytest.mark.parametrize("program", PROGRAMS)
def test_examples_are_of_commands_that_are_there(program):
    groups = {program, "medzh-score suite"} if program == "medzh-score" else {program}
    assert EXAMPLES[program].keys() - groups == {name for one, name in LEAVES if one == program}
    for line in EXAMPLES[program][program]:
        assert PARSERS[program]().parse_args(shlex.split(line)[1:]).run is not None


@pytest.mark.parametrize(("program", "name"), LEAVES)
def test_each_help_has_examples_and_options_in_groups_and_chinese_headings(program, name, capsys):
    words = name.split()[1:]
    assert ended(program, *words, "--help") == 0
    shown = capsys.readouterr().out
    assert "\nexamples:\n  " in shown
    assert "\noptions:" not in shown  # each has a heading of its own, from medzh_score/ui/cli.py
    assert "\ngeneral:\n  -h, --help" in shown
    assert not [line for line in shown.splitlines() if line.startswith("  --output ")]  # it has a letter, too
    assert ended(program, *words, "--help", "--lang", "zh") == 0
    headings = [line for line in capsys.readouterr().out.splitlines() if re.match(r"\S.*[:：]$", line)]
    assert len(headings) > 1
    assert not [line for line in headings if not re.fullmatch(r"[\u4e00-\u9fff]+：", line)]
    for option in ("-V", "--version"):
        if (name, option) != ("medzh-build publish", "--version"):  # which is that of the release
            assert ended(program, *words, option) == 0
            assert capsys.readouterr().out == f"{program} {VERSION}\n"


@pytest.mark.parametrize(("program", "name"), LEAVES)
def test_lines_of_chinese_help_fit_a_terminal(program, name, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert ended(program, *name.split()[1:], "--help", "--lang", "zh") == 0
    _usage, _unused, shown = capsys.readouterr().out.partition("\n示例：\n")[0].partition("\n\n")
    assert [line for line in shown.splitlines() if cell_len(line) > 80] == []
    assert [line for line in shown.splitlines() if re.match(r"\s*[，。、；：！？）”]", line)] == []
    if (program, name) == ("medzh-score", "medzh-score prompts"):
        assert "lighteval" in shown


@pytest.mark.parametrize(
    "words",
    [
        ("score", "sdak", "a.jsonl", "--data", "mini", "b.jsonl"),
        ("score", "--data", "mini", "-q", "sdak", "--stage", "reason=r.csv", "a.jsonl", "--to", "json", "b.jsonl"),
        ("score", "--data=mini", "sdak", "a.jsonl", "-o", "x.json", "b.jsonl", "--lang", "zh"),
    ],
)
def test_words_may_stand_behind_options(words):
    given = PARSERS["medzh-score"]().parse_args(words)
    assert (given.config, given.predictions, given.data) == ("sdak", ["a.jsonl", "b.jsonl"], "mini")


def test_files_that_a_report_may_lack_are_not_asked_for(capsys):
    for command in ("verify", "archive"):
        assert ended("medzh-score", command) == 2
        assert "FILE\n" not in capsys.readouterr().err.splitlines(keepends=True)[-1]


def test_what_stands_behind_two_dashes_is_no_option():
    given = PARSERS["medzh-score"]().parse_args(["score", "--data", "mini", "sdak", "--", "-odd.jsonl"])
    assert given.predictions == ["-odd.jsonl"]


@pytest.mark.parametrize("how", [[], ["-q"], ["--lang", "en"], ["--lang=en", "--quiet"]])
@pytest.mark.parametrize("words", [["medzh-score"], ["medzh-build"], ["medzh-score", "suite"]])
def test_without_a_word_the_help_is_shown(words, how, capsys):
    program, *rest = words
    assert ended(program, *rest, *how) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith(f"usage: {' '.join(words)}")
    assert shown.err == ""


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("medzh-score scor sdak x.jsonl", "score"),
        ("medzh-build biuld sdak", "build"),
        ("medzh-score suite statsu study", "status"),
        ("medzh-score score sdak x.jsonl --ruel medzh-1", "--rule"),
        ("medzh-score score sdak x.jsonl --too json", "--to"),
        ("medzh-score score sdak x.jsonl --to jason", "json"),
        ("medzh-build build sdak --recipe mini --ouptut x", "--output"),
    ],
)
def test_a_near_miss_is_guessed(line, meant, capsys):
    program, *words = line.split()
    assert ended(program, *words) == 2
    assert f"did you mean {meant}?\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("score sdack x.jsonl --data mini", "sdak"),
        ("score SDAK x.jsonl --data mini", "sdak"),
        ("score sdak x.jsonl --data mini --rule offical", "official"),
        ("score sdak x.jsonl --data mini --from lmeval", "lm-eval"),
        ("score sdak x.jsonl --data mimi", "mini"),
        ("prompts sdak --data Mini", "mini"),
        ("prompts sdak --data mini --stage raeson", "reason"),
        ("prompts sdak --data mini --prompt paper_1", "paper-1"),
    ],
)
def test_a_name_that_the_program_looks_up_is_guessed(line, meant, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.jsonl").write_text('{"id": "sdak-x", "prediction": "y"}\n', encoding="utf-8")
    assert score(line.split()) == 2
    assert f"\n  Did you mean {meant}?\n" in capsys.readouterr().err


def test_no_option_is_shortened(capsys):
    assert ended("medzh-score", "score", "sdak", "x.jsonl", "--mode", "a") == 2  # --model
    assert "unrecognized arguments: --mode; did you mean --model?" in capsys.readouterr().err
    assert ended("medzh-score", "compare", "A", "--data", "mini", "B") == 2
    assert capsys.readouterr().err.endswith("unrecognized arguments: --data\n")


@pytest.mark.parametrize("shell", ["bash", "zsh"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_shell_completes_commands_and_options(program, shell, capsys, tmp_path):
    assert ended(program, "--print-completion", shell) == 0
    script = capsys.readouterr().out
    assert all(word in script for word in ("--data", *(name.split()[1] for one, name in LEAVES if one == program)))
    if shell == "bash":
        (tmp_path / "completion").write_text(script, encoding="utf-8")
        subprocess.run(["bash", "-n", str(tmp_path / "completion")], check=True)  # noqa: S607 - the shell itself


def test_the_package_lists_its_names_and_its_version():
    assert medzh_score.__version__ == VERSION
    assert dir(medzh_score) == sorted(medzh_score.__all__)
    assert "score" in dir(medzh_score)
    assert config_names()


@pytest.mark.parametrize(
    "command", [("prompts", "sdak"), ("suite", "plan", "suite", "--configs", "sdak", "--models", "m")]
)
@pytest.mark.parametrize("runs", ["2001", "1" + "0" * 30])
def test_no_more_runs_are_asked_than_can_be_scored(command, runs, capfd):
    """Of a slip of the finger prompts would be written without an end."""
    with pytest.raises(SystemExit, match="2"):
        score([*command, "--data", "mini", "--runs", runs])
    assert f"argument --runs: expected at most 2000, found '{runs}'" in capfd.readouterr().err
