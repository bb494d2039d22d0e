"""The facts of CMHE's paper on hallucination detection: its tables, and what the errata say of them."""

from __future__ import annotations

import re
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal

import pytest

from medzh_score.cli.main import main
from medzh_score.scoring.paper import load_paper

PAPER = load_paper("cmhe_hd")
(SIZES,) = PAPER.tables[0].rows
ROWS = {row["model"]: row for row in PAPER.tables[1].rows}
MODELS = ("ChatGPT", "Baichuan", "Qwen")
PARTITIONS = ("generated", "tampered", "correct")
ERRATA = {erratum.id: erratum for erratum in PAPER.errata}
STATED = {statement.name: statement.value for statement in PAPER.stated}


def share(count, size, rounding=ROUND_HALF_UP):
    return str((Decimal(100) * count / size).quantize(Decimal("0.1"), rounding))


def counts(cell, size, rounding=ROUND_HALF_UP):
    return [count for count in range(size + 1) if share(count, size, rounding) == str(cell)]


def test_table_1_sums_to_what_is_stated():
    assert all(list(row) == [column.name for column in table.columns] for table in PAPER.tables for row in table.rows)
    assert sum(SIZES[name] for name in PARTITIONS) == SIZES["total"] == STATED["dialogues"]
    assert [SIZES[name] for name in PARTITIONS] == [STATED[f"{name} dialogues"] for name in PARTITIONS[:2]] + [
        STATED["correct dialogues, drawn from cMedQA2"]
    ]


def test_c6_two_cells_are_no_counts_and_the_totals_say_which_are_meant():
    none = {(model, name) for model in MODELS for name in PARTITIONS if not counts(ROWS[model][name], SIZES[name])}
    assert none == {("ChatGPT", "tampered"), ("Qwen", "generated")}
    assert [share(count, 613) for count in (303, 304)] == ["49.4", "49.6"]
    assert share(8, 387) == "2.1"
    # All other cells name one count each; what is missing to the total is then known.
    totals = {"ChatGPT": 1015, "Baichuan": 1100, "Qwen": 1137}
    for model, total in totals.items():
        assert share(total, 2000) == str(ROWS[model]["all"])
        known = [counts(ROWS[model][name], SIZES[name]) for name in PARTITIONS if (model, name) not in none]
        assert all(len(found) == 1 for found in known)
        missing = total - sum(found[0] for found in known)
        assert missing == {"ChatGPT": 304, "Baichuan": 0, "Qwen": 8}[model]
        assert f"{total:,}" in ERRATA["C6"].finding


@pytest.mark.parametrize(
    ("model", "name", "below", "cell"), [("ChatGPT", "tampered", 303, 49.5), ("Qwen", "generated", 7, 2.0)]
)
def test_c6_of_the_two_nearest_counts_only_one_gives_the_total(model, name, below, cell):
    """A count that is one larger still would give the total, too, but lies further from the cell."""
    rest = {"ChatGPT": 113 + 598, "Qwen": 155 + 974}[model]
    assert float(share(below, SIZES[name])) < cell < float(share(below + 1, SIZES[name]))
    fits = [count for count in (below, below + 1) if share(rest + count, 2000) == str(ROWS[model]["all"])]
    assert fits == [below + 1]
    for count in (below, below + 1):
        assert share(count, SIZES[name]) in ERRATA["C6"].finding


def test_c6_cutting_off_explains_the_two_cells_but_breaks_two_others():
    assert 304 in counts(49.5, 613, ROUND_DOWN)
    assert 8 in counts(2.0, 387, ROUND_DOWN)
    assert share(113, 387, ROUND_DOWN) != "29.2"
    assert share(155, 613, ROUND_DOWN) != "25.3"
    assert counts(29.2, 387) == [113]
    assert counts(25.3, 613) == [155]


def test_c10_all_models_are_below_the_random_one_on_hallucinated_dialogues():
    assert all(ROWS[model][name] < ROWS["Random"][name] for model in MODELS for name in ("generated", "tampered"))
    assert share(SIZES["correct"], SIZES["total"]) == "50.0"  # what a constant No gets


def test_c11_generated_dialogues_are_harder_for_all():
    assert all(ROWS[model]["generated"] < ROWS[model]["tampered"] for model in MODELS)


def test_reported_prints_table_2_and_its_errata(capsys):
    assert main(["reported", "cmhe_hd", "--table", "2"]) == 0
    shown = capsys.readouterr().out
    assert "not ours" in " ".join(shown.splitlines()[:2])
    assert re.search(r"Baichuan +8\.0 +42\.7 +80\.7 +55\.0", shown)
    assert re.findall(r"^- (C\d+)", shown, re.MULTILINE) == ["C6", "C10", "C11"]


def test_it_can_be_cited(capsys):
    assert main(["cite", "cmhe_hd"]) == 0
    assert "https://aclanthology.org/2024.lrec-main.428" in capsys.readouterr().out
