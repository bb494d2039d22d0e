"""Options of concepts: Figure 7 on the real tree, the rule against brute force, letters, draws, widening."""

from __future__ import annotations

from collections import Counter

import pytest

from dataset_scripts.recipes.cmhe_ce.concepts import Concept, Named, class_of, classes, gather
from dataset_scripts.recipes.cmhe_ce.mesh import NO_FAR, NO_NEAR, Pool, balanced, choose, question_records
from dataset_scripts.recipes.cmhe_ce.records import QUESTIONS, check
from dataset_scripts.terminology.mesh import read_mesh
from medzh_score.benchmark.variants import draw_first, draw_one

TREE = "jzsh2000/pubmed/85950f69240e6de441cbb38b0b0d4faf58baf25a/data/mesh/2017MeshTree.txt"
KINDS = {one.name: one for one in classes()}


@pytest.fixture(scope="module")
def mesh(upstream_file):
    return read_mesh(upstream_file(TREE))


@pytest.fixture(scope="module")
def real(mesh):
    """All descriptors of a class, as if each had a Chinese name."""
    names = {index: [f"名{one.name}"] for index, one in enumerate(mesh.descriptors)}
    return gather(mesh, Named(names)).concepts


@pytest.fixture(scope="module")
def diseases(real):
    return Pool(tuple(one for one in real if one.kind.name == "disease"))


@pytest.fixture(scope="module")
def of_all(real):
    """Options of all descriptors, and who is without."""
    return choose(real, 0)


def of(identifier, *numbers, name="", kind="disease", aliases=()):
    return Concept(identifier, name or f"名{identifier}", f"name {identifier}", aliases, KINDS[kind], numbers)


def steps(one, other):
    """Count the steps between tree numbers by sets of all nodes above each."""
    mine, theirs = (_above(number) for number in (one, other))
    return len(mine ^ theirs)


def _above(number):
    parts = number.split(".")
    return {number[0], *(".".join(parts[:count]) for count in range(1, len(parts) + 1))}


def nearest(one, other):
    return min(steps(mine, theirs) for mine in one.numbers for theirs in other.numbers)


def test_figure_7_can_be_what_is_drawn(diseases):
    """Near options of one branch at 2 and 3 steps, a far one at 6 in the same subtree (C16)."""
    places = {one.english: index for index, one in enumerate(diseases.concepts)}
    own = places["POEMS Syndrome"]
    near = {places["Cryoglobulinemia"], places["Immunoproliferative Small Intestinal Disease"]}
    branches = [number for number in diseases.concepts[own].numbers if near <= diseases.near(own, number, 3)]
    assert branches == ["C15.378.147.780.750", "C20.683.780.750"]
    far = places["Acrocephalosyndactylia"]
    assert diseases.is_far(own, far)


def test_options_of_the_real_tree_keep_the_rule(real, of_all):
    asked = draw_first(real, lambda one: one.identifier, 400, 3)
    chosen, without = of_all
    assert len(chosen) + sum(without.values()) == len(real)
    for one in (one for one in asked if one.identifier in chosen):
        made = chosen[one.identifier]
        options = [*made.near, made.far]
        assert {other.kind for other in options} == {one.kind}
        assert len({one.name, *(other.name for other in options)}) == 4
        assert made.distances == {other.identifier: nearest(one, other) for other in options}
        farthest = {0: 3, 1: 3, 2: 4, 3: 5}[made.widened]
        assert all(1 <= made.distances[other.identifier] <= farthest for other in made.near)
        assert made.distances[made.far.identifier] >= 6
        if made.widened == 0:
            own = [number for number in one.numbers if one.kind.holds(number)]
            assert min(_of_branch(number, made.near) for number in own) <= 3


def _of_branch(number, near):
    return max(min(steps(number, theirs) for theirs in other.numbers) for other in near)


def test_all_descriptors_have_options_without_regard_to_the_order_of_concepts_and_by_seed(real, of_all):
    chosen, without = of_all
    assert not without
    assert Counter(one.widened for one in chosen.values()) == {0: len(real)}
    assert choose(real[::-1], 0)[0] == chosen
    assert choose(real[::40], 1)[0] != choose(real[::40], 0)[0]


# Of the answer's subtree, at these steps from it: B and C 2, D 3, E and F 4, G 5; far from all of them H and I.
SMALL = (
    of("A", "C01.100.200.300"),
    of("B", "C01.100.200.301"),
    of("C", "C01.100.200.302"),
    of("D", "C01.100.201"),
    of("E", "C01.100.201.300"),
    of("F", "C01.101"),
    of("G", "C01.101.200"),
    of("H", "C02.100.200.300"),
    of("I", "C01.101.200.300"),
)


