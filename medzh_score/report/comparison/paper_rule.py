"""The values by the rule of the paper's authors, beside those by ours, which are compared."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from medzh_score.benchmark.rules import OURS
from medzh_score.report.comparison.alignment import aligned
from medzh_score.report.comparison.stated_values import refuse_other_values
from medzh_score.statistics.values import Bootstrap, values

if TYPE_CHECKING:
    from medzh_score.report.comparison.alignment import Comparable
    from medzh_score.report.comparison.choices import Choices
    from medzh_score.statistics.comparison.found import MetricComparison


def with_paper_rule(
    systems: Comparable, choices: Choices, found: tuple[MetricComparison, ...]
) -> tuple[MetricComparison, ...]:
    """Put the value by the paper's rule beside each, on the same units; as found where not all reports hold both."""
    config, paper = systems.config, systems.config.rules[0].name
    held = all(paper in one.result.statistics for one in systems.results)
    if systems.rule != OURS or paper == OURS or not held:
        return found
    for one in systems.results:
        refuse_other_values(one.result, paper, systems.metrics, config.unit)
    given = aligned(systems.results, paper, choices).systems
    by_system = values(given.layout, given.statistics, systems.metrics, bootstrap=Bootstrap(0), unit=config.unit)
    return tuple(
        replace(
            row,
            standings=tuple(
                replace(standing, by_rules={paper: by_group[row.breakdown, row.group][row.metric].value})
                for standing, by_group in zip(row.standings, by_system, strict=True)
            ),
        )
        for row in found
    )
