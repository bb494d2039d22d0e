"""Systems on several configs: the headline of each, beside each other and never averaged."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from medzh_score.benchmark.registry import find_config
from medzh_score.comparison.gate import STATUSES, judged, with_gate, worst
from medzh_score.comparison.load import GATE, Choices, Gate, find_label, second_result
from medzh_score.comparison.run import comparable, compared
from medzh_score.io.jsonl import json_document
from medzh_score.results.result import Result
from medzh_score.stats.pairwise import POWER, errors_at
from medzh_score.stats.permutation import enough_permutations, holm
from medzh_score.ui.errors import MedzhError, printable
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.comparison.model import Comparison, Outcome


SCHEMA = 1
PRIMARY_NAME = "primary_metric"


@dataclass(frozen=True)
class Summary:
    """Systems on several configs."""

    systems: tuple[str, ...]  # the labels, in the order in which they were named first
    columns: tuple[Comparison, ...]  # one a config, by its headline alone; no differences where there is no baseline
    baseline: str | None  # the label of the system that all others are compared with
    family: int  # how many comparisons, over all configs, were corrected together
    missing: Mapping[str, tuple[str, ...]]  # from each system that lacks any to the configs of which it has no result
    gated: tuple[str, ...]  # the configs on which a gate judges

    @property
    def outcome(self) -> Outcome:
        """What the gate says of all systems on all its configs: the worst, and no pass where a result is missing."""
        outcomes: list[Outcome] = [worst(column) for column in self.columns]
        lacking = any(config in self.gated for configs in self.missing.values() for config in configs)
        if lacking:
            outcomes.append("undecided")
        return max(outcomes, key=list(STATUSES).index)

    def as_json(self) -> bytes:
        """Give the summary as JSON: UTF-8, indented, equal for equal input, ending in a newline."""
        facts: dict[str, Any] = {"schema": SCHEMA, **asdict(replace(self, columns=()))}
        facts["correction"] = None if self.baseline is None else "holm"
        facts["columns"] = [column.as_dict() for column in self.columns]
        return json_document(facts)


def summary_of(given: Sequence[Result | str | Path], choices: Choices) -> Summary:
    """Put results of several configs beside each other."""
    results = [one if isinstance(one, Result) else Result.load(one) for one in given]
    given_labels = choices.labels or [None] * len(results)
    labels = [
        printable(label or one.report.model or one.folder.name)
        for label, one in zip(given_labels, results, strict=True)
    ]
    baseline = find_label(labels, [one.folder for one in results], choices.baseline)
    by_config = _by_config(results, labels)
    family = sum(len(of) - 1 for of in by_config.values() if baseline in of)
    permutations = enough_permutations(choices.permutations, family) if baseline is not None else 1  # nothing is tested
    wanted = replace(
        choices, baseline=baseline, permutations=permutations, metrics=(), primary_alone=True, by=(), gate=None
    )
    known = {key for one in results for key in one.report.signature}
    columns = [*_corrected([_column(of, wanted, known) for of in by_config.values()], family)]
    gated = () if choices.gate is None else _gated(columns, choices.gate, family)
    systems = tuple(dict.fromkeys(labels))
    missing = {label: tuple(name for name, of in by_config.items() if label not in of) for label in systems}
    return Summary(
        systems=systems,
        columns=tuple(_judged(column, choices.gate) if column.config in gated else column for column in columns),
        baseline=baseline,
        family=family,
        missing={label: configs for label, configs in missing.items() if configs},
        gated=gated,
    )


def _by_config(results: Sequence[Result], labels: Sequence[str]) -> dict[str, dict[str, Result]]:
    found: dict[str, dict[str, Result]] = {}
    for result, label in zip(results, labels, strict=True):
        of = found.setdefault(result.report.config, {})
        if label in of:
            raise second_result(label, result.report.config, of[label].folder, result.folder)
        of[label] = result
    return found


def _column(of: Mapping[str, Result], choices: Choices, known: set[str]) -> Comparison:
    """Compare the systems of a config by its headline; without the baseline there are values alone.

    What is allowed of a key that only other configs know is nothing to this one.
    """
    own = {key for one in of.values() for key in one.report.signature}
    tested = choices.baseline in of
    wanted = replace(
        choices,
        labels=tuple(of),
        baseline=choices.baseline if tested else None,
        allow=tuple(key for key in choices.allow if key in own or key not in known),
    )
    comparison = compared(comparable(list(of.values()), wanted, fewest=1), wanted)
    if tested:
        return comparison
    return replace(comparison, found=tuple(replace(one, baseline=None, differences=()) for one in comparison.found))


def _corrected(columns: Sequence[Comparison], family: int) -> Iterator[Comparison]:
    p = [one.p for column in columns for found in column.found for one in found.differences]
    left = iter(holm(np.array([np.nan if one is None else one for one in p]), family).tolist())
    for column in columns:
        (found,) = column.found
        larger = (errors_at(family) + POWER) / (errors_at(found.family) + POWER)
        differences = tuple(
            replace(
                one,
                corrected=None if one.p is None else corrected,
                detectable=None if one.detectable is None else larger * one.detectable,
            )
            for one, corrected in zip(found.differences, left, strict=False)
        )
        # Ties were found before this correction.
        yield replace(column, found=(replace(found, differences=differences, ties=(), family=family),))


def _gated(columns: Sequence[Comparison], gate: Gate, family: int) -> tuple[str, ...]:
    if not family:
        problem = _("a baseline that shares a config with another system is required")
        raise MedzhError(problem, field=GATE, expected=_("--baseline SYSTEM"))
    headlines = {column.config: column.found[0].metric for column in columns}
    if gate.metric not in {PRIMARY_NAME, *headlines.values()}:
        known = ", ".join(dict.fromkeys([PRIMARY_NAME, *headlines.values()]))
        raise MedzhError(
            _("the metric is not a primary metric of these configs"), field=GATE, expected=known, found=gate.metric
        )
    return tuple(config for config, primary_name in headlines.items() if gate.metric in {PRIMARY_NAME, primary_name})


def _judged(column: Comparison, gate: Gate | None) -> Comparison:
    if gate is None:
        return column
    named = replace(gate, metric=column.found[0].metric)
    with_gate(find_config(column.config), (), named)  # refuses a metric of which no direction is better
    return judged(column, named)
