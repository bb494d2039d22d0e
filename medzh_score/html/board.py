"""A board of result folders: which pages there are, and what each depends on."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.comparison.comparability import comparable_groups
from medzh_score.comparison.leaderboard import board_table
from medzh_score.html.charts import interval_chart
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
    link,
    model_link,
    model_page,
    read_manifest,
    write_site,
)
from medzh_score.io.jsonl import json_document
from medzh_score.io.tables import sheet_bytes
from medzh_score.render.captions import captions
from medzh_score.render.compare_tables import COLUMNS, system_tables, tidy_rows, titled, unavailable_reasons
from medzh_score.render.display import ARROWS, DAGGER, DisplayOptions, standing_order
from medzh_score.render.report import coverage_lines, metrics_table
from medzh_score.render.tables import translated_label
from medzh_score.results.numbers import DECIMALS, cells_of, rounded
from medzh_score.results.report import identity_of, read_report
from medzh_score.results.result import LabeledResult
from medzh_score.stats.permutation import LEVEL
from medzh_score.ui.errors import printable
from medzh_score.ui.i18n import _, current, in_chinese, pgettext, translated

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from markupsafe import Markup

    from medzh_score.comparison.comparability import ComparableGroup
    from medzh_score.comparison.leaderboard import BoardTable
    from medzh_score.comparison.load import Choices
    from medzh_score.comparison.model import Comparison
    from medzh_score.html.site import Content
    from medzh_score.results.report import Identity, Report
    from medzh_score.stats.pairwise import Difference, MetricComparison


Groups = tuple["ComparableGroup", ...]


def write_board(site: Path, given: Sequence[tuple[Path, str | None]], choices: Choices) -> Done:
    """Write a board of result folders, each with what its system is called where the user says so."""
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
        _made_of("reading"),
        lambda _unused: [rendered_page("board_reading.html.jinja", title=_("How to read this board"))],
    )
    overview = Part(
        (OVERVIEW, ALL_SHEET, ALL_DATA),
        _made_of(*(part.made_of for part in made), *models),
        partial(_overview_files, tuple(groups), tuple(models)),
    )
    return [*made, *pages, reading, overview]


def _made_of(*inputs: object) -> str:
    """Give the digest of inputs, of the package that makes files of them, and of the language in which pages open."""
    return digest_of([code_digest(), current.get(), *inputs])


def _config_part(config: str, groups: Groups, choices: Choices, known: set[str], reports: dict[str, Report]) -> Part:
    members = [[(one.label, one.path.resolve().name, one.result.digest) for one in of.members] for of in groups]
    options = [sorted(choices.allow), choices.rule, choices.bootstrap.resamples, choices.bootstrap.seed, choices.swaps]

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
    value = report.results[one.rule].metrics[report.headline]
    return {
        "config": report.config,
        "page": config_page(report.config),
        "number": one.number,
        "badge": data_badge(report.signature, mini=one.mini),
        "folder": one.path.resolve().name,
        "report": report,
        "value": value,
        "cells": cells_of(value),
        "rule": one.rule,
        "metrics": view_of(metrics_table(report), DECIMALS[value.unit]),
        "notes": [said(note) for note in report.notes],
        "coverage": [said(line) for line in coverage_lines(report)],
    }


SCHEMA = 1  # of the JSON
IN_SHEET = ("table", "data", "mini", *COLUMNS)
UNITS_SHOWN = 50


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
    headline = in_both(lambda: translated(titled(comparison, found), "titles"))
    return {
        "number": table.number,
        "many": many,
        "badge": data_badge(table.signature, mini=table.mini),
        "apart": apart_said(table.as_dict()) if table.apart else [],
        "caption": both(*captions(comparison, DisplayOptions(caption="both"))),
        "cautions": [said(one) for one in (*comparison.cautions, *comparison.notes)],
        "whys": [
            both(*pair)
            for pair in zip(*in_both(lambda: [*unavailable_reasons(comparison, DisplayOptions())]), strict=True)
        ],
        "ranking": _ranking(comparison, found, order),
        "forest": interval_chart(
            both(*headline), [(one.label, one.label) for one in standings], [one.value for one in standings]
        ),
        "matrix": _matrix(comparison, found, [one.label for one in standings]) if found.differences else None,
        "left_out": len(standings)
        - len({one.label for one in found.differences} | {one.other for one in found.differences}),
        "groups": [_by_group(table, breakdown, order) for breakdown in table.groups],
        "units": table.units,
        "units_shown": UNITS_SHOWN,
        "signature": comparison.signature,
        "allowed": [(one.label, dict(one.differing)) for one in comparison.systems] if comparison.allowed else [],
    }


def _ranking(comparison: Comparison, found: MetricComparison, order: Sequence[int]) -> TableView:
    (table,) = system_tables(comparison, [found], DisplayOptions(), order)
    view = view_of(table, DECIMALS[comparison.unit])
    linked = [model_link(found.standings[place].label) for place in order]
    rows = tuple((name, *row[1:]) for name, row in zip(linked, view.rows, strict=True))
    return TableView(view.title, view.heads, rows)


def _matrix(comparison: Comparison, found: MetricComparison, labels: Sequence[str]) -> TableView:
    """Show the differences of all pairs that are described: the row's value minus the column's."""
    named = {one.label for one in found.differences} | {one.other for one in found.differences}
    shown = [label for label in labels if label in named]
    pairs = {frozenset((one.label, one.other)): one for one in found.differences}
    decimals = DECIMALS[comparison.unit]
    rows = [
        (model_link(label), str(number), *(_difference_cell(pairs, label, other, decimals) for other in shown))
        for number, label in enumerate(shown, 1)
    ]
    heads = (
        PageHead(said("system", "heads")),
        PageHead("#", numeric=True),
        *(PageHead(str(place), numeric=True) for place in range(1, len(shown) + 1)),
    )
    title = said(
        _(
            "Differences of the first {n_shown}: {titled}, the row minus the column",
            n_shown=len(shown),
            titled=pgettext("titles", titled(comparison, found)),
        )
    )
    return TableView(title, heads, tuple(rows))


def _difference_cell(pairs: dict[frozenset[str], Difference], label: str, other: str, decimals: int) -> Markup | str:
    """Write a difference, with a star where the corrected test tells the two apart, and its interval and p beside."""
    from markupsafe import Markup

    one = pairs.get(frozenset((label, other)))
    if label == other or one is None or one.value is None:
        return "-" if label != other else ""
    sign = 1 if one.label == label else -1
    star = "*" if one.corrected is not None and one.corrected <= LEVEL else ""
    low, high = sorted(
        sign * (one.low or 0.0) if bound == "low" else sign * (one.high or 0.0) for bound in ("low", "high")
    )
    interval = "" if one.low is None else f"[{rounded(low, decimals)}, {rounded(high, decimals)}]"
    p = "" if one.corrected is None else f" p = {rounded(one.corrected, 4)}"
    written = f"{rounded(sign * one.value, decimals)}{star}{DAGGER if one.depends_on_unread else ''}"
    return Markup('<span{} title="{}{}">{}</span>').format(
        Markup(' class="apart"') if star else "", interval, p, written
    )


def _by_group(table: BoardTable, breakdown: str, order: Sequence[int]) -> TableView:
    """Show the headline of each group: a row a system."""
    comparison, groups = table.comparison, table.groups[breakdown]
    (found,) = comparison.found
    decimals = DECIMALS[comparison.unit]
    heads = [both(*in_both(lambda name=name: translated_label(breakdown, name))) for name in groups]  # type: ignore[misc]
    rows = []
    for place in order:
        label = found.standings[place].label
        values = [of.get(label) for of in groups.values()]
        rows.append((model_link(label), *("-" if one is None else rounded(one, decimals) for one in values)))
    title = said(
        pgettext("titles", "{metric} by {breakdown}", metric=found.metric, breakdown=pgettext("heads", breakdown)),
        "titles",
    )
    columns = (PageHead(said("system", "heads")), *(PageHead(one, numeric=True) for one in heads))
    return TableView(title, columns, tuple(rows))


OVERVIEW_COLUMNS = (
    *("system", "config", "table", "data", "mini", "prompt", "shots", "rule", "metric", "unit", "direction"),
    *("value", "low", "high", "n", "rank", "rank_low", "rank_high", "tie", "unread_percent", "why"),
)


@dataclass(frozen=True)
class Cell:
    """The headline of a model on a config."""

    value: str
    interval: str
    tie: int | None


@dataclass(frozen=True)
class Column:
    """A table of a config's page as a column of the overview, where nothing else stands that it compares with."""

    config: Markup
    number: int
    headline: str
    rule: str
    unit: str
    prompt: str
    shots: str
    badge: Markup
    apart: tuple[Markup, ...]
    cells: Mapping[str, Cell]


