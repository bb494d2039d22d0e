"""CARE-MI's expert filter against a plain restatement of the paper's two rules, and its tables."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_scripts.recipes.care_mi.filter import (
    CRITERIA,
    FEW,
    FLUENT,
    KEPT,
    NEGATIVE,
    OPEN,
    RULES,
    UNFLUENT,
    Rule,
    described,
    disputed,
    fate_of,
    negatives,
    relevant,
    remaining,
    verdict_of,
)
from dataset_scripts.recipes.care_mi.tables import filter_table, reason_table, sweep_table, vote_table

PARAGRAPHS = 6
rules = st.builds(Rule, name=st.sampled_from(RULES), evidence=st.integers(0, PARAGRAPHS), negatives=st.integers(1, 11))


def columns_of(paragraphs):
    return [*CRITERIA, *(f"evidence_{place}" for place in range(1, paragraphs + 1)), FLUENT]


@st.composite
def votes(draw):
    """Draw the ballots of two or three raters, and what an arbiter said of some of the columns."""
    columns = columns_of(draw(st.integers(0, PARAGRAPHS)))
    said = st.lists(st.booleans(), min_size=len(columns), max_size=len(columns))
    ballots = [dict(zip(columns, draw(said), strict=True)) for _ in range(draw(st.integers(2, 3)))]
    arbiter = {column: draw(st.booleans()) for column in columns if draw(st.booleans())}
    return ballots, arbiter


def restated(ballots, arbiter, rule):
    """Say whether a sample stays, straight from the paper's sentences."""

    def holds(column):
        ones = [ballot[column] for ballot in ballots]
        if all(ones):
            return True
        return False if not any(ones) else arbiter.get(column, False)

    if rule.name == "appendix":
        supporting = [column for column in ballots[0] if column.startswith("evidence_") and holds(column)]
        return all(map(holds, CRITERIA)) and len(supporting) >= rule.evidence and holds("fluent")
    bad = 0
    for ballot in ballots:
        bad += [ballot[name] for name in ("single_answer", "medical_norms", "right_and_direct", "fluent")].count(False)
        bad += len([name for name in ballot if name.startswith("evidence_") and ballot[name]]) < rule.evidence
    return bad < rule.negatives


@given(votes(), rules)
def test_the_filter_is_what_the_paper_says(drawn, rule):
    ballots, arbiter = drawn
    verdict = verdict_of(ballots, arbiter)
    assert (fate_of(ballots, verdict, rule) == KEPT) == restated(ballots, arbiter, rule)


@given(st.lists(votes(), max_size=8), st.sampled_from(RULES))
def test_a_higher_threshold_never_keeps_more(drawn, name):
    verdicts = [(ballots, verdict_of(ballots, arbiter)) for ballots, arbiter in drawn]
    kept = [
        {place for place, one in enumerate(verdicts) if fate_of(*one, Rule(name, evidence)) == KEPT}
        for evidence in range(PARAGRAPHS + 2)
    ]
    assert all(more <= fewer for fewer, more in pairwise(kept))


@given(votes(), rules, st.data())
def test_one_more_relevant_paragraph_never_drops_a_sample(drawn, rule, data):
    ballots, arbiter = drawn
    column = data.draw(st.sampled_from([name for name in ballots[0] if name.startswith("evidence_")] or [FLUENT]))
    better = [{**ballot, column: True} for ballot in ballots]
    before = fate_of(ballots, verdict_of(ballots, arbiter), rule)
    assert before != KEPT or fate_of(better, verdict_of(better, arbiter), rule) == KEPT


@given(votes())
def test_the_arbiter_decides_what_is_disputed_and_nothing_else(drawn):
    ballots, arbiter = drawn
    verdict = verdict_of(ballots, arbiter)
    for column, vote in ballots[0].items():
        if column in disputed(ballots):
            assert verdict.get(column) == arbiter.get(column)
        else:
            assert verdict[column] == vote


GOOD = dict.fromkeys(columns_of(4), True)


