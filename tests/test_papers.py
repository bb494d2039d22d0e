from __future__ import annotations

import argparse
import json
import re
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from math import comb

import pytest

from medzh_score.commands import cite, reported
from medzh_score.errors import MedzhError
from medzh_score.papers import load_paper, reported_tables
from medzh_score.version import VERSION

PAPER = load_paper("sdak")
ROWS = {table.number: table.rows for table in PAPER.tables}
ERRATA = {erratum.id: erratum for erratum in PAPER.errata}
STATED = {statement.name: statement.value for statement in PAPER.stated}
GRADES = {"OK", "PROVEN", "STRONG", "TEXT", "CODE", "TEXT/STRONG"}
FINGERPRINT = "0123456789abcdef" * 4


def half_up(value, decimals):
    scaled = Decimal(value.numerator) / Decimal(value.denominator)
    return str(scaled.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP))


def exact(value):
    return Fraction(str(value))


def ifr(model):
    return next(exact(row["ifr"]) for row in ROWS[4] if row["model"] == model)


def factacc(model):
    return next(exact(row["factacc"]) for row in ROWS[4] if row["model"] == model)


def call(command, *words):
    parser = argparse.ArgumentParser()
    command.add(parser.add_subparsers())
    arguments = parser.parse_args([command.__name__.rpartition(".")[2], *map(str, words)])
    return arguments.run(arguments)


# The paper's own numbers


def test_table_3_follows_from_its_counts():
    verdicts = ("support", "neutral", "refute")
    assert [sum(row[verdict] for verdict in verdicts) for row in ROWS[3]] == [50] * 17
    totals = {verdict: sum(row[verdict] for row in ROWS[3]) for verdict in verdicts}
    assert totals == {"support": 748, "neutral": 66, "refute": 36}
    printed = reported_tables(PAPER, 3)[0].rows
    assert printed[-2] == ("Total", *totals.values())
    percents = [half_up(Fraction(100 * count, sum(totals.values())), 2) for count in totals.values()]
    assert percents == ["88.00", "7.76", "4.24"]
    assert printed[-1] == ("Percentage", *(f"{percent}%" for percent in percents))


def test_table_5_sums_to_what_was_drawn():
    kinds = ("not_follow", "sycophancy", "safety", "misinterpretation")
    assert [sum(row[kind] for kind in kinds) for row in ROWS[5]] == [STATED["wrong pairs sorted into error types"]] * 13


def test_table_11_sums_to_the_stated_pairs():
    numbers = [row["number"] for row in ROWS[11]]
    assert (len(numbers), sum(numbers), max(numbers)) == (17, 14_048, 1_000)
    assert sum(numbers) == STATED["pairs"]
    assert [row["type"] for row in ROWS[3]] != [row["type"] for row in ROWS[11]]  # Table 3 has its own order
    assert {row["type"] for row in ROWS[3]} == {row["type"] for row in ROWS[11]}


def test_s3_differences_are_as_stated():
    assert factacc("Qwen-14b-Chat") - factacc("ChatGPT") == exact(STATED["FactAcc, Qwen-14b-Chat over ChatGPT"])
    assert factacc("Qwen-14b-Chat") - factacc("Qwen-7b-Chat") == exact(STATED["FactAcc, gain of Qwen with size"])
    grown = factacc("Baichuan2-13b-Chat") - factacc("Baichuan2-7b-Chat")
    assert grown == exact(STATED["FactAcc, gain of Baichuan2 with size"])


def test_s4_declines():
    medical = [row["model"] for row in ROWS[4] if row["domain"] == "Medical" and row["model"] != "HuatuoGPT"]
    declines = {model: 100 - ifr(model) for model in medical}
    outside = {model for model, decline in declines.items() if not 5 <= decline <= 15}
    assert outside == {"BenTsao", "MedicalGPT", "Bianque", "DoctorGLM"}
    for decline in declines.values():
        assert half_up(decline, 2).removesuffix(".00") in ERRATA["S4"].finding
    for model in ("BenTsao", "MedicalGPT"):
        assert half_up(99 - ifr(model), 2) in ERRATA["S4"].finding


