"""What may be compared: results that differ in what moves values are refused, and say in what."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from made_results import made, of_pairs, pairs

from medzh_score.benchmark.items import ItemIndex
from medzh_score.benchmark.rules import signed_rule
from medzh_score.comparison.load import Choices
from medzh_score.comparison.run import comparable, compared
from medzh_score.io.open_input import Input
from medzh_score.stats.values import Bootstrap
from medzh_score.ui.errors import MedzhError

RIGHT = np.array([[1], [0], [1], [1], [0], [1], [0], [1]])
OTHER = np.array([[1], [1], [0], [1], [0], [1], [1], [0]])
LAYOUT = pairs(len(RIGHT))
SOME_MISSING = np.arange(8).reshape(8, 1) // 7


def two(**changes):
    """Make two results of the same pairs; the changes are of the second."""
    given = {"layout": LAYOUT, "statistics": {"medzh-1": of_pairs(OTHER)}, "model": "b", **changes}
    return [made("r/a", {"medzh-1": of_pairs(RIGHT)}, LAYOUT, model="a"), made("r/b", **given)]


def compare(results, **choices):
    wanted = Choices(**{"bootstrap": Bootstrap(20), "permutations": 50, "metrics": ("FactAcc",), **choices})
    return compared(comparable(results, wanted), wanted)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"prompt": "paper-2"}, "prompt (prompt: paper-1 and paper-2)"),
        ({"form": "chat", "shots": "5"}, "form, shots (form: text and chat; shots: 0 and 5)"),
        ({"generation": "temperature 1"}, "generation"),
        (
            {"signature": {"annotators": "reason by 甲 (verified)"}},
            "annotators (annotators: none and reason by 甲 (verified))",
        ),
        ({"missing": "wrong", "missing_answers": SOME_MISSING}, "missing (missing: error and wrong)"),
        ({"data": "1.0.1/official/89abcdef"}, "data"),
    ],
)
def test_other_value_keys_are_refused_unless_they_are_allowed(changes, named):
    results = two(**changes)
    keys = named.partition(" (")[0].split(", ")
    problem = f'r/b: field "signature": not comparable with r/a: the results differ in {named}'
    with pytest.raises(MedzhError, match=re.escape(problem)):
        compare(results)
    allowed = {**changes, **changes.get("signature", {})}.keys() - {"signature", "missing_answers"}
    found = compare(results, allow=tuple(allowed))
    assert set(keys) <= set(found.allowed)
    assert not set(found.allowed) & found.signature.keys()
    assert all(found.systems[1].differing[key] != found.systems[0].differing[key] for key in found.allowed)


@pytest.mark.parametrize("key", ["config", "split", "items", "interval", "nothing", "medzh_score"])
def test_keys_that_may_not_differ_cannot_be_allowed(key):
    with pytest.raises(MedzhError, match=rf"--allow: differences in this key cannot be allowed.*found '{key}'"):
        compare(two(prompt="paper-2"), allow=("prompt", key))


@pytest.mark.parametrize(
    "changes", [{"split": "train"}, {"config": "care_mi", "statistics": {"medzh-1": np.ones((8, 1, 40))}}]
)
def test_other_configs_and_splits_are_refused_for_good(changes):
    with pytest.raises(
        MedzhError,
        match=rf"(?s)the results differ in {next(iter(changes))}.*score both systems with the same settings\.$",
    ):
        compare(two(**changes), allow=("prompt",))


def test_what_moves_no_value_is_noted():
    found = compare(two(medzh_score="0.0.1", interval="bootstrap"))
    assert found.differing == ("interval", "medzh_score")
    assert "The reports differ in display settings (interval, medzh_score). Values are not affected." in found.notes


def test_same_prompts_own_decoding_is_a_comparison_with_a_name():
    results = two(generation="temperature 1")
    assert compare(results, same_prompts=True).same_prompts
    assert compare(results, allow=("generation",)).same_prompts
    assert not compare(two()).same_prompts
    with pytest.raises(MedzhError, match=r"differ in prompt \("):
        compare(two(generation="temperature 1", prompt="paper-2"), same_prompts=True)
    unknown = [made(f"r/{name}", {"medzh-1": of_pairs(RIGHT)}, LAYOUT, prompt="unknown") for name in "ab"]
    with pytest.raises(MedzhError, match="it is unknown whether the prompts are the same"):
        compare(unknown, same_prompts=True)
    assert [note for note in compare(unknown).cautions if "prompts of 2 systems are unknown" in note]
    assert not [note for note in compare(two()).cautions if "unknown" in note]


def test_unequal_runs_are_refused_unless_they_are_averaged():
    results = two(statistics={"medzh-1": of_pairs(np.hstack([OTHER, OTHER, RIGHT]))})
    with pytest.raises(MedzhError, match='r/b: field "runs": not comparable with r/a: the results have 1 and 3 runs'):
        compare(results)
    found = compare(results, allow=("runs",))
    expected = 100 * (2 * OTHER.mean() + RIGHT.mean()) / 3
    assert found.found[0].standings[1].value.value == pytest.approx(expected)
    assert [one.runs for one in found.systems] == [1, 3]
    for standing, result in zip(found.found[0].standings, results, strict=True):
        own = result.report.metrics["FactAcc"]
        assert (standing.value.low, standing.value.high) == (own.low, own.high)
    assert any("different numbers of runs" in note for note in found.notes)


# Rules


def both(chosen, digest=None):
    rules = [chosen, *({"official", "medzh-1"} - {chosen})]
    statistics = {name: of_pairs(RIGHT if name == "official" else OTHER) for name in rules}
    signed = {"rule": digest or signed_rule(chosen)}
    return lambda folder: made(folder, statistics, LAYOUT, signature=signed)


@pytest.mark.parametrize("chosen", [("official", "official"), ("official", "medzh-1"), ("medzh-1", "medzh-1")])
def test_the_rule_is_the_primary_one_whatever_the_reports_chose(chosen):
    results = [both(rule)(f"r/{name}") for rule, name in zip(chosen, "ab", strict=True)]
    found = compare(results)
    assert (found.rule, found.signature["rule"], found.allowed) == ("medzh-1", signed_rule("medzh-1"), ())
    theirs = compare(results, rule="official")
    assert (theirs.rule, theirs.signature["rule"]) == ("official", signed_rule("official"))
    assert "Answers were extracted with rule official, not with the primary rule (medzh-1)." in theirs.notes


def test_a_result_without_the_rule_is_refused():
    lone = [made(f"r/{name}", {"official": of_pairs(RIGHT)}, LAYOUT) for name in "ab"]
    with pytest.raises(
        MedzhError, match="r/a: option --rule: the report has no results of rule medzh-1: expected official"
    ):
        compare(lone)


def test_another_reading_under_the_name_of_our_rule_is_refused():
    for first, second in product(("medzh-1", "official"), repeat=2):  # whichever rule the reports chose
        results = [both(first)("r/a"), both(second, f"{second}+00000000")("r/b")]
        for pair in (results, results[::-1]):
            with pytest.raises(MedzhError, match=r"differ in rule \(rule: medzh-1\+\w{8} and medzh-1\+\w{8}\)"):
                compare(pair)
    with pytest.raises(MedzhError, match="replaced by medzh-1"):
        compare(results, rule="strict-1")


def test_rules_far_apart_are_a_caution():
    found = compare([both("medzh-1")("r/a"), both("medzh-1")("r/b")])
    gap = abs(RIGHT.mean() - OTHER.mean())
    assert 100 * gap <= 5
    assert not found.cautions
    statistics = {"medzh-1": of_pairs(np.ones_like(RIGHT)), "official": of_pairs(RIGHT)}
    far = [made(f"r/{name}", statistics, LAYOUT, signature={"rule": signed_rule("medzh-1")}) for name in "ab"]
    assert compare(far).cautions[0] == (
        "a: FactAcc differs by more than 5 pp between rules: official 62.5%, medzh-1 100.0%."
    )


# Systems


def test_labels_are_models_else_folders_and_unique():
    def named(*models, labels=()):
        results = [
            made(f"r{place}/x" if place < 2 else f"r/{place}", {"medzh-1": of_pairs(RIGHT)}, LAYOUT, model=model)
            for place, model in enumerate(models)
        ]
        return [one.label for one in compare(results, labels=labels).systems]

    assert named("GPT", None, "Qwen") == ["GPT", "x", "Qwen"]
    assert named("GPT", "Qwen", "GPT") == ["GPT (x)", "Qwen", "GPT (2)"]
    assert named("GPT", "GPT", "GPT") == ["GPT (x) (r0/x)", "GPT (x) (r1/x)", "GPT (2)"]
    assert named("GPT", "Qwen", "GPT", labels=("old", None, "new")) == ["old", "Qwen", "new"]
    assert named("GPT", "Qwen", "Yi", labels=(None, "GPT", None)) == ["GPT (x)", "GPT", "Yi"]
    with pytest.raises(MedzhError, match="two systems have the same name"):
        named("GPT", "Qwen", "Yi", labels=("one", "one", None))


# Units


def test_other_data_are_compared_on_common_units_by_id():
    names = [f"sdak-{number:05}" for number in (7, 3, 5, 2, 90, 91)]
    other = pairs(6, names=names)
    labels = dict(zip(LAYOUT.items, LAYOUT.groups["type"], strict=True))
    other.groups["type"][:] = [labels.get(name, "A") for name in names]
    right = np.array([[1], [1], [0], [0], [1], [1]])
    results = two(layout=other, statistics={"medzh-1": of_pairs(right)}, data="1.1.0/official/89abcdef")
    with pytest.raises(MedzhError, match="differ in data, items"):
        compare(results)
    found = compare(results, allow=("data",))
    assert (found.units, found.left_out, found.allowed) == (4, 6, ("data", "items"))
    values = [one.value.value for one in found.found[0].standings]
    assert values == [100 * RIGHT[[7, 3, 5, 2]].mean(), 100 * right[:4].mean()]
    assert (
        "Excluded: 6 claim pairs of 10, which are not complete in all systems (a: 2 incomplete; b: 4 incomplete)."
        in found.notes
    )


def test_other_units_of_the_same_items_are_refused():
    joined = ItemIndex(LAYOUT.items, LAYOUT.members, np.array([0, 0, 1, 2, 3, 4, 5, 6]), LAYOUT.groups)
    with pytest.raises(
        MedzhError, match="r/b: field \"item\": the clusters differ from those of r/a: found 'sdak-00000'"
    ):
        compare(two(layout=joined), allow=("data",))
    # The same units under other numbers are the same.
    turned = ItemIndex(LAYOUT.items, LAYOUT.members, LAYOUT.clusters[::-1].copy(), LAYOUT.groups)
    assert compare(two(layout=turned)).found == compare(two()).found


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0), (2, 0, 1)])
def test_units_that_two_others_form_differently_are_refused_whichever_stands_first(order):
    """The first system has neither item of the unit: what it says of the others' units is nothing."""

    def of(name, count, units):
        layout = replace(pairs(count), clusters=np.array(units))
        data = f"1.0.{count}/official/01234567"
        return made(f"r/{name}", {"medzh-1": of_pairs(RIGHT[:count])}, layout, model=name, data=data)

    three = [of("a", 6, range(6)), of("b", 8, range(8)), of("c", 8, [0, 1, 2, 3, 4, 5, 6, 6])]
    with pytest.raises(MedzhError, match=r"the clusters differ from those of r/[bc]: found 'sdak-00006'"):
        compare([three[place] for place in order], allow=("data",))


