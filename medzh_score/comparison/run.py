"""From result folders to a comparison."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.items import ItemIndex
from medzh_score.benchmark.registry import find_config
from medzh_score.comparison.align import Comparable, aligned
from medzh_score.comparison.comparability import DATA, agreement, refuse_other_configs, rule_for
from medzh_score.comparison.gate import judged, refuse_without_baseline, with_gate
from medzh_score.comparison.load import FEWEST, find_label, load_results
from medzh_score.comparison.model import Comparison, PrintedRow, System
from medzh_score.comparison.warnings import cautions_of, data_warnings, notes_of, notes_on_data
from medzh_score.scoring.options import check_count
from medzh_score.scoring.paper import chosen_tables, load_paper
from medzh_score.stats.compare import compare_systems
from medzh_score.stats.sums import TOTAL
from medzh_score.stats.values import Bootstrap, small, values, without_small_groups
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _, pgettext

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.metrics import Metric
    from medzh_score.comparison.load import Choices
    from medzh_score.results.report import RuleResult
    from medzh_score.results.result import LabeledResult, Result
    from medzh_score.scoring.paper import Cells, Paper, ReportedTable
    from medzh_score.stats.pairwise import MetricComparison, SystemResult
    from medzh_score.stats.systems import Systems
    from medzh_score.stats.values import Value


def comparable(given: Sequence[Result | str | Path], choices: Choices, *, fewest: int = FEWEST) -> Comparable:
    """Load systems and align them; those that are not comparable are refused."""
    check_count("--bootstrap", choices.bootstrap.resamples)
    check_count("--permutations", choices.permutations)
    if choices.gate is not None:
        refuse_without_baseline(choices.baseline)
    results = load_results(given, choices.labels, fewest=fewest)
    refuse_other_configs(results)
    config = find_config(results[0].result.report.config)
    rule = rule_for(config, {one.path: one.result.statistics for one in results}, choices)
    agreed = agreement(results, rule, choices)
    metrics = _metrics(config, [one.result.report.results[rule].metrics for one in results], choices)
    for one in results:
        _refuse_other_values(one.result, rule, metrics, config.unit)
    return Comparable(config, rule, metrics, results, agreed, aligned(results, rule, choices))


def compared(systems: Comparable, choices: Choices) -> Comparison:
    """Compare systems on the units that all have."""
    config, rule, results, agreed = systems.config, systems.rule, systems.results, systems.agreed
    printed = _printed_rows(config, rule, results, agreed.common, choices)
    found = compare_systems(
        _shown_systems(config, systems.together.systems),
        systems.metrics,
        config.unit,
        breakdowns=choices.by,
        baseline=find_label([one.label for one in results], [one.path for one in results], choices.baseline),
        best=choices.best,
        bootstrap=choices.bootstrap,
        permutations=choices.permutations,
    )
    found = _with_own_intervals(systems, _shown_groups(config, found))
    comparison = Comparison(
        config=config.name,
        rule=rule,
        unit=config.unit,
        systems=tuple(
            System(one.label, one.path.name, one.result.report.model, len(one.result.runs), differing)
            for one, differing in zip(results, agreed.of_each, strict=True)
        ),
        found=_with_paper_rule(systems, choices, found),
        units=systems.together.units,
        items=len(systems.together.systems.layout.items),
        left_out=systems.together.of - systems.together.units,
        signature=agreed.common,
        allowed=agreed.allowed,
        differing=agreed.differing,
        bootstrap=choices.bootstrap.resamples,
        seed=choices.bootstrap.seed,
        cautions=cautions_of(config, rule, results, systems.metrics, found),
        notes=notes_of(config, rule, results, systems.together, agreed, found),
        data_warnings=data_warnings(results),
        printed=printed,
    )
    return comparison if choices.gate is None else judged(comparison, choices.gate)


def _metrics(config: Config, found: Sequence[Mapping[str, Value]], choices: Choices) -> tuple[Metric, ...]:
    shown = config.reporting.summary_metrics or tuple(metric.name for metric in config.metrics)
    first = config.primary_metric(*found)
    wanted = choices.metrics or ((first,) if choices.primary_alone else (first, *shown))
    chosen = tuple(pick("--metric", config.metrics, name) for name in dict.fromkeys(wanted))
    return chosen if choices.gate is None else with_gate(config, chosen, choices.gate)


def _shown_systems(config: Config, systems: Systems) -> Systems:
    if not config.private:
        return systems
    counted = [True] * len(systems.layout.items)
    return replace(systems, layout=without_small_groups(systems.layout, counted))


def _shown_groups(config: Config, found: Sequence[MetricComparison]) -> tuple[MetricComparison, ...]:
    counts: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for one in found:
        if config.private and one.breakdown:
            counts[one.metric, one.breakdown][one.group] = min(standing.value.n for standing in one.standings)
    return tuple(one for one in found if one.group not in small(counts[one.metric, one.breakdown]))


def _with_own_intervals(systems: Comparable, found: tuple[MetricComparison, ...]) -> tuple[MetricComparison, ...]:
    together = systems.together
    if len({len(one.result.runs) for one in systems.results}) == 1 or together.units < together.of:
        return found
    reports = [one.result.report.results[systems.rule] for one in systems.results]

    def own(standing: SystemResult, row: MetricComparison, report: RuleResult) -> SystemResult:
        named = report.groups[row.breakdown].get(row.group) if row.breakdown else report.metrics
        if named is None:  # small groups of a private config are put together anew
            return standing
        its = named[row.metric]
        value = replace(
            standing.value, low=its.low, high=its.high, interval=its.interval, unavailable_reason=its.unavailable_reason
        )
        return replace(standing, value=value)

    return tuple(
        replace(
            row,
            standings=tuple(
                own(standing, row, report) for standing, report in zip(row.standings, reports, strict=True)
            ),
        )
        for row in found
    )


def _with_paper_rule(
    systems: Comparable, choices: Choices, found: tuple[MetricComparison, ...]
) -> tuple[MetricComparison, ...]:
    config, paper = systems.config, systems.config.paper_rule.name
    held = all(paper in one.result.statistics for one in systems.results)
    if systems.rule != config.primary_rule.name or paper == systems.rule or not held:
        return found
    for one in systems.results:
        _refuse_other_values(one.result, paper, systems.metrics, config.unit)
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


TOLERANCE = 1e-9  # of what sums in another order may differ by


def _refuse_other_values(result: Result, rule: str, metrics: tuple[Metric, ...], unit: str) -> None:
    alone = ItemIndex(result.layout.items, result.layout.members, result.layout.clusters, {})
    given = result.statistics[rule][np.newaxis]
    found = values(alone, given, metrics, bootstrap=Bootstrap(0), unit=unit)[0][TOTAL]
    stated = result.report.results[rule].metrics
    for name, value in found.items():
        if name not in stated or not _same(value.value, stated[name].value):
            problem = _("the value computed from the stored statistics differs from the report")
            advice = _("score again with this version")
            expected = str(stated[name].value) if name in stated else _("a value with this name")
            where, here = result.folder, value.value
            raise MedzhError(problem, file=where, field=name, expected=expected, found=here, advice=advice)


def _same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


OPTION = "--paper-row"


def _printed_rows(
    config: Config, rule: str, results: Sequence[LabeledResult[Result]], signature: Mapping[str, str], choices: Choices
) -> tuple[PrintedRow, ...]:
    if not choices.printed:
        return ()
    other = notes_on_data(results)
    if other and DATA not in choices.allow:
        raise MedzhError(
            _("the data differ from the data of the paper"),
            field=OPTION,
            found=other[0],
            advice=_("allow different data: --allow data"),
        )
    paper = load_paper(config.name)
    beside = [_beside(config, rule, signature.get("generation", "of their own"), paper), *other]
    return tuple(_row(paper, name, beside) for name in dict.fromkeys(choices.printed))


def _row(paper: Paper, name: str, beside: Sequence[str]) -> PrintedRow:
    number, _unused, row = name.partition(":")
    if not (number.isdecimal() and row):
        raise MedzhError(_("invalid table row"), field=OPTION, expected=_("TABLE:ROW, such as 4:GPT-4"), found=name)
    table = chosen_tables(paper, int(number), OPTION)[0]
    rows = [cells for cells in table.rows if table.whole.items() <= cells.items()]
    if not any(column.metric for column in table.columns):
        known = ", ".join(str(one.number) for one in paper.tables if any(column.metric for column in one.columns))
        raise MedzhError(
            _("Table {number} has no metric over all items", number=number), field=OPTION, expected=known or "none"
        )
    fitting = [cells for cells in rows if row == row_name(table, cells) or row in _texts(table, cells)]
    names = list(dict.fromkeys(row_name(table, cells) for cells in fitting))
    if len(names) != 1:
        known = ", ".join(dict.fromkeys(row_name(table, cells) for cells in fitting or rows))
        problem = (
            _("Table {number} has several matching rows", number=number)
            if names
            else _("Table {number} has no such row", number=number)
        )
        raise MedzhError(problem, field=OPTION, expected=known, found=row)
    values = {metric: value for cells in fitting for metric, value in _values(table, cells).items()}
    errata = ", ".join(erratum.id for erratum in paper.errata_of(table.number) if erratum.grade != "OK")
    of_table = {"errata": errata, "config": paper.config, "number": number}
    seen = (
        [_("The table has errata: {errata}. To see them: medzh-score published {config} --table {number}.", **of_table)]
        if errata
        else []
    )
    named = {"number": number, "benchmark": paper.benchmark, "table_title": table.title}
    title = _("Table {number} of the {benchmark} paper: {table_title}.", **named)
    return PrintedRow(pgettext("places", "Table {number}", number=number), names[0], values, (title, *beside, *seen))


def row_name(table: ReportedTable, cells: Cells) -> str:
    """Name a row by its texts, in the order of the columns."""
    return "/".join(_texts(table, cells))


def _texts(table: ReportedTable, cells: Cells) -> list[str]:
    return [str(cells[column.name]) for column in table.columns if isinstance(cells[column.name], str)]


def _values(table: ReportedTable, cells: Cells) -> dict[str, float]:
    printed = {column.metric.format_map(cells): cells[column.name] for column in table.columns if column.metric}
    return {metric: float(value) for metric, value in printed.items() if isinstance(value, int | float)}


def _beside(config: Config, rule: str, generation: str, paper: Paper) -> str:
    nearest = config.paper_rule.name
    settings = ", ".join(f"{name} {value}" for name, value in paper.generation.items()) or _("unknown")
    values = {"settings": settings, "generation": generation, "rule": rule, "nearest": nearest}
    if rule == nearest:
        return _(
            (
                "Not tested for significance because the predictions are different samples. Paper: generation "
                "settings {settings}. Systems: generation settings {generation}, rule {rule}."
            ),
            **values,
        )
    return _(
        (
            "Not tested for significance because the predictions are different samples. Paper: generation "
            "settings {settings}. Systems: generation settings {generation} and another rule ({rule}; closest "
            "to the paper: {nearest})."
        ),
        **values,
    )
