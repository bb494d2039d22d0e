"""A gate: whether systems are worse than a baseline by more than is allowed."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from medzh_score.benchmark.choices import pick
from medzh_score.messages.errors import MedzhError
from medzh_score.report.comparison.comparison import Judged
from medzh_score.report.comparison.remarks import DECIMALS, POINT
from medzh_score.report.numbers import rounded

if TYPE_CHECKING:
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.metrics import Metric
    from medzh_score.report.comparison.comparison import Comparison, Outcome
    from medzh_score.statistics.comparison.found import Difference

OPTION = "--fail-on-regression"
LEVEL = 0.05
STATUSES: dict[Outcome, int] = {"pass": 0, "undecided": 4, "fail": 1}  # from good to bad


@dataclass(frozen=True)
class Gate:
    """By how many points a metric may be worse than the baseline's; None for any that is not significant."""

    metric: str
    points: float | None = None


def gate_of(text: str) -> Gate:
    """Read ``METRIC[:points]``.

    Examples
    --------
    >>> gate_of("F1-level-2:0.5"), gate_of("FactAcc")
    (Gate(metric='F1-level-2', points=0.5), Gate(metric='FactAcc', points=None))
    """
    metric, colon, points = text.rpartition(":")
    if not colon:
        return Gate(text)
    try:
        allowed = float(points)
    except ValueError:
        allowed = math.nan
    if not (metric and 0 <= allowed < math.inf):
        raise MedzhError("is no gate", field=OPTION, expected="METRIC or METRIC:points, such as FactAcc:2", found=text)
    return Gate(metric, allowed)


def refuse_without_baseline(baseline: str | None, *, all_pairs: bool) -> None:
    """Refuse a gate where nothing says what systems are compared with."""
    if baseline is None or all_pairs:
        raise MedzhError("needs a baseline", field=OPTION, expected="--baseline SYSTEM, and no --all-pairs")


def with_gate(config: Config, metrics: tuple[Metric, ...], gate: Gate) -> tuple[Metric, ...]:
    """Add the gate's metric to those that are compared."""
    metric = pick(OPTION, config.metrics, gate.metric)
    if metric.direction is None:
        raise MedzhError("neither direction is better", field=OPTION, expected="another metric", found=gate.metric)
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
    better = None if one.value is None else sign * one.value
    bounds = sorted(sign * bound for bound in (one.low, one.high) if bound is not None)
    if gate.points is None:
        worse = better is not None and better < 0 and one.corrected is not None and one.corrected < LEVEL
        undecided = better is None or one.corrected is None
        outcome: Outcome = "fail" if worse else "undecided" if undecided else "pass"
    else:
        allowed = -gate.points * POINT[unit]
        outcome = "undecided"
        if bounds and bounds[0] > allowed:
            outcome = "pass"
        if bounds and bounds[-1] < allowed:
            outcome = "fail"
    return Judged(one.label, one.other, gate.metric, gate.points, outcome, one.detectable, one.why)


def _sentence(one: Judged, gate: Gate, unit: str) -> str:
    than = f"worse than {one.baseline}" + ("" if gate.points is None else f" by more than {gate.points:g} points")
    found = "unknown" if one.detectable is None else rounded(one.detectable, DECIMALS[unit])
    why = f" ({one.why})" if one.why is not None else ""
    return (
        f"Gate {one.outcome}: {one.label}, {gate.metric} {than}{why};"
        f" the smallest difference that would have been found is {found}."
    )
