from __future__ import annotations

import json
import re
import sys

import pytest
from commands import called

from medzh_score.scoring.paper import load_paper, reported_tables
from medzh_score.ui.errors import MedzhError
from medzh_score.version import VERSION

GRADES = {"OK", "PROVEN", "STRONG", "TEXT", "CODE", "TEXT/STRONG", "EXTRACTION"}
# The errata of each paper, and how many tables it prints.
PAPERS = {
    "sdak": ([f"S{number}" for number in range(1, 15)], 11),
    "tcmd": ([f"T{number}" for number in range(1, 11)], 4),
    "cmhe_ce": (["C1", "C7"], 4),
    "cmhe_dd": (["C2", "C3", "C4", "C5", "C8", "C9", "C11", "C12"], 4),
    "cmhe_hd": (["C6", "C10", "C11"], 4),
}
FINGERPRINT = "0123456789abcdef" * 4


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


@pytest.mark.parametrize("config", PAPERS)
def test_columns_are_those_of_the_rows(config):
    for table in load_paper(config).tables:
        for row in [*table.rows, *(footer.cells for footer in table.footer)]:
            assert all(column.name in row for column in table.columns)
        for row in table.rows:
            assert all(column.beside in row for column in table.columns if column.beside is not None)
            assert row.keys() == table.rows[0].keys()


@pytest.mark.parametrize(("number", "message"), [(6, "left out here"), (12, "no such table"), (0, "no such table")])
def test_table_that_is_not_there(number, message):
    with pytest.raises(MedzhError, match=rf"{message}.*expected 1, 3, 4, 5, 11; found {number}"):
        reported_tables(load_paper("sdak"), number)


def test_unknown_config():
    with pytest.raises(MedzhError, match="no such config"):
        load_paper("nothing")


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


def test_facts_belong_to_the_package_of_the_config(private):
    facts = json.dumps(
        {
            "config": "ward",
            "benchmark": "WARD",
            "text": "",
            "reference": {"key": "ward", "kind": "misc", "fields": {"title": "A ward"}, "remark": ""},
            "decoding": {},
            "decoding_remark": "",
            "sections": {},
            "stated": [],
            "tables": [],
            "left_out": {},
            "errata": [],
        }
    )
    private.write_text(facts)
    assert load_paper("ward").benchmark == "WARD"


def test_config_without_facts(private):
    with pytest.raises(MedzhError, match=r"no facts of a paper; expected paper.json in the package hospital.configs"):
        load_paper("ward")
    private.write_text('{"config": "ward"}')
    with pytest.raises(MedzhError, match=r"paper\.json: does not hold the facts of a paper"):
        load_paper("ward")


# medzh-score reported


def test_reported_says_whose_figures_they_are(capsys):
    assert called("reported", "sdak", "--table", 3) == 0
    shown = capsys.readouterr().out
    assert "paper prints" in shown.splitlines()[0]
    assert "not ours" in " ".join(shown.splitlines()[:2])
    assert "88.00%" in shown
    assert re.findall(r"^- (S\d+)", shown, re.MULTILINE) == ["S1", "S12"]


def test_reported_without_a_table_shows_all(capsys):
    called("reported", "sdak", "--to", "markdown")
    shown = capsys.readouterr().out
    assert re.findall(r"\*\*Table (\d+)", shown) == ["1", "3", "4", "5", "11"]
    assert re.findall(r"^- (S\d+)", shown, re.MULTILINE) == [erratum.id for erratum in load_paper("sdak").errata]


@pytest.mark.parametrize("config", PAPERS)
def test_reported_latex_is_escaped(config, capsys):
    called("reported", config, "--to", "latex")
    tables = iter(reported_tables(load_paper(config)))
    columns = 0
    for line in capsys.readouterr().out.splitlines():
        if line.startswith(r"\begin{tabular}"):
            columns = len(next(tables).columns)
        row = line.endswith(r" \\")
        if row:
            assert len(line.split(" & ")) == columns
        text = line.replace(" & ", " ") if row else line
        assert not re.search(r"(?<!\\)[&%_#~^<>±]", text)
        assert "$" not in text.replace(r"$\pm$", "")


def test_reported_json_holds_numbers(tmp_path):
    called("reported", "sdak", "--table", 4, "--to", "json", "--out", tmp_path / "four.json")
    facts = json.loads((tmp_path / "four.json").read_bytes())
    (table,) = facts["tables"]
    assert table["rows"][0]["factacc"] == 65.42
    assert table["rows"][0]["factacc_std"] == 0.6
    assert [erratum["id"] for erratum in facts["errata"]] == ["S3", "S4", "S5", "S9", "S10", "S12", "S14"]
    assert "not ours" in facts["heading"]
    assert facts["decimals"] == 2


