"""The READMEs are short, alike where they must be, and show what the commands really print."""

from __future__ import annotations

import json
import re
import runpy
import shlex
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import pytest

from dataset_scripts import command_line as building
from dataset_scripts.recipe import dataset
from medzh_score import command_line as scoring
from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.data.records import load_records
from medzh_score.report.paper import load_paper

ROOT = Path(__file__).resolve().parent.parent
ENGLISH, CHINESE, CONTRIBUTING = "README.md", "README.zh-CN.md", "CONTRIBUTING.md"
READMES = {"en": ENGLISH, "zh": CHINESE}
LINES = 150
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#+) ", re.MULTILINE)
NUMBER = re.compile(r"\d+(?:[.,]\d+)*", re.ASCII)
LINK = re.compile(r"\[[^]]*]\(([^)]+)\)")
PARSERS = {"medzh-score": scoring.parser, "medzh-build": building._parser}
FRONT = SimpleNamespace(**runpy.run_path(str(ROOT / "docs" / "front_page.py")))


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def prose_of(name):
    return FENCED.sub("", text_of(name))


def shell_lines(name):
    blocks = [code.splitlines() for language, code in FENCED.findall(text_of(name)) if language == "sh"]
    return [line for lines in blocks for line in lines if not line.startswith("#")]


def commands_of(name):
    return [line for line in shell_lines(name) if line.partition(" ")[0] in PARSERS]


def rows_of(name):
    """Give the table of benchmarks: the cells of each config's row."""
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", prose_of(name), re.MULTILINE)
    return {config: cells.split(" | ") for config, cells in rows}


@pytest.mark.parametrize("name", [ENGLISH, CHINESE])
def test_a_readme_is_short(name):
    assert len(text_of(name).splitlines()) <= LINES


@pytest.mark.parametrize("name", [ENGLISH, CHINESE])
def test_the_first_screen_shows_a_line_of_predictions(name):
    first = "\n".join(text_of(name).splitlines()[:20])
    (line,) = re.findall(r"^\{.*\}$", first, re.MULTILINE)
    assert json.loads(line).keys() == {"id", "prediction"}
    assert json.loads(line)["id"] in {row["id"] for row in load_records("mini", "sdak").rows}
    assert "medzh-score score sdak predictions.jsonl --data mini" in first


def test_readmes_have_equal_headings_and_commands():
    assert HEADING.findall(prose_of(ENGLISH)) == HEADING.findall(prose_of(CHINESE))
    assert shell_lines(ENGLISH) == [line.removesuffix(" --lang zh") for line in shell_lines(CHINESE)]


def test_readmes_have_equal_numbers():
    english, chinese = (set(NUMBER.findall(prose_of(name))) for name in (ENGLISH, CHINESE))
    assert english == chinese
    tables = [[NUMBER.findall(" ".join(cells)) for cells in rows_of(name).values()] for name in (ENGLISH, CHINESE)]
    assert tables[0] == tables[1]


def test_readmes_have_equal_links_and_name_each_other_first():
    english, chinese = (LINK.findall(prose_of(name)) for name in (ENGLISH, CHINESE))
    assert (english[0], chinese[0]) == (CHINESE, ENGLISH)
    moved = [link.replace("docs/en/", "docs/zh/").replace("report.en", "report.zh") for link in english[1:]]
    assert sorted(moved) == sorted(chinese[1:])


@pytest.mark.parametrize("name", [ENGLISH, CHINESE, CONTRIBUTING])
def test_files_that_are_linked_exist(name):
    local = [link for link in LINK.findall(prose_of(name)) if "://" not in link]
    assert [link for link in local if not (ROOT / link).is_file()] == []


def test_the_first_commands_run_on_a_file_of_such_lines(tmp_path):
    (tmp_path / "predictions.jsonl").write_bytes((ROOT / FRONT.MINI / "sdak" / "predictions.jsonl").read_bytes())
    writing, scored = commands_of(ENGLISH)[:2]
    FRONT.printed([writing], tmp_path)
    assert len((tmp_path / "prompts.jsonl").read_text(encoding="utf-8").splitlines()) == 204
    assert " 40.20%" in FRONT.printed([scored], tmp_path)


@pytest.mark.parametrize("name", [ENGLISH, CHINESE])
def test_what_is_shown_is_what_the_commands_print(name):
    assert len(FRONT.SHOWN.findall(text_of(name))) == 5
    assert FRONT.filled(text_of(name)) == text_of(name), "run: python docs/front_page.py"


@pytest.mark.parametrize("language", READMES)
def test_the_picture_is_of_the_report_as_it_is(language):
    drawn = text_of(FRONT.PICTURE.format(language))
    assert drawn == FRONT.picture(language), "run: python docs/front_page.py"
    texts = "".join(ET.fromstring(drawn).itertext()).replace("\N{NO-BREAK SPACE}", " ")  # noqa: S314 - our own file
    assert FRONT.TITLES[language] in texts
    assert "60.00%" in texts  # 21 of 35, as the sample is labelled
    assert f"({FRONT.PICTURE.format(language)})" in text_of(READMES[language])


@pytest.mark.parametrize("name", [ENGLISH, CHINESE])
def test_a_page_that_shows_something_else_is_found(name):
    changed = text_of(name).replace("40.20%", "99.20%")
    assert changed != text_of(name)
    assert FRONT.filled(changed) == text_of(name)


@pytest.mark.parametrize("config", config_names())
def test_the_table_of_benchmarks_says_what_the_configs_declare(config):
    english, chinese = (rows_of(name)[config] for name in (ENGLISH, CHINESE))
    declared, paper = find_config(config), load_paper(config)
    size, official, mini, metrics = english[1], english[2], english[4], english[5]
    known = {f"{value.value:,}" if isinstance(value.value, int) else str(value.value) for value in paper.stated}
    assert all(any(number in value for value in known) for number in NUMBER.findall(size))
    assert NUMBER.search(size)
    released = dataset(config).metadata.availability
    assert official.startswith((released, "the same"))
    assert int(mini) == sum(split["records"] for split in splits(config).values())
    assert re.findall(r"`([^`]+)`", metrics) == re.findall(r"`([^`]+)`", chinese[5])
    assert set(re.findall(r"`([^`]+)`", metrics)) <= {metric.name for metric in declared.metrics}


def splits(config):
    path = ROOT / "medzh_score" / "configs" / config / "mini" / "manifest.json"
    return json.loads(path.read_text(encoding="utf-8"))["configs"][config]["splits"]


@pytest.mark.parametrize(
    ("name", "line"), [(name, line) for name in (ENGLISH, CHINESE, CONTRIBUTING) for line in commands_of(name)]
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
    targets = re.findall(r"^([\w-]+):", text_of("Makefile"), re.MULTILINE)
    named = re.findall(r"(?:^|`)make (?:[A-Z]+=\S+ )*([\w-]+)", text_of(name), re.MULTILINE)
    assert named
    assert set(named) <= set(targets)


def test_every_environment_variable_that_is_named_is_read():
    folders = ("medzh_score", "dataset_scripts", "tests")
    sources = "".join(path.read_text(encoding="utf-8") for one in folders for path in (ROOT / one).rglob("*.py"))
    named = set(re.findall(r"MEDZH_[A-Z_]+", text_of(CONTRIBUTING)))
    assert {"MEDZH_SOURCES", "MEDZH_REAL", "MEDZH_EXAMPLES"} <= named
    assert [name for name in named if f'"{name}"' not in sources] == []