def test_s5_expected_shares_of_not_followed():
    printed = {row["model"].lower(): row["not_follow"] for row in ROWS[5]}
    expected = {
        model: 100 * (100 - ifr(model)) / (100 - factacc(model))
        for model in ("Chatmed-Consult", "MedicalGPT", "Zhongjing", "ChatGLM-Med", "BenTsao")
    }
    assert [half_up(share, 1) for share in expected.values()] == ["19.7", "26.0", "13.0", "5.5", "16.1"]
    for model, share in expected.items():
        assert re.search(
            rf"{model} {half_up(share, 1)}( %)? \((printed )?{printed[model.lower()]}\)", ERRATA["S5"].finding
        )
    share = float(expected["BenTsao"]) / 100
    at_most_5 = sum(comb(100, count) * share**count * (1 - share) ** (100 - count) for count in range(6))
    assert round(at_most_5, 4) == 0.0006
    assert "0.0006" in ERRATA["S5"].shown_by


def test_s6_sums_by_intent():
    sums = {}
    for row in ROWS[1]:
        sums[row["intent"]] = sums.get(row["intent"], 0) + row["percent"]
    assert len(sums) == STATED["query intents"]
    assert {intent for intent, total in sums.items() if total <= 80} == {"Attention"}
    assert sums.pop("Attention") == 80
    assert (min(sums.values()), max(sums.values())) == (86, 100)


def test_s7_types_that_remain():
    types = {row["type"] for row in ROWS[1]}
    remaining = {row["type"] for row in ROWS[1] if row["intent"] not in {"Price", "Advice"}}
    built = {row["type"] for row in ROWS[11]}
    assert (len(types), len(remaining)) == (19, 16)
    assert types - {"Disease-Hospital", "Treatment-Price"} == built
    assert built - remaining == {"Disease-Department"}


def test_s8_safety_counts():
    safety = {row["model"]: row["safety"] for row in ROWS[5]}
    general = [row["safety"] for row in ROWS[5] if row["domain"] == "General"]
    mixed = [safety[model] for model in ("Chatmed-Consult", "Zhongjing", "HuatuoGPT")]
    assert (min(general), max(general), half_up(Fraction(sum(general), len(general)), 1)) == (17, 26, "22.4")
    assert mixed == [18, 18, 22]
    assert sorted(safety[model] for model in ("MedicalGPT", "ChatGLM-med", "BenTsao")) == [1, 2, 5]


def test_s9_is_about_one_pair():
    gap = factacc("HuatuoGPT") - factacc("Baichuan2-7b-Chat")
    assert half_up(gap / 100 * 14_048, 1) == "1.4"


# The file


def test_errata_are_unique_and_concern_what_exists():
    numbers = {table.number for table in PAPER.tables} | {int(number) for number in PAPER.left_out}
    assert numbers == set(range(1, 12))
    assert [erratum.id for erratum in PAPER.errata] == [f"S{number}" for number in range(1, 15)]
    for erratum in PAPER.errata:
        assert erratum.grade in GRADES
        assert set(erratum.tables) <= numbers
        assert set(erratum.sections) <= PAPER.sections.keys()
        assert erratum.tables or erratum.sections
        assert erratum.finding.endswith(".")
        assert erratum.shown_by


def test_places_exist_and_no_example_text_of_the_paper_is_in_the_file():
    for statement in PAPER.stated:
        assert statement.section in PAPER.sections
    for table in PAPER.tables:
        assert set(table.sections) <= PAPER.sections.keys()
    assert not re.search(r"[\u3400-\u9fff]", repr(PAPER))


def test_cells_are_printed_as_in_the_paper():
    table = reported_tables(PAPER, 4)[0]
    assert table.columns[-3:] == ("IFR(%)", "FactAcc(%)", "AccR(%)")
    assert table.rows[1][2:] == ("Qwen-14b-Chat", "100.00±0.00", "57.29±0.03", 98)
    assert table.rows[5][4] == "37.90±0.04"
    assert table.rows[-1] == ("Medical", "Real", "DoctorGLM", 0, None, None)
    assert reported_tables(PAPER, 1)[0].rows[0] == ("Diagnosis", "Disease-Symptom", "81%")


@pytest.mark.parametrize(("number", "message"), [(6, "left out here"), (12, "no such table"), (0, "no such table")])
def test_table_that_is_not_there(number, message):
    with pytest.raises(MedzhError, match=rf"{message}.*expected 1, 3, 4, 5, 11; found {number}"):
        reported_tables(PAPER, number)


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
    (package / "papers").mkdir(parents=True)
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    return package / "papers" / "ward.json"


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
    with pytest.raises(MedzhError, match=r"no facts of a paper; expected papers/ward.json in the package hospital"):
        load_paper("ward")
    private.write_text('{"config": "ward"}')
    with pytest.raises(MedzhError, match=r"ward\.json: does not hold the facts of a paper"):
        load_paper("ward")


