"""Bounds beside every way to fill what is open: each filling is counted anew, by the statistics of the config."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import numpy as np
import pytest
from compared import value as value_of
from random_models import Bench
from simple_systems import systems_of

from medzh_score.benchmark.answers import answer, answer_table
from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.metrics import Metric, of_open, ratio, share
from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.benchmark.stages import Annotations, Source
from medzh_score.configs.care_mi import metrics as care_mi
from medzh_score.configs.sdak.reading import RESTATES
from medzh_score.data.records import load_records
from medzh_score.results.tables import missing_of, unparsed_of
from medzh_score.scoring.report_warnings import bounds_warnings
from medzh_score.stats.compare import compare_systems
from medzh_score.stats.pairwise import ends_of, extremes_of
from medzh_score.stats.systems import Systems
from medzh_score.stats.values import Bootstrap
from medzh_score.text.tokens import words

PERSON, MODEL = Source("甲", "person"), Source("m", "model")
OPEN = (answer(None, "nothing"), None)  # unparsed, missing
PENALISED = [f"BLEU-{order}" for order in range(1, 5)]
# What is neither a share nor has ends.
WITHOUT = {
    "care_mi": [
        "correctness-std",
        "interpretability-std",
        "item_r2",
        "correctness-judge-std",
        "interpretability-judge-std",
    ],
    "pemebench": PENALISED,
    "pemebench_huatuo": PENALISED,
}
WIDER = {("consistency-valid", "least")}  # a sub-question without any answer enters with the smallest share there is


def letters(allowed, more=()):
    return [(answer(text, "said"), None) for text in (*allowed, *more)]


def of_texts(texts, verdicts=(None,)):
    return [(answer(text, "whole text"), verdict) for text in texts for verdict in verdicts]


def wrong_words(reference):
    return " ".join(["zq"] * len(words(reference)))


def of_claims(_record):
    claims = answer("correct", "正确"), answer("correct", "正确", RESTATES), answer("incorrect", "错误")
    return itertools.product(claims, ("yes", "no"))


def of_diagnoses(record):
    gold = record["codes"]
    others = "R05", "R05；Z00" if len({code[0] for code in gold}) > 1 else "R05；R50"
    return letters(("；".join(gold), *gold, *others[: len(gold)]))


def of_explanations(record):
    name = record["concept"]
    texts = f"{name}是一类。", "它是一类。", f"它近似{name[:2]}。", "对不起，我无法回答这个问题。"
    return of_texts(texts, "ABCD")


def of_open_questions(record, verdicts=(None,)):
    gold = record["answer"]
    return of_texts((gold, gold[: len(gold) // 2], wrong_words(gold)), verdicts)


def of_rated(record):
    said = (record["true_statement"], "agree"), (record["false_statement"], "refuse")
    return [(answer(text, "whole text", note), score) for text, note in said for score in ("0", "0.25", "1")]


# What an answer to a record could be, each with what a judge or a second answer says of it.
FILLINGS = {
    "care_mi": of_rated,
    "cmhe_ce": of_explanations,
    "cmhe_dd": of_diagnoses,
    "cmhe_hd": lambda _record: letters(("Yes", "No")),
    "pemebench": lambda record: of_open_questions(record, ("yes", "no")),
    "pemebench_huatuo": of_open_questions,
    "sdak": of_claims,
    "tcmd": lambda record: letters("ABCDE"[: len(record["options"])], ("AB",)),
}


def fillings(name, record):
    if name in FILLINGS:
        return list(FILLINGS[name](record))
    return letters(("A", "B", "C", "AB", "ABCD", record["answer"]))


def judged_by(name, layout, said):
    there = {(layout.items[item], 0): verdict for item, verdict in said.items() if verdict is not None}

    def of(source, *columns):
        return Annotations({source: {key: dict.fromkeys(columns, verdict) for key, verdict in there.items()}})

    if name == "care_mi":
        both = Annotations(
            {
                who: {key: {"correctness": one, "interpretability": one} for key, one in there.items()}
                for who in (PERSON, MODEL)
            }
        )
        return {"correctness": both, "interpretability": both}
    return {
        "sdak": {"reason": of(PERSON, "factual_supported", "counterfactual_supported")},
        "cmhe_ce": {"choose": of(MODEL, "choice")},
        "pemebench": {"hallucination": of(PERSON, "opposed")},
    }.get(name, {})


class Case:
    def __init__(self, name, records, seed):
        draw = random.Random(seed)  # noqa: S311
        self.config, self.variants = find_config(name), 3 if name == "tcmd" else 1
        every = self.config.layout(records)
        whole_units = name in {"tcmd", "cmhe_ce"}
        chosen = range(6) if whole_units else sorted(draw.sample(range(len(every.items)), 5))
        self.records = [records[member] for item in chosen for member in every.members[item]]
        self.layout = self.config.layout(self.records)
        self.item_of = {int(m): item for item, members in enumerate(self.layout.members) for m in members}
        cells = list(itertools.product(range(len(self.records)), range(self.variants)))
        self.could_be = {cell: fillings(name, self.records[cell[0]]) for cell in cells}
        self.settled = {cell: draw.choice(self.could_be[cell]) for cell in cells}
        size = {"cmhe_ce": 2, "sdak": 3}.get(name, 3 if len(self.could_be[cells[0]]) < 8 else 2)
        places = cells if name != "tcmd" or seed % 2 else [cell for cell in cells if cell[0] in {0, 3}]
        self.open = {cell: (draw.choice(OPEN), None) for cell in draw.sample(places, size)}

    def statistics(self, filled):
        said = {**self.settled, **filled}
        columns = {
            (0, variant): [said[record, variant][0] for record in range(len(self.records))]
            for variant in range(self.variants)
        }
        self.table = answer_table(columns, np.ones((len(self.records), self.variants), bool), {})
        verdicts = {self.item_of[record]: said[record, variant][1] for record, variant in (*self.settled, *self.open)}
        judged = judged_by(self.config.name, self.layout, verdicts)
        return self.config.statistics(self.layout, self.table, judged)

    def bounds(self):
        made = self.statistics(self.open)
        asked = np.full(len(self.layout.items), self.variants)
        unparsed, missing = (count(self.layout, self.table)[np.newaxis] * 1.0 for count in (unparsed_of, missing_of))
        one = Systems(("",), self.layout, made[np.newaxis], unparsed, asked, missing)
        found = {}
        for metric in self.config.metrics:
            value, ends = metric.formula(made.sum(axis=0)).item(), ends_of(one, metric)
            both = None if ends is None else extremes_of(one, metric, ends, np.arange(len(asked)))
            found[metric.name] = value, None if both is None else (both.low.item(), both.high.item())
        return found

    def values(self):
        found = {metric.name: [] for metric in self.config.metrics}
        options = [[*self.could_be[cell], self.open[cell]] for cell in self.open]
        for filled in itertools.product(*options):
            sums = self.statistics(dict(zip(self.open, filled, strict=True))).sum(axis=0)
            for metric in self.config.metrics:
                found[metric.name].append(metric.formula(sums).item())
        return found


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", config_names())
def test_bounds_are_the_extremes_of_all_that_open_answers_could_be(name, seed, minis):
    case = Case(name, load_records(minis, name).rows, seed)
    bounds, values = case.bounds(), case.values()
    assert [metric for metric, (_, both) in bounds.items() if both is None] == WITHOUT.get(name, [])
    for metric, (value, both) in bounds.items():
        if both is None or np.isnan(value) or metric == "Empty rate":  # an empty answer is open, but known to be empty
            continue
        least, most = np.nanmin(values[metric]), np.nanmax(values[metric])
        assert both[0] <= least + 1e-9, metric
        assert most <= both[1] + 1e-9, metric
        for end, found, tried in zip(("least", "most"), both, (least, most), strict=True):
            assert (metric, end) in WIDER or found == pytest.approx(tried, abs=1e-6), (metric, end)


@pytest.mark.parametrize("name", config_names())
def test_what_was_left_out_is_within_the_bounds_of_a_report(name, minis, tmp_path, write_lines):
    """Answers come by chance, also junk: longer than what is right, it may fall below the least of what is as long."""
    bench = Bench(name, minis, tmp_path, write_lines)
    lines = bench.model(3)
    whole = bench.score(lines).report.metrics
    found = bench.score(bench.without(lines, 3, 0.1), missing="wrong").report.metrics
    bounded = {metric: value for metric, value in found.items() if value.most is not None}
    assert bounded
    for metric, value in bounded.items():
        assert value.least - 1e-9 <= value.value <= value.most + 1e-9, metric
        assert whole[metric].value <= value.most + 1e-6, metric
        assert whole[metric].value >= value.least - 1e-6 or metric.startswith(
            ("BLEU", "S_total", "P-", "F1-", "gap")
        ), metric


@pytest.mark.parametrize(("direction", "wrong", "right"), [("higher", "40.00", "55.00"), ("lower", "55.00", "40.00")])
def test_a_note_says_what_wrong_answers_make_of_a_value(direction, wrong, right):
    (note,) = map(str, bounds_warnings("X", value_of(45.0, direction=direction, least=40.0, most=55.0)))
    assert note.endswith(f"incorrect, X would be {wrong}. If all were correct, it would be {right}.")


RIGHT, OF, ANSWERS = range(3)
SHARE = Metric("share", "a share", share(RIGHT, OF, 100.0, answers=ANSWERS), OF, "nothing was counted")
MEAN = Metric("mean", "no share", ratio(RIGHT, OF), OF, "nothing was counted")


@pytest.mark.parametrize("metric", [MEAN, replace(SHARE, of_answers=True)])
def test_what_is_no_share_or_of_answers_has_no_bounds_but_by_its_own_ends(metric):
    """By hand: of ten 6 are right and one is open, against ten; declared is that it counts once more, or is right."""
    statistics = np.ones((2, 10, 1, 3))
    statistics[0, 6:, :, RIGHT] = 0
    unparsed = np.zeros((2, 10, 1))
    unparsed[0, 9] = 1
    systems = systems_of(statistics, unparsed=unparsed)
    (row,) = compare_systems(systems, (metric,), "percent", baseline="s1", bootstrap=Bootstrap(0))
    assert row.differences[0].bounds is None
    assert not row.differences[0].depends_on_unparsed
    own = replace(metric, formula=ratio(RIGHT, OF), ends=of_open({OF: ANSWERS}, {RIGHT: ANSWERS}))
    (row,) = compare_systems(systems, (own,), "percent", baseline="s1", bootstrap=Bootstrap(0))
    bounds = row.differences[0].bounds
    assert (bounds.low, bounds.high) == pytest.approx((6 / 11 - 1, 0.7 - 1))


def test_a_metric_that_reads_something_else_has_its_own_unread():
    """By hand: of four yes-or-no questions one is answered truly, one falsely, one was not read, one did not come."""
    metric = pick("metric", care_mi.METRICS, "TF-agree")
    made = np.zeros((2, 4, 1, care_mi.RatingColumns.width))
    made[..., care_mi.RatingColumns.tf] = 1
    for question, column in enumerate(
        (care_mi.RatingColumns.true_said, care_mi.RatingColumns.false_said, care_mi.RatingColumns.unparsed_tf)
    ):
        made[0, question, 0, column] = 1
    made[1, :, 0, care_mi.RatingColumns.true_said] = 1
    found = compare_systems(systems_of(made), (metric,), "fraction", baseline="s1")[0]
    assert {standing.label: standing.unparsed for standing in found.standings} == {"s0": 25, "s1": 0}
    (difference,) = found.differences
    assert (difference.value, difference.bounds.low, difference.bounds.high) == (-0.75, -0.75, -0.5)
