"""What pages show holds: the manual is equal in both languages, and its commands run."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pages import (
    CHINESE,
    CODE,
    CONTRIBUTING,
    ENGLISH,
    HEADING,
    LINK,
    MANUAL,
    PAIRS,
    PROGRAMS,
    ROOT,
    blocks_of,
    commands_of,
    links_of,
    numbers_of,
    prose_of,
    runnable,
    shell_lines,
    text_of,
)

from dataset_scripts.cli import main as building
from medzh_score.cli import main as scoring

PARSERS = {"medzh-score": scoring.parser, "medzh-build": building.parser}
ENGLISH_PAGES = [english for english, _ in PAIRS]
EVERY_PAGE = [page for pair in PAIRS for page in pair] + [ENGLISH, CHINESE, CONTRIBUTING]


def test_the_patterns_find_what_is_there():
    assert len(MANUAL) > 25
    assert sum(len(commands_of(page)) for page in ENGLISH_PAGES) > 100
    assert len(commands_of("docs/en/private.md")) == 12


def test_the_manual_has_the_same_pages_in_both_languages():
    chinese = sorted(path.relative_to(ROOT / "docs" / "zh").as_posix() for path in (ROOT / "docs" / "zh").rglob("*.md"))
    assert chinese == MANUAL


@pytest.mark.parametrize(("english", "chinese"), PAIRS)
def test_a_page_and_its_chinese_have_equal_headings_code_numbers_names_and_links(english, chinese):
    for part in (lambda page: HEADING.findall(prose_of(page)), blocks_of, numbers_of):
        assert part(english) == part(chinese)
    names, links = (
        [set(CODE.findall(prose_of(page))) for page in (english, chinese)],
        [sorted(links_of(page)) for page in (english, chinese)],
    )
    assert names[0] == names[1]
    assert links[0] == sorted(link.replace("docs/zh/", "docs/en/") for link in links[1])


@pytest.mark.parametrize("page", EVERY_PAGE)
def test_files_that_are_linked_exist(page):
    local = [link.partition("#")[0] for link in LINK.findall(prose_of(page)) if "://" not in link]
    assert [link for link in local if link and not (ROOT / page).parent.joinpath(link).is_file()] == []


@pytest.mark.parametrize("page", [page for page in [*ENGLISH_PAGES, ENGLISH, CHINESE] if commands_of(page)])
def test_the_parsers_take_every_command(page):
    for line in commands_of(page):
        program, *words = shlex.split(line)
        try:
            parsed = PARSERS[program]().parse_args(words)
        except SystemExit:
            pytest.fail(f"{program} does not take: {line}")
        assert callable(parsed.run)


def test_every_make_target_exists():
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    named = {
        target
        for page in EVERY_PAGE
        for target in re.findall(r"(?:^|`)make (?:[A-Z]+=\S+ )*([\w-]+)", text_of(page), re.MULTILINE)
    }
    assert {"demo", "test", "docs"} <= named <= set(targets)


def test_every_environment_variable_that_is_named_is_read():
    folders = ("medzh_score", "dataset_scripts", "tests")
    sources = "".join(path.read_text(encoding="utf-8") for one in folders for path in (ROOT / one).rglob("*.py"))
    named = {name for page in EVERY_PAGE for name in re.findall(r"MEDZH_[A-Z_]+", text_of(page))}
    required = {"MEDZH_REQUIRE_SOURCES", "MEDZH_REQUIRE_TOOLS", "MEDZH_REQUIRE_REAL", "MEDZH_REQUIRE_BROWSER"}
    assert {"MEDZH_SOURCES", "MEDZH_MIRROR", "MEDZH_REAL", "MEDZH_EXAMPLES", *required} <= named
    assert [name for name in named if f'"{name}"' not in sources] == []


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """Stand in a checkout in which nothing was built, as far as pages name what is in it."""
    for answers in (Path("dataset_scripts") / "mini", Path("examples") / "answers"):
        shutil.copytree(ROOT / answers, tmp_path / "checkout" / answers)
    (tmp_path / "checkout" / "build").mkdir()
    monkeypatch.chdir(tmp_path / "checkout")


def steps(page):
    """List what a reader runs from the top to the bottom of a page: commands one by one, Python a block at a time."""
    for language, lines in blocks_of(page):
        if language == "python" and all(map(runnable, lines)):
            yield ["-c", "\n".join(lines)]
        for line in lines if language == "sh" else []:
            program, *words = shlex.split(line)
            if program in PROGRAMS and runnable(line):
                yield [program, *words]


def own_files(page):
    """Say whether what a page shows are files of another project."""
    return page == "docs/en/private.md"


@pytest.mark.usefixtures("checkout")
@pytest.mark.parametrize("page", [page for page in ENGLISH_PAGES if not own_files(page) and list(steps(page))])
def test_commands_run_as_written_in_a_checkout(page, forked, capfd):
    for program, *words in steps(page):
        if program == "-c":
            done = forked(program, *words)
            assert done.returncode == 0, f"{words}: {done.stderr}"
        else:
            assert PROGRAMS[program].main(words) == 0, (program, words, capfd.readouterr().err)


@pytest.mark.usefixtures("checkout")
def test_load_dataset_runs_as_written(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path))
    assert building.main(["build", "sdak", "--recipe", "open"]) == 0
    lines = [line for line in shell_lines("docs/en/data.md") if line.startswith("python ")]
    # -P: the folder's own dataset_scripts holds the sample only.
    commands = [[sys.executable, "-P", *shlex.split(line)[1:]] for line in lines]
    printed = [subprocess.run(one, capture_output=True, encoding="utf-8", check=True).stdout for one in commands]
    assert [("num_rows: 1020" in one, "'answer': 'C'" in one) for one in printed] == [(True, False), (False, True)]
