"""The facts of each paper, and how they are printed."""

from __future__ import annotations

import json
import re
import sys

import pytest
from commands import called

from medzh_score.scoring.paper import load_paper, reported_tables
from medzh_score.ui.errors import MedzhError

GRADES = {"OK", "PROVEN", "STRONG", "TEXT", "CODE", "TEXT/STRONG", "EXTRACTION"}
# The errata of each paper, and how many tables it prints.
PAPERS = {
    "sdak": ([f"S{number}" for number in range(1, 15)], 11),
    "tcmd": ([f"T{number}" for number in range(1, 11)], 4),
    "cmhe_ce": (["C1", "C7"], 4),
    "cmhe_dd": (["C2", "C3", "C4", "C5", "C8", "C9", "C11", "C12"], 4),
    "cmhe_hd": (["C6", "C10", "C11"], 4),
}


# The file


@pytest.mark.parametrize("config", PAPERS)
def test_errata_are_unique_and_concern_what_exists(config):
    errata, tables = PAPERS[config]
    paper = load_paper(config)
    numbers = {table.number for table in paper.tables} | {int(number) for number in paper.left_out}
    assert numbers == set(range(1, tables + 1))
    assert [erratum.id for erratum in paper.errata] == errata
    for erratum in paper.errata:
        assert erratum.grade in GRADES
        assert set(erratum.tables) <= numbers
        assert set(erratum.sections) <= paper.sections.keys()
        assert erratum.tables or erratum.sections
        assert erratum.finding.endswith(".")
        assert erratum.shown_by


@pytest.mark.parametrize("config", PAPERS)
def test_places_exist_and_no_example_text_of_the_paper_is_in_the_file(config):
    paper = load_paper(config)
    assert paper.config == config
    for statement in paper.stated:
        assert statement.section in paper.sections
    for table in paper.tables:
        assert set(table.sections) <= paper.sections.keys()
    assert not re.search(r"[\u3400-\u9fff]", repr(paper))


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (6, "the table is not included: only example queries"),
        (12, "the paper has no such table"),
        (0, "the paper has no such table"),
    ],
)
def test_table_that_is_not_there(number, message):
    with pytest.raises(MedzhError, match=rf"option --table: {message}: expected 1, 3, 4, 5, 11, found {number}"):
        reported_tables(load_paper("sdak"), number)


@pytest.fixture
def private(tmp_path, monkeypatch):
    """Install a package that declares a config of its own."""
    distribution = tmp_path / "hospital-1.dist-info"
    distribution.mkdir()
    (distribution / "METADATA").write_text("Metadata-Version: 2.1\nName: hospital\nVersion: 1\n")
    (distribution / "entry_points.txt").write_text("[medzh_score.configs]\nward = hospital.configs.ward:CONFIG\n")
    package = tmp_path / "hospital"
    (package / "configs").mkdir(parents=True)
    for folder in (package, package / "configs"):
        (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("hospital", "hospital.configs"):  # of another test's folder
        monkeypatch.delitem(sys.modules, name, raising=False)
    return package / "configs" / "paper.json"


def test_config_without_facts(private):
    with pytest.raises(
        MedzhError, match=r"ward has no paper data: expected paper\.json in the package hospital\.configs"
    ):
        load_paper("ward")
    private.write_text('{"config": "ward"}')
    with pytest.raises(MedzhError, match=r"paper\.json: the file contains no valid paper data: "):
        load_paper("ward")


# medzh-score published


def test_reported_without_a_table_shows_all(capsys):
    called("published", "sdak", "--to", "markdown")
    shown = capsys.readouterr().out
    assert re.findall(r"\*\*Table (\d+)", shown) == ["1", "3", "4", "5", "11"]
    assert re.findall(r"^- (S\d+)", shown, re.MULTILINE) == [erratum.id for erratum in load_paper("sdak").errata]


def test_reported_json_holds_numbers(tmp_path):
    called("published", "sdak", "--table", 4, "--to", "json", "--output", tmp_path / "four.json")
    facts = json.loads((tmp_path / "four.json").read_bytes())
    (table,) = facts["tables"]
    assert table["rows"][0]["factacc"] == 65.42
    assert table["rows"][0]["factacc_std"] == 0.6
    assert [erratum["id"] for erratum in facts["errata"]] == ["S3", "S4", "S5", "S9", "S10", "S12", "S14"]
    assert "not computed by medzh" in facts["heading"]
    assert facts["decimals"] == 2
