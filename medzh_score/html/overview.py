"""The overview of a leaderboard: models as rows, benchmarks as columns, and all values as CSV and JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.comparison.comparability import DATA, MINI, OPEN, RUNS, recipe_signed
from medzh_score.html.page import rendered_page, said
from medzh_score.html.site import config_data, config_page, link, model_link
from medzh_score.io.jsonl import json_document
from medzh_score.io.tables import sheet_bytes
from medzh_score.render.lines import with_arrow
from medzh_score.scoring.signature import WITHHELD_KEY, value_differences
from medzh_score.ui.i18n import _, _n
from medzh_score.ui.numbers import interval_text, percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from markupsafe import Markup

    from medzh_score.html.site import Content

    BoardTableData = Mapping[str, Any]  # a table of a config, as its JSON has it


SCHEMA = 1  # of the JSON
JUDGES, SHOTS, PROMPT = "annotators", "shots", "prompt"
BY_MODEL = "(prompt "  # in the signature: people are not prompted
COLUMNS = (
    *("system", "config", "table", "data", "mini", "prompt", "shots", "rule", "metric", "unit", "direction"),
    *("value", "low", "high", "n", "rank", "rank_low", "rank_high", "tie", "unparsed_percent", "unavailable_reason"),
)


@dataclass(frozen=True)
class ConfigColumn:
    """A column: comparable results of a config; ``judge``: with the annotations of a judge model."""

    config: str
    heading: Markup
    metric: str
    best: str  # direction of the first sort
    judge: bool
    cells: Mapping[str, dict[str, Any]]  # by model; one without ``text`` has no value but a reason


def overview_files(configs: Sequence[str], models: Sequence[str], content: Content) -> tuple[bytes, bytes, bytes]:
    """Return the overview as a page, as CSV and as JSON."""
    found = {config: msgspec.json.decode(content(config_data(config)))["tables"] for config in configs}
    columns = [column for config, tables in found.items() for column in _columns(config, tables)]
    rows = [row for config, tables in found.items() for table in tables for row in _rows(config, table)]
    recipes = {
        recipe: sorted(
            {config for config, tables in found.items() for one in tables if recipe_signed(one["signature"]) == recipe}
        )
        for recipe in (MINI, OPEN)
    }
    page = rendered_page(
        "board_overview.html.jinja",
        title=_("Leaderboard"),
        styles=("board.css",),
        scripts=("board.js",),
        columns=columns,
        rows=_ranked(columns, models),
        configs=_n("{n} config", "{n} configs", len(configs)),
        models=_n("{n} model", "{n} models", len(models)),
        mini=recipes[MINI],
        open=recipes[OPEN],
        private=sorted(
            {config for config, tables in found.items() for one in tables if WITHHELD_KEY in one["signature"]}
        ),
    )
    return page, sheet_bytes(COLUMNS, rows), json_document({"schema": SCHEMA, "results": rows})


def _ranked(columns: Sequence[ConfigColumn], models: Sequence[str]) -> list[dict[str, Any]]:
    """Sort models by how often they are in the best tie group, then by the number of their values; never by a mean."""
    rows = []
    for model in models:
        cells = [column.cells.get(model) for column in columns]
        there = [cell for cell in cells if cell and "text" in cell]
        best = sum(cell["best"] for cell in there)
        rows.append({"label": model, "link": model_link(model, up=""), "cells": cells, "best": best, "of": len(there)})
    return sorted(rows, key=lambda row: (-row["best"], -row["of"], row["label"]))


def _columns(config: str, tables: Sequence[BoardTableData]) -> Iterator[ConfigColumn]:
    """Make a column of the first table of people or rules alone, and another of the first table with a judge model."""
    for judge in (False, True):
        chosen = next((one for one in tables if _by_judge(one) is judge), None)
        if chosen is not None:
            yield _column(config, chosen, [one for one in tables if one is not chosen], judge=judge)


def _by_judge(table: BoardTableData) -> bool:
    return BY_MODEL in table["signature"].get(JUDGES, "")


def _column(config: str, table: BoardTableData, others: Sequence[BoardTableData], *, judge: bool) -> ConfigColumn:
    found = _found(table)
    direction = found["standings"][0]["value"]["direction"]
    cells = {one["label"]: _cell(one, table) for one in found["standings"]}
    # A judge column has no reasons: results without a judge are in the other column.
    for other in others if not judge else ():
        reason = _reason(table["signature"], other)
        for one in _found(other)["standings"]:
            cells.setdefault(one["label"], {"reason": _table_link(config, other, reason)})
    return ConfigColumn(
        config,
        _table_link(config, table, config),
        with_arrow(found["metric"], direction),
        "ascending" if direction == "lower" else "descending",
        judge,
        cells,
    )


def _found(table: BoardTableData) -> Mapping[str, Any]:
    (found,) = table["comparison"]["found"]
    return found  # type: ignore[no-any-return]


def _table_link(config: str, table: BoardTableData, name: Markup | str) -> Markup:
    return link(f"{config_page(config)}#table-{table['number']}", name, up="")


def _cell(standing: Mapping[str, Any], table: BoardTableData) -> dict[str, Any]:
    value, unit = standing["value"], table["comparison"]["unit"]
    if value["value"] is None:
        return {"reason": said(_("not available"))}
    ranks = [standing[key] for key in ("rank", "rank_low", "rank_high")]
    return {
        "text": percent(value["value"], unit),
        "number": value["value"],
        "interval": interval_text(value["low"], value["high"], unit),
        "rank": str(ranks[0]) if ranks[1] is None else f"{ranks[0]} ({ranks[1]}–{ranks[2]})",
        # A system alone is not the best of anything.
        "best": _has_several(table) and tie_of(standing["label"], _found(table)["ties"]) == 1,
    }


def _has_several(table: BoardTableData) -> bool:
    return sum(one["value"]["value"] is not None for one in _found(table)["standings"]) > 1


def _reason(first: Mapping[str, str], other: BoardTableData) -> Markup | str:
    """Say in a few words why results are not comparable with those of the column."""
    its = other["signature"]
    keys = [*value_differences(first, its), *([RUNS] if first.get(RUNS) != its.get(RUNS) else [])]
    if JUDGES in keys and _by_judge(other):
        return said(_("judge only ⚖"))
    if DATA in keys:
        return said({MINI: _("mini sample"), OPEN: _("open data")}.get(recipe_signed(its), _("other data")))
    if RUNS in keys:
        return said(_n("{n} run", "{n} runs", int(its.get(RUNS, 0))))
    if PROMPT in keys:
        return said(_("prompt {name}", name=its.get(PROMPT)))
    if SHOTS in keys:
        return said(_("{n} shots", n=its.get(SHOTS)))
    return said(_("other settings"))


def tie_of(label: str, ties: Sequence[Sequence[str]]) -> int | None:
    """Return the number of the tie group of a system, from 1."""
    return next((number for number, group in enumerate(ties, 1) if label in group), None)


def _rows(config: str, table: BoardTableData) -> Iterator[dict[str, Any]]:
    found, signature = _found(table), table["signature"]
    shared = {
        "config": config,
        "table": table["number"],
        "data": signature.get(DATA),
        "mini": int(table["mini"]),
        "prompt": signature.get(PROMPT),
        "shots": signature.get(SHOTS),
        "rule": table["comparison"]["rule"],
        "metric": found["metric"],
        "unit": table["comparison"]["unit"],
    }
    for one in found["standings"]:
        value = {key: one["value"][key] for key in ("direction", "value", "low", "high", "n", "unavailable_reason")}
        ranks = {key: one[key] for key in ("rank", "rank_low", "rank_high")}
        tie = tie_of(one["label"], found["ties"])
        yield {"system": one["label"], **shared, **value, **ranks, "tie": tie, "unparsed_percent": one["unparsed"]}