def test_items_in_another_group_are_refused_where_groups_are_compared():
    moved = pairs(len(RIGHT), ("B", "A"))
    with pytest.raises(MedzhError, match="the type group of the item differs from that in the first system"):
        compare(two(layout=moved), by=("type",))
    assert compare(two(layout=moved)).units == len(RIGHT)
    with pytest.raises(MedzhError, match="--by: unknown breakdown: expected type, found 'kind'"):
        compare(two(), by=("kind",))


def skipping(folder, dropped, right=RIGHT, **changes):
    """Make a result in which ``skip`` dropped pairs, as scoring signs it."""
    counts = of_pairs(right)
    counts[list(dropped)] = 0
    kept = [item for place, item in enumerate(LAYOUT.items) if place not in dropped]
    digest = hashlib.sha256("\n".join(sorted(kept)).encode()).hexdigest()[:8]
    signed = f"skip, {len(kept)} of {len(LAYOUT.items)} units ({digest})"
    return made(folder, {"medzh-1": counts}, LAYOUT, **{"missing": signed, **changes})


def test_units_that_one_lacks_are_left_out_of_all():
    results = [skipping("r/a", {1, 2}, model="a"), skipping("r/b", {2, 5}, OTHER, model="b"), *two()[:1]]
    results[2] = made("r/c", {"medzh-1": of_pairs(1 - RIGHT)}, LAYOUT, model="c")
    with pytest.raises(MedzhError, match="differ in missing"):
        compare(results)
    found = compare(results, allow=("missing",))
    kept = [0, 3, 4, 6, 7]
    assert [one.value.value for one in found.found[0].standings] == pytest.approx(
        [100 * given[kept].mean() for given in (RIGHT, OTHER, 1 - RIGHT)]
    )
    assert (found.units, found.left_out) == (5, 3)
    assert (
        "Excluded: 3 claim pairs of 8, which are not complete in all systems (a: 2 incomplete; b: 2 incomplete)."
        in found.notes
    )


