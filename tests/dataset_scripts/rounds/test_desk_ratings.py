"""Sheets that several people fill in side by side: each under a name of their own, none in the place of another."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sheet_files import save_sheet, sheet_rows

from dataset_scripts.rounds.pending import AnswersPending
from dataset_scripts.rounds.rounds import Rounds
from medzh_score.messages.errors import MedzhError

ROWS = {
    1: {"question": "麻疹有哪些并发症？", "answer": "肺炎最常见。"},
    2: {"question": "风疹如何预防？", "answer": "接种疫苗。"},
}
VALUES = {"rationality": tuple("1234567")}


def ask(rounds, rows=ROWS, raters=2):
    return rounds.ratings("rating", rows, VALUES, raters=raters)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "rounds" / "rating"


@pytest.fixture
def sheet(rounds, folder):
    """Have the sheet written, and give its rows."""
    return waited(rounds, folder)[1]


def waited(rounds, folder, rows=ROWS, raters=2):
    with pytest.raises(AnswersPending) as caught:
        ask(rounds, rows, raters)
    return caught.value.stages[0], sheet_rows((folder / "sheet.csv").read_text(encoding="utf-8"))


def rated(rows, rater, *said):
    return [{**row, "rationality": value, "rater": rater} for row, value in zip(rows, said, strict=False)]


def test_the_sheet_says_who_has_rated_a_row_and_goes_out_until_enough_have(rounds, folder, sheet):
    assert list(sheet[0]) == ["id", "question", "answer", "rated_by", "rationality", "rater"]
    assert [row["rated_by"] for row in sheet] == ["", ""]
    save_sheet(folder / "filled-01.csv", rated(sheet, "Li", "1", "7"))
    due, again = waited(rounds, folder)
    assert due.back == folder / "filled-02.csv"
    assert [row["rated_by"] for row in again] == ["Li", "Li"]
    save_sheet(folder / "filled-02.csv", rated(again, "Wang", "2", ""))
    _, again = waited(rounds, folder)
    assert [(row["question"], row["rated_by"]) for row in again] == [(ROWS[2]["question"], "Li")]
    save_sheet(folder / "filled-03.csv", rated(again, "Zhang", "6"))
    assert ask(rounds) == {
        1: {"li": {"rationality": "1"}, "wang": {"rationality": "2"}},
        2: {"li": {"rationality": "7"}, "zhang": {"rationality": "6"}},
    }
    assert not (folder / "sheet.csv").exists()
    assert rounds.notes == ("stage rating: 2 rows, 2 answered, each by 2 or more, by Li, Wang, Zhang",)


def test_two_raters_may_share_a_file(rounds, folder, sheet):
    save_sheet(folder / "filled.csv", [*rated(sheet, "Li", "1", "2"), *rated(sheet, "Wang", "3", "4")])
    assert {key: [one["rationality"] for one in found.values()] for key, found in ask(rounds).items()} == {
        1: ["1", "3"],
        2: ["2", "4"],
    }


def test_a_later_file_replaces_the_same_rater_alone(rounds, folder, sheet):
    save_sheet(folder / "filled-01.csv", [*rated(sheet, "Li", "1", "2"), *rated(sheet, "Wang", "3", "4")])
    save_sheet(folder / "filled-02.csv", rated(sheet, "Li", "7"))
    assert ask(rounds)[1] == {"li": {"rationality": "7"}, "wang": {"rationality": "3"}}
    assert rounds.summaries["rating"].replaced == 1


@pytest.mark.parametrize("other", ["li", "LI", " Li ", "Ｌｉ"])
def test_one_person_is_no_two_raters_however_the_name_is_written(rounds, folder, sheet, other):
    save_sheet(folder / "filled-01.csv", rated(sheet, "Li", "1", "2"))
    save_sheet(folder / "filled-02.csv", rated(sheet, other, "3", "4"))
    with pytest.raises(AnswersPending):
        ask(rounds)
    assert ask(rounds, raters=1)[1] == {"li": {"rationality": "3"}}


def test_a_rater_who_judges_a_row_twice_in_a_file_is_refused(rounds, folder, sheet):
    (first,) = rated(sheet, "Li", "1")
    save_sheet(folder / "filled.csv", [first, {**first, "rationality": "2"}])
    with pytest.raises(MedzhError, match=r"filled\.csv:3: field id: is answered twice in one file"):
        ask(rounds)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rater": ""}, "filled.csv:2: field rater: is blank; expected the name of who filled the row in"),
        ({"rater": "\u3000"}, "filled.csv:2: field rater: is blank"),
        ({"rationality": "8"}, "filled.csv:2: field rationality: not a value of this column"),
        ({"rationality": "1.5"}, "filled.csv:2: field rationality: not a value of this column"),
        ({"id": "rating-0"}, "filled.csv: field id: answers nothing that is asked here"),
    ],
)
def test_a_faulty_sheet_is_named(rounds, folder, sheet, change, words):
    save_sheet(folder / "filled.csv", [{**rated(sheet, "Li", "1")[0], **change}])
    with pytest.raises(MedzhError) as caught:
        ask(rounds)
    assert words in str(caught.value)


def test_a_sheet_without_a_column_for_the_rater_is_refused(rounds, folder, sheet):
    save_sheet(folder / "filled.csv", [{"id": sheet[0]["id"], "rationality": "1"}])
    with pytest.raises(MedzhError, match="a column is missing; expected id, rater, rationality"):
        ask(rounds)


def test_blank_rows_need_no_rater(rounds, folder, sheet):
    save_sheet(folder / "filled.csv", [*rated(sheet, "Li", "1"), *rated(sheet[1:], "", "")])
    assert list(waited(rounds, folder, raters=1)[1][0].values())[1:4] == ["风疹如何预防？", "接种疫苗。", ""]


def test_rows_with_too_few_raters_are_left_out_where_that_is_accepted(tmp_path, folder, sheet):
    save_sheet(folder / "filled-01.csv", rated(sheet, "Li", "1", "2"))
    save_sheet(folder / "filled-02.csv", rated(sheet, "Wang", "1"))
    rounds = Rounds(tmp_path / "rounds", accept_missing=True)
    assert list(ask(rounds)) == [1]
    assert rounds.notes[0].endswith("; 1 left out because too few raters answered")


def test_a_rating_of_a_text_that_has_changed_is_passed_over(rounds, folder, sheet):
    save_sheet(folder / "filled.csv", [*rated(sheet, "Li", "1", "2"), *rated(sheet, "Wang", "3", "4")])
    _, again = waited(rounds, folder, {**ROWS, 1: {**ROWS[1], "answer": "肺炎和喉炎。"}})
    assert [row["answer"] for row in again] == ["肺炎和喉炎。"]
    assert rounds.summaries["rating"].stale == 2


def test_a_sheet_that_was_filled_in_and_copied_is_written_anew_for_the_next_rater(rounds, folder, sheet):
    done = rated(sheet, "Li", "1", "2")
    save_sheet(folder / "sheet.csv", done)
    save_sheet(folder / "filled-01.csv", done)
    _, again = waited(rounds, folder)
    assert [(row["rated_by"], row["rationality"], row["rater"]) for row in again] == [("Li", "", "")] * 2


@pytest.mark.parametrize("change", [{"rater": "Wang"}, {"rationality": "5"}, {"rater": ""}])
def test_what_another_rater_wrote_into_the_sheet_itself_is_not_lost(rounds, folder, sheet, change):
    done = rated(sheet, "Li", "1", "2")
    save_sheet(folder / "filled-01.csv", done)
    save_sheet(folder / "sheet.csv", [{**done[0], **change}])
    with pytest.raises(MedzhError, match="has been filled in, and would be written anew"):
        ask(rounds)


def test_what_is_waited_for_says_how_many_raters(tmp_path, folder):
    said = []
    with pytest.raises(AnswersPending):
        ask(Rounds(tmp_path / "rounds", say=said.append), raters=3)
    assert said == ["rating: 2 of 2 rows to be answered by at least 3 raters each"]
    assert folder.is_dir()


def test_no_rows_ask_nobody_and_an_old_sheet_goes(rounds, folder, sheet):
    assert len(sheet) == 2
    assert ask(rounds, {}) == {}
    assert not (folder / "sheet.csv").exists()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    order=st.permutations([(row, rater) for row in (0, 1) for rater in ("Li", "Wang", "Zhang")]), cut=st.integers(1, 5)
)
def test_how_ratings_are_spread_over_files_does_not_matter(tmp_path_factory, order, cut):
    rounds = Rounds(tmp_path_factory.mktemp("rounds"))
    _, rows = waited(rounds, rounds.folder / "rating")
    value = {(row, rater): str(1 + place) for place, (row, rater) in enumerate(sorted(order))}
    for number, part in enumerate((order[:cut], order[cut:])):
        lines = [{**rows[row], "rationality": value[row, rater], "rater": rater} for row, rater in part]
        save_sheet(rounds.folder / "rating" / f"filled-{number}.csv", lines)
    expected = {
        key: {rater.lower(): {"rationality": value[row, rater]} for rater in ("Li", "Wang", "Zhang")}
        for row, key in enumerate(ROWS)
    }
    assert ask(rounds) == expected
    assert [list(found) for found in ask(rounds).values()] == [["li", "wang", "zhang"]] * 2
