"""True and false statements and questions of CARE-MI by rule: every rule on a table, and the published examples."""

from __future__ import annotations

import csv

from hypothesis import given
from hypothesis import strategies as st
from tables import case_tables, holds

from dataset_scripts.recipes.care_mi.statements import Negation, ask_openly, ask_whether, join, negate, replace_answer

CASES = case_tables("care_mi_statements")
EXAMPLES = "Meetyou-AI-Lab/CARE-MI/2e1a45574c3b9c5ed52643de2714eb9275bb7284/examples.tsv"


def test_a_stem_is_joined_with_its_answer_where_its_end_leads_to_it():
    holds(
        [[stem, f"{stem}答案" if joined else None] for stem, joined in CASES["stems_joined_or_not"]],
        lambda stem: join(stem, "答案"),
    )


def test_behind_an_attribute_only_an_amount_is_joined():
    holds(CASES["amounts_joined_or_not"], join)


def test_denial_by_rule():
    holds([[text, end, Negation(denied, rule)] for text, end, denied, rule in CASES["denied"]], negate)


@given(st.text("最可能的应是为不反主药A", max_size=12), st.integers(0, 12))
def test_a_safe_denial_adds_one_character_before_the_answer(text, end):
    end = min(end, len(text))
    found = negate(text, end)
    if found.text:
        assert found.text.endswith(text[end:])
        assert found.text.count("不") == text.count("不") + 1


def test_the_last_answer_is_replaced_by_a_wrong_one_in_its_units():
    holds(CASES["answers_replaced"], replace_answer)


def test_a_plain_statement_is_asked_by_a_word_behind_it():
    holds(CASES["asked_plainly"], lambda context, text: ask_whether(text, context))


def test_an_open_question_ends_where_its_answer_begins():
    holds(CASES["asked_openly"], lambda context, text, answer: ask_openly(text, answer, context))


def test_the_published_examples_are_what_the_rules_make(upstream_file):
    """No rule makes one of the negations, and one question is a model's; some open ones end in 为什么."""
    with upstream_file(EXAMPLES).open(encoding="utf-8", newline="") as stream:
        rows = [
            (row["q-type"], *(row[name].strip().rstrip("。") for name in ("full-question", "answer", "answer-wrong")))
            for row in csv.DictReader(stream, delimiter="\t")
        ]
    whether = [(question, true, false) for kind, question, true, false in rows if kind == "tf"]
    openly = [(question, true, false) for kind, question, true, false in rows if kind != "tf"]
    assert (len(whether), len(openly)) == (8, 12)
    assert sum(question.endswith(str(ask_whether(true))) for question, true, _ in whether) == 7
    assert [true for _, true, false in whether if negate(true).text != false] == ["硬膜外麻醉的手术治疗包含剖宫产"]
    for question, true, false in openly:
        shared = next(place for place, (one, other) in enumerate(zip(true, false, strict=False)) if one != other)
        start = max(true[:shared].rfind(verb) for verb in "是为") + 1
        assert replace_answer(true, true[start:], false[start:]) == false
        if question.endswith("是什么？"):
            assert question.endswith(str(ask_openly(true, true[start:])))
