"""Harmful mutations of another package's config: each is refused in words that name package, config and function."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from dataset_scripts.building.new import _questions
from medzh_score.authoring import (
    Prompting,
    Query,
    Reading,
    Rule,
    letters,
    pairs,
    question_config,
    ratio,
    record_alone,
    share,
    true_false,
)
from medzh_score.benchmark import registry
from medzh_score.benchmark.prompts import FilledPrompt, PromptSettings
from medzh_score.benchmark.registry import find_config
from medzh_score.conformance import check_quickly, faults
from medzh_score.data.records import Origin, Records, load_records
from medzh_score.scoring.pipeline import score
from medzh_score.stats.formulas import QuestionColumns
from medzh_score.ui.errors import MedzhError

pytestmark = pytest.mark.smoke

PACKAGE = "ward-bench"
WARD = question_config(
    "ward",
    "Ward: questions of several kinds",
    {"true-false": true_false(), "letters": letters(), "several": letters(several=True), "pairs": pairs()},
)
LINES = [line for line in _questions() if line["kind"] != "open"]


def made(config):
    rows = [{"id": f"ward-{place:02}", "options": [], "parts": [], **line} for place, line in enumerate(LINES)]
    asker = config.prompting.builder(rows, PromptSettings(config.prompting.templates[0]))
    return [
        {**row, "prompt": asker.ask(row["id"], 0).text.removesuffix(config.prompting.templates[0].completion_prefix)}
        for row in rows
    ]


ROWS = made(WARD)


@pytest.fixture
def declare(monkeypatch):
    """Give a function that lets a package declare something, as its entry point would."""
    found = registry.entry_points
    points = []

    def declare(name, load, package=PACKAGE, value="ward_bench.scoring:CONFIG"):
        point = SimpleNamespace(
            name=name, value=value, module="ward_bench.scoring", dist=SimpleNamespace(name=package), load=load
        )
        points.append(point)
        forget()

    def entry_points(*, group):
        return [*found(group=group), *(points if group == registry.CONFIGS else ())]

    monkeypatch.setattr(registry, "entry_points", entry_points)
    yield declare
    monkeypatch.undo()
    forget()


def forget():
    registry._declared.cache_clear()


def with_layout(change):
    return replace(WARD, layout=lambda records: change(WARD.layout(records)))


def with_statistics(change):
    return replace(WARD, statistics=lambda *arguments: change(WARD.statistics(*arguments)))


def with_metric(**others):
    return replace(WARD, metrics=(replace(WARD.metrics[0], **others),))


def with_rule(change):
    (rule,) = WARD.rules
    return replace(WARD, rules=(Rule("own-1", "a rule of this package", lambda *given: change(rule.read(*given))),))


def guessing(text, side):
    return WARD.rules[0].read(text or "A", side, 0)[0]


def by_place(layout, answers, judged):
    """Compare the answers as they stand in the file with the items as they stand by id."""
    found = WARD.statistics(layout, answers, judged)
    return np.roll(found, 1, axis=0)


def of_the_best(layout, answers, judged):
    found = WARD.statistics(layout, answers, judged)
    found[..., QuestionColumns.right] /= found[..., QuestionColumns.right].sum(axis=0).max()
    found[..., QuestionColumns.items] /= len(layout.items)
    return found


def doubled(found):
    found[..., QuestionColumns.right] *= 5 / 3
    return found


def unparsed_is_right(found):
    found[..., QuestionColumns.right] += 1 - found[..., QuestionColumns.read]
    return found


def any_answer_is_right(found):
    found[..., QuestionColumns.right] = found[..., QuestionColumns.read]
    return found


def knowing_gold(text, side):
    """Read the gold, which a careless `side` holds, in whatever is said."""
    return Reading(side, "known", ()) if text else Reading(None, "empty")


def with_reporting(**changes):
    return replace(WARD, reporting=replace(WARD.reporting, **changes))


def fill(found, value):
    found[0, 0, QuestionColumns.read] = value
    return found


# Where a mutation is refused, and why.
NOT_BEST = ("metrics: accuracy", "the value is not the best one if all answers are correct (rule medzh-1)")
GAPS = ("layout.clusters", "the numbers have gaps or do not start at 0")
NO_READINGS = ("rule own-1", "the return value does not contain one Reading per member")
OUT_OF_RANGE = ("metrics: accuracy", "the value is out of range (rule medzh-1): expected 0 to 100")
NOT_ONCE = ("layout.members", "not every record occurs exactly once")
BEST_BY_OTHERS = ("metrics: accuracy", "the value is the best one if each record has the answer of another record")
WRONG_SHAPE = ("statistics", "the array has the wrong shape: expected (16, 4, k)")
MUTATIONS = {
    "an accuracy of 166.67 %": (with_statistics(doubled), *OUT_OF_RANGE),
    "a scale of its own": (
        with_metric(formula=ratio(QuestionColumns.right, QuestionColumns.items, 500 / 3)),
        *OUT_OF_RANGE,
    ),
    "a share as percent": (with_metric(formula=ratio(QuestionColumns.right, QuestionColumns.items)), *NOT_BEST),
    "a direction turned": (with_metric(direction="lower"), *NOT_BEST),
    "units from 1": (with_layout(lambda one: replace(one, clusters=one.clusters + 1)), *GAPS),
    "units with a gap": (with_layout(lambda one: replace(one, clusters=one.clusters * 2)), *GAPS),
    "units too few": (with_layout(lambda one: replace(one, clusters=one.clusters[1:])), *GAPS),
    "members shifted": (with_layout(lambda one: replace(one, members=np.roll(one.members, 1, axis=0))), *NOT_BEST),
    "a record twice": (with_layout(lambda one: replace(one, members=np.maximum(one.members, 1))), *NOT_ONCE),
    "a record left out": (
        with_layout(lambda one: replace(one, items=one.items[1:], members=one.members[1:], clusters=one.clusters[:-1])),
        *NOT_ONCE,
    ),
    "items that repeat": (
        with_layout(lambda one: replace(one, items=("ward-00",) * len(one.items))),
        "layout.items",
        "the items are empty or not unique",
    ),
    "labels too few": (
        with_layout(lambda one: replace(one, groups={"kind": one.groups["kind"][1:]})),
        "layout.groups",
        "the length differs from the number of items",
    ),
    "a group that is called as what is withheld": (
        with_layout(lambda one: replace(one, groups={"kind": ("(withheld)", *one.groups["kind"][1:])})),
        "layout.groups",
        "a group uses the name reserved for withheld groups",
    ),
    "a layout that is none": (replace(WARD, layout=lambda _: None), "layout", "the return value is not an ItemIndex"),
    "a layout that raises": (replace(WARD, layout=lambda records: records[0]["absent"]), "layout", "execution failed"),
    "answers by the file's order": (
        replace(WARD, statistics=by_place),
        "statistics",
        "the values depend on answers of another cluster (rule medzh-1)",
    ),
    "numbers by the best": (
        replace(WARD, statistics=of_the_best),
        "statistics",
        "the values depend on answers of other runs",
    ),
    "unread is right": (
        with_statistics(unparsed_is_right),
        "metrics: accuracy",
        "the value is not 0 if there are no answers",
    ),
    "any answer is right": (with_statistics(any_answer_is_right), *BEST_BY_OTHERS),
    "a rule that knows the answers": (
        replace(
            WARD,
            queries=lambda records, _: [Query(one["id"], (place,), one["answer"]) for place, one in enumerate(records)],
            rules=(Rule("own-1", "a rule of this package", record_alone(knowing_gold)),),
        ),
        *BEST_BY_OTHERS,
    ),
    "another shape": (with_statistics(lambda found: found[0]), *WRONG_SHAPE),
    "runs before items": (with_statistics(lambda found: found.swapaxes(0, 1)), *WRONG_SHAPE),
    "no number": (
        with_statistics(lambda found: fill(found, np.nan)),
        "statistics",
        "the array contains NaN or infinity",
    ),
    "no column with this name": (
        with_metric(formula=share(QuestionColumns.right, QuestionColumns.items, answers=17)),
        "metrics: accuracy: share",
        "the column does not exist",
    ),
    "no such column of the first metric": (
        replace(
            WARD,
            metrics=(
                replace(
                    WARD.metrics[0],
                    name="other",
                    formula=share(QuestionColumns.right, QuestionColumns.items, answers=17),
                ),
                *WARD.metrics,
            ),
        ),
        "metrics: other: share",
        "the column does not exist",
    ),
    "a formula for one run": (
        with_metric(
            formula=lambda sums: np.array(100 * sums.flat[QuestionColumns.right] / sums.flat[QuestionColumns.items])
        ),
        "metrics: accuracy",
        "the return value does not contain one value per run",
    ),
    "a formula that raises": (with_metric(formula=lambda sums: sums[99]), "metrics: accuracy", "execution failed"),
    "two readings a record": (with_rule(lambda read: read * 2), *NO_READINGS),
    "no reading": (with_rule(lambda _read: ()), *NO_READINGS),
    "a text for a reading": (with_rule(lambda read: (read[0].value,)), *NO_READINGS),
    "a value that is no text": (
        with_rule(lambda read: (read[0]._replace(value=1.0),)),
        "rule own-1",
        "execution failed",
    ),
    "a rule that raises": (with_rule(lambda read: read[5]), "rule own-1", "execution failed"),
    "a rule that guesses": (
        replace(WARD, rules=(Rule("own-1", "a rule of this package", record_alone(guessing)),)),
        "rule own-1",
        "an answer is extracted from empty text",
    ),
    "a rule that reads nothing": (
        with_rule(lambda _read: (Reading(None, "nothing"),)),
        "metrics: accuracy",
        (
            "the value is not the best one if all answers are correct (rule own-1): no answer is extracted from the "
            "gold answer of record ward-00"
        ),
    ),
    "a record not asked": (
        replace(WARD, queries=lambda *given: WARD.queries(*given)[1:]),
        "queries",
        "not every record is queried exactly once",
    ),
    "an id occurs twice": (
        replace(WARD, queries=lambda records, _: [Query("ward", (place,), None) for place in range(len(records))]),
        "queries",
        "an id occurs twice",
    ),
    "a verdict without a word": (
        with_reporting(verdict=lambda _: None),
        "reporting.verdict",
        "the return value is not a non-empty string",
    ),
    "tables that raise": (with_reporting(tables=lambda *given: given[9]), "reporting.tables", "execution failed"),
}
DECLARED = {
    "another name": (replace(WARD, name="sdak"), "name"),
    "the object is of type": ("a string", "CONFIG"),
    "no unit": (replace(WARD, unit="percents"), "unit"),
    "no title": (replace(WARD, title=" "), "title"),
    "a metric twice": (replace(WARD, metrics=WARD.metrics * 2), "metrics"),
    "a rule twice": (replace(WARD, rules=WARD.rules * 2), "rules"),
    "no prompt": (replace(WARD, prompting=Prompting(())), "prompting.templates"),
    "no such headline": (with_reporting(primary_metrics=("Accuracy",)), "primary_metrics"),
    "unknown direction": (with_metric(direction="up"), "metrics: accuracy"),
}


def test_the_config_that_is_mutated_conforms(declare):
    declare("ward", lambda: WARD)
    check_quickly(find_config("ward"), ROWS)
    assert [*faults(WARD, ROWS)] == []


@pytest.mark.parametrize(("config", "function", "problem"), MUTATIONS.values(), ids=MUTATIONS)
def test_a_mutation_is_refused_by_package_config_and_function(declare, config, function, problem):
    declare("ward", lambda: config)
    with pytest.raises(MedzhError, match=re.escape(problem)) as caught:
        check_quickly(find_config("ward"), ROWS)
    assert str(caught.value).startswith(f'{PACKAGE}: field "ward: {function}": ')
    assert str(caught.value) in {str(fault) for fault in faults(config, ROWS)}


@pytest.mark.parametrize(("config", "attribute"), DECLARED.values(), ids=DECLARED)
def test_what_is_declared_unsoundly_is_refused(declare, config, attribute):
    declare("ward", lambda: config)
    with pytest.raises(MedzhError) as caught:
        find_config("ward")
    assert str(caught.value).startswith(f'{PACKAGE}: field "ward: {attribute}": ')


def test_a_config_whose_answers_are_all_the_same_conforms():
    rows = [row for row in ROWS if row["answer"] == "ACD"]
    assert len(rows) > 1
    assert [*faults(WARD, rows)] == []


def test_a_prompt_that_is_not_what_is_sent_is_refused(declare):
    declare("ward", lambda: WARD)
    other = [{**ROWS[0], "prompt": "另一种问法"}, *ROWS[1:]]
    (found,) = faults(WARD, other)
    problem = "the prompt differs from the prompt in record ward-00"
    assert str(found) == f'{PACKAGE}: field "ward: prompting.builder": {problem}'
    with pytest.raises(MedzhError, match=problem):
        check_quickly(find_config("ward"), other)


TCMD = find_config("tcmd")


def asked_as(change):
    """Let the prompts of other variants than the first be made otherwise."""

    def builder(records, asking):
        made = TCMD.prompting.builder(records, asking)
        return replace(made, ask=lambda name, variant: change(made.ask, name) if variant else made.ask(name, 0))

    return replace(TCMD, prompting=replace(TCMD.prompting, builder=builder))


def read_first(text, side, variant):
    if variant:
        raise IndexError(variant)
    return TCMD.rules[0].read(text, side, 0)


VARIANTS = {
    "asks none of its own": (asked_as(lambda ask, name: ask(name, 10**9)), "prompting.builder", "execution failed"),
    "asks nothing": (
        asked_as(lambda _ask, _name: FilledPrompt((" ",), "")),
        "prompting.builder",
        "prompt medzh-zh-1 is empty for record",
    ),
    "asks the same": (
        asked_as(lambda ask, name: ask(name, 0)),
        "prompting.builder",
        "prompt medzh-zh-1 is the same in all option orders",
    ),
    "reads one alone": (
        replace(TCMD, rules=(Rule("own-1", "a rule of this package", read_first),)),
        "rule own-1",
        "execution failed",
    ),
}


@pytest.mark.parametrize(("config", "function", "problem"), VARIANTS.values(), ids=VARIANTS)
def test_a_config_that_works_in_the_first_variant_alone_is_refused(config, function, problem):
    rows = load_records("mini", "tcmd").rows
    check_quickly(TCMD, rows)
    with pytest.raises(MedzhError, match=f'field "tcmd: {function}": {problem}'):
        check_quickly(config, rows)


def test_records_without_a_right_answer_are_refused(declare):
    declare("ward", lambda: WARD)
    lacking = [{name: value for name, value in row.items() if name != "answer"} for row in ROWS]
    with pytest.raises(MedzhError, match="'answer'"):
        check_quickly(find_config("ward"), lacking)


def test_a_share_above_the_whole_is_refused_in_the_place_of_a_report(declare):
    declare("ward", lambda: WARD)
    origin = Origin("0.0.0", "mini", "0" * 64)
    said = [{"id": row["id"], "prediction": row["answer"] if place % 2 else ""} for place, row in enumerate(ROWS)]
    assert score("ward", said, Records("ward", "test", ROWS, origin)).metrics["accuracy"].value == pytest.approx(50)
    declare("wards", lambda: replace(with_statistics(doubled), name="wards"))
    with pytest.raises(MedzhError, match='ward-bench: field "wards: metrics: accuracy": the value is out of range '):
        score("wards", said, Records("wards", "test", ROWS, origin))


def test_a_broken_entry_point_hides_only_itself(declare, calling):
    def missing():
        raise ModuleNotFoundError("No module named 'ward_bench'")

    def leaving():
        raise SystemExit(1)

    for name, load in {"ward": missing, "wards": leaving}.items():
        declare(name, load)
        with pytest.raises(MedzhError, match=f'{PACKAGE}: field "{name} = ward_bench.scoring:CONFIG": '):
            find_config(name)
    assert find_config("sdak").name == "sdak"
    status, out, _ = calling("configs", "--width", "200")
    assert status == 0
    assert "TCMD" in out
    assert [line.split(": ")[:2] for line in out.splitlines() if line.startswith(PACKAGE)] == [
        [PACKAGE, f'field "{name} = ward_bench.scoring:CONFIG"'] for name in ("ward", "wards")
    ]


def test_an_entry_point_that_is_mistyped_hides_only_itself(declare, calling):
    declare("ward", None, value="ward_bench/scoring.py:CONFIG")
    expected = (
        f'{PACKAGE}: field "ward": invalid entry point: expected MODULE:NAME, such as triage_bench.scoring:CONFIG'
    )
    with pytest.raises(MedzhError, match=expected):
        find_config("ward")
    status, out, _ = calling("configs", "--width", "200")
    assert status == 0
    assert "TCMD" in out
    assert f"{expected}, found 'ward_bench/scoring.py:CONFIG'" in out


def test_a_name_that_two_packages_declare_is_nobodys(declare, calling):
    declare("sdak", lambda: replace(WARD, name="sdak"))
    with pytest.raises(MedzhError, match="more than once: expected one package, found 'medzh-score, ward-bench'"):
        find_config("sdak")
    assert find_config("tcmd").name == "tcmd"
    assert calling("score", "sdak", "none.jsonl", "--data", "mini")[0] == 2


@pytest.mark.parametrize("weight", [0.5, 1.0, 0, -1, None, "2"])
def test_a_weight_that_would_be_rounded_or_count_for_nothing_is_refused(weight):
    config = question_config("ward", "Ward", {"true-false": true_false()}, weight=lambda _: weight)
    rows = [row for row in ROWS if row["kind"] == "true-false"]
    (fault,) = faults(config, rows)
    assert 'field "weight": the weight of record ward-' in str(fault)
    assert "expected an integer of at least 1" in str(fault)


@pytest.mark.parametrize(("kind", "count"), [("letters", 27), ("several", 27), ("pairs", 27), ("letters", 0)])
def test_options_that_have_no_letters_are_refused(kind, count):
    row = next(row for row in ROWS if row["kind"] == kind)
    wide = {**row, "options": [f"选项{number}" for number in range(count)]}
    (fault,) = faults(WARD, [wide])
    problem = f"record {row['id']} has an invalid number of options: expected 1 to 26, found '{count} options'"
    assert problem in str(fault)
