"""Entities with numbers: none is found inside a longer number, whatever stands between digits."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import SAMPLES
from tool_runs import lines_of

from dataset_scripts.recipes.pemebench.records import absent_entities
from medzh_score.configs.pemebench.entities import entities_in, names, normalised

SAMPLE = SAMPLES / "pemebench" / "PeMeBench.jsonl"
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


@given(st.text("0123456789.～， mg周次", max_size=12), st.integers(0, 99), st.sampled_from(("周", "mg", "")))
def test_found_is_what_cutting_into_numbers_finds(text, number, unit):
    """Restated: cut the text into whole numbers and single characters; the entity's pieces must stand in a row."""

    def pieces(written):
        return re.findall(r"[0-9]+(?:\.[0-9]+)*|[^0-9]", re.sub(r"(?<![0-9])\.|\.(?![0-9])", "～", written))

    kept = [piece for piece in pieces(text) if piece not in {"～", "，", " "}]
    wanted = pieces(f"{number}{unit}")
    rows = [kept[place : place + len(wanted)] for place in range(len(kept))]
    assert found(f"{number}{unit}", text) == (wanted in rows)


def test_with_a_one_before_every_number_no_numeric_entity_of_the_sample_counts():
    """17 of the 51 did before numbers were whole."""
    rows = lines_of(SAMPLE)
    numeric = 0
    for row in rows:
        kept = [entity for entity in entities_in(row["answer"], row["entities"]).kept if re.search("[0-9]", entity)]
        changed = re.sub(r"(?<![0-9.])(?=[0-9])", "1", row["answer"])
        numeric += len(kept)
        assert [entity for entity in kept if names(normalised(changed), entity)] == []
        assert all(names(normalised(row["answer"]), entity) for entity in kept)
    assert numeric == 51


def test_an_entity_inside_a_longer_number_is_absent_from_its_reference():
    record = {"answer": "疗程12周，每次1.5mg。", "entities": ["2周", "12周", "5mg", "1.5mg"]}
    assert absent_entities(record) == ["2周", "5mg"]
    assert entities_in(record["answer"], record["entities"]).left_out == 2
