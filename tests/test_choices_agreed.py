"""The rules ``strict-2`` of TCMD and of PeMeBench's choice sets: variants, groups, and what they replace.

On the tables of the older rules they are tested where these are: there each row that is read otherwise has its reason.
"""

from __future__ import annotations

from itertools import permutations

import pytest

from medzh_score.config import config_names, find_config, pick
from medzh_score.extraction import tcmd_agreed
from medzh_score.extraction.tcmd_strict import Part, Side

LETTERS = "ABCDE"
FORMULAS = ("桂枝汤", "麻黄汤", "小青龙汤", "银翘散", "桑菊饮")


def single(options, largest=None):
    return Side((Part(options),), largest or len(options))


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_every_variant_maps_back(size):
    """Whoever names the label that an option was shown with, or its text, or both, chooses that option."""
    options = FORMULAS[:size]
    side = single(options)
    for variant, order in enumerate(permutations(range(size))):
        for place, option in enumerate(order):
            letter, text = LETTERS[place], options[option]
            forms = (letter, f"{letter}. {text}", text, f"答案：{letter}。", f"答案：{text}", f"{letter}是正确的。")
            for form in (
                *forms,
                f"解表。\n故选{letter}",
                f"答案：{letter}。\n因此选{letter}. {text}",
                f"{text}（{letter}）",
            ):
                (answer,) = tcmd_agreed.read(form, side, variant)
                assert (answer.value, answer.note) == (LETTERS[option], letter), form
            other = options[order[(place + 1) % size]]
            assert tcmd_agreed.read(f"{letter}. {other}", side, variant)[0].rule == "contradiction"


def test_a_question_of_a_group_with_more_options_elsewhere_is_shifted():
    side = single(("风寒", "风热", "暑湿", "燥邪"), largest=5)
    variant = next(number for number, order in enumerate(permutations(range(5))) if order == (2, 3, 4, 0, 1))
    assert tcmd_agreed.read("A", side, variant)[0].value == "C"
    assert tcmd_agreed.read("E", side, variant)[0].rule == "no such label"
    assert tcmd_agreed.read("答案：E。外感。" * 3, side, variant)[0].rule == "no such label"


@pytest.mark.parametrize(
    "form", ["1.{} 2.{}", "1. {}\n2. {}", "第一题选{}，第二题选{}", "{}{}", "1. 无汗，故选{}。\n2. 有汗，故选{}。"]
)
def test_groups_map_back_in_every_variant(form):
    side = Side((Part(FORMULAS), Part(FORMULAS)), 5)
    for variant, order in enumerate(permutations(range(5))):
        first, second = order.index(3), order.index(0)
        answers = tcmd_agreed.read(form.format(LETTERS[first], LETTERS[second]), side, variant)
        assert [answer.value for answer in answers] == ["D", "A"]
        assert [answer.note for answer in answers] == [LETTERS[first], LETTERS[second]]


def test_the_parts_of_a_group_contradict_one_by_one():
    text = "1. 答案：A。因此选B。\n2. 答案：C。"
    answers = tcmd_agreed.read(text, Side((Part(FORMULAS), Part(FORMULAS)), 5), 0)
    assert [(answer.value, answer.rule == "contradiction") for answer in answers] == [(None, True), ("C", False)]
    told = tcmd_agreed.explain(text, Side((Part(FORMULAS), Part(FORMULAS)), 5), 0)
    assert len(told[0].spans) > 1


@pytest.mark.parametrize("text", ["<think>1.A", "抱歉，我无法回答这些问题。", ""])
def test_a_group_without_answers_has_one_reason(text):
    answers = tcmd_agreed.read(text, Side((Part(FORMULAS),) * 3, 5), 0)
    assert {answer.value for answer in answers} == {None}
    assert len({answer.rule for answer in answers}) == 1


def test_the_new_rules_replace_those_that_read_the_same_kind():
    replaced = {
        name: pick("--rule", find_config(name).rules, "strict-2").replaces
        for name in config_names()
        if name in {"tcmd", "pemebench_cmexam", "pemebench_medqa"}
    }
    assert replaced == {"tcmd": "strict-1", "pemebench_cmexam": "lenient-1", "pemebench_medqa": "lenient-1"}
