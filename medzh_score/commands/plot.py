"""medzh-score plot: a figure of the paper, from reports of several models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options
from medzh_score.messages.progress import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.figures import Bars, Plot, Radar, Scatter
    from medzh_score.messages.parser import Parser
    from medzh_score.show.drawing.canvas import Drawing, Form

    Prepared = tuple[list[str], Callable[[Form], Drawing]]

CACHE = "MPLCONFIGDIR"  # the variable in which matplotlib keeps the folder of its cache
DESCRIPTION = """\
Draw a figure of the config from one report or several. Curves: one a report (the mean over its runs) with a dashed
line at the metric beside it. Radars: a line a report over the groups of a breakdown; where a group has no value, the
line is open. Bars: a colour a report, beside the data. Points: one a report, of two metrics, with their R². Of any
config, groups: the headline by the groups of a breakdown, with intervals, a colour a report. The reports must be scored
alike; only how the models were asked may differ. Of any config, from result folders: a forest of the differences to a
baseline, a matrix of all pairs, a trend over the training steps that the labels name (DIR=step=3000).
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    options.add_config(parser)
    reports = "reports of `score --to json`, or result folders; for a forest, a matrix or a trend DIR or DIR=LABEL"
    parser.add_argument("reports", metavar="REPORT", nargs="+", help=reports)
    figure = (
        "one of the config's figures, or groups, forest, matrix or trend (default: the config's first, else groups)"
    )
    parser.add_argument("--figure", metavar="NAME", help=figure)
    metric = "what a radar, groups, a forest, a matrix or a trend shows (default: the figure's own, or the headline)"
    parser.add_argument("--metric", metavar="NAME", help=metric)
    parser.add_argument("--rule", metavar="NAME", help="how answers were read (default: the config's primary rule)")
    parser.add_argument(
        "--by",
        metavar="GROUP",
        help="the groups of a breakdown: of groups (default: the first), of a forest beside all",
    )
    parser.add_argument("--baseline", metavar="SYSTEM", help="of a forest: what all others are compared with")
    allow = "of a forest, a matrix or a trend: a key of the signatures in which the systems may differ"
    options.add_repeated(parser, "--allow", "KEY", description=allow)
    parser.add_argument(
        "-o", "--out", metavar="FILE", required=True, help="where to draw: a name ending in .png, .svg or .pdf"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from pathlib import Path

    from medzh_score.benchmark.config import led_by
    from medzh_score.benchmark.registry import find_config
    from medzh_score.files.writing import write_bytes
    from medzh_score.show.comparison.figures import FIGURES

    form = form_of(arguments.out)
    config = led_by(find_config(arguments.config), arguments.rule)
    notes, draw = (_of_results if arguments.figure in FIGURES else _of_reports)(config, arguments)
    say([f"note: {note}" for note in notes])
    drawing = _drawn(draw, form)
    if drawing.lacking and form != "svg":
        say([f"note: no font here has {drawing.lacking}; the figure shows boxes there, an SVG would keep the text"])
    write_bytes(Path(arguments.out), drawing.content)
    return 0


def _of_results(config: Config, arguments: argparse.Namespace) -> Prepared:
    """Compare systems and find what a forest, a matrix or a trend shows."""
    from medzh_score.commands.comparison_options import split_label
    from medzh_score.files.writing import refuse_inputs
    from medzh_score.messages.errors import MedzhError
    from medzh_score.show.comparison.figures import Wanted, figure_of_results

    folders, labels = zip(*map(split_label, arguments.reports), strict=True)
    refuse_inputs("--out", arguments.out, (), folders)
    if arguments.figure != "forest" and (arguments.by or arguments.baseline):
        raise MedzhError("--by and --baseline are for forests", field="--figure", found=arguments.figure)
    wanted = Wanted(arguments.figure, arguments.metric, arguments.by, arguments.baseline, tuple(arguments.allow))
    comparison, draw = figure_of_results(config, folders, labels, wanted)
    return [*comparison.cautions, *comparison.notes], draw


def _of_reports(config: Config, arguments: argparse.Namespace) -> Prepared:
    """Find what one of the config's own figures shows."""
    from pathlib import Path

    from medzh_score.benchmark.columns import pick
    from medzh_score.benchmark.figures import Bars, Figure, Plot, Radar, Scatter
    from medzh_score.files.writing import refuse_inputs
    from medzh_score.messages.errors import MedzhError
    from medzh_score.show.comparison.figures import FIGURES, FOREST
    from medzh_score.show.groups import BY_GROUPS

    refuse_inputs("--out", arguments.out, arguments.reports)
    of_any = (Figure(name, "of any config") for name in (BY_GROUPS, *FIGURES))
    figure = pick("--figure", (*config.plots, *of_any), arguments.figure)
    if arguments.baseline or arguments.allow:
        problem = "--baseline and --allow are for figures of result folders"
        raise MedzhError(problem, field="--figure", expected=", ".join(FIGURES), found=figure.name)
    paths = [Path(name) for name in arguments.reports]
    if not isinstance(figure, Plot | Radar | Bars | Scatter):
        return _by_groups(config, paths, arguments.by, arguments.metric)
    if arguments.by:
        problem = "--by is for groups and forests"
        raise MedzhError(problem, field="--figure", expected=f"{BY_GROUPS}, {FOREST}", found=figure.name)
    return _prepared(config, figure, paths, arguments.metric)


def _by_groups(config: Config, paths: Sequence[Path], by: str | None, metric: str | None) -> Prepared:
    """Find a metric by groups."""
    from medzh_score.show.drawing.bars import draw_groups
    from medzh_score.show.groups import groups_of

    groups = groups_of(config, paths, by, metric)
    return _differing(groups.differing), lambda form: draw_groups(groups, form)


def _prepared(
    config: Config, plot: Plot | Radar | Bars | Scatter, paths: Sequence[Path], metric: str | None
) -> Prepared:
    """Find what a figure shows: what the reader should know of it, and how it is drawn."""
    from medzh_score.benchmark.figures import Bars, Radar, Scatter

    if isinstance(plot, Radar):
        from medzh_score.show.drawing.radars import draw_radar, radar_of

        radar = radar_of(config, plot, paths, metric)
        return [*_differing(radar.differing), *radar.gaps], lambda form: draw_radar(radar, form)

    from medzh_score.messages.errors import MedzhError
    from medzh_score.show.drawing.curves import draw, figure_of

    if metric is not None:
        radars = ", ".join(other.name for other in config.plots if isinstance(other, Radar))
        shows = {Bars: "bars", Scatter: "points"}.get(type(plot), "curves")
        problem = f"is for radar figures; {plot.name} shows {shows}"
        raise MedzhError(problem, field="--metric", expected=f"--figure with one of {radars}" if radars else "none")
    if isinstance(plot, Bars):
        from medzh_score.show.drawing.bars import bars_of, draw_bars

        bars = bars_of(config, plot, paths)
        return _differing(bars.differing), lambda form: draw_bars(bars, form)
    if isinstance(plot, Scatter):
        from medzh_score.show.drawing.curves import draw_scatter, scatter_of

        scatter = scatter_of(config, plot, paths)
        return [scatter.note, *_differing(scatter.differing)], lambda form: draw_scatter(scatter, form)
    figure = figure_of(config, plot, paths)
    return _differing(figure.differing), lambda form: draw(figure, form)


def _differing(keys: Sequence[str]) -> list[str]:
    return [f"the reports differ in {', '.join(keys)}"] if keys else []


def form_of(out: str) -> Form:
    """Find the form of a figure by the name of its file.

    Examples
    --------
    >>> form_of("Figure.SVG")
    'svg'
    """
    from medzh_score.messages.errors import MedzhError
    from medzh_score.show.drawing.canvas import FORMS

    for form in FORMS:
        if out.lower().endswith(f".{form}"):
            return form
    raise MedzhError(
        "names no figure", field="--out", expected="a file whose name ends in .png, .svg or .pdf", found=out
    )


def _drawn(draw: Callable[[Form], Drawing], form: Form) -> Drawing:
    """Draw, and leave no folder behind.

    Where matplotlib cannot write its cache into the home, it makes a folder that it removes when Python ends in the
    ordinary way; our processes do not (`medzh_score.messages.process.as_process`).
    """
    import os
    import shutil

    before = os.environ.get(CACHE)
    try:
        return draw(form)
    finally:
        made = os.environ.get(CACHE)
        if made is not None and made != before:
            shutil.rmtree(made, ignore_errors=True)
