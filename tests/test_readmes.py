from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dataset_scripts import command_line as building
from medzh_score import command_line as scoring

ROOT = Path(__file__).resolve().parent.parent
ENGLISH, CHINESE, CONTRIBUTING = "README.md", "README.zh-CN.md", "CONTRIBUTING.md"
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#+) ", re.MULTILINE)
NUMBER = re.compile(r"\d+(?:[.,]\d+)*", re.ASCII)
LINK = re.compile(r"\[[^]]*]\(([^)]+)\)")
OWN = re.compile(r"\b[A-Z][A-Z0-9-]+(?:\.(?:jsonl?|csv))?\b")  # a placeholder for the reader's own file or name
PROGRAMS = {"medzh-score": scoring, "medzh-build": building}
PARSERS = {"medzh-score": scoring.parser, "medzh-build": building.parser}


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def blocks_of(name):
    """Give the code blocks as (language, lines), without comments."""
    found = []
    for language, code in FENCED.findall(text_of(name)):
        lines = [
            re.sub(r"(^|\s+)#.*", "", line) if language in {"sh", "python"} else line for line in code.splitlines()
        ]
        found.append((language, [line for line in lines if line]))
    return found


def prose_of(name):
    return FENCED.sub("", text_of(name))


def shell_lines(name):
    return [line for language, lines in blocks_of(name) if language == "sh" for line in lines]


def commands_of(name):
    return [line for line in shell_lines(name) if line.partition(" ")[0] in PROGRAMS]


def test_the_patterns_find_what_is_there():
    assert len(blocks_of(ENGLISH)) > 8
    assert len(commands_of(ENGLISH)) > 20
    assert len(commands_of(CONTRIBUTING)) == 4


def test_readmes_have_equal_heading_levels():
    english, chinese = (HEADING.findall(prose_of(name)) for name in (ENGLISH, CHINESE))
    assert english == chinese


def test_readmes_have_equal_code():
    assert blocks_of(ENGLISH) == blocks_of(CHINESE)


def test_readmes_have_equal_numbers_section_by_section():
    english, chinese = (
        [sorted(NUMBER.findall(section)) for section in HEADING.split(prose_of(name))[::2]]
        for name in (ENGLISH, CHINESE)
    )
    assert english == chinese


def test_readmes_name_the_same_things_in_code_type():
    english, chinese = (set(re.findall(r"`([^`\n]+)`", prose_of(name))) for name in (ENGLISH, CHINESE))
    assert english == chinese


def test_readmes_have_equal_links_and_name_each_other():
    english, chinese = (LINK.findall(prose_of(name)) for name in (ENGLISH, CHINESE))
    assert english[0] == CHINESE
    assert chinese[0] == ENGLISH
    assert [link.replace("docs/en/", "docs/zh/") for link in english[1:]] == chinese[1:]


@pytest.mark.parametrize("name", [ENGLISH, CHINESE, CONTRIBUTING])
def test_files_that_are_linked_exist(name):
    local = [link for link in LINK.findall(prose_of(name)) if "://" not in link]
    assert [link for link in local if not (ROOT / link).is_file()] == []


@pytest.mark.parametrize("name", [ENGLISH, CHINESE])
def test_the_first_lines_say_what_is_official(name):
    first = "\n".join(text_of(name).splitlines()[:16])
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", first, re.MULTILINE))
    some, no = ("sdak: yes; the others: not shown", "no") if name == ENGLISH else ("sdak：是；其余：无法证明", "否")
    assert rows == {"official": some, "rebuilt": no, "mini": no}
    assert "204" in first


@pytest.mark.parametrize("name", [ENGLISH, CHINESE])
def test_demo_and_tests_are_the_first_commands(name):
    assert shell_lines(name)[:2] == ["make demo", "make test"]


@pytest.mark.parametrize(
    ("name", "line"), [(name, line) for name in (ENGLISH, CONTRIBUTING) for line in commands_of(name)]
)
def test_the_parsers_take_every_command(name, line):  # noqa: ARG001 - names the test
    program, *words = shlex.split(line)
    try:
        parsed = PARSERS[program]().parse_args(words)
    except SystemExit:
        pytest.fail(f"{program} does not take: {line}")
    assert callable(parsed.run)


@pytest.mark.parametrize("name", [ENGLISH, CHINESE, CONTRIBUTING])
def test_every_make_target_exists(name):
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    named = re.findall(r"(?:^|`)make (?:[A-Z]+=\S+ )*([\w-]+)", text_of(name), re.MULTILINE)
    assert named
    assert set(named) <= set(targets)


def test_every_environment_variable_that_is_named_is_read():
    sources = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("*/*.py"))
    named = {name for document in (ENGLISH, CONTRIBUTING) for name in re.findall(r"MEDZH_[A-Z_]+", text_of(document))}
    required = {"MEDZH_REQUIRE_SOURCES", "MEDZH_REQUIRE_TOOLS", "MEDZH_REQUIRE_REAL"}
    assert named == {"MEDZH_SOURCES", "MEDZH_MIRROR", "MEDZH_REAL", "MEDZH_EXAMPLES", *required}
    assert [name for name in named if f'"{name}"' not in sources] == []


@pytest.fixture
def after_the_demo(minis, tmp_path, monkeypatch):
    """Stand in a folder in which what the commands of the README name is there, as after ``make demo``."""
    mini = Path("dataset_scripts") / "mini"
    shutil.copytree(ROOT / mini, tmp_path / "checkout" / mini)
    shutil.copytree(minis.parent, tmp_path / "checkout" / "build", symlinks=True)
    monkeypatch.chdir(tmp_path / "checkout")


def run(words):
    # -P: the folder's own dataset_scripts holds the sample only.
    done = subprocess.run([sys.executable, "-P", *words], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, f"{words}: {done.stderr}"
    return done.stdout


def as_written(line):
    """Say whether a command needs neither the network nor a file of the reader's own."""
    return not OWN.search(line) and not re.search(" fetch (?!--list)|--recipe (official|rebuilt)", line)


@pytest.mark.usefixtures("after_the_demo")
def test_commands_run_as_written_after_the_demo(capfd):
    lines = [line for line in commands_of(ENGLISH) if as_written(line)]
    assert len(lines) > 12
    for line in lines:
        program, *words = shlex.split(line)
        assert PROGRAMS[program].main(words) == 0, (line, capfd.readouterr().err)
    for language, code in blocks_of(ENGLISH):
        if language == "python":
            assert "signature" not in run(["-c", "\n".join(code)]).splitlines()[0]


@pytest.mark.usefixtures("after_the_demo")
def test_load_dataset_runs_as_written_after_the_demo(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path))
    (line,) = [line for line in shell_lines(ENGLISH) if line.startswith("python ")]
    assert "num_rows: 204" in run(shlex.split(line)[1:])