def _overview_files(configs: Sequence[str], models: Sequence[str], content: Content) -> tuple[bytes, bytes, bytes]:
    held = {config: msgspec.json.decode(content(config_data(config)))["tables"] for config in configs}
    columns = [_column(config, table) for config, tables in held.items() for table in tables]
    rows = [row for config, tables in held.items() for table in tables for row in _overview_rows(config, table)]
    page = rendered_page(
        "board_overview.html.jinja",
        title="Board",
        styles=("board.css",),
        scripts=("board.js",),
        tables=_tables(columns, models),
        chinese=in_chinese,
        configs=len(configs),
        models=len(models),
        prompts=sorted({one.prompt for one in columns}),
        shots=sorted({one.shots for one in columns}),
        mini=sum(table["mini"] for tables in held.values() for table in tables),
    )
    return page, sheet_bytes(OVERVIEW_COLUMNS, rows), json_document({"schema": SCHEMA, "results": rows})


def _tables(columns: Sequence[Column], models: Sequence[str]) -> list[dict[str, Any]]:
    found = []
    for number in sorted({one.number for one in columns}):
        alike = [one for one in columns if one.number == number]
        rows = [(model, [one.cells.get(model) for one in alike]) for model in models]
        there = [
            {"label": model, "link": model_link(model, up=""), "cells": cells}
            for model, cells in rows
            if any(cell is not None for cell in cells)
        ]
        found.append({"number": number, "columns": alike, "rows": there})
    return found


