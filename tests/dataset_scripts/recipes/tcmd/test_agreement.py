"""Whether words speak for a subject: a naive Bayes of pairs of characters, against one that counts all anew."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from dataset_scripts.recipes.tcmd.agreement import FEWEST, SURE, WEIGHT, in_doubt
from dataset_scripts.recipes.tcmd.groups import Group, SubQuestion

HERBS, FORMULAS, POINTS = "中药学", "方剂学", "针灸学"
ASKED = {
    HERBS: ("药味", "功效", "性寒", "毒性", "炮制", "煎服", "禁忌"),
    FORMULAS: ("方剂", "组成", "君臣", "加减", "方义", "主治", "配伍"),
    POINTS: ("腧穴", "归经", "定位", "针刺", "艾灸", "郄穴", "骨度"),
}


def group(subject, *words):
    part = SubQuestion("".join(f"{word}，" for word in words), ("甲", "乙"), "A", None, "")
    return Group("A1", None, (part,), subject, "bank")


def many(subject, number):
    """Give groups that ask for seven things of the subject, each time with others of no subject beside them."""
    return [group(subject, *ASKED[subject], f"{chr(0x4E00 + place)}子") for place in range(number)]


@pytest.fixture(scope="module")
def bank():
    return [*many(HERBS, FEWEST), *many(FORMULAS, FEWEST), *many(POINTS, FEWEST - 2)]


def test_a_question_in_the_words_of_its_subject_is_not_in_doubt(bank):
    assert in_doubt(bank) == set()


def test_a_question_in_the_words_of_another_subject_is_in_doubt(bank):
    assert in_doubt([*bank, group(HERBS, *ASKED[FORMULAS])]) == {len(bank)}


def test_a_subject_is_judged_from_so_many_groups_on(bank):
    odd = group(POINTS, *ASKED[HERBS])
    assert in_doubt([*bank, odd]) == set()
    grown = [*bank, *many(POINTS, 1), odd]
    assert sum(one.subject == POINTS for one in grown) == FEWEST
    assert in_doubt(grown) == {len(bank) + 1}


def test_the_likelihoods_are_those_of_the_others_alone(bank):
    """By a count of all other groups for each group, with nothing subtracted."""
    mixed = [
        *bank,
        *(group(subject, "药味", "组成", f"{number}方") for number in range(5) for subject in (HERBS, POINTS)),
    ]
    mixed += [group(FORMULAS, "药味", "腧穴"), group(HERBS, "归经"), group(FORMULAS, "组成", "功效")]
    assert in_doubt(mixed) == {place for place in range(len(mixed)) if doubted(mixed, place)}
    assert 0 < len(in_doubt(mixed)) < len(mixed)


def doubted(groups, place):
    own, others = groups[place], groups[:place] + groups[place + 1 :]
    sizes = Counter(one.subject for one in groups)
    if sizes[own.subject] < FEWEST:
        return False
    held = {pair: sum(pair in pairs(one) for one in others) / len(others) for pair in pairs(own)}
    held = {pair: share for pair, share in held.items() if share}

    def likelihood(subject):
        mine = [pairs(one) for one in others if one.subject == subject]
        return sum(
            math.log((sum(pair in one for one in mine) + WEIGHT * share) / (len(mine) + WEIGHT))
            for pair, share in held.items()
        )

    rivals = [likelihood(subject) for subject in sizes if sizes[subject] >= FEWEST and subject != own.subject]
    most = max(*rivals, sum(math.log(share) for share in held.values()))
    return likelihood(own.subject) < most + math.log(SURE) - 1e-9


def pairs(one):
    texts = (one.parts[0].question.replace("，", ","), *one.parts[0].options)
    return {text[at : at + 2] for text in texts for at in range(len(text) - 1)}
