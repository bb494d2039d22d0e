"""The regression check: whether systems are worse than a baseline by more than is allowed."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from medzh_score.benchmark.columns import pick
from medzh_score.comparison.load import GATE
from medzh_score.comparison.model import Judged
from medzh_score.stats.intervals import exact_interval
from medzh_score.stats.permutation import SIGNIFICANCE
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _, pgettext
from medzh_score.ui.numbers import MISSING, POINT, percent

if TYPE_CHECKING:
    from collections.abc import Collection

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.metrics import Metric
    from medzh_score.comparison.load import Gate
    from medzh_score.comparison.model import Comparison, Outcome
    from medzh_score.stats.pairwise import Difference


STATUSES: dict[Outcome, int] = {"pass": 0, "undecided": 4, "fail": 1}  # from good to bad


def refuse_without_baseline(baseline: str | None) -> None:
    """Refuse a regression check without a baseline."""
    if baseline is None:
        raise MedzhError(_("a baseline is required"), field=GATE, expected=_("--baseline SYSTEM"))


def with_gate(config: Config, metrics: tuple[Metric, ...], gate: Gate) -> tuple[Metric, ...]:
    """Add the metric of the regression check to those that are compared."""
    metric = pick(GATE, config.metrics, gate.metric)
    if metric.direction is None:
        raise MedzhError(
            _("the metric has no direction of improvement"),
            field=GATE,
            expected=_("a metric with a direction of improvement"),
            found=gate.metric,
        )
    return metrics if metric in metrics else (*metrics, metric)


def judged(comparison: Comparison, gate: Gate) -> Comparison:
    """Check each system on all items, and add notes."""
    found = next(one for one in comparison.found if one.metric == gate.metric and not one.breakdown)
    sign = -1 if found.standings[0].value.direction == "lower" else 1
    lacking = {one.label for one in found.standings if one.value.value is None}
    lacking = set() if found.baseline in lacking else lacking
    verdicts = tuple(_verdict(one, gate, sign, comparison.unit, lacking) for one in found.differences)
    notes = list(comparison.notes)
    for one in verdicts:
        notes.append(_sentence(one, comparison.unit))  # noqa: PERF401 - the catalogue of messages finds what is appended
    return replace(comparison, judged=verdicts, notes=tuple(notes))


def worst(comparison: Comparison) -> Outcome:
    """Return the worst outcome of all systems."""
    order = list(STATUSES)
    return max((one.outcome for one in comparison.judged), key=order.index, default="pass")


def _verdict(one: Difference, gate: Gate, sign: int, unit: str, lacking: Collection[str]) -> Judged:
    outcome = _by_test(one, sign) if gate.points is None else _by_interval(one, sign, gate.points, unit)
    if one.label in lacking:
        return Judged(one.label, one.other, gate.metric, gate.points, "fail", None, one.unavailable_reason)
    unavailable_reason = None if outcome == "fail" else one.unavailable_reason
    return Judged(one.label, one.other, gate.metric, gate.points, outcome, one.detectable, unavailable_reason)


def _by_test(one: Difference, sign: int) -> Outcome:
    if one.value is None or one.corrected is None:
        return "undecided"
    return "fail" if sign * one.value < 0 and one.corrected <= SIGNIFICANCE else "pass"


def _by_interval(one: Difference, sign: int, points: float, unit: str) -> Outcome:
    least = -points * POINT[unit]
    if one.low is None or one.high is None:
        if one.value is not None and sign * one.value < least and _by_test(one, sign) == "fail":
            return "fail"
        return "pass" if _least_of_equals(one, unit) > least else "undecided"
    low, high = sorted((sign * one.low, sign * one.high))
    return "pass" if low > least else "fail" if high < least else "undecided"


def _least_of_equals(one: Difference, unit: str) -> float:
    if one.value != 0 or one.bounds is None or one.won or one.lost or not one.tied:
        return -math.inf
    return -100 * POINT[unit] * exact_interval(0, one.tied)[1]


def _sentence(one: Judged, unit: str) -> str:
    found = MISSING if one.detectable is None else f"{percent(one.detectable, unit)} pp"
    of = {"label": one.label, "metric": one.metric, "baseline": one.baseline, "found": found, "points": one.points}
    if one.unavailable_reason is not None and one.outcome != "pass":
        of["reason"] = pgettext(None, one.unavailable_reason)
        if one.outcome == "fail":
            return _("Regression check of {metric} against {baseline}: FAIL: {label} has no value: {reason}.", **of)
        return _("Regression check of {metric} against {baseline}: INCONCLUSIVE: {label}: {reason}.", **of)
    if one.points is None:
        significance = {
            "pass": _(
                "Regression check of {metric} against {baseline}: PASS: {label} is not significantly worse (minimum "
                "detectable difference: {found}).",
                **of,
            ),
            "undecided": _(
                "Regression check of {metric} against {baseline}: INCONCLUSIVE: {label} has no test result.", **of
            ),
            "fail": _("Regression check of {metric} against {baseline}: FAIL: {label} is significantly worse.", **of),
        }
        return significance[one.outcome]
    margin = {
        "pass": _(
            "Regression check of {metric} against {baseline}: PASS: {label} is at most {points:g} pp worse.", **of
        ),
        "undecided": _(
            "Regression check of {metric} against {baseline}: INCONCLUSIVE: {label} may be more than {points:g} pp "
            "worse (minimum detectable difference: {found}).",
            **of,
        ),
        "fail": _(
            "Regression check of {metric} against {baseline}: FAIL: {label} is more than {points:g} pp worse.", **of
        ),
    }
    return margin[one.outcome]
