"""The page of a model: all of its results, each with its metrics and signature."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from medzh_score.report.numbers import DECIMALS, cells_of
from medzh_score.report.results.report_file import read_report
from medzh_score.show.board.names import data_badge
from medzh_score.show.board.places import config_page
from medzh_score.show.page.page import rendered_page
from medzh_score.show.page.tables import view_of
from medzh_score.show.page.words import said
from medzh_score.show.reports import coverage_lines, metrics_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from medzh_score.report.report import Report
    from medzh_score.report.results.identity import Identity


@dataclass(frozen=True)
class OfModel:
    """A result of a model: its table on the page of its config, by which rule, and whether its data are mini."""

    number: int
    rule: str
    mini: bool
    identity: Identity


def without_groups(report: Report) -> Report:
    """Leave out of a report what the page of a model does not show, which is most of it."""
    return replace(report, results={name: replace(of, groups={}, tables={}) for name, of in report.results.items()})


def model_file(label: str, results: Sequence[OfModel], known: Mapping[str, Report]) -> bytes:
    """Make the page of a model; what is not known by its digest is read."""
    return rendered_page(
        "board/model.html.jinja",
        title=label,
        styles=("board/board.css",),
        label=label,
        sections=[_section(one, known.get(one.identity.digest) or read_report(one.identity.folder)) for one in results],
    )


def _section(one: OfModel, report: Report) -> dict[str, object]:
    value = report.results[one.rule].metrics[report.headline]
    return {
        "config": report.config,
        "page": config_page(report.config),
        "number": one.number,
        "badge": data_badge(report.signature, mini=one.mini),
        "folder": one.identity.folder.resolve().name,
        "report": report,
        "value": value,
        "cells": cells_of(value),
        "rule": one.rule,
        "metrics": view_of(metrics_table(report), DECIMALS[value.unit]),
        "notes": [said(note) for note in report.notes],
        "coverage": [said(line) for line in coverage_lines(report)],
    }
