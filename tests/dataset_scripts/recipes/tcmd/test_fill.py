from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, count, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_scripts.recipes.tcmd.fill import USUAL, by_type, fill, fit
from dataset_scripts.recipes.tcmd.groups import Group, SubQuestion
from dataset_scripts.recipes.tcmd.records import group_id
from dataset_scripts.recipes.tcmd.table_1 import printed
from medzh_score.configs.tcmd.exam import REALM_OF, REALMS, SUBJECTS

BANK = ["bank"]


def made(kind, size, subject, number):
    """Make a group whose texts nothing else has."""
    parts = tuple(SubQuestion(f"第{number}题之{place}", ("甲", f"乙{number}"), "A", None, "") for place in range(size))
    return Group(kind, f"病案{number}" if kind == "A3" else None, parts, subject, "bank")


def pool(*specifications):
    """Make groups: kind, size, subject, how many."""
    numbers = count()
    return [made(*what, next(numbers)) for *what, many in specifications for _ in range(many)]


def questions(groups):
    return sum(len(group.parts) for group in groups)


def best_by_brute_force(sizes, wanted):
    """Of all choices with the largest reachable sum, the one that takes the earliest things."""
    choices = [
        places
        for many in range(len(sizes) + 1)
        for places in combinations(range(len(sizes)), many)
        if sum(sizes[place] for place in places) <= wanted
    ]
    most = max(sum(sizes[place] for place in places) for places in choices)
    best = [places for places in choices if sum(sizes[place] for place in places) == most]
    return list(max(best, key=lambda places: [place in places for place in range(len(sizes))]))


@given(st.lists(st.integers(1, 6), max_size=9), st.integers(0, 20))
def test_fit_is_that_of_brute_force(sizes, wanted):
    assert fit(sizes, wanted) == best_by_brute_force(sizes, wanted)


def test_fit_where_greed_would_miss():
    assert fit([2, 3, 3], 6) == [1, 2]
    assert fit([2, 2, 1], 4) == [0, 1]
    assert fit([5, 7], 4) == []
    assert fit([], 4) == []


def test_where_all_types_abound_the_test_split_is_that_of_table_1_and_nothing_is_lost():
    groups = pool(*((kind, USUAL[kind], subject, 60) for subject in SUBJECTS for kind in USUAL))
    test, train = fill(groups, BANK, seed=3)
    sizes, realms = Counter(), Counter()
    for group in test:
        sizes[group.subject, group.kind] += len(group.parts)
        realms[REALM_OF[group.subject].name] += len(group.parts)
    assert realms == {realm.name: realm.test for realm in REALMS}
    assert sorted(map(group_id, [*test, *train])) == sorted(map(group_id, groups))
    paper = {
        (subject, kind): expected
        for subject, row in printed().items()
        for kind, (_, expected) in zip(USUAL, row, strict=True)
    }
    # Every number of Table 1 is one of whole groups: A3 a multiple of 3, B1 of 2.
    assert {key: sizes[key] for key in paper} == paper


def test_subjects_keep_their_share_where_a_type_is_missing():
    test, _ = fill(pool(*(("A1", 1, subject, 100) for subject in SUBJECTS)), BANK, seed=0)
    by_subject = Counter(group.subject for group in test)
    assert by_subject == {subject: sum(expected for _, expected in row) for subject, row in printed().items()}


def test_realm_with_too_few_goes_to_test_whole():
    groups = pool(("A1", 1, "黄帝内经", 7), ("A1", 1, "卫生法规", 30))
    test, train = fill(groups, BANK, seed=0)
    assert sum(group.subject == "黄帝内经" for group in test) == 7
    assert {group.subject for group in train} == {"卫生法规"}
    assert (len(test), len(train)) == (27, 10)


def test_realm_that_whole_groups_cannot_fill_stays_below():
    groups = pool(("B1", 3, "医学伦理学", 10))
    test, train = fill(groups, BANK, seed=0)
    assert (questions(test), questions(train)) == (18, 12)


def test_groups_of_the_usual_size_come_first():
    groups = pool(("B1", 3, "卫生法规", 20), ("B1", 2, "卫生法规", 10))
    test, _ = fill(groups, BANK, seed=0)
    assert {len(group.parts) for group in test} == {2}


def test_groups_of_the_first_source_come_first():
    """Of one type and size they fill the split before those of the next source, whatever the draw says."""
    bank = pool(("A1", 1, "卫生法规", 15), ("B1", 2, "卫生法规", 10))
    groups = [replace(group, source="first") if place % 3 else group for place, group in enumerate(bank)]
    test, train = fill(groups, ["first", "bank"], seed=0)
    for kind in ("A1", "B1"):
        sources = [{group.source for group in part if group.kind == kind} for part in (test, train)]
        assert "first" not in sources[1] or sources[0] == {"first"}
    assert {group.source for group in fill(groups, ["bank", "first"], seed=0)[0]} == {"bank", "first"}


def test_twins_go_to_train():
    twins = [
        Group("A1", None, (SubQuestion("甲类传染病是", options, "A", None, ""),), "传染病学", "bank")
        for options in (("鼠疫", "麻疹"), ("霍乱", "流行性感冒"))
    ]
    test, train = fill([*twins, *pool(("A1", 1, "传染病学", 3))], BANK, seed=0)
    assert len(test) == 3
    assert sorted(map(group_id, train)) == sorted(map(group_id, twins))


def test_questions_by_type_are_those_of_the_manual():
    assert by_type() == {"A1": 212, "A2": 142, "A3": 102, "B1": 144}


SPECIFICATION = st.tuples(
    st.sampled_from(sorted(USUAL)), st.integers(1, 4), st.sampled_from(sorted(SUBJECTS)), st.integers(1, 30)
)


@given(st.lists(SPECIFICATION, max_size=5), st.integers(0, 5), st.randoms(use_true_random=False))
def test_split_is_a_partition_that_depends_on_content_and_seed_alone(specifications, seed, random):
    groups = pool(*specifications)
    test, train = fill(groups, BANK, seed)
    shuffled = list(groups)
    random.shuffle(shuffled)
    assert fill(shuffled, BANK, seed) == (test, train)
    assert Counter(map(group_id, [*test, *train])) == Counter(map(group_id, groups))
    for realm in REALMS:
        there = [group for group in test if REALM_OF[group.subject] is realm]
        rest = [group for group in train if REALM_OF[group.subject] is realm]
        assert questions(there) <= realm.test
        # What is left over is larger than the gap: no group was left out that would have fitted.
        assert all(len(group.parts) > realm.test - questions(there) for group in rest)


def test_another_seed_draws_others():
    groups = pool(("A1", 1, "诊断学基础", 300))
    draws = [set(map(group_id, fill(groups, BANK, seed)[0])) for seed in range(4)]
    assert all(len(draw) == 120 for draw in draws)
    assert all(one != other for one, other in pairwise(draws))


@pytest.mark.parametrize("subject", ["中药学", "卫生法规"])
def test_no_groups_at_all_elsewhere_is_no_error(subject):
    test, train = fill(pool(("A1", 1, subject, 3)), BANK, seed=0)
    assert (len(test), train) == (3, [])
    assert fill([], BANK, seed=0) == ([], [])
