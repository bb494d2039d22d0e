"""The READMEs are short, alike where they must be, and show what the commands really print."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import pytest
from pages import CHINESE, ENGLISH, HEADING, NUMBER, commands_of, links_of, prose_of, shell_lines, text_of
from places import ROOT

from dataset_scripts.recipe import dataset
from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.data.records import load_records
from medzh_score.scoring.paper import load_paper

READMES = {"en": ENGLISH, "zh": CHINESE}
LINES = 120
SAMPLES = ("open", "mini")
FRONT = SimpleNamespace(**runpy.run_path(str(ROOT / "docs" / "front_page.py")))


@pytest.fixture(autouse=True)
def commands_start_at_once(forked, monkeypatch):
    """Let what pages show be printed by processes that start at once."""

    def run(line, *, cwd, **_):
        done = forked(*line[line.index("-m") :], cwd=cwd)
        done.check_returncode()
        return done

    quick = SimpleNamespace(run=run, PIPE=subprocess.PIPE, DEVNULL=subprocess.DEVNULL)
    monkeypatch.setitem(FRONT.filled.__globals__, "subprocess", quick)


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
    assert json.loads(line)["id"] in {row["id"] for row in load_records("open", "sdak").rows}
    assert f"medzh-score score sdak {FRONT.ANSWERS}/sdak-good.jsonl --data open" in first


def test_readmes_have_equal_headings_and_commands():
    assert HEADING.findall(prose_of(ENGLISH)) == HEADING.findall(prose_of(CHINESE))
    assert shell_lines(ENGLISH) == [line.removesuffix(" --lang zh") for line in shell_lines(CHINESE)]


def test_readmes_have_equal_numbers():
    english, chinese = (set(NUMBER.findall(prose_of(name))) for name in (ENGLISH, CHINESE))
    assert english == chinese
    tables = [[NUMBER.findall(" ".join(cells)) for cells in rows_of(name).values()] for name in (ENGLISH, CHINESE)]
    assert tables[0] == tables[1]


def test_readmes_have_equal_links_and_name_each_other_first():
    english, chinese = (links_of(name) for name in (ENGLISH, CHINESE))
    assert (english[0], chinese[0]) == (CHINESE, ENGLISH)
    moved = [link.replace("docs/en/", "docs/zh/").replace("report.en", "report.zh") for link in english[1:]]
    assert sorted(moved) == sorted(chinese[1:])


def test_the_first_commands_run_as_they_stand(tmp_path):
    (tmp_path / FRONT.ANSWERS.parent).mkdir()
    (tmp_path / FRONT.ANSWERS).symlink_to(ROOT / FRONT.ANSWERS)
    writing, scored = commands_of(ENGLISH)[:2]
    FRONT.printed([writing], tmp_path)
    assert len((tmp_path / "prompts.jsonl").read_text(encoding="utf-8").splitlines()) == 1020
    assert " 80.4%" in FRONT.printed([scored], tmp_path)


@pytest.mark.parametrize("name", [ENGLISH, CHINESE])
def test_what_is_shown_is_what_the_commands_print(name):
    """A page that shows something else becomes what it is."""
    assert len(FRONT.SHOWN.findall(text_of(name))) == 2
    changed = text_of(name).replace("35.6", "99.2")
    assert changed != text_of(name)
    assert FRONT.filled(changed) == text_of(name), "run: python docs/front_page.py"


@pytest.mark.parametrize("language", READMES)
def test_the_picture_is_of_the_report_as_it_is(language):
    drawn = text_of(FRONT.PICTURE.format(language))
    assert drawn == FRONT.picture(language), "run: python docs/front_page.py"
    texts = "".join(ET.fromstring(drawn).itertext()).replace("\N{NO-BREAK SPACE}", " ")  # noqa: S314 - our own file
    assert FRONT.TITLES[language] in texts
    assert "89.0%" in texts  # 356 of 400: what a system that is right of nine in ten drew
    assert f"({FRONT.PICTURE.format(language)})" in text_of(READMES[language])


@pytest.mark.parametrize("config", config_names())
def test_the_table_of_benchmarks_says_what_the_configs_declare(config):
    english, chinese = (rows_of(name)[config] for name in (ENGLISH, CHINESE))
    declared, paper = find_config(config), load_paper(config)
    size, official, held, metrics = english[1], english[2], english[4:6], english[6]
    known = {f"{value.value:,}" if isinstance(value.value, int) else str(value.value) for value in paper.stated}
    assert all(any(number in value for value in known) for number in NUMBER.findall(size))
    assert NUMBER.search(size)
    released = dataset(config).metadata.availability
    assert official.startswith((released, "the same"))
    assert held == [records_of(config, sample) for sample in SAMPLES]
    assert re.findall(r"`([^`]+)`", metrics) == re.findall(r"`([^`]+)`", chinese[6])
    assert set(re.findall(r"`([^`]+)`", metrics)) <= {metric.name for metric in declared.metrics}


def records_of(config, sample):
    """Count the records of what comes along with a config, as the table of benchmarks writes it."""
    path = ROOT / "medzh_score" / "configs" / config / sample / "manifest.json"
    if not path.is_file():
        return "-"
    splits = json.loads(path.read_text(encoding="utf-8"))["configs"][config]["splits"]
    return f"{sum(split['records'] for split in splits.values()):,}"
