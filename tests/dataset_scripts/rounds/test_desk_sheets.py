"""Sheets that a recipe hands to people: what goes out, what comes back filled in, and what must never be lost."""

from __future__ import annotations

import pytest
from sheet_files import save_sheet, sheet_rows

from dataset_scripts.rounds.pending import AnswersPending
from dataset_scripts.rounds.rounds import Rounds
from medzh_score.messages.errors import MedzhError

ROWS = {
    1: {"question": "麻疹有哪些并发症？", "answer": "肺炎最常见。"},
    2: {"question": "风疹如何预防？", "answer": "接种疫苗。"},
}
VALUES = {"clear": ("yes", "no"), "supported": ("yes", "no")}


def ask(rounds, rows=ROWS):
    return rounds.sheet("review", rows, VALUES)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "rounds" / "review"


@pytest.fixture
def sheet(rounds, folder):
    """Have the sheet written, and give its rows."""
    with pytest.raises(AnswersPending):
        ask(rounds)
    return sheet_rows((folder / "sheet.csv").read_text(encoding="utf-8"))


def filled(rows, *decisions, rater="Li"):
    return [
        {**row, **dict(zip(VALUES, said, strict=True)), "rater": rater}
        for row, said in zip(rows, decisions, strict=False)
    ]


def test_the_sheet_shows_the_context_and_empty_columns_to_fill_in(sheet, folder):
    assert list(sheet[0]) == ["id", "question", "answer", "clear", "supported", "rater"]
    assert [row["question"] for row in sheet] == [row["question"] for row in ROWS.values()]
    assert not any(row[column] for row in sheet for column in (*VALUES, "rater"))
    assert (folder / "sheet.csv").read_bytes().startswith(b"\xef\xbb\xbf")


def test_what_is_filled_in_comes_back_by_key(rounds, sheet, folder):
    save_sheet(folder / "filled-01.csv", filled(sheet, ("yes", "no"), ("YES", "yes")))
    assert ask(rounds) == {1: {"clear": "yes", "supported": "no"}, 2: {"clear": "yes", "supported": "yes"}}
    assert rounds.notes == ("stage review: 2 rows, 2 answered by Li",)
    assert not (folder / "sheet.csv").exists()


def test_blank_rows_are_asked_again(rounds, sheet, folder):
    save_sheet(folder / "filled-01.csv", filled(sheet, ("", ""), ("yes", "yes")))
    with pytest.raises(AnswersPending) as caught:
        ask(rounds)
    columns = "clear (yes or no), supported (yes or no)"
    sheet, back = folder / "sheet.csv", folder / "filled-02.csv"
    assert str(caught.value) == f"review: fill in {columns} of {sheet}, and save it as {back}"
    assert [row["question"] for row in sheet_rows((folder / "sheet.csv").read_text(encoding="utf-8"))] == [
        ROWS[1]["question"]
    ]


def test_a_later_sheet_wins(rounds, sheet, folder):
    save_sheet(folder / "filled-01.csv", filled(sheet, ("no", "no"), ("no", "no")))
    save_sheet(folder / "filled-02.csv", filled(sheet, ("yes", "yes"), rater="Wang"))
    assert [said["clear"] for said in ask(rounds).values()] == ["yes", "no"]
    assert rounds.summaries["review"].by == ("Li", "Wang")
    assert rounds.summaries["review"].replaced == 1


def test_a_blank_row_in_a_later_sheet_takes_nothing_away(rounds, sheet, folder):
    save_sheet(folder / "filled-01.csv", filled(sheet, ("no", "no"), ("no", "no")))
    save_sheet(folder / "filled-02.csv", filled(sheet, ("", ""), ("yes", "yes")))
    assert [said["clear"] for said in ask(rounds).values()] == ["no", "yes"]


def test_a_sheet_that_was_filled_in_under_its_own_name_is_never_overwritten(rounds, sheet, folder):
    save_sheet(folder / "sheet.csv", filled(sheet, ("yes", "yes"), ("", "")))
    before = (folder / "sheet.csv").read_bytes()
    with pytest.raises(MedzhError, match=r"sheet\.csv:2: has been filled in, and would be written anew"):
        ask(rounds)
    assert (folder / "sheet.csv").read_bytes() == before
    (folder / "sheet.csv").rename(folder / "filled-01.csv")
    with pytest.raises(AnswersPending):
        ask(rounds)
    assert len(sheet_rows((folder / "sheet.csv").read_text(encoding="utf-8"))) == 1


