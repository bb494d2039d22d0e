"""The facts of CMHE's paper on concept explanation: its tables, and what the errata say of them."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest

from medzh_score.cli.main import main
from medzh_score.scoring.paper import load_paper

PAPER = load_paper("cmhe_ce")
(SIZES,) = PAPER.tables[0].rows
ROWS = {row["model"]: row for row in PAPER.tables[1].rows}
CLASSES = ("medicine", "disease", "test")
CONCEPTS = [SIZES[name] for name in CLASSES]
ERRATA = {erratum.id: erratum for erratum in PAPER.errata}
STATED = {statement.name: statement.value for statement in PAPER.stated}
HALF = Fraction(1, 20)  # by which a printed figure may be off


def printed(value, places="0.1"):
    return str((Decimal(value.numerator) / value.denominator).quantize(Decimal(places), ROUND_HALF_UP))


def weighted(row, questions):
    """Give the mean of a row's classes, each weighted by its concepts times its questions on each."""
    weights = [size * number for size, number in zip(CONCEPTS, questions, strict=True)]
    cells = [Fraction(str(row[name])) for name in CLASSES]
    return sum(weight * cell for weight, cell in zip(weights, cells, strict=True)) / Fraction(sum(weights))


def test_concepts_and_their_shares_are_as_stated():
    assert sum(CONCEPTS) == STATED["concepts"] == 9909
    for kind, name in (("disease", "diseases"), ("medicine", "medicines")):
        share = STATED[f"concepts that are {name}, percent"]
        assert printed(Fraction(100 * SIZES[kind], 9909)) == str(share)


def test_c1_the_total_needs_three_questions_on_a_test():
    fours = 4 * (SIZES["medicine"] + SIZES["disease"])
    assert [SIZES[f"{name} questions"] for name in CLASSES] == [4, 4, 2]
    assert fours + 2 * SIZES["test"] == 37_516 != SIZES["total"]
    assert fours + 3 * SIZES["test"] == SIZES["total"] == STATED["questions"]
    assert 2000 + 1622 + 37_516 == 41_138
    assert 2000 + 1622 + SIZES["total"] == STATED["samples of all three tasks"]
    for number in (37_516, 38_576, 41_138, 42_198):
        assert f"{number:,}" in ERRATA["C1"].finding


@pytest.mark.parametrize("model", ROWS)
def test_c7_only_concepts_as_weights_give_the_printed_total(model):
    total = Fraction(str(ROWS[model]["all"]))
    by_concept = weighted(ROWS[model], (1, 1, 1))
    assert abs(by_concept - total) < 2 * HALF  # the classes and the total may each be off by half
    assert printed(by_concept, "0.01") in ERRATA["C7"].finding
    for questions in ((4, 4, 2), (4, 4, 3)):
        by_question = weighted(ROWS[model], questions)
        assert abs(by_question - total) > 2 * HALF
        assert printed(by_question) in ERRATA["C7"].finding


def test_reported_prints_table_4_and_its_errata(capsys):
    assert main(["reported", "cmhe_ce", "--table", "4"]) == 0
    shown = capsys.readouterr().out
    assert "not ours" in " ".join(shown.splitlines()[:2])
    assert re.search(r"Baichuan +57\.4 +57\.3 +81\.7 +59\.9", shown)
    assert re.findall(r"^- (C\d+)", shown, re.MULTILINE) == ["C7"]


def test_it_can_be_cited(capsys):
    assert main(["cite", "cmhe_ce"]) == 0
    assert "https://aclanthology.org/2024.lrec-main.428" in capsys.readouterr().out
