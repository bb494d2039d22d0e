"""Entities with numbers, and what a judge wrote: the rest is unreadable."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import case_tables, holds

from medzh_score.configs.pemebench.reading import entities_of, names, normalised, read_entities, read_opposed

BETWEEN = (*"～~-—−，,、；:∶：/ \u3000\n（。", "。\n", "，\u200b")


def found(entity, text):
    return names(normalised(text), normalised(entity))


@pytest.mark.parametrize(
    ("entity", "holds", "lacks"),
    [
        ("2周", ("疗程2周", "2 周", "共２周。", "1～2周", "第1、2周"), ("12周", "疗程１２周", "0.2周", "22周")),
        ("60mg", ("每次60mg", "60 MG", "30～60mg", "2次，60mg"), ("160mg", "1.60mg", "6060mg")),
        ("1.5", ("1.5", "每次1.5mg", "1.5。", "用1.5.", "0.5～1.5"), ("11.5", "1.55", "21.55", "0.1.5", "15", "1，5")),
        ("2～3天", ("2-3天", "2~3天", "2—3天", "2至 2～3 天"), ("23天", "12～3天", "2～13天", "2.3天")),
        ("5，10天", ("5、10天", "5, 10天"), ("510天", "15，10天", "5.10天")),
        ("IL-6", ("IL-6升高", "il6", "IL－6、8"), ("IL-60", "IL-6.5")),
        ("CD4", ("CD4+", "CD4 8", "CD4、CD8"), ("CD48", "CD4.5")),
        ("10", ("10", "110和10", "第10.", "10，20"), ("110", "100", "1.10", "10.5")),
        ("维生素D", ("维生素D3", "2维生素D"), ("维生素",)),
    ],
)
def test_a_number_is_no_part_of_a_longer_one(entity, holds, lacks):
    """Source: written by hand."""
    assert [text for text in holds if not found(entity, text)] == []
    assert [text for text in lacks if found(entity, text)] == []


@pytest.mark.parametrize("sign", BETWEEN)
def test_any_dropped_sign_between_digits_is_one_separator(sign):
    assert normalised(f"2{sign}3天") == normalised(f"2{sign}{sign}3天") == "2 3天"
    assert normalised(f"发{sign}3天{sign}2{sign}热{sign}") == "发3天2热"


CASES = case_tables("pemebench_cases")


def test_a_conclusion_is_read_only_where_there_is_one():
    rows = [(text, verdict and {"opposed": verdict}) for text, verdict in CASES["opposed"]]
    holds(rows, lambda text: read_opposed(text, {}))


def test_a_list_is_read_only_where_there_is_one():
    rows = [(text, value and {"entities": value}) for text, value in CASES["entities"]]
    holds([*rows, ("[" * 100_000, None), ('["\ud800"]', None)], lambda text: read_entities(text, {}))


def test_what_a_person_writes_is_taken_apart():
    holds(CASES["written_entities"], lambda value: list(entities_of(value)))


@given(st.text())
def test_no_text_breaks_a_reader(text):
    assert read_opposed(text, {}) in (None, {"opposed": "yes"}, {"opposed": "no"})
    found = read_entities(text, {})
    assert found is None or entities_of(found["entities"]) or found["entities"] == "无"


@given(st.lists(st.text("发热皮疹IL-6; ；\n（）", min_size=1).filter(lambda text: text.strip(" ;；\n"))))
def test_what_is_listed_comes_back_with_spaces_for_separators(entities):
    (value,) = read_entities(json.dumps(entities), {}).values()
    plain = [" ".join(entity.replace("；", " ").replace(";", " ").split()) for entity in entities]
    assert [" ".join(entity.split()) for entity in entities_of(value)] == plain