def test_not_even_when_another_sheet_answers_all(rounds, sheet, folder):
    save_sheet(folder / "filled-01.csv", filled(sheet, ("yes", "yes"), ("yes", "yes")))
    save_sheet(folder / "sheet.csv", filled(sheet, ("no", "no"), ("", "")))
    with pytest.raises(MedzhError, match="has been filled in"):
        ask(rounds)


def test_the_name_that_is_proposed_for_it_is_free(rounds, sheet, folder):
    """Renamed to a name that is taken, it would replace what another person said."""
    save_sheet(folder / "filled-01.csv", filled(sheet[:1], ("yes", "yes")))
    with pytest.raises(AnswersPending):
        ask(rounds)
    save_sheet(folder / "sheet.csv", filled(sheet[1:], ("no", "no")))
    with pytest.raises(MedzhError, match=r"rename it to filled-02\.csv$"):
        ask(rounds)


def test_a_sheet_that_was_filled_in_and_copied_is_not_in_the_way(rounds, sheet, folder):
    for name in ("sheet.csv", "filled-01.csv"):
        save_sheet(folder / name, filled(sheet, ("yes", "yes"), ("Yes", "no")))
    assert [said["supported"] for said in ask(rounds).values()] == ["yes", "no"]
    assert [path.name for path in folder.iterdir()] == ["filled-01.csv"]


@pytest.mark.parametrize(("yes", "no"), [("是", "否"), ("TRUE", "FALSE"), ("1", "0"), ("Y", "n"), (" Yes ", "NO")])
def test_other_words_for_yes_and_no_are_known(rounds, sheet, folder, yes, no):
    save_sheet(folder / "filled-01.csv", filled(sheet, (yes, no), (no, yes)))
    assert ask(rounds) == {1: {"clear": "yes", "supported": "no"}, 2: {"clear": "no", "supported": "yes"}}


@pytest.mark.parametrize(("column", "text"), [("answer", "肺炎和喉炎最常见。"), ("question", "麻疹有哪些后遗症？")])
def test_a_read_only_column_that_was_changed_is_refused(rounds, sheet, folder, column, text):
    said = filled(sheet, ("yes", "yes"), ("yes", "yes"))
    save_sheet(folder / "filled-01.csv", [{**said[0], column: text}, said[1]])
    with pytest.raises(MedzhError, match=f"filled-01.csv:2: field {column}: is a read-only column, and was changed"):
        ask(rounds)


def test_what_spreadsheets_do_to_a_text_is_no_change(rounds, folder):
    rows = {1: {"question": "=1+1", "answer": "一\n二  三"}}
    with pytest.raises(AnswersPending):
        ask(rounds, rows)
    (row,) = filled(sheet_rows((folder / "sheet.csv").read_text(encoding="utf-8")), ("yes", "yes"))
    assert row["question"] == "'=1+1"
    save_sheet(folder / "filled-01.csv", [{**row, "answer": "一\r\n二 三 "}])
    assert ask(rounds, rows) == {1: {"clear": "yes", "supported": "yes"}}


def test_a_column_that_was_taken_out_is_no_change(rounds, sheet, folder):
    said = filled(sheet, ("yes", "yes"), ("no", "no"))
    save_sheet(folder / "filled-01.csv", [{name: row[name] for name in ("id", *VALUES)} for row in said])
    assert [row["clear"] for row in ask(rounds).values()] == ["yes", "no"]


