"""A board of result folders: which pages there are, and what each depends on."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from medzh_score.messages.errors import printable
from medzh_score.messages.languages import of_results
from medzh_score.report.comparison.board import board_table
from medzh_score.report.comparison.comparable_groups import Labelled, comparable_groups
from medzh_score.report.numbers import DECIMALS, cells_of
from medzh_score.report.results.report_file import identity_of, read_report
from medzh_score.show.board.config_page import config_files
from medzh_score.show.board.overview import overview_files
from medzh_score.show.board.site import (
    ALL_DATA,
    ALL_SHEET,
    OVERVIEW,
    READING,
    Done,
    Part,
    code_digest,
    config_data,
    config_page,
    config_sheet,
    data_badge,
    digest_of,
    model_page,
    read_manifest,
    write_site,
)
from medzh_score.show.page.page import rendered_page
from medzh_score.show.page.tables import said, view_of
from medzh_score.show.reports import coverage_lines, metrics_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from medzh_score.report.comparison.choices import Choices
    from medzh_score.report.comparison.comparable_groups import ComparableGroup
    from medzh_score.report.report import Report
    from medzh_score.report.results.report_file import Identity
    from medzh_score.show.board.site import Content

Groups = tuple["ComparableGroup", ...]


@dataclass(frozen=True)
class Named:
    """A result folder, and what its system is called where the user says so."""

    folder: Path
    label: str | None = None


def write_board(site: Path, given: Sequence[Named], choices: Choices) -> Done:
    """Write a board of result folders."""
    read_manifest(site)  # before anything is computed
    by_config: dict[str, list[Labelled]] = defaultdict(list)
    for one in given:
        identity = identity_of(one.folder)
        label = printable(one.label or identity.model or one.folder.resolve().name)
        by_config[identity.config].append(Labelled(label, identity))
    known = {key for results in by_config.values() for one in results for key in one.identity.signature}
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
        lambda _: [rendered_page("board/reading.html.jinja", title="How to read this board")],
    )
    overview = Part(
        (OVERVIEW, ALL_SHEET, ALL_DATA),
        _made_of(*(part.made_of for part in made), *models),
        partial(overview_files, tuple(groups), tuple(models)),
    )
    return [*made, *pages, reading, overview]


def _made_of(*inputs: object) -> str:
    """Give the digest of inputs, of the package that makes files of them, and of the language in which pages open."""
    return digest_of([code_digest(), of_results.get(), *inputs])


def _config_part(config: str, groups: Groups, choices: Choices, known: set[str], reports: dict[str, Report]) -> Part:
    members = [
        [(one.label, one.identity.folder.resolve().name, one.identity.digest) for one in of.members] for of in groups
    ]
    options = [sorted(choices.allow), choices.rule, choices.bootstrap.resamples, choices.bootstrap.seed, choices.swaps]

    def make(_: Content) -> Sequence[bytes]:
        tables = [board_table(number, of, choices, known) for number, of in enumerate(groups, 1)]
        for of, table in zip(groups, tables, strict=True):
            digests = [one.identity.digest for one in of.members]
            reports.update(zip(digests, map(without_groups, table.reports), strict=True))
        return config_files(config, tables)

    paths = (config_page(config), config_sheet(config), config_data(config))
    return Part(paths, _made_of(config, members, options), make)


def _models(groups: Mapping[str, Groups]) -> dict[str, list[OfModel]]:
    """Gather the results of each model, models by label."""
    found: dict[str, list[OfModel]] = defaultdict(list)
    for of in groups.values():
        for number, group in enumerate(of, 1):
            for one in group.members:
                found[one.label].append(OfModel(number, group.rule, group.mini, one.identity))
    return {label: found[label] for label in sorted(found)}


def _model_part(label: str, results: Sequence[OfModel], reports: Mapping[str, Report]) -> Part:
    inputs = [
        (one.number, one.rule, one.mini, one.identity.folder.resolve().name, one.identity.digest) for one in results
    ]
    return Part((model_page(label),), _made_of(label, inputs), lambda _: [model_file(label, results, reports)])


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