def _column(config: str, table: Mapping[str, Any]) -> Column:
    (found,) = table["comparison"]["found"]
    unit, signature = table["comparison"]["unit"], table["signature"]
    first = found["standings"][0]["value"]
    return Column(
        config=link(f"{config_page(config)}#table-{table['number']}", config, up=""),
        number=table["number"],
        headline=f"{found['metric']} {ARROWS[first['direction']]}".strip(),
        rule=table["comparison"]["rule"],
        unit=unit,
        prompt=signature.get("prompt", ""),
        shots=signature.get("shots", ""),
        badge=data_badge(signature, mini=table["mini"]),
        apart=tuple(apart_said(table)),
        cells={one["label"]: _overview_cell(one, found["ties"], DECIMALS[unit]) for one in found["standings"]},
    )


def _overview_cell(standing: Mapping[str, Any], ties: Sequence[Sequence[str]], decimals: int) -> Cell:
    value = standing["value"]
    low, high = value["low"], value["high"]
    return Cell(
        value="-" if value["value"] is None else rounded(value["value"], decimals),
        interval="" if low is None else f"{rounded(low, decimals)}–{rounded(high, decimals)}",
        tie=_tie(standing["label"], ties),
    )


def _tie(label: str, ties: Sequence[Sequence[str]]) -> int | None:
    return next((number for number, group in enumerate(ties, 1) if label in group), None)


def _overview_rows(config: str, table: Mapping[str, Any]) -> list[dict[str, Any]]:
    (found,) = table["comparison"]["found"]
    signature = table["signature"]
    shared = {
        "config": config,
        "table": table["number"],
        "data": signature.get("data"),
        "mini": int(table["mini"]),
        "prompt": signature.get("prompt"),
        "shots": signature.get("shots"),
        "rule": table["comparison"]["rule"],
        "metric": found["metric"],
        "unit": table["comparison"]["unit"],
    }
    rows = []
    for one in found["standings"]:
        value = one["value"]
        of_value = {key: value[key] for key in ("direction", "value", "low", "high", "n", "why")}
        ranks = {key: one[key] for key in ("rank", "rank_low", "rank_high")}
        tie = _tie(one["label"], found["ties"])
        rows.append(
            {"system": one["label"], **shared, **of_value, **ranks, "tie": tie, "unread_percent": one["unread"]}
        )
    return rows
