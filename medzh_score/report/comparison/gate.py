"""A gate: whether systems are worse than a baseline by more than is allowed."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from medzh_score.benchmark.choices import pick
from medzh_score.messages.errors import MedzhError
from medzh_score.report.comparison.choices import GATE
from medzh_score.report.comparison.comparison import Judged
from medzh_score.report.comparison.remarks import DECIMALS, POINT
from medzh_score.report.numbers import rounded
from medzh_score.statistics.formulas.binomial import exact_interval

if TYPE_CHECKING:
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.metrics import Metric
    from medzh_score.report.comparison.choices import Gate
    from medzh_score.report.comparison.comparison import Comparison, Outcome
    from medzh_score.statistics.comparison.found import Difference

LEVEL = 0.05
STATUSES: dict[Outcome, int] = {"pass": 0, "undecided": 4, "fail": 1}  # from good to bad


def refuse_without_baseline(baseline: str | None, *, all_pairs: bool) -> None:
    """Refuse a gate where nothing says what systems are compared with."""
    if baseline is None or all_pairs:
        raise MedzhError("needs a baseline", field=GATE, expected="--baseline SYSTEM, and no --all-pairs")


def with_gate(config: Config, metrics: tuple[Metric, ...], gate: Gate) -> tuple[Metric, ...]:
    """Add the gate's metric to those that are compared."""
    metric = pick(GATE, config.metrics, gate.metric)
    if metric.direction is None:
        raise MedzhError("neither direction is better", field=GATE, expected="another metric", found=gate.metric)
    return metrics if metric in metrics else (*metrics, metric)


def judged(comparison: Comparison, gate: Gate) -> Comparison:
    """Judge each system by all items, and note it."""
    found = next(one for one in comparison.found if one.metric == gate.metric and not one.breakdown)
    sign = -1 if found.standings[0].value.direction == "lower" else 1
    verdicts = tuple(_verdict(one, gate, sign, comparison.unit) for one in found.differences)
    sentences = (_sentence(one, gate, comparison.unit) for one in verdicts)
    return replace(comparison, judged=verdicts, notes=(*comparison.notes, *sentences))


def worst(comparison: Comparison) -> Outcome:
    """Give the worst outcome of all systems."""
    order = list(STATUSES)
    return max((one.outcome for one in comparison.judged), key=order.index, default="pass")


def _verdict(one: Difference, gate: Gate, sign: int, unit: str) -> Judged:
    """Judge one system; its difference is turned so that positive is better."""
    if gate.points is None:
        outcome = _by_test(one, sign)
    else:
        outcome = _by_interval(one, sign, -gate.points * POINT[unit], unit)
    return Judged(one.label, one.other, gate.metric, gate.points, outcome, one.detectable, one.why)


def _by_test(one: Difference, sign: int) -> Outcome:
    if one.value is None or one.corrected is None:
        return "undecided"
    return "fail" if sign * one.value < 0 and one.corrected < LEVEL else "pass"


def _by_interval(one: Difference, sign: int, least: float, unit: str) -> Outcome:
    if one.low is None or one.high is None:
        return "pass" if _least_of_equals(one, unit) > least else "undecided"
    low, high = sorted((sign * one.low, sign * one.high))
    return "pass" if low > least else "fail" if high < least else "undecided"


def _least_of_equals(one: Difference, unit: str) -> float:
    """Give how much worse a share may be that no unit shows to differ, by the exact interval of 0 units of so many."""
    if one.value != 0 or one.bounds is None or one.won or one.lost or not one.tied:
        return -math.inf
    return -100 * POINT[unit] * exact_interval(0, one.tied)[1]


def _sentence(one: Judged, gate: Gate, unit: str) -> str:
    significantly = "significantly " if gate.points is None else ""
    verb, how = {
        "pass": ("passes", f"not {significantly}worse"),
        "fail": ("fails", f"{significantly}worse"),
        "undecided": ("is undecided", f"perhaps {significantly}worse"),
    }[one.outcome]
    by = "" if gate.points is None else f" by more than {gate.points:g} points"
    why = f" ({one.why})" if one.why is not None else ""
    found = "unknown" if one.detectable is None else rounded(one.detectable, DECIMALS[unit])
    return (
        f"Gate: {one.label} {verb}: its {gate.metric} is {how} than that of {one.baseline}{by}{why};"
        f" the smallest difference that would have been found is {found}."
    )
