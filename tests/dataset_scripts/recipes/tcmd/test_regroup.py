from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tables import case_tables

from dataset_scripts.recipes.tcmd.dedupe import deduplicate
from dataset_scripts.recipes.tcmd.groups import Group, SubQuestion
from dataset_scripts.recipes.tcmd.regroup import is_case, regroup
from dataset_scripts.recipes.tcmd.rows import Candidate, Row

ORGANS = ("心", "肝", "脾", "肺", "肾")
CASE = "患者，男，30岁。咳嗽2天，痰稠色黄，咽痛，身热，舌苔薄黄，脉浮数。"


def test_cases_are_told_from_other_questions():
    tables = case_tables("tcmd_banks")
    assert [text for (text,) in tables["cases"] if not is_case(text)] == []
    assert [text for (text,) in tables["no_cases"] if is_case(text)] == []


def row(question, answer="A", options=ORGANS, **more):
    return Row(SubQuestion(question, options, answer, None, ""), **more)


def shape(candidates):
    return [(candidate.group.kind, len(candidate.group.parts)) for candidate in candidates]


def test_marked_groups_are_taken_as_they_are():
    rows = [
        row("其病位在", "D", kind="A3", stem=CASE, group="g1"),
        row("其脏属", "D", kind="A3", stem=CASE, group="g1"),
    ]
    (candidate,) = regroup([*rows], "bank")
    assert (candidate.group.kind, candidate.group.stem) == ("A3", CASE)
    assert [part.question for part in candidate.group.parts] == ["其病位在", "其脏属"]
    other = [replace(member, group="g2") for member in rows]
    assert shape(regroup([*rows, *other], "bank")) == [("A3", 2), ("A3", 2)]
    lone, *marked = (row("主藏血的脏是", "B", kind="B1", group=name) for name in (None, "g1", "g1"))
    assert shape(regroup([lone, *marked], "bank")) == [("B1", 1), ("B1", 2)]


def test_flattened_stem_is_taken_off_its_questions():
    rows = [
        row(f"{CASE}其病位在", "D", kind="A3"),
        row(f"{CASE}其母脏是", "C", kind="A3"),
        row(f"{CASE}其子脏是", "E", kind="A3"),
    ]
    (candidate,) = regroup(rows, "mlec-tcm-train")
    assert candidate.group.stem == CASE
    assert [part.question for part in candidate.group.parts] == ["其病位在", "其母脏是", "其子脏是"]
    assert candidate.group.source == "mlec-tcm-train"


def test_case_that_goes_on_is_part_of_the_question():
    rows = [row(f"{CASE}其病位在", "D", kind="A3"), row(f"{CASE}若2天后出现高热，气促，其病位在", "D", kind="A3")]
    (candidate,) = regroup(rows, "bank")
    assert [part.question for part in candidate.group.parts] == ["其病位在", "若2天后出现高热，气促，其病位在"]


def test_stem_needs_length_and_where_no_type_is_given_a_case():
    short = [row("患者咳嗽。其病位在", "D", kind="A3"), row("患者咳嗽。其母脏是", "C", kind="A3")]
    assert shape(regroup(short, "bank")) == [("A1", 1), ("A1", 1)]
    statement = "五脏各有所主，各有所藏，各有所开之窍。"
    rows = [
        row(f"{statement}开窍于舌的是", options=ORGANS[:3]),
        row(f"{statement}开窍于目的是", "B", options=ORGANS[:4]),
    ]
    assert shape(regroup(rows, "bank")) == [("A1", 1), ("A1", 1)]
    untyped = [row(f"{CASE}其病位在", "D"), row(f"{CASE}其母脏是", "C", options=ORGANS[:4])]
    assert shape(regroup(untyped, "bank")) == [("A3", 2)]


def test_question_that_is_all_stem_makes_no_group():
    rows = [row(CASE, "D", kind="A3"), row(f"{CASE}其母脏是", "C", kind="A3")]
    assert shape(regroup(rows, "bank")) == [("A2", 1), ("A2", 1)]


def test_shared_options_make_a_group_of_neighbours_only():
    blood = [row("主藏血的脏是", "B", kind="B1"), row("主统血的脏是", "C", kind="B1")]
    other = row("与肺相表里的腑是", "B", options=("胆", "大肠"), kind="B1")
    assert shape(regroup([*blood, other], "bank")) == [("B1", 2), ("B1", 1)]
    assert shape(regroup([blood[0], other, blood[1]], "bank")) == [("B1", 1)] * 3


def test_shared_options_without_a_type_need_two_right_letters():
    assert shape(regroup([row("主藏血的脏是", "B"), row("主统血的脏是", "C")], "bank")) == [("B1", 2)]
    assert shape(regroup([row("主藏血的脏是", "B"), row("藏血之脏为", "B")], "bank")) == [("A1", 1), ("A1", 1)]
    assert shape(regroup([row("主藏血的脏是", "B", kind="A1"), row("主统血的脏是", "C", kind="A1")], "bank")) == [
        ("A1", 1),
        ("A1", 1),
    ]


