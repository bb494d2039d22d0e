"""How far the heuristic behind the ``-auto`` error types agrees with hand labels.

Source: ``data/sdak_error_cases.jsonl``, fifty wrong pairs labelled by hand before the heuristic was fixed. Answers are
read by ``official``, classes come from the two answers, and the note on the counterfactual's answer splits those that
call both claims correct.
"""

from __future__ import annotations

import json

import pytest
from places import CASE_FILES

from medzh_score.benchmark.config import rule_of
from medzh_score.benchmark.registry import find_config
from medzh_score.configs.sdak.reading.reason import FACTUAL, RESTATES, counterfactual_side
from medzh_score.configs.sdak.statistics import HEURISTIC

# The measured agreement; whoever changes the heuristic states the new number wherever this one is stated.
AGREEING = 31
OF = 50


@pytest.fixture(scope="module")
def cases():
    text = (CASE_FILES / "sdak_error_cases.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


OFFICIAL = rule_of(find_config("sdak"), "official")


def told(case, rule=OFFICIAL):
    side = counterfactual_side(case["factual"], case["counterfactual"], case["object"])
    (factual,) = rule.read(case["factual_response"], FACTUAL, 0)
    (counterfactual,) = rule.read(case["counterfactual_response"], side, 0)
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


def test_the_report_states_what_is_measured(cases):
    assert f"{AGREEING} of {len(cases)} cases by official" in HEURISTIC
