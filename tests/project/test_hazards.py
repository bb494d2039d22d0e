"""The known ways to a wrong number: what misleads, which configs it can touch, what happens now, and what holds it."""

from __future__ import annotations

import ast
from functools import cache
from typing import NamedTuple

import pytest
from places import ROOT

from medzh_score.benchmark.registry import config_names, find_config

EVERY = tuple(config_names())
ABOUT_ITEMS = tuple(name for name in EVERY if find_config(name).rounds)
JUDGED = ("care_mi", "cmhe_dd", "pemebench")  # whose metrics count judgements; of SDAK's a sample is judged
BLIND = tuple(name for name in EVERY if any(later.blind for later in find_config(name).rounds))
VARIED = ("tcmd",)  # whose options are permuted by default
REFUSED, UNMOVED, SIGNED, CAUTION = (
    "refused with file and line",
    "the number, unmoved",
    "another signature",
    "a caution",
)


class Hazard(NamedTuple):
    """A file or a call that misleads, the configs that it can touch, what happens, and the tests that show it."""

    misleads: str
    configs: tuple[str, ...]
    happens: str
    tests: tuple[str, ...]


MISSING, DUE, BOUND = "test_missing_properties", "test_due_judgements", "test_bound_judgements"
MODEL, DATA, VARIANTS = "test_one_model", "test_data_are_what_they_say", "test_asked_variants"
HAZARDS = (
    # Missing data.
    Hazard("bad answers left out, counted as wrong", EVERY, UNMOVED, (f"{MISSING}.test_a_missing_answer_stays",)),
    Hazard("right answers left out", EVERY, UNMOVED, (f"{MISSING}.test_leaving_out_wholly_right",)),
    Hazard("hallucinated answers left out", ("pemebench",), UNMOVED, (f"{DUE}.test_to_leave_hallucinated",)),
    Hazard("a metric that cannot show what is missing", EVERY, CAUTION, (f"{MISSING}.test_what_is_missing_is_said",)),
    Hazard("a fragment of a run under skip", EVERY, REFUSED, (f"{MISSING}.test_a_fragment_is_never",)),
    Hazard("a fragment of a later round", ("cmhe_ce",), REFUSED, (f"{MISSING}.test_a_fragment_of_a_later",)),
    Hazard("a stray answer in another variant under skip", VARIED, REFUSED, (f"{VARIANTS}.test_a_stray_answer",)),
    Hazard("two halves, each kept by skip", EVERY, SIGNED, (f"{MISSING}.test_two_sets_of_kept",)),
    Hazard("a run copied", EVERY, UNMOVED, (f"{MISSING}.test_a_copy_of_a_run",)),
    # Judgements.
    Hazard("a judgement lacks or cannot be read", JUDGED, REFUSED, (f"{DUE}.test_a_judgement_that_lacks_is_r",)),
    Hazard("the same, counted as the worst", JUDGED, CAUTION, (f"{DUE}.test_a_judgement_that_lacks_is_w",)),
    Hazard("a reason lacks", ("sdak",), REFUSED, (f"{DUE}.test_reasons_that_lack",)),
    Hazard("half of a round given as a sample", JUDGED, REFUSED, (f"{DUE}.test_half_of_a_round",)),
    Hazard("empty answers among judged ones", JUDGED, UNMOVED, (f"{DUE}.test_empty_answers_count_alike",)),
    Hazard("another model's judgements", ABOUT_ITEMS, REFUSED, (f"{BOUND}.test_another_models_judgements",)),
    Hazard("a sheet of several models", BLIND, UNMOVED, (f"{BOUND}.test_of_a_blind_file",)),
    Hazard("judgements without codes", (*JUDGED, "cmhe_ce"), SIGNED, (f"{BOUND}.test_what_drops_the_codes",)),
    Hazard("entities of other records", ("pemebench",), REFUSED, (f"{BOUND}.test_entities_of_another_build",)),
    Hazard("one judge, two models, other empties", JUDGED, UNMOVED, (f"{DUE}.test_two_models_by_one_judge",)),
    # Other ways.
    Hazard("variants that are no ranks, with --variants", VARIED, REFUSED, (f"{VARIANTS}.test_variants_that_are_no",)),
    Hazard("the same without it", VARIED, CAUTION, (f"{VARIANTS}.test_the_caution_has",)),
    Hazard("files of several models as runs", EVERY, REFUSED, (f"{MODEL}.test_files_of_two_models",)),
    Hazard("one file of several models", EVERY, REFUSED, (f"{MODEL}.test_one_file_of_two",)),
    Hazard("files that name nobody as runs", EVERY, CAUTION, (f"{MODEL}.test_files_that_name_nobody",)),
    Hazard("rows edited in Python", EVERY, SIGNED, (f"{DATA}.test_any_edit_of_any_column",)),
    Hazard("recipe, source or fingerprint changed", EVERY, REFUSED, (f"{DATA}.test_what_differs",)),
    Hazard("the same, with files that agree", EVERY, REFUSED, (f"{DATA}.test_the_manifest_alone",)),
    Hazard("golds swapped and the hash mended", EVERY, REFUSED, (f"{DATA}.test_what_differs",)),
    Hazard("rows that lack what scoring relies on", EVERY, REFUSED, (f"{DATA}.test_what_scoring_relies_on",)),
    Hazard("records of another config", ("pemebench_cmexam",), REFUSED, (f"{DATA}.test_records_of_another_config",)),
    Hazard("the same prompt as chat and as text", EVERY, SIGNED, ("test_signature_keys.test_another_prompt_form",)),
    Hazard("a type that is never followed", ("sdak",), "0, not undefined", ("test_scoring.test_a_type_that_is_never",)),
)


@cache
def functions_of(module: str) -> list[str]:
    """Name the functions that a module of tests defines."""
    tree = ast.parse(next((ROOT / "tests").rglob(f"{module}.py")).read_text(encoding="utf-8"))
    return [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]


@pytest.mark.parametrize("hazard", HAZARDS, ids=lambda one: one.misleads)
def test_each_hazard_is_held_by_tests(hazard):
    assert hazard.configs
    assert set(hazard.configs) <= set(EVERY)
    for module, _, beginning in (name.partition(".") for name in hazard.tests):
        assert len([name for name in functions_of(module) if name.startswith(beginning)]) == 1, beginning


def test_no_hazard_stands_twice_and_every_config_has_some():
    assert len({one.misleads for one in HAZARDS}) == len(HAZARDS)
    assert {name for one in HAZARDS for name in one.configs} == set(EVERY)