@pytest.mark.usefixtures("sheet")
@pytest.mark.parametrize("separator", [";", "\t"])
@pytest.mark.parametrize("name", ["filled-01.csv", "sheet.csv"])
def test_a_sheet_with_other_separators_says_how_to_save_it(rounds, folder, name, separator):
    text = (folder / "sheet.csv").read_text(encoding="utf-8-sig")
    (folder / name).write_text(text.replace(",", separator), encoding="utf-8")
    words = "its cells are not separated by commas"
    with pytest.raises(MedzhError, match=rf'{words}; .*; save it from the spreadsheet as "CSV UTF-8"') as caught:
        ask(rounds)
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("sheet")
def test_a_workbook_says_how_to_save_it(rounds, folder):
    (folder / "filled-01.xlsx").write_bytes(b"PK\x03\x04" + bytes(50))
    with pytest.raises(MedzhError, match=r'filled-01\.xlsx: is a workbook; .*; save it from the spreadsheet as "CSV'):
        ask(rounds)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"clear": "perhaps"}, "filled-01.csv:2: field clear: not a value of this column; expected yes or no"),
        ({"clear": ""}, "filled-01.csv:2: field clear: is blank while the row's other values are filled in"),
        ({"id": "review-0"}, "filled-01.csv: field id: answers nothing that is asked here"),
    ],
)
def test_a_faulty_sheet_is_named(rounds, sheet, folder, change, words):
    save_sheet(folder / "filled-01.csv", [{**filled(sheet, ("yes", "yes"))[0], **change}])
    with pytest.raises(MedzhError) as caught:
        ask(rounds)
    assert words in str(caught.value)


def test_a_row_that_stands_twice_is_refused(rounds, sheet, folder):
    (first,) = filled(sheet, ("yes", "yes"))
    save_sheet(folder / "filled-01.csv", [first, first])
    with pytest.raises(MedzhError, match="is answered twice in one file"):
        ask(rounds)


def test_a_sheet_that_wps_saved_is_read_as_any_other(rounds, sheet, folder):
    path = save_sheet(folder / "filled-01.csv", filled(sheet, ("yes", "no"), ("yes", "yes")))
    path.write_bytes(path.read_bytes().decode("utf-8-sig").encode("gb18030"))
    assert ask(rounds) == {1: {"clear": "yes", "supported": "no"}, 2: {"clear": "yes", "supported": "yes"}}


def test_a_sheet_in_another_encoding_says_so(rounds, sheet, folder):
    path = save_sheet(folder / "filled-01.csv", filled(sheet, ("yes", "yes")))
    path.write_bytes(path.read_bytes().decode("utf-8-sig").encode("utf-8") + b"\xff\xff\n")
    with pytest.raises(MedzhError, match="is not UTF-8"):
        ask(rounds)


def test_a_verdict_on_a_text_that_has_changed_is_passed_over(rounds, sheet, folder):
    save_sheet(folder / "filled-01.csv", filled(sheet, ("yes", "yes"), ("yes", "yes")))
    changed = {**ROWS, 1: {**ROWS[1], "answer": "肺炎和喉炎。"}}
    with pytest.raises(AnswersPending):
        ask(rounds, changed)
    assert [row["answer"] for row in sheet_rows((folder / "sheet.csv").read_text(encoding="utf-8"))] == ["肺炎和喉炎。"]
    assert rounds.summaries["review"].stale == 1


def test_a_sheet_of_which_no_row_is_asked_any_more_is_passed_over(rounds, sheet, folder):
    save_sheet(folder / "filled-01.csv", filled(sheet, ("yes", "yes"), ("yes", "yes")))
    changed = {key: {**row, "answer": "改过。"} for key, row in ROWS.items()}
    with pytest.raises(AnswersPending) as caught:
        ask(rounds, changed)
    assert caught.value.stages[0].back == folder / "filled-02.csv"
    assert rounds.summaries["review"].stale == 2


def test_rows_that_nobody_filled_in_are_left_out_where_that_is_accepted(tmp_path, sheet, folder):
    save_sheet(folder / "filled-01.csv", filled(sheet, ("", ""), ("yes", "no")))
    rounds = Rounds(tmp_path / "rounds", accept_missing=True)
    assert list(ask(rounds)) == [2]
    assert "1 left out because no answer came back" in rounds.notes[0]


def test_no_rows_ask_nobody_and_an_old_sheet_goes(rounds, sheet, folder):
    assert len(sheet) == 2
    assert ask(rounds, {}) == {}
    assert not (folder / "sheet.csv").exists()
