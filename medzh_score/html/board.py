"""A board of result folders: which pages there are, and what each depends on."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from medzh_score.benchmark.registry import difference_names
from medzh_score.comparison.comparability import comparable_groups
from medzh_score.comparison.leaderboard import board_table
from medzh_score.html.charts import interval_chart
from medzh_score.html.overview import SCHEMA, overview_files, tie_of
from medzh_score.html.page import PageHead, TableView, both, in_both, rendered_page, said, view_of
from medzh_score.html.site import (
    ALL_DATA,
    ALL_SHEET,
    OVERVIEW,
    READING,
    Done,
    Part,
    apart_said,
    code_digest,
    config_data,
    config_page,
    config_sheet,
    data_badge,
    digest_of,
    model_link,
    model_page,
    read_manifest,
    write_site,
)
from medzh_score.io.jsonl import json_document
from medzh_score.io.tables import sheet_bytes
from medzh_score.render.canvas import model_color
from medzh_score.render.captions import captions
from medzh_score.render.compare_tables import COLUMNS, metric_name, tidy_rows, unavailable_reasons
from medzh_score.render.display import DAGGER, DisplayOptions, standing_order
from medzh_score.render.report import coverage_lines, metrics_table, remark_lines, value_lines, without_zeros
from medzh_score.render.screen import declared_screen, runs_text
from medzh_score.render.tables import translated_label
from medzh_score.results.numbers import cells_of
from medzh_score.results.result import LabeledResult
from medzh_score.results.saved_reports import identity_of, read_report
from medzh_score.stats.permutation import SIGNIFICANCE
from medzh_score.ui.errors import printable
from medzh_score.ui.i18n import _, current, pgettext
from medzh_score.ui.numbers import MISSING, PERCENT_DECIMALS, interval_text, percent, rounded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from markupsafe import Markup

    from medzh_score.comparison.comparability import ComparableGroup
    from medzh_score.comparison.leaderboard import BoardTable
    from medzh_score.comparison.load import Choices
    from medzh_score.comparison.model import Comparison
    from medzh_score.html.site import Content
    from medzh_score.results.report import Report
    from medzh_score.results.saved_reports import Identity
    from medzh_score.stats.pairwise import Difference, MetricComparison, SystemResult


Groups = tuple["ComparableGroup", ...]


def write_board(site: Path, given: Sequence[tuple[Path, str | None]], choices: Choices) -> Done:
    """Write a board of result folders, each with what its system is called where the user says so."""
    site = site.absolute()
    read_manifest(site)  # before anything is computed
    by_config: dict[str, list[LabeledResult[Identity]]] = defaultdict(list)
    for folder, name in given:
        identity = identity_of(folder)
        label = printable(name or identity.model or folder.resolve().name)
        by_config[identity.config].append(LabeledResult(label, folder, identity))
    known = {key for results in by_config.values() for one in results for key in one.result.signature}
    groups = {config: comparable_groups(config, by_config[config], choices) for config in sorted(by_config)}
    return write_site(site, _parts(groups, choices, known))


def _parts(groups: Mapping[str, Groups], choices: Choices, known: set[str]) -> list[Part]:
    """List the parts: pages before those that lead to them."""
    reports: dict[str, Report] = {}  # by the digests of their results: read for the configs that changed
    made = [_config_part(config, of, choices, known, reports) for config, of in groups.items()]
    models = _models(groups)
    pages = [_model_part(label, results, reports) for label, results in models.items()]
    reading = Part(
        (READING,),
        _made_of("input"),
        lambda _unused: [
            rendered_page("board_reading.html.jinja", title=_("How to read this leaderboard"), styles=("board.css",))
        ],
    )
    overview = Part(
        (OVERVIEW, ALL_SHEET, ALL_DATA),
        _made_of(*(part.made_of for part in made), *models),
        partial(overview_files, tuple(groups), tuple(models)),
    )
    return [*made, *pages, reading, overview]


def _made_of(*inputs: object) -> str:
    """Give the digest of inputs, of the package that makes files of them, and of the language in which pages open."""
    return digest_of([code_digest(), current.get(), *inputs])


def _config_part(config: str, groups: Groups, choices: Choices, known: set[str], reports: dict[str, Report]) -> Part:
    members = [[(one.label, one.path.resolve().name, one.result.digest) for one in of.members] for of in groups]
    options = [
        sorted(choices.allow),
        choices.rule,
        choices.bootstrap.resamples,
        choices.bootstrap.seed,
        choices.permutations,
    ]

    def make(_unused: Content) -> Sequence[bytes]:
        tables = [board_table(number, of, choices, known) for number, of in enumerate(groups, 1)]
        for of, table in zip(groups, tables, strict=True):
            digests = [one.result.digest for one in of.members]
            reports.update(zip(digests, map(_without_groups, table.reports), strict=True))
        return _config_files(config, tables)

    paths = (config_page(config), config_sheet(config), config_data(config))
    return Part(paths, _made_of(config, members, options), make)


def _models(groups: Mapping[str, Groups]) -> dict[str, list[OfModel]]:
    found: dict[str, list[OfModel]] = defaultdict(list)
    for of in groups.values():
        for number, group in enumerate(of, 1):
            for one in group.members:
                found[one.label].append(OfModel(number, group.rule, group.mini, one.path, one.result))
    return {label: found[label] for label in sorted(found)}


def _model_part(label: str, results: Sequence[OfModel], reports: Mapping[str, Report]) -> Part:
    inputs = [(one.number, one.rule, one.mini, one.path.resolve().name, one.result.digest) for one in results]
    return Part((model_page(label),), _made_of(label, inputs), lambda _unused: [_model_file(label, results, reports)])


@dataclass(frozen=True)
class OfModel:
    """A result of a model: its table on the page of its config, by which rule, and whether its data are mini."""

    number: int
    rule: str
    mini: bool
    path: Path
    result: Identity


def _without_groups(report: Report) -> Report:
    rules = {name: msgspec.structs.replace(of, groups={}, tables={}) for name, of in report.rules.items()}
    return report.with_changes(groups={}, tables={}, rules=rules)


def _model_file(label: str, results: Sequence[OfModel], known: Mapping[str, Report]) -> bytes:
    return rendered_page(
        "board_model.html.jinja",
        title=label,
        styles=("board.css",),
        label=label,
        sections=[_model_section(one, known.get(one.result.digest) or read_report(one.path)) for one in results],
    )


def _model_section(one: OfModel, report: Report) -> dict[str, object]:
    value = report.results[one.rule].metrics[report.primary_name]
    return {
        "config": report.config,
        "page": config_page(report.config),
        "number": one.number,
        "badge": data_badge(report.signature, mini=one.mini),
        "folder": one.path.resolve().name,
        "report": report,
        "value": value,
        "cells": cells_of(value),
        "runs": said(runs_text(value)),
        "rule": one.rule,
        "metrics": view_of(without_zeros(metrics_table(report)), PERCENT_DECIMALS),
        "notes": list(map(said, remark_lines(report))),
        "coverage": list(map(said, (*coverage_lines(report), *value_lines(report.metrics)))),
    }


IN_SHEET = ("table", "data", "mini", *COLUMNS)
UNITS_SHOWN = 50
LEAST = 0.001  # p values below it are written as such


def _config_files(config: str, tables: Sequence[BoardTable]) -> tuple[bytes, bytes, bytes]:
    facts = {"schema": SCHEMA, "config": config, "tables": [one.as_dict() for one in tables]}
    page = rendered_page(
        "board_config.html.jinja",
        title=config,
        styles=("board.css",),
        config=config,
        sections=[_table_section(one, many=len(tables) > 1) for one in tables],
    )
    return page, sheet_bytes(IN_SHEET, _sheet_rows(tables)), json_document(facts)


def _sheet_rows(tables: Sequence[BoardTable]) -> Iterator[dict[str, object]]:
    for one in tables:
        shared = {"table": one.number, "data": one.signature.get("data"), "mini": int(one.mini)}
        for row in tidy_rows(one.comparison):
            yield {**shared, **row}


def _table_section(table: BoardTable, *, many: bool) -> dict[str, object]:
    comparison = table.comparison
    (found,) = comparison.found
    order = standing_order(found.standings)
    standings = [found.standings[place] for place in order]
    labels, values = [one.label for one in standings], [one.value for one in standings]
    whys = in_both(lambda: [*unavailable_reasons(comparison, DisplayOptions())])
    return {
        "number": table.number,
        "many": many,
        "badge": data_badge(table.signature, mini=table.mini),
        "apart": apart_said(table.as_dict()) if table.apart else [],
        "caption": both(*captions(comparison, DisplayOptions(caption="both"), unit="percent")),
        "cautions": [said(one) for one in (*comparison.cautions, *comparison.notes)],
        "whys": [both(*pair) for pair in zip(*whys, strict=True)],
        "ranking": _ranking(comparison, found, standings),
        "chart": interval_chart(_title(found), list(map(model_link, labels)), values, list(map(model_color, labels))),
        "matrix": _matrix(comparison, found, labels) if found.differences else None,
        "left_out": len(standings)
        - len({one.label for one in found.differences} | {one.other for one in found.differences}),
        "groups": [_by_group(table, breakdown, labels) for breakdown in table.groups],
        "units": table.units,
        "units_in_all": declared_screen(comparison.config).clusters(table.units.of),
        "units_shown": UNITS_SHOWN,
        "signature": comparison.signature,
        "allowed": [(one.label, dict(one.differing)) for one in comparison.systems] if comparison.allowed else [],
    }


def _title(found: MetricComparison) -> Markup:
    return said(metric_name(found))


def _ranking(comparison: Comparison, found: MetricComparison, standings: Sequence[SystemResult]) -> TableView:
    best = "ascending" if standings[0].value.direction == "lower" else "descending"
    heads = (
        PageHead(said("system", "heads")),
        PageHead(_title(found), numeric=True, best=best),
        PageHead(said("95% CI", "heads"), numeric=True, best=best),
        PageHead(said("rank", "heads"), numeric=True),
        PageHead(said("rank interval", "heads"), numeric=True),
        PageHead(said("tie group", "heads"), numeric=True),
        PageHead(said("unparsed items", "heads"), numeric=True),
    )
    rows = []
    in_points = found.metric in difference_names(comparison.config)
    for one in standings:
        cells = cells_of(one.value, points=in_points)
        rank = MISSING if one.rank_low is None else f"[{one.rank_low}, {one.rank_high}]"
        tie = tie_of(one.label, found.ties)
        unparsed = MISSING if one.unparsed is None else f"{rounded(one.unparsed, PERCENT_DECIMALS)}%"
        places = (str(one.rank or MISSING), rank)
        rows.append((model_link(one.label), cells.value, cells.interval, *places, str(tie or MISSING), unparsed))
    return TableView(said(_("Ranking by rule {rule}", rule=comparison.rule)), heads, tuple(rows))


def _matrix(comparison: Comparison, found: MetricComparison, labels: Sequence[str]) -> TableView:
    """Show the differences of all pairs that are described: the row's value minus the column's."""
    named = {one.label for one in found.differences} | {one.other for one in found.differences}
    shown = [label for label in labels if label in named]
    pairs = {frozenset((one.label, one.other)): one for one in found.differences}
    rows = [
        (model_link(label), str(number), *(_difference_cell(pairs, label, other, comparison.unit) for other in shown))
        for number, label in enumerate(shown, 1)
    ]
    heads = (
        PageHead(said("system", "heads")),
        PageHead("#", numeric=True),
        *(PageHead(str(place), numeric=True, best="descending") for place in range(1, len(shown) + 1)),
    )
    title = _("Differences in {metric} in pp, row minus column", metric=found.metric)
    return TableView(said(title), heads, tuple(rows))


def _difference_cell(pairs: Mapping[frozenset[str], Difference], label: str, other: str, unit: str) -> Markup | str:
    """Write a difference in percentage points; a star marks a significant one. Interval and p are in its title."""
    from markupsafe import Markup

    one = pairs.get(frozenset((label, other)))
    if label == other or one is None or one.value is None:
        return MISSING if label != other else ""
    same = one.label == label
    star = "*" if one.corrected is not None and one.corrected <= SIGNIFICANCE else ""
    bounds = (one.low, one.high) if same or one.low is None or one.high is None else (-one.high, -one.low)
    interval = "" if one.low is None else f"95% CI {interval_text(*bounds, unit)}"
    p = "" if one.corrected is None else f" p = {rounded(one.corrected, 3)}" if one.corrected >= LEAST else " p < 0.001"
    value = percent(one.value if same else -one.value, unit)
    sign = "+" if value.strip("-0.") and not value.startswith("-") else ""
    written = f"{sign}{value}{star}{DAGGER if one.depends_on_unparsed else ''}"
    element = Markup('<span{} title="{}{}">{}</span>')
    return element.format(Markup(' class="significant"') if star else "", interval, p, written)


def _by_group(table: BoardTable, breakdown: str, labels: Sequence[str]) -> TableView:
    """Show the primary metric of each group in percent, one row per system."""
    comparison, groups = table.comparison, table.groups[breakdown]
    (found,) = comparison.found
    best = "ascending" if found.standings[0].value.direction == "lower" else "descending"
    heads = in_both(lambda: [translated_label(breakdown, name) for name in groups])
    rows = [
        (model_link(label), *(percent(of.get(label), comparison.unit) for of in groups.values())) for label in labels
    ]
    title = pgettext("titles", "{metric} by {breakdown}", metric=found.metric, breakdown=pgettext("heads", breakdown))
    columns = (PageHead(both(*pair), numeric=True, best=best) for pair in zip(*heads, strict=True))
    return TableView(said(title, "titles"), (PageHead(said("system", "heads")), *columns), tuple(rows))