# medzh-score reported


def test_reported_says_whose_figures_they_are(capsys):
    assert call(reported, "sdak", "--table", 3) == 0
    shown = capsys.readouterr().out
    assert "paper prints" in shown.splitlines()[0]
    assert "not ours" in " ".join(shown.splitlines()[:2])
    assert "88.00%" in shown
    assert re.findall(r"^- (S\d+)", shown, re.MULTILINE) == ["S1", "S12"]


def test_reported_without_a_table_shows_all(capsys):
    call(reported, "sdak", "--to", "markdown")
    shown = capsys.readouterr().out
    assert re.findall(r"\*\*Table (\d+)", shown) == ["1", "3", "4", "5", "11"]
    assert re.findall(r"^- (S\d+)", shown, re.MULTILINE) == list(ERRATA)


def test_reported_latex_is_escaped(capsys):
    call(reported, "sdak", "--to", "latex")
    tables = iter(reported_tables(PAPER))
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
    call(reported, "sdak", "--table", 4, "--to", "json", "--out", tmp_path / "four.json")
    facts = json.loads((tmp_path / "four.json").read_bytes())
    (table,) = facts["tables"]
    assert table["rows"][0]["factacc"] == 65.42
    assert table["rows"][0]["factacc_std"] == 0.6
    assert [erratum["id"] for erratum in facts["errata"]] == ["S3", "S4", "S5", "S9", "S10", "S12", "S14"]
    assert "not ours" in facts["heading"]


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
    assert call(cite, "sdak", "--data", tmp_path / "none") == 0
    shown = capsys.readouterr().out
    assert len([line for line in shown.splitlines() if line.startswith("% no data to cite")]) == 1
    found = entries(shown)
    assert found["medzh"]["version"] == VERSION
    assert found["sdak2023"]["eprint"] == "2310.11722"
    assert "author" not in found["sdak2023"]
    assert len(found) == 2
    assert shown.endswith(f"medzh-score {VERSION} \\cite{{medzh}}.\n")


def test_cite_names_the_data(tmp_path, capsys):
    call(cite, "sdak", "--data", build(tmp_path / "build"))
    shown = capsys.readouterr().out
    data = entries(shown)["medzh-sdak-01234567"]
    assert data["version"] == "1.2.0/official/01234567"
    assert FINGERPRINT in data["note"]
    assert "not the official" not in shown
    assert shown.splitlines()[-1].count(r"\cite{") == 3


@pytest.mark.parametrize(
    "facts", [{"recipe": "mini"}, {"recipe": "rebuilt"}, {"recipe": "own"}, {"sources": [{"pinned": False}]}]
)
def test_cite_never_passes_other_data_as_the_benchmark(facts, tmp_path, capsys):
    call(cite, "sdak", "--data", build(tmp_path / "build", **facts))
    shown = capsys.readouterr().out
    assert "not the official SDAK data" in entries(shown)["medzh-sdak-01234567"]["title"]
    assert "not the official SDAK data" in shown.splitlines()[-1]


def test_cite_of_a_build_without_the_config(tmp_path, capsys):
    (tmp_path / "manifest.json").write_text('{"configs": {"tcmd": {}}}')
    call(cite, "sdak", "--data", tmp_path)
    assert "holds no build of sdak" in capsys.readouterr().out


@pytest.mark.parametrize("manifest", ["[]", "{", '{"configs": {"sdak": {"version": "1"}}}', '{"configs": {"sdak": 1}}'])
def test_cite_of_a_damaged_build(manifest, tmp_path):
    (tmp_path / "manifest.json").write_text(manifest)
    with pytest.raises(MedzhError, match="is no manifest of a build"):
        call(cite, "sdak", "--data", tmp_path)


def test_cite_escapes_what_a_manifest_says(tmp_path, capsys):
    call(cite, "sdak", "--data", build(tmp_path / "build", version="1}@evil{\n%_&"))
    assert entries(capsys.readouterr().out)["medzh-sdak-01234567"]["version"] == r"1evil\_\&/official/01234567"
