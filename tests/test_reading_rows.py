"""Responses of which it was asked, one by one, how they are read."""

from __future__ import annotations

import labels
import pytest
from reading_rows import DRUGS, GROUPS, rows

ROWS = rows()
NOT_RIGHT = (
    "下列说法不正确的是",
    "关于肾上腺素，错误的是",
    "下列哪项不是过敏性休克的表现",
    "不属于抗组胺药的是",
    "除哪项外均可",
    "关于肾上腺素，下列哪一项是错误的？（\u3000\u3000）\nA：收缩血管\nB：扩张支气管",
)
RIGHT = ("抢救过敏性休克的首选药物是", "下列说法正确的是", "属于抗组胺药的是")


@pytest.mark.parametrize("row", ROWS, ids=[row.id for row in ROWS])
def test_what_is_read_is_what_the_text_commits_itself_to(row):
    value = labels.read(row).value
    assert labels.comparable(row.kind, value) == labels.comparable(row.kind, row.label), row.text


@pytest.mark.parametrize(("text", "count", "values"), GROUPS)
def test_each_question_of_a_group_has_a_reading(text, count, values):
    from medzh_score.extraction import read_groups

    assert tuple(one.value for one in read_groups(text, (None,) * count)) == values


def test_several_letters_where_one_is_asked_for_say_so():
    from medzh_score.extraction import read_letters

    assert read_letters("答案：A、C", DRUGS)[:2] == ("AC", "several")


def test_unfinished_thinking_and_empty_texts_are_named():
    from medzh_score.extraction import read_letters

    assert read_letters("<think>\n答案：B", DRUGS)[:2] == (None, "unfinished thinking")
    assert read_letters(" \n", DRUGS)[:2] == (None, "empty")
    assert read_letters("抱歉，我无法回答这个问题。", DRUGS)[:2] == (None, "refusal")


@pytest.mark.parametrize(("questions", "wrong"), [(NOT_RIGHT, True), (RIGHT, False)])
def test_a_question_asks_for_what_is_wrong_or_not(questions, wrong):
    from medzh_score.extraction import asks_for_wrong

    assert [question for question in questions if asks_for_wrong(question) is not wrong] == []


def test_many_options_are_read_without_a_table_of_their_permutations():
    """Eleven options have 39,916,800 orders; reading with them takes the memory of a few objects."""
    import tracemalloc

    from medzh_score.extraction import read_letters

    options = tuple(f"第{number}对脑神经" for number in range(1, 27))
    tracemalloc.start()
    found = [
        read_letters(f"答案：{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[count - 1]}", options[:count]) for count in range(2, 27)
    ]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "".join(one.value for one in found) == "BCDEFGHIJKLMNOPQRSTUVWXYZ"
    assert peak < 20e6
