"""Whether a report and the statistics beside it are of one scoring run: what was counted is counted again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.registry import find_config
from medzh_score.messages.errors import MedzhError
from medzh_score.report.results.folder import AGAIN, REPORT, STATISTICS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from medzh_score.benchmark.config import Config
    from medzh_score.report.report import Report
    from medzh_score.report.results.stored_tables import Stored
    from medzh_score.report.rule_result import RuleResult
    from medzh_score.statistics.values import Value


def refuse_others(folder: Path, report: Report, stored: Stored) -> None:
    """Refuse statistics that do not give the counts of the report."""
    config = find_config(report.config)
    deepest = max(metric.denominator for metric in config.metrics)
    for name, result in report.results.items():
        counts = stored.statistics[name]
        if counts.shape[2] <= deepest:
            problem, expected = "has too few statistics for the metrics", f"more than {deepest}"
            raise MedzhError(problem, file=folder / STATISTICS, expected=expected, found=counts.shape[2], advice=AGAIN)
        for place, values, rows in _parts(folder, name, result, stored):
            _refuse_values(folder, place, values, config, counts[rows])


def _parts(
    folder: Path, rule: str, result: RuleResult, stored: Stored
) -> Iterator[tuple[str, Mapping[str, Value], NDArray[np.bool_]]]:
    """Give all values of a rule, with where they stand and the items that they are of."""
    yield f"{rule}/metrics", result.metrics, np.ones(len(stored.layout.items), bool)
    if result.groups.keys() != stored.layout.groups.keys():
        raise _apart(folder, f"{rule}/groups", ", ".join(stored.layout.groups), ", ".join(result.groups))
    for breakdown, groups in result.groups.items():
        labels = np.asarray(stored.layout.groups[breakdown])
        if groups.keys() != set(labels.tolist()):
            expected = ", ".join(sorted(set(labels.tolist())))
            raise _apart(folder, f"{rule}/groups/{breakdown}", expected, ", ".join(groups))
        for group, values in groups.items():
            yield f"{rule}/groups/{breakdown}/{group}", values, labels == group


def _refuse_values(
    folder: Path,
    place: str,
    values: Mapping[str, Value],
    config: Config,
    counts: NDArray[np.float64],
) -> None:
    names = [metric.name for metric in config.metrics]
    if list(values) != names:
        raise _apart(folder, place, ", ".join(names), ", ".join(values))
    counted = counts[..., [metric.denominator for metric in config.metrics]] != 0
    items, by_run = counted.any(axis=1).sum(axis=0).tolist(), counted.sum(axis=0).T.tolist()
    for metric, of_all, of_runs in zip(config.metrics, items, by_run, strict=True):
        value = values[metric.name]
        expected = (of_all, tuple(of_runs), counts.shape[1], config.unit)
        found = (value.n, value.n_per_run, len(value.per_run), value.unit)
        if found != expected:
            said = [f"{n} items; by run {', '.join(map(str, per_run))}" for n, per_run, *_ in (expected, found)]
            raise _apart(folder, f"{place}/{metric.name}", *said)


def _apart(folder: Path, field: str, expected: str, found: str) -> MedzhError:
    problem = "the report does not fit the statistics beside it"
    return MedzhError(problem, file=folder / REPORT, field=field, expected=expected, found=found, advice=AGAIN)
