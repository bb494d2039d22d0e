"""Third step of scoring: statistics of what counts, and from their sums the values of each rule."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.registry import is_foreign
from medzh_score.benchmark.soundness import config_fault, out_of_range, sound_statistics
from medzh_score.report.report import RuleResult
from medzh_score.report.results.columns import missing_of, unread_of
from medzh_score.rounds.scoring_predictions import audit_of
from medzh_score.statistics.comparison.describing import ends_of, extremes_of
from medzh_score.statistics.comparison.found import Systems
from medzh_score.statistics.small_groups import without_small_values
from medzh_score.statistics.sums import TOTAL
from medzh_score.statistics.values import breakdowns, values

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.layout import Layout
    from medzh_score.predictions.collected import Coverage
    from medzh_score.predictions.options import Options
    from medzh_score.report.steps.reading import Read
    from medzh_score.report.steps.refusing import Settled
    from medzh_score.rounds.audit import Audit
    from medzh_score.statistics.sums import GroupKey
    from medzh_score.statistics.values import Value


@dataclass(frozen=True)
class Computed:
    """The numbers by rule, of what was dropped all 0; the coverage is that of the chosen rule."""

    statistics: Mapping[str, NDArray[np.float64]]
    results: dict[str, RuleResult]
    coverage: Coverage
    audit: Audit | None


def compute(read: Read, told: Read, settled: Settled, options: Options) -> Computed:
    """Compute all values, of which results and tables say what may be told of what was read."""
    statistics = {
        name: read.config.statistics(read.layout, found, read.came.judged[name])
        for name, found in read.collected.tables.items()
    }
    if is_foreign(read.config.name):
        for counts in statistics.values():
            sound_statistics(read.config, counts, (len(read.layout.items), len(read.table.runs)))
    if settled.kept is not None:
        for counts in statistics.values():
            counts[~settled.kept.items] = 0
    return Computed(
        statistics,
        _results(told, statistics, options),
        read.collected.coverage(read.rule.name),
        audit_of(read.config, read.came, statistics, read.at_hand, read.rule.name),
    )


def _with_bounds(
    config: Config,
    layout: Layout,
    by_group: dict[GroupKey, dict[str, Value]],
    counts: NDArray[np.float64],
    table: AnswerTable,
) -> dict[GroupKey, dict[str, Value]]:
    """Say of each metric over all items between what it lies, whatever is open; what was dropped has no count."""
    unread, missing = (count(layout, table)[np.newaxis].astype(float) for count in (unread_of, missing_of))
    asked = table.due[layout.members].any(axis=1).sum(axis=1)
    one = Systems(("",), layout, counts[np.newaxis], unread, asked, missing)
    every, total = np.arange(len(layout.items)), dict(by_group[TOTAL])
    for metric in config.metrics:
        ends = ends_of(one, metric) if total[metric.name].value is not None else None
        if ends is None:
            continue
        found = extremes_of(one, metric, ends, every)
        least, most = float(found.low[0]), float(found.high[0])
        if most > least:
            total[metric.name] = replace(total[metric.name], least=least, most=most)
    return {**by_group, TOTAL: total}


def _results(read: Read, statistics: Mapping[str, NDArray[np.float64]], options: Options) -> dict[str, RuleResult]:
    """Turn each rule's statistics into values, groups and tables, the chosen rule's first.

    Nothing tells which rows of a config's own tables are of few items: of a private one there are none.
    """
    config, tables, layout = read.config, read.collected.tables, read.layout
    found = values(
        layout,
        list(statistics.values()),
        config.metrics,
        bootstrap=options.bootstrap,
        unit=config.unit,
        ddof=options.ddof,
        interval=options.interval,
    )
    found = [
        _with_bounds(config, layout, by_group, statistics[name], tables[name])
        for name, by_group in zip(statistics, found, strict=True)
    ]
    if config.private:
        found = [without_small_values(by_group) for by_group in found]
    if is_foreign(config.name):
        for by_group in found:
            _refuse_out_of_range(config, by_group[TOTAL])
    results = {
        name: RuleResult(
            by_group[TOTAL],
            breakdowns(by_group),
            {} if config.private else config.tables(layout, tables[name], statistics[name], read.came.judged[name]),
            tables[name].fired,
            tables[name].by_form,
        )
        for name, by_group in zip(statistics, found, strict=True)
    }
    return {read.rule.name: results[read.rule.name], **results}


def _refuse_out_of_range(config: Config, named: Mapping[str, Value]) -> None:
    """Refuse numbers that cannot be: the config counted or divided wrongly."""
    for metric in config.metrics:
        if out_of_range(config, metric, value := named[metric.name].value):
            raise config_fault(config, f"metrics: {metric.name}", "lies outside its range", found=value)
