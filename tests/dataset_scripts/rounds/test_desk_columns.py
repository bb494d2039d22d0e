"""Rows of a sheet that ask in some of its columns only: what they do not ask is marked, and must stay so."""

from __future__ import annotations

import pytest
from sheet_files import save_sheet, sheet_rows

from dataset_scripts.rounds.pending import AnswersPending
from medzh_score.messages.errors import MedzhError
from medzh_score.rounds.filled_cells import NOT_ASKED

ROWS = {
    1: {"question": "麻疹有哪些并发症？", "fluent": NOT_ASKED},
    2: {"question": "风疹如何预防？", "right": NOT_ASKED},
    3: {"question": NOT_ASKED},
}
VALUES = {"right": ("1", "0"), "fluent": ("yes", "no")}


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "rounds" / "arbiter"


def ask(rounds):
    return rounds.sheet("arbiter", ROWS, VALUES)


@pytest.fixture
def sent(rounds, folder):
    with pytest.raises(AnswersPending):
        ask(rounds)
    return sheet_rows((folder / "sheet.csv").read_text(encoding="utf-8"))


def filled(sent, *changes):
    return [{**row, **change} for row, change in zip(sent, changes, strict=True)]


ALL = ({"right": "1"}, {"fluent": "no"}, {"right": "0", "fluent": "yes"})


def test_each_column_stands_once_and_marks_what_is_not_asked(sent):
    assert list(sent[0]) == ["id", "question", "right", "fluent", "rater"]
    assert [(row["right"], row["fluent"]) for row in sent] == [("", "/"), ("/", ""), ("", "")]


def test_only_what_is_asked_comes_back(rounds, folder, sent):
    save_sheet(folder / "filled.csv", filled(sent, *ALL))
    assert ask(rounds) == {1: {"right": "1"}, 2: {"fluent": "no"}, 3: {"right": "0", "fluent": "yes"}}


def test_a_row_is_blank_when_what_it_asks_is(rounds, folder, sent):
    save_sheet(folder / "filled.csv", filled(sent, {}, *ALL[1:]))
    with pytest.raises(AnswersPending):
        ask(rounds)
    assert rounds.summaries["arbiter"].answered == 2


@pytest.mark.parametrize("change", [{"fluent": "yes"}, {"right": "1", "fluent": "yes"}, {"right": "1", "fluent": ""}])
def test_what_is_not_asked_must_not_be_filled_in(rounds, folder, sent, change):
    save_sheet(folder / "filled.csv", filled(sent, change, *ALL[1:]))
    with pytest.raises(MedzhError, match=r"filled\.csv:2: field fluent: is a read-only column, and was changed"):
        ask(rounds)


def test_a_sheet_filled_in_under_its_own_name_is_not_lost(rounds, folder, sent):
    save_sheet(folder / "sheet.csv", filled(sent, {}, {}, ALL[2]))
    with pytest.raises(MedzhError, match=r"sheet\.csv:4: has been filled in"):
        ask(rounds)
    save_sheet(folder / "filled-1.csv", filled(sent, {}, {}, ALL[2]))
    with pytest.raises(AnswersPending):
        ask(rounds)
    assert "风疹" in (folder / "sheet.csv").read_text(encoding="utf-8-sig")
