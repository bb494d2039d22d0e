"""The overview of a board: models by configs, from what the pages of configs hold, and the same as CSV and JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.files.json_text import json_document
from medzh_score.files.sheets import sheet_bytes
from medzh_score.messages.catalogue import in_chinese
from medzh_score.report.numbers import DECIMALS, rounded
from medzh_score.show.board.site import apart_said, config_data, config_page, data_badge, link, model_link
from medzh_score.show.comparison.cells import ARROWS
from medzh_score.show.page.page import rendered_page

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup

    from medzh_score.show.board.site import Content

SCHEMA = 1  # of the JSON
COLUMNS = (
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


def overview_files(configs: Sequence[str], models: Sequence[str], content: Content) -> tuple[bytes, bytes, bytes]:
    """Make the overview, and the same as CSV and JSON, from what the configs' JSON holds."""
    held = {config: msgspec.json.decode(content(config_data(config)))["tables"] for config in configs}
    columns = [_column(config, table) for config, tables in held.items() for table in tables]
    rows = [row for config, tables in held.items() for table in tables for row in _rows(config, table)]
    page = rendered_page(
        "board/overview.html.jinja",
        title="Board",
        styles=("board/board.css",),
        scripts=("board/board.js",),
        tables=_tables(columns, models),
        chinese=in_chinese,
        configs=len(configs),
        models=len(models),
        prompts=sorted({one.prompt for one in columns}),
        shots=sorted({one.shots for one in columns}),
        mini=sum(table["mini"] for tables in held.values() for table in tables),
    )
    return page, sheet_bytes(COLUMNS, rows), json_document({"schema": SCHEMA, "results": rows})


def _tables(columns: Sequence[Column], models: Sequence[str]) -> list[dict[str, Any]]:
    """Put the first tables of all configs beside each other, then the second ones, and so on."""
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
        cells={one["label"]: _cell(one, found["ties"], DECIMALS[unit]) for one in found["standings"]},
    )


def _cell(standing: Mapping[str, Any], ties: Sequence[Sequence[str]], decimals: int) -> Cell:
    value = standing["value"]
    low, high = value["low"], value["high"]
    return Cell(
        value="-" if value["value"] is None else rounded(value["value"], decimals),
        interval="" if low is None else f"{rounded(low, decimals)}–{rounded(high, decimals)}",
        tie=_tie(standing["label"], ties),
    )


def _tie(label: str, ties: Sequence[Sequence[str]]) -> int | None:
    return next((number for number, group in enumerate(ties, 1) if label in group), None)


def _rows(config: str, table: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Give a row a system, with every number in full."""
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
