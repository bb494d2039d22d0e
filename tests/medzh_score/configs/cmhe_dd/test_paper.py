"""The facts of CMHE-DD's paper: which cells of Table 3 follow from others, and what Figure 6 says."""

from __future__ import annotations

from fractions import Fraction

import pytest

from medzh_score.cli.main import main
from medzh_score.configs.cmhe_dd.config import DECODING
from medzh_score.scoring.paper import load_paper, reported_tables

PAPER = load_paper("cmhe_dd")
ROWS = {(row["part"], row["model"], row["level"]): row for row in PAPER.tables[1].rows}
ERRATA = {erratum.id: erratum for erratum in PAPER.errata}
STATED = {statement.name: statement.value for statement in PAPER.stated}
SHARES = [Fraction(str(value)) for name, value in STATED.items() if name.startswith("Figure 6")]
HALF = Fraction(1, 20)  # of the last printed digit
MODELS = ("ChatGPT", "Baichuan", "Qwen")


def exact(value):
    return Fraction(str(value))


def harmonic(precision, recall):
    return 2 * precision * recall / (precision + recall)


def bounds(row):
    """Give F1 for the smallest and the largest P and R that print as they do."""
    low, high = ([exact(row[name]) + sign * HALF for name in ("precision", "recall")] for sign in (-1, 1))
    return harmonic(*low), harmonic(*high)


def follows(row):
    low, high = bounds(row)
    return low - HALF <= exact(row["f1"]) <= high + HALF


def test_two_of_the_27_cells_of_f1_do_not_follow_from_their_precision_and_recall():
    assert len(ROWS) == 27
    wrong = {key for key, row in ROWS.items() if not follows(row)}
    assert wrong == {("Diagnose-chat", "Baichuan", 0), ("Diagnose-chat", "Qwen", 0)}
    assert "25 cells" in ERRATA["C4"].finding


@pytest.mark.parametrize(
    ("erratum", "model", "f1", "low", "high"),
    [("C2", "Baichuan", "47.3", "47.23", "47.33"), ("C3", "Qwen", "47.5", "47.48", "47.58")],
)
def test_the_errata_say_what_these_cells_should_be(erratum, model, f1, low, high):
    row = ROWS["Diagnose-chat", model, 0]
    found = harmonic(exact(row["precision"]), exact(row["recall"]))
    assert f"{float(found):.1f}" == f1
    assert [f"{float(bound):.2f}" for bound in bounds(row)] == [low, high]
    finding = ERRATA[erratum].finding
    assert all(
        number in finding for number in (f1, low, high, str(row["f1"]), str(row["precision"]), str(row["recall"]))
    )


def test_the_precision_that_qwens_f1_asks_for():
    row = ROWS["Diagnose-chat", "Qwen", 0]
    f1, recall = exact(row["f1"]), exact(row["recall"])
    assert f"{float(f1 * recall / (2 * recall - f1)):.1f}" == "50.2"
    assert "a P of about 50.2" in ERRATA["C3"].finding


@pytest.mark.parametrize(("level", "low", "high"), [(0, "0.201", "0.210"), (2, "0.211", "0.217")])
def test_the_weights_of_the_parts_follow_from_the_recalls(level, low, high):
    """Whatever the printed digits stand for, the weight of the chat cases lies between these."""
    least, most = [], []
    for model in MODELS:
        chat, exam, both = (exact(ROWS[f"Diagnose-{part}", model, level]["recall"]) for part in ("chat", "exam", "all"))
        weights = [
            (e - b) / (e - c)
            for c in (chat - HALF, chat + HALF)
            for e in (exam - HALF, exam + HALF)
            for b in (both - HALF, both + HALF)
        ]
        least.append(min(weights))
        most.append(max(weights))
    assert [f"{float(max(least)):.3f}", f"{float(min(most)):.3f}"] == [low, high]
    assert low in ERRATA["C5"].finding
    assert high in ERRATA["C5"].finding


def test_every_row_of_all_lies_between_its_parts():
    for model in MODELS:
        for level in range(3):
            for cell in ("precision", "recall", "f1"):
                chat, both, exam = (ROWS[f"Diagnose-{part}", model, level][cell] for part in ("chat", "all", "exam"))
                assert chat < both < exam


def test_figure_6_says_how_many_diseases_there_are():
    assert len(SHARES) == 19
    assert sum(SHARES) == 100
    step = Fraction(1, 200)
    possible = [
        total
        for total in range(1000, 2501)
        if all(abs(Fraction(100 * round(share * total / 100), total) - share) <= step for share in SHARES)
    ]
    assert possible == [1686]
    assert sum(round(share * 1686 / 100) for share in SHARES) == 1686
    assert 1295 + 391 == 1686
    assert "1,686" in ERRATA["C8"].finding


def test_the_table_prints_as_in_the_paper_and_its_decoding_is_the_configs():
    assert PAPER.decoding == DECODING
    (table,) = reported_tables(PAPER, 3)
    assert len(table.rows) == 27
    assert table.rows[3] == ("Diagnose-chat", "Baichuan", 0, 49.8, 45.0, 43.7)


def test_the_command_shows_the_errata(capsys):
    assert main(["reported", "cmhe_dd", "--table", "3"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "C2 (PROVEN" in shown
    assert "C3 (PROVEN" in shown
