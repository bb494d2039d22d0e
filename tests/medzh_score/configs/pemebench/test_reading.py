"""Entities with numbers, and what a judge wrote: the rest is unreadable."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import SAMPLES
from tables import case_tables, holds
from tool_runs import lines_of

from dataset_scripts.recipes.pemebench.records import absent_entities
from medzh_score.configs.pemebench.reading import (
    entities_in,
    entities_of,
    names,
    normalised,
    read_entities,
    read_opposed,
)

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


CASES = case_tables("pemebench_cases")


def test_a_conclusion_is_read_only_where_there_is_one():
    rows = [(text, verdict and {"opposed": verdict}) for text, verdict in CASES["opposed"]]
    holds(rows, lambda text: read_opposed(text, {}))


def test_a_list_is_read_only_where_there_is_one():
    rows = [(text, value and {"entities": value}) for text, value in CASES["entities"]]
    holds([*rows, ("[" * 100_000, None), ('["\ud800"]', None)], lambda text: read_entities(text, {}))


def test_what_a_person_writes_is_taken_apart():
    holds(CASES["written_entities"], lambda value: list(entities_of(value)))


PIECES = ["结论：有", "结论：无", "结论：", "有", "无", "\n", "\n", "**", "。", " ", "没", "有", "发热"]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_lines_that_conclude_agree_with_what_is_read(text):
    found = read_opposed(text, {})
    lines = [line.replace("*", "").strip(" 。") for line in text.split("\n")]
    concluded = {verdict for line, verdict in (("结论：有", "yes"), ("结论：无", "no")) if line in lines}
    if len(concluded) > 1:
        assert found is None
    elif found is not None:
        assert concluded <= {found["opposed"]}
        assert {"yes": "有", "no": "无"}[found["opposed"]] in text or (found["opposed"], "没" in text) == ("no", True)


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
