"""``medzh-score plot``: a figure from reports of one or more models."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.registry import find_config
from medzh_score.cli import options
from medzh_score.cli.systems import folder_and_label
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
Draw a figure from one or more reports. For every config: groups (bars of a metric in each group of a breakdown, with
intervals), heatmap (models and groups), forest (differences from a baseline, with intervals) and trend (a metric over
the training steps in the system names, DIR=step=3000). Figures of a config: curves, radar charts of at most four
reports (pemebench: department, task), and scatter plots of two metrics with their R². Values are in percent. The
reports must be scored in the same way; only prompts and generation settings may differ.
""")


def add_plot(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=PLOT_DESCRIPTION)
    options.add_config(parser)
    reports = _("reports from `score --to json`, or result folders; DIR or DIR=NAME for forest and trend")
    parser.add_argument("reports", metavar="REPORT", nargs="+", help=reports)
    figure = _("figure of the config, or groups, heatmap, forest or trend (default: the config's first, else groups)")
    parser.add_argument("--figure", metavar="NAME", help=figure)
    metric = _("metric to show (default: the metric of the figure, else the primary metric)")
    parser.add_argument("--metric", metavar="NAME", help=metric)
    parser.add_argument("--rule", metavar="NAME", help=_("extraction rule (default: the config's primary rule)"))
    parser.add_argument(
        "--by",
        metavar="GROUP",
        help=_("breakdown for the figures groups and heatmap (default: the first), or for the groups of a forest plot"),
    )
    parser.add_argument("--baseline", metavar="SYSTEM", help=_("forest: system name or folder of the baseline"))
    allow = _("forest, trend: signature key that may differ between the systems; may be repeated")
    options.add_repeated(parser, "--allow", "KEY", description=allow)
    parser.add_argument(
        "-o", "--output", metavar="FILE", required=True, help=_("output file that ends in .png, .svg or .pdf")
    )
    parser.set_defaults(run=_run_plot)


def _run_plot(arguments: argparse.Namespace) -> int:
    from medzh_score.benchmark.config import led_by
    from medzh_score.render.figures import OF_RESULTS

    form = form_of(arguments.output)
    config = led_by(find_config(arguments.config), arguments.rule)
    notes, draw = (_of_results if arguments.figure in OF_RESULTS else _of_reports)(config, arguments)
    say([_("Note: {note}", note=note) for note in notes])
    drawing = _drawn(draw, form)
    if drawing.lacking and form != "svg":
        boxes = _(
            "No installed font contains {lacking}. The figure shows boxes instead. Use SVG to keep the text.",
            lacking=drawing.lacking,
        )
        say([boxes])
    write_bytes(Path(arguments.output), drawing.content)
    return 0


def _of_results(config: Config, arguments: argparse.Namespace) -> Prepared:
    from medzh_score.render.figures import FigureRequest, figure_of_results

    folders, labels = zip(*map(folder_and_label, arguments.reports), strict=True)
    refuse_inputs("--output", arguments.output, (), folders)
    if arguments.figure != "forest" and (arguments.by or arguments.baseline):
        raise MedzhError(_("--by and --baseline require a forest plot"), field="--figure", found=arguments.figure)
    wanted = FigureRequest(arguments.figure, arguments.metric, arguments.by, arguments.baseline, tuple(arguments.allow))
    return figure_of_results(config, folders, labels, wanted)


def _of_reports(config: Config, arguments: argparse.Namespace) -> Prepared:
    from medzh_score.benchmark.config import Figure
    from medzh_score.render.figure_data import OF_ANY
    from medzh_score.render.figures import FOREST, OF_RESULTS, figure_of_reports

    refuse_inputs("--output", arguments.output, arguments.reports)
    of_any = (Figure(name, "of any config") for name in (*OF_ANY, *OF_RESULTS))
    figure = pick("--figure", (*config.reporting.figures, *of_any), arguments.figure)
    if arguments.baseline or arguments.allow:
        problem = _("--baseline and --allow apply only to figures of result folders")
        raise MedzhError(problem, field="--figure", expected=", ".join(OF_RESULTS), found=figure.name)
    if arguments.by and figure in config.reporting.figures:
        problem = _("--by applies only to figures that show groups")
        raise MedzhError(problem, field="--figure", expected=", ".join((*OF_ANY, FOREST)), found=figure.name)
    paths = [Path(name) for name in arguments.reports]
    return figure_of_reports(config, figure, paths, by=arguments.by, metric=arguments.metric)


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
        _("unsupported figure format"),
        field="--output",
        expected=_("a file name that ends in .png, .svg or .pdf"),
        found=out,
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
