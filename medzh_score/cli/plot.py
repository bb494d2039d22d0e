"""medzh-score plot: a figure of the paper, from reports of several models."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.registry import find_config
from medzh_score.cli import options
from medzh_score.cli.options import folder_and_label
from medzh_score.io.atomic import refuse_inputs, write_bytes
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import N_, _
from medzh_score.ui.progress import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from medzh_score.benchmark.config import Config
    from medzh_score.render.canvas import Drawing, Form
    from medzh_score.ui.cli import Parser

    Prepared = tuple[Sequence[str], Callable[[Form], Drawing]]


CACHE = "MPLCONFIGDIR"  # the variable in which matplotlib keeps the folder of its cache
PLOT_DESCRIPTION = N_("""\
Draw a figure of the config from one report or several. Curves: one a report (the mean over its runs) with a dashed
line at the metric beside it. Radars: a line a report over the groups of a breakdown; where a group has no value, the
line is open. Bars: a colour a report, beside the data. Points: one a report, of two metrics, with their R². Of any
config, groups: the headline by the groups of a breakdown, with intervals, a colour a report. The reports must be scored
alike; only how the models were asked may differ. Of any config, from result folders: a forest of the differences to a
baseline, a matrix of all pairs, a trend over the training steps that the labels name (DIR=step=3000).
""")


def add_plot(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=PLOT_DESCRIPTION)
    options.add_config(parser)
    reports = _("reports of `score --to json`, or result folders; for a forest, a matrix or a trend DIR or DIR=LABEL")
    parser.add_argument("reports", metavar="REPORT", nargs="+", help=reports)
    figure = _(
        "one of the config's figures, or groups, forest, matrix or trend (default: the config's first, else groups)"
    )
    parser.add_argument("--figure", metavar="NAME", help=figure)
    metric = _("what a radar, groups, a forest, a matrix or a trend shows (default: the figure's own, or the headline)")
    parser.add_argument("--metric", metavar="NAME", help=metric)
    parser.add_argument("--rule", metavar="NAME", help=_("how answers were read (default: the config's primary rule)"))
    parser.add_argument(
        "--by",
        metavar="GROUP",
        help=_("the groups of a breakdown: of groups (default: the first), of a forest beside all"),
    )
    parser.add_argument("--baseline", metavar="SYSTEM", help=_("of a forest: what all others are compared with"))
    allow = _("of a forest, a matrix or a trend: a key of the signatures in which the systems may differ")
    options.add_repeated(parser, "--allow", "KEY", description=allow)
    parser.add_argument(
        "-o", "--out", metavar="FILE", required=True, help=_("where to draw: a name ending in .png, .svg or .pdf")
    )
    parser.set_defaults(run=_run_plot)


def _run_plot(arguments: argparse.Namespace) -> int:
    from medzh_score.benchmark.config import led_by
    from medzh_score.render.figures import FIGURES

    form = form_of(arguments.out)
    config = led_by(find_config(arguments.config), arguments.rule)
    notes, draw = (_of_results if arguments.figure in FIGURES else _of_reports)(config, arguments)
    say([_("note: {note}", note=note) for note in notes])
    drawing = _drawn(draw, form)
    if drawing.lacking and form != "svg":
        boxes = _(
            "note: no font here has {lacking}; the figure shows boxes there, an SVG would keep the text",
            lacking=drawing.lacking,
        )
        say([boxes])
    write_bytes(Path(arguments.out), drawing.content)
    return 0


def _of_results(config: Config, arguments: argparse.Namespace) -> Prepared:
    from medzh_score.render.figures import FigureRequest, figure_of_results

    folders, labels = zip(*map(folder_and_label, arguments.reports), strict=True)
    refuse_inputs("--out", arguments.out, (), folders)
    if arguments.figure != "forest" and (arguments.by or arguments.baseline):
        raise MedzhError(_("--by and --baseline are for forests"), field="--figure", found=arguments.figure)
    wanted = FigureRequest(arguments.figure, arguments.metric, arguments.by, arguments.baseline, tuple(arguments.allow))
    return figure_of_results(config, folders, labels, wanted)


def _of_reports(config: Config, arguments: argparse.Namespace) -> Prepared:
    from medzh_score.benchmark.config import Figure
    from medzh_score.render.figure_data import BY_GROUPS
    from medzh_score.render.figures import FIGURES, FOREST, figure_of_reports

    refuse_inputs("--out", arguments.out, arguments.reports)
    of_any = (Figure(name, "of any config") for name in (BY_GROUPS, *FIGURES))
    figure = pick("--figure", (*config.reporting.figures, *of_any), arguments.figure)
    if arguments.baseline or arguments.allow:
        problem = _("--baseline and --allow are for figures of result folders")
        raise MedzhError(problem, field="--figure", expected=", ".join(FIGURES), found=figure.name)
    paths = [Path(name) for name in arguments.reports]
    own = figure in config.reporting.figures
    if own and arguments.by:
        problem = _("--by is for groups and forests")
        raise MedzhError(problem, field="--figure", expected=f"{BY_GROUPS}, {FOREST}", found=figure.name)
    return figure_of_reports(config, figure if own else None, paths, by=arguments.by, metric=arguments.metric)


def form_of(out: str) -> Form:
    """Find the form of a figure by the name of its file.

    Examples
    --------
    >>> form_of("Figure.SVG")
    'svg'
    """
    from medzh_score.render.canvas import FORMS

    for form in FORMS:
        if out.lower().endswith(f".{form}"):
            return form
    raise MedzhError(
        _("names no figure"), field="--out", expected=_("a file whose name ends in .png, .svg or .pdf"), found=out
    )


def _drawn(draw: Callable[[Form], Drawing], form: Form) -> Drawing:
    """Draw, and leave no folder behind.

    Where matplotlib cannot write its cache into the home, it makes a folder that it removes when Python ends in the
    ordinary way; our processes do not (`medzh_score.ui.process.as_process`).
    """
    before = os.environ.get(CACHE)
    try:
        return draw(form)
    finally:
        made = os.environ.get(CACHE)
        if made is not None and made != before:
            shutil.rmtree(made, ignore_errors=True)