@pytest.mark.parametrize(
    ("others", "near", "widened"),
    [("BCH", "BC", 0), ("BDH", "BD", 0), ("BEFH", "B", 2), ("EGH", "EG", 3), ("EFH", "EF", 2)],
)
def test_the_search_widens_only_as_far_as_two_options_need(others, near, widened):
    asked, *rest = (one for one in SMALL if one.identifier in "A" + others)
    for seed in range(5):
        chosen = choose([asked, *rest], seed)[0][asked.identifier]
        assert set(near) <= {one.identifier for one in chosen.near}
        assert (chosen.widened, chosen.far.identifier) == (widened, "H")


def test_other_branches_are_tried_before_greater_distances():
    asked = of("A", "C01.100.200.300", "C05.100.200.300")
    others = [of("B", "C05.100.200.301"), of("C", "C05.100.200.302"), of("D", "C01.101"), of("H", "C09.100.200.300")]
    found = {choose([asked, *others], seed)[0]["A"].widened for seed in range(20)}
    assert found == {0, 1}  # by the branch that the seed draws


@pytest.mark.parametrize(("others", "reason"), [("BH", NO_NEAR), ("", NO_NEAR), ("BCG", NO_FAR), ("BCDEFG", NO_FAR)])
def test_a_concept_without_such_options_is_left_out_and_counted(others, reason):
    candidates = [one for one in SMALL if one.identifier in "A" + others]
    chosen, without = choose(candidates, 0)
    assert "A" not in chosen
    assert without["disease", reason] >= 1


def test_no_two_options_have_one_chinese_name():
    twins = [of("B", "C01.100.200.301", name="同名"), of("C", "C01.100.200.302", name="同 名"), SMALL[3]]
    same = of("X", "C01.100.200.303", name="名Ａ")  # the answer's own name, in full width
    far = of("Y", "C02.100.200.300", name="同名")
    candidates = [SMALL[0], *twins, same, far, SMALL[7]]
    for seed in range(8):
        chosen = choose(candidates, seed)[0]["A"]
        names = [one.name.replace(" ", "") for one in (*chosen.near, chosen.far)]
        assert len(set(names)) == 3
        assert "名Ａ" not in names


def test_classes_are_subtrees_and_the_first_of_several_counts():
    """E010.1 is no such number, and no member by its letters alone."""
    classed = {
        "disease": (["C04.557"], ["F03.080"], ["D12.776", "C16.131"], ["E01.370", "C18.654"]),
        "medicine": (["D03.383"], ["A01", "E01.370", "D03"]),
        "test": (["E01"], ["E01.370"]),
        None: (["F01.145"], ["E010.1"], ["E02.365"]),
    }
    for name, own in classed.items():
        found = [class_of(numbers) for numbers in own]
        assert [one and one.name for one in found] == [name] * len(own)


def test_letters_are_as_balanced_as_they_can_be_over_all_and_over_each_aspect(real):
    asked = draw_first(real, lambda one: one.identifier, 333, 1)
    letters = balanced(asked, seed=0)
    assert len(letters) == sum(len(QUESTIONS[one.kind.name]) for one in asked)
    for key in (None, *{(one.kind.name, aspect) for one, aspect in letters}):
        counts = Counter(letter for (one, aspect), letter in letters.items() if key in (None, (one.kind.name, aspect)))
        assert max(counts[letter] for letter in "ABCD") - min(counts[letter] for letter in "ABCD") <= 1
    assert balanced(asked[::-1], seed=0) == letters
    assert balanced(asked, seed=1) != letters


def test_questions_hold_the_options_with_their_distances_and_the_answer_at_its_letter(real, of_all):
    asked = draw_first(real, lambda one: one.identifier, 60, 2)
    chosen, _ = of_all
    records = question_records(asked, chosen, seed=0, source="own", recipe="mesh")
    assert check({"test": records}) == []
    by_name = {one.name: one for one in real}
    assert {record["concept"] for record in records} == {one.name for one in asked}
    for record in records:
        own = by_name[record["concept"]]
        drawn = chosen[own.identifier]
        assert record["options"]["ABCD".index(record["answer"])] == own.name
        assert record["distances"] == [nearest(own, by_name[option]) for option in record["options"]]
        assert set(record["options"]) == {own.name, drawn.far.name, *(one.name for one in drawn.near)}
        assert record["question"] == record["prompt"]
        assert own.name in record["question"]


def test_one_thing_is_drawn_of_those_that_fit_each_as_likely_as_another_and_none_where_nothing_does():
    counts = Counter(draw_one(range(30), lambda one: one % 3 == 0, f"key {number}", 0) for number in range(5_000))
    assert set(counts) == set(range(0, 30, 3))
    assert all(400 < count < 600 for count in counts.values())  # 500 each, standard deviation 21
    assert [draw_one(range(5_000), lambda one: one == 4_999, f"key {number}", 0) for number in range(3)] == [4_999] * 3
    assert draw_one(range(100), lambda _: False, "key", 0) is None
    assert draw_one([], lambda _: True, "key", 0) is None
    assert len({draw_one(range(10_000), lambda _: True, "key", seed) for seed in range(50)}) > 45
