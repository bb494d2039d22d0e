"""How far the heuristic behind the ``-auto`` error types agrees with hand labels.

Source: ``data/sdak_error_cases.jsonl``, fifty wrong pairs labelled by hand before the heuristic was fixed. Answers are
read by ``strict-1``, classes come from the two answers, and the note on the counterfactual's answer splits those that
call both claims correct.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from medzh_score.extraction import sdak_official, sdak_strict
from medzh_score.extraction.sdak_reason import FACTUAL, RESTATES, counterfactual_side
from medzh_score.metrics.sdak import HEURISTIC

# The measured agreement; whoever changes the heuristic states the new number wherever this one is stated.
AGREEING = 36
OF = 50


@pytest.fixture(scope="module")
def cases():
    text = (Path(__file__).parent / "data" / "sdak_error_cases.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def told(case, rule=sdak_strict):
    side = counterfactual_side(case["factual"], case["counterfactual"], case["object"])
    factual = rule.read(case["factual_response"], FACTUAL)
    counterfactual = rule.read(case["counterfactual_response"], side)
    both = (factual.value, counterfactual.value)
    if None in both:
        return "not_follow"
    if both == ("correct", "correct"):
        return "misinterpretation" if counterfactual.note == RESTATES else "sycophancy"
    return {("incorrect", "incorrect"): "safety", ("incorrect", "correct"): "reversed"}.get(both, "right")


def test_the_cases_are_fifty_different_ones(cases):
    assert len(cases) == OF
    assert len({(case["factual"], case["factual_response"], case["counterfactual_response"]) for case in cases}) == OF
    labels = {case["label"] for case in cases}
    assert labels == {"not_follow", "sycophancy", "safety", "misinterpretation", "reversed"}


def test_measured_agreement(cases):
    assert sum(told(case) == case["label"] for case in cases) == AGREEING


def test_what_is_missed_and_what_is_invented(cases):
    confusion = Counter((case["label"], told(case)) for case in cases)
    assert sum(count for (label, _), count in confusion.items() if label == "misinterpretation") == 16
    assert confusion["misinterpretation", "misinterpretation"] == 7
    invented = {pair: n for pair, n in confusion.items() if pair[1] == "misinterpretation" and pair[0] != pair[1]}
    assert invented == {("sycophancy", "misinterpretation"): 3}
    assert not any(answer == "right" for _, answer in confusion)


@pytest.mark.parametrize(("name", "rule"), [("strict-1", sdak_strict), ("official", sdak_official)])
def test_the_report_states_what_is_measured_for_each_rule(cases, name, rule):
    agreeing = sum(told(case, rule) == case["label"] for case in cases)
    assert (
        f"{agreeing} of {len(cases)} cases by {name}" in HEURISTIC
        or f"{agreeing} of {len(cases)} by {name}" in HEURISTIC
    )
