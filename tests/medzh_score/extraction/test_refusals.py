"""The one detector of refusals, on a table by hand in the manner of real models; what it names is medically true."""

from __future__ import annotations

import pytest
from amounts import at_least
from hypothesis import given
from hypothesis import strategies as st
from places import CASE_FILES
from tables import holds
from tool_runs import lines_of

from medzh_score.extraction import read_groups
from medzh_score.extraction.whole_text import is_refusal

LINES = lines_of(CASE_FILES / "refusals.jsonl")
TEXTS = [line["text"] for line in LINES]
REFUSED = [line["text"] for line in LINES if line["refused"]]
PIECES = ("我", "无法", "我对", "，", "。", "请", "抱歉", "I ", "cannot ", "没有", "建议", "信息", "but ")


def test_what_declines_and_says_nothing_else_is_refused():
    assert 0 < len(REFUSED) < len(TEXTS)
    holds([(line["text"], line["refused"]) for line in LINES], is_refusal)


def test_a_refused_group_is_refused_in_each_question():
    read = [tuple(one.reason for one in read_groups(text, (None, None))) for text in REFUSED]
    assert read == [("refusal", "refusal")] * len(REFUSED)


@at_least(300)
@given(text=st.lists(st.sampled_from([*TEXTS, "。", "，", "\n"]), max_size=4).map("".join))
def test_space_around_a_text_changes_nothing(text):
    assert is_refusal(text) == is_refusal(f"  {text}\n")


def test_nothing_that_follows_an_answer_makes_it_a_refusal():
    holds([(answer + text, False) for answer in ("正确。", "B。", "No. ") for text in REFUSED], is_refusal)


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.usefixtures("a_minute_at_most")
def test_a_long_text_is_gone_through(piece):
    is_refusal(piece * (200_000 // len(piece)))
