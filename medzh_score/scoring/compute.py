"""Third step of scoring: statistics of what counts, and from their sums the values of each rule."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.registry import config_fault, is_foreign, out_of_range, sound_statistics
from medzh_score.benchmark.stages import AUDIT
from medzh_score.results.report import RuleResult, rule_result
from medzh_score.results.tables import missing_of, unparsed_of
from medzh_score.stats.pairwise import ends_of, extremes_of
from medzh_score.stats.sums import TOTAL
from medzh_score.stats.systems import Systems
from medzh_score.stats.values import breakdowns, values, without_small_values
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import AnswerTable
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.items import ItemIndex
    from medzh_score.readers.align import Coverage
    from medzh_score.scoring.inputs import ScoringInputs
    from medzh_score.scoring.missing import MissingOutcome
    from medzh_score.scoring.options import ScoringOptions
    from medzh_score.stages.audit import Audit
    from medzh_score.stats.sums import GroupKey
    from medzh_score.stats.values import Value


@dataclass(frozen=True)
class Computed:
    """The numbers by rule, of what was dropped all 0; the coverage is that of the chosen rule."""

    statistics: Mapping[str, NDArray[np.float64]]
    results: dict[str, RuleResult]
    coverage: Coverage
    audit: Audit | None


def compute(read: ScoringInputs, redacted: ScoringInputs, settled: MissingOutcome, options: ScoringOptions) -> Computed:
    """Compute all values, of which results and tables say what may be told of what was read."""
    statistics = {
        name: read.config.statistics(read.layout, found, read.judged_by_rule[name])
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
        _results(redacted, statistics, options),
        read.collected.coverage(read.rule.name),
        _audit(read, statistics[read.rule.name]),
    )


def _audit(read: ScoringInputs, counts: NDArray[np.float64]) -> Audit | None:
    if AUDIT not in read.replies:
        return None
    from medzh_score.stages.audit import audit_of

    return audit_of(read.config, read.replies[AUDIT], read.about, read.table, counts, read.available)


def _with_bounds(
    config: Config,
    layout: ItemIndex,
    by_group: dict[GroupKey, dict[str, Value]],
    counts: NDArray[np.float64],
    table: AnswerTable,
) -> dict[GroupKey, dict[str, Value]]:
    unparsed, missing = (count(layout, table)[np.newaxis].astype(float) for count in (unparsed_of, missing_of))
    asked = table.expected[layout.members].any(axis=1).sum(axis=1)
    one = Systems(("",), layout, counts[np.newaxis], unparsed, asked, missing)
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


def _results(
    read: ScoringInputs, statistics: Mapping[str, NDArray[np.float64]], options: ScoringOptions
) -> dict[str, RuleResult]:
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
        name: rule_result(
            by_group[TOTAL],
            breakdowns(by_group),
            {}
            if config.private
            else config.reporting.tables(layout, tables[name], statistics[name], read.judged_by_rule[name]),
            tables[name].matches,
            tables[name].by_form,
        )
        for name, by_group in zip(statistics, found, strict=True)
    }
    return {read.rule.name: results[read.rule.name], **results}


def _refuse_out_of_range(config: Config, named: Mapping[str, Value]) -> None:
    for metric in config.metrics:
        if out_of_range(config, metric, value := named[metric.name].value):
            raise config_fault(config, f"metrics: {metric.name}", _("the value is outside its range"), found=value)