@pytest.mark.parametrize(
    ("first", "second", "arbiter", "appendix", "text"),
    [
        ({}, {}, {}, KEPT, KEPT),
        ({"single_answer": False}, {}, {}, OPEN, KEPT),
        ({"single_answer": False}, {}, {"single_answer": True}, KEPT, KEPT),
        ({"single_answer": False}, {}, {"single_answer": False}, "more than one correct answer", KEPT),
        # Two negative evaluations, and an arbiter who overrules both: here the two rules part.
        ({"single_answer": False, "fluent": False}, {}, {"single_answer": True, "fluent": True}, KEPT, NEGATIVE),
        ({"fluent": False}, {"fluent": False}, {}, UNFLUENT, NEGATIVE),
        ({"fluent": False}, {}, {"fluent": False}, UNFLUENT, KEPT),
        ({"fluent": False}, {}, {}, OPEN, KEPT),
        # Three of four paragraphs are enough, for each rater and for both.
        ({"evidence_1": False}, {"evidence_1": False}, {}, KEPT, KEPT),
        ({"evidence_1": False}, {"evidence_2": False}, {}, FEW, KEPT),
        ({"evidence_1": False}, {"evidence_2": False}, {"evidence_2": True}, KEPT, KEPT),
        ({"evidence_1": False, "evidence_2": False}, {}, {}, FEW, KEPT),
    ],
)
def test_cases_of_both_rules(first, second, arbiter, appendix, text):
    ballots = [{**GOOD, **first}, {**GOOD, **second}]
    verdict = verdict_of(ballots, arbiter)
    assert fate_of(ballots, verdict, Rule()) == appendix
    assert fate_of(ballots, verdict, Rule("text")) == text


def test_negative_evaluations_of_one_rater():
    assert negatives(GOOD, Rule()) == 0
    assert negatives(dict.fromkeys(GOOD, False), Rule()) == 5
    assert negatives({**GOOD, "evidence_1": False, "evidence_2": False}, Rule()) == 1
    assert relevant(GOOD) == 4


def test_rules_say_what_they_keep():
    assert "at least 2 paragraphs" in described(Rule(evidence=2))
    assert "discarded with 3 or more negative evaluations" in described(Rule("text", negatives=3))


@given(st.lists(votes(), max_size=8))
def test_the_sweep_counts_what_a_plain_count_counts(drawn):
    verdicts = [verdict_of(*one) for one in drawn]
    table = sweep_table(verdicts)
    paragraphs = len(table.columns) - 2
    assert paragraphs == max((sum("evidence" in column for column in one) for one in verdicts), default=0)
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["none"][0] == len(verdicts)
    for evidence in range(paragraphs + 1):
        last = [fate_of([one], one, Rule(evidence=evidence)) for one in verdicts]
        complete = [one for one in verdicts if {*CRITERIA, FLUENT} <= one.keys()]
        assert rows["1, 2, 3 and fluent"][evidence] == last.count(KEPT)
        assert rows["1, 2 and 3"][evidence] >= rows["1, 2, 3 and fluent"][evidence]
        assert remaining(complete, (), evidence) <= rows["none"][evidence]


def test_the_table_of_the_main_texts_rule():
    rule = Rule("text")
    assert filter_table([KEPT, NEGATIVE, NEGATIVE], rule).rows == (
        ("evaluated by enough experts", "5,779", 3),
        ("negative evaluations: 2 or more", "not stated", 2),
        ("kept", "1,612", 1),
    )
    assert reason_table([KEPT, NEGATIVE, NEGATIVE], rule).rows == ((NEGATIVE, 2),)


def test_votes_are_counted_by_question():
    first = {**GOOD, "evidence_1": False, "fluent": False}
    second = {**GOOD, "evidence_1": False, "medical_norms": False}
    table = vote_table([([first, second], {"fluent": False}), ([GOOD, GOOD], {})])
    assert table.columns[1:] == ("all yes", "all no", "disputed, arbiter yes", "disputed, arbiter no", "open")
    assert [row[1:] for row in table.rows] == [
        (2, 0, 0, 0, 0),
        (1, 0, 0, 0, 1),
        (2, 0, 0, 0, 0),
        (7, 1, 0, 0, 0),
        (1, 0, 0, 1, 0),
    ]