# medzh-score cite


def build(folder, **facts):
    built = {"version": "1.2.0", "recipe": "official", "fingerprint": FINGERPRINT, **facts}
    folder.mkdir(exist_ok=True)
    (folder / "manifest.json").write_text(json.dumps({"configs": {"sdak": built}}))
    return folder


def entries(text):
    found = {}
    for kind, key, body in re.findall(r"^@(\w+)\{([\w-]+),\n(.*?)^\}$", text, re.MULTILINE | re.DOTALL):
        assert kind == "misc"
        found[key] = dict(re.findall(r"^  (\w+) = \{(.*)\},$", body, re.MULTILINE))
    assert text.count("@") == len(found)
    return found


def test_cite_without_a_build(tmp_path, capsys):
    assert called("cite", "sdak", "--data", tmp_path / "none") == 0
    shown = capsys.readouterr().out
    assert len([line for line in shown.splitlines() if line.startswith("% no data to cite")]) == 1
    found = entries(shown)
    assert found["medzh"]["version"] == VERSION
    assert found["sdak2023"]["eprint"] == "2310.11722"
    assert found["sdak2023"]["author"].startswith("Fan, Yaxin and ")
    assert len(found) == 2
    assert shown.endswith(f"medzh-score {VERSION} \\cite{{medzh}}.\n")


def test_cite_gives_authors_only_where_the_text_names_them(tmp_path, capsys):
    called("cite", "tcmd", "--data", tmp_path / "none")
    paper = entries(capsys.readouterr().out)["tcmd"]
    assert paper["author"].startswith("Yu, Ping and Song, Kaitao")
    assert paper.keys() == {"author", "title"}  # neither a year nor a number stands in the text that was read


def test_cite_escapes_what_a_title_says(tmp_path, capsys):
    called("cite", "pemebench", "--data", tmp_path / "none")
    assert entries(capsys.readouterr().out)["pemebench"]["title"] == (
        r"{PeMeBench: Chinese pediatric medical Q\&A benchmark testing method}"
    )


def test_cite_names_the_data(tmp_path, capsys):
    called("cite", "sdak", "--data", build(tmp_path / "build"))
    shown = capsys.readouterr().out
    data = entries(shown)["medzh-sdak-01234567"]
    assert data["version"] == "1.2.0/official/01234567"
    assert FINGERPRINT in data["note"]
    assert "not the official" not in shown
    assert shown.splitlines()[-1].count(r"\cite{") == 3


@pytest.mark.parametrize(
    "facts", [{"recipe": "mini"}, {"recipe": "open"}, {"recipe": "own"}, {"sources": [{"pinned": False}]}]
)
def test_cite_never_passes_other_data_as_the_benchmark(facts, tmp_path, capsys):
    called("cite", "sdak", "--data", build(tmp_path / "build", **facts))
    shown = capsys.readouterr().out
    name = f"sdak_{facts['recipe']}" if facts.get("recipe") in ("open", "own") else "sdak"
    assert "not the official SDAK data" in entries(shown)[f"medzh-{name}-01234567"]["title"]
    assert "not the official SDAK data" in shown.splitlines()[-1]


def test_cite_of_a_build_without_the_config(tmp_path, capsys):
    (tmp_path / "manifest.json").write_text('{"configs": {"tcmd": {}}}')
    called("cite", "sdak", "--data", tmp_path)
    assert "holds no build of sdak" in capsys.readouterr().out


@pytest.mark.parametrize("manifest", ["[]", "{", '{"configs": {"sdak": {"version": "1"}}}', '{"configs": {"sdak": 1}}'])
def test_cite_of_a_damaged_build(manifest, tmp_path):
    (tmp_path / "manifest.json").write_text(manifest)
    with pytest.raises(MedzhError, match="is no manifest of a build"):
        called("cite", "sdak", "--data", tmp_path)


def test_cite_escapes_what_a_manifest_says(tmp_path, capsys):
    called("cite", "sdak", "--data", build(tmp_path / "build", version="1}@evil{\n%_&"))
    assert entries(capsys.readouterr().out)["medzh-sdak-01234567"]["version"] == r"1evil\_\&/official/01234567"