@pytest.mark.parametrize(
    ("first", "second", "same"), [("a", "a", True), ("a", "b", False), ("aa", "a", True), ("", "", False)]
)
def test_one_file_under_two_labels_is_named(first, second, same):
    """The files of rounds and of prompts may be one file."""
    others = (Input("p.jsonl", "0" * 64, "prompts"), Input("s.csv", "1" * 64, "round codes"))
    inputs = [(*(Input("x.jsonl", digest * 64, "native") for digest in files), *others) for files in (first, second)]
    results = [replace(one, report=one.report.with_changes(inputs=of)) for one, of in zip(two(), inputs, strict=True)]
    assert ("Same predictions file: a, b." in compare(results).cautions) is same


def test_missing_answers_that_count_as_wrong_are_left_out_where_missing_may_differ():
    missing = np.zeros(RIGHT.shape, np.int64)
    missing[4] = 1
    wrong = two(missing="wrong", missing_answers=missing)
    with pytest.raises(MedzhError, match="differ in missing"):
        compare(wrong)
    found = compare(wrong, allow=("missing",))
    assert (found.units, found.left_out) == (7, 1)
    nothing = compare(two(missing="wrong"))  # and none is: no policy had anything to decide
    assert (nothing.units, nothing.signature["missing"]) == (8, "error")
    both_wrong = [made("r/a", {"medzh-1": of_pairs(RIGHT)}, LAYOUT, missing="wrong"), wrong[1]]
    assert compare(both_wrong).left_out == 0


def test_a_signature_that_names_other_kept_items_is_refused():
    edited = skipping("r/b", {2}, missing="skip, 7 of 8 units (00000000)")
    with pytest.raises(MedzhError, match="the scored items do not match the signature"):
        compare([skipping("r/a", {2}), edited], allow=("missing",))


def test_values_that_the_statistics_do_not_give_are_refused():
    results = two()
    results[1].statistics["medzh-1"][0, 0, :] = 0
    with pytest.raises(
        MedzhError,
        match=('r/b: field "FactAcc": the value computed from the stored statistics differs from the report'),
    ):
        compare(results)
