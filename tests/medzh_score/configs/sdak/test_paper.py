"""The facts of SDAK's paper: its tables follow from one another, and the errata say what its numbers say."""

from __future__ import annotations

import json
import re
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from math import comb

from medzh_score.cli.main import main
from medzh_score.configs.sdak.config import CONFIG
from medzh_score.scoring.paper import load_paper, reported_tables

PAPER = load_paper("sdak")
ROWS = {table.number: table.rows for table in PAPER.tables}
ERRATA = {erratum.id: erratum for erratum in PAPER.errata}
STATED = {statement.name: statement.value for statement in PAPER.stated}


def half_up(value, decimals):
    scaled = Decimal(value.numerator) / Decimal(value.denominator)
    return str(scaled.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP))


def exact(value):
    return Fraction(str(value))


def ifr(model):
    return next(exact(row["ifr"]) for row in ROWS[4] if row["model"] == model)


def factacc(model):
    return next(exact(row["factacc"]) for row in ROWS[4] if row["model"] == model)


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


def test_cells_are_printed_as_in_the_paper():
    table = reported_tables(PAPER, 4)[0]
    assert table.columns[-3:] == ("IFR(%)", "FactAcc(%)", "AccR(%)")
    assert table.rows[1][2:] == ("Qwen-14b-Chat", "100.00±0.00", "57.29±0.03", 98)
    assert table.rows[5][4] == "37.90±0.04"
    assert table.rows[-1] == ("Medical", "Real", "DoctorGLM", 0, None, None)
    assert reported_tables(PAPER, 1)[0].rows[0] == ("Diagnosis", "Disease-Symptom", "81%")


def test_the_number_of_new_tokens_is_the_repositorys_not_the_papers(capsys):
    """Source: Appendix C, which lists four settings; the number stands in the released configuration alone (S14)."""
    assert main(["reported", "sdak", "--to", "json"]) == 0
    stated = json.loads(capsys.readouterr().out)
    assert stated["decoding"] == {"runs": 3, "temperature": 0.3, "top_k": 5, "top_p": 0.85, "repetition_penalty": 1.05}
    assert "the released configuration, not the paper, has 128" in stated["decoding_remark"]
    assert CONFIG.decoding["max_new_tokens"] == 128
    assert "128 new tokens, which the paper does not state" in ERRATA["S14"].finding
