from __future__ import annotations

import json

import pytest

from dataset_scripts.recipes.tcmd.pharmacist import read_pharmacist
from medzh_score.messages.errors import MedzhError

HERBS = ["A.麻黄", "B.桂枝", "C.黄连", "D.黄柏", "E.青蒿"]


def paper(*rows):
    """Write rows of a pharmacists' paper: number, question, options, answer."""
    return [
        {"number": number, "question": question, "options": options, "answer": answer, "analysis": ""}
        for number, question, options, answer in rows
    ]


@pytest.fixture
def read_paper(tmp_path):
    def read(*rows, practice=False):
        path = tmp_path / "paper.json"
        path.write_text(json.dumps(paper(*rows)), encoding="utf-8")
        reading = read_pharmacist(path, practice=practice)
        return [(row.part.upstream_key, row.part.answer, row.kind) for row in reading.rows], dict(reading.dropped)

    return read


TWELVE = [f"{letter}.{herb}" for letter, herb in zip("ABCDE", ("白术", "苍术", "茯苓", "泽泻", "猪苓"), strict=True)]
NEXT = [f"{letter} {herb}" for letter, herb in zip("ABCDE", ("三七", "白及", "艾叶", "蒲黄", "茜草"), strict=True)]


def test_paper_takes_the_questions_that_stand_whole(read_paper):
    rows, dropped = read_paper(
        (1, "发汗解表的药是", HERBS, "A"),
        (2, "清热燥湿的药是", [], "C"),
        (3, "截疟的药是", HERBS[1:], "E"),
        (41, "清心火的药是", HERBS, "C"),
        (105, "其治法是", HERBS, "C"),
        (111, "清热的药有", HERBS, "C,D,E"),
    )
    assert rows == [("1", "A", None), ("41", "C", "B1")]
    assert dropped == {"no options": 1, "lettering": 1, "stem lost": 1, "several answers": 1}


def test_paper_on_practice_has_its_cases_earlier(read_paper):
    assert read_paper((95, "发汗解表的药是", HERBS, "A"), practice=True) == ([], {"stem lost": 1})
    assert read_paper((95, "发汗解表的药是", HERBS, "A"), practice=False) == ([("95", "A", "B1")], {})


def test_options_before_a_marked_group_are_the_groups(read_paper):
    rows, dropped = read_paper(
        (50, "清虚热的药是 【51-52】", [*HERBS, *TWELVE], "E"),
        (51, "燥湿健脾，止汗安胎的药是", [], "A"),
        (52, "燥湿健脾，祛风散寒的药是", [], "B"),
        (53, "清热燥湿的药是", [], "D"),
    )
    assert rows == [("50", "E", "B1"), ("51", "A", "B1"), ("52", "B", "B1")]
    assert dropped == {"no options": 1}


def test_one_set_of_options_before_a_marked_group_is_the_groups(read_paper):
    rows, dropped = read_paper(
        (50, "清虚热的药是 【51-52】", TWELVE, "E"),
        (51, "燥湿健脾，止汗安胎的药是", [], "A"),
        (52, "燥湿健脾，祛风散寒的药是", [], "B"),
    )
    assert rows == [("51", "A", "B1"), ("52", "B", "B1")]
    assert dropped == {"no options": 1}


def test_chain_of_options_that_stand_too_early(read_paper):
    rows, dropped = read_paper(
        (50, "清虚热的药是", [*HERBS, *TWELVE], "E"),
        (51, "燥湿健脾，止汗安胎的药是", [], ""),
        (52, "燥湿健脾，祛风散寒的药是", NEXT, "A,B"),
        (53, "散瘀止血，消肿定痛的药是", [], ""),
        (54, "温经止血，散寒止痛的药是", [], "A,C"),
    )
    assert rows == [("50", "E", "B1"), ("51", "A", "B1"), ("52", "B", "B1"), ("53", "A", "B1"), ("54", "C", "B1")]
    assert dropped == {}


def test_chain_breaks_where_answers_and_questions_do_not_match(read_paper):
    rows, dropped = read_paper(
        (50, "清虚热的药是", [*HERBS, *TWELVE], "E"),
        (51, "燥湿健脾，止汗安胎的药是", [], ""),
        (52, "燥湿健脾，祛风散寒的药是", [], "A,B,C"),
    )
    assert rows == [("50", "E", "B1")]
    assert dropped == {"no options": 2}


def test_answers_of_a_group_at_its_last_question(read_paper):
    rows, _ = read_paper((60, "清心火的药是", HERBS, ""), (61, "退虚热的药是", HERBS, "C,E"))
    assert rows == [("60", "C", "B1"), ("61", "E", "B1")]
    apart, dropped = read_paper((60, "清心火的药是", HERBS, ""), (62, "退虚热的药是", HERBS, "C,E"))
    assert apart == []
    assert dropped == {"no answer": 1, "several answers": 1}


def test_explanation_with_numbers_of_the_paper_is_left_out(tmp_path):
    rows = paper((41, "清心火的药是", HERBS, "C"), (42, "退虚热的药是", HERBS, "E"), (43, "安神的药是", [], "A"))
    for row, analysis in zip(rows, ("第41题选黄连；第 42 题选青蒿", "青蒿退虚热", "第43题"), strict=True):
        row["analysis"] = analysis
    path = tmp_path / "paper.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    reading = read_pharmacist(path, practice=False)
    assert [row.part.explanation for row in reading.rows] == [None, "青蒿退虚热"]
    assert reading.unexplained == {"41"}  # the last is no sound question


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([(2, "甲", [], ""), (1, "乙", [], "")], "the numbers do not rise"),
        ([(1, "甲", [], ""), (1, "乙", [], "")], "the numbers do not rise"),
        ([("一", "甲", [], "")], "not a number"),
        ([(1, "甲", {"A": "心"}, "")], "not a list of texts"),
        ([(1, None, [], ""), (2, ["乙"], [], "")], "not a text"),
    ],
)
def test_paper_of_another_form_is_an_error(read_paper, rows, message):
    with pytest.raises(MedzhError, match=message):
        read_paper(*rows)