def test_question_that_stands_alone_is_typed_by_itself():
    rows = [
        row("主藏血的脏是", "B"),
        row(f"{CASE}其病位在", "C", ORGANS[1:]),
        row("主统血的脏是", "C", ORGANS[:4], kind="B1"),
    ]
    assert shape(regroup(rows, "bank")) == [("A1", 1), ("A2", 1), ("B1", 1)]
    alone = [row(f"{CASE}其病位在", "D", kind="A3"), row("开窍于舌的脏是", kind="A3")]
    assert shape(regroup(alone, "bank")) == [("A2", 1), ("A1", 1)]
    told = [row(f"{CASE}其病位在", "D", kind="A1"), row("开窍于舌的脏是", kind="A2")]
    assert shape(regroup(told, "bank")) == [("A1", 1), ("A2", 1)]


def single(question, answer="A", options=ORGANS, source="one", key="", kind="A1"):
    return Candidate(Group(kind, None, (SubQuestion(question, options, answer, None, key),), "", source), ())


def several(source, *parts):
    return Candidate(
        Group("B1", None, tuple(SubQuestion(text, ORGANS, right, None, "") for text, right in parts), "", source), ()
    )


def kept(candidates, sources=("one", "two")):
    return [
        (candidate.group.source, tuple(part.question for part in candidate.group.parts))
        for candidate in deduplicate(candidates, sources)[0]
    ]


def test_first_source_wins_whatever_the_order():
    pair = [single("开窍于舌的脏是（  ）。", source="two"), single("开窍于舌的脏是")]
    for candidates in (pair, pair[::-1]):
        assert kept(candidates) == [("one", ("开窍于舌的脏是",))]
        assert deduplicate(candidates, ("one", "two"))[1] == {("two", "duplicate"): 1}


def test_same_options_in_another_order_are_a_duplicate():
    turned = single("开窍于舌的脏是", "E", ORGANS[::-1], source="two")
    unique, dropped = deduplicate([single("开窍于舌的脏是"), turned], ("one", "two"))
    assert (len(unique), dropped) == (1, {("two", "duplicate"): 1})


def test_other_options_or_a_sign_make_another_question():
    other = single("开窍于舌的脏是", options=("心", "胆"))
    plus = [single("抗-HBs(+)提示", options=("保护", "感染")), single("抗-HBs(-)提示", options=("保护", "感染"))]
    assert len(kept([single("开窍于舌的脏是"), other, *plus])) == 4


def test_contradicted_questions_are_dropped_in_all_sources():
    contradicted = [
        single("主血的脏是"),
        single("主血的脏是", "B", source="two"),
        single("主血的脏是", source="two", key="x"),
    ]
    unique, dropped = deduplicate([*contradicted, single("开窍于舌的脏是")], ("one", "two"))
    assert [candidate.group.parts[0].question for candidate in unique] == ["开窍于舌的脏是"]
    assert dropped == {("one", "contradicted"): 1, ("two", "contradicted"): 2}


def test_answer_is_compared_by_its_option_not_by_its_letter():
    same_letter = single("开窍于舌的脏是", "A", ORGANS[::-1], source="two")
    unique, dropped = deduplicate([single("开窍于舌的脏是"), same_letter], ("one", "two"))
    assert unique == []
    assert dropped.total() == 2


def test_larger_group_of_a_source_wins_and_what_remains_stays_together():
    group = several("one", ("主藏血的脏是", "B"), ("主统血的脏是", "C"))
    for number in range(9):  # the single question's id stands before the group's or behind it
        first, second = f"第{number}题，主藏血的脏是", f"第{number}题，主统血的脏是"
        larger = several("one", (first, "B"), (second, "C"))
        assert kept([single(first, "B"), larger]) == [("one", (first, second))]
    later = several("two", ("主藏血的脏是", "B"), ("主藏精的脏是", "E"), ("主行水的脏是", "D"))
    assert kept([group, later]) == [
        ("one", ("主藏血的脏是", "主统血的脏是")),
        ("two", ("主藏精的脏是", "主行水的脏是")),
    ]


WORDS = ("主藏血的脏是", "主统血的脏是", "主藏精的脏是", "主行水的脏是", "开窍于舌的脏是")
GROUPS = st.builds(
    lambda source, words, rights: several(source, *zip(words, rights, strict=False)),
    st.sampled_from(("one", "two")),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True),
    st.tuples(*[st.sampled_from("ABA")] * 3),
)


@given(st.lists(GROUPS, max_size=12).flatmap(lambda groups: st.tuples(st.just(groups), st.permutations(groups))))
def test_order_of_candidates_does_not_matter(pair):
    groups, shuffled = pair
    unique, dropped = deduplicate(groups, ("one", "two"))
    assert deduplicate(shuffled, ("one", "two")) == (unique, dropped)
    questions = [part.question for candidate in unique for part in candidate.group.parts]
    assert len(questions) == len(set(questions))
    assert len(questions) + dropped.total() == sum(len(candidate.group.parts) for candidate in groups)
