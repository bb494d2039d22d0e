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
    from medzh_score.show.drawing.canvas import Drawing, Form

CACHE = "MPLCONFIGDIR"  # the variable in which matplotlib keeps the folder of its cache
DESCRIPTION = """\
Draw a figure of the config from one report or several. Curves: one a report (the mean over its runs) with a dashed
line at the metric beside it. Radars: a line a report over the groups of a breakdown; where a group has no value, the
line is open. Bars: a colour a report, beside the data. Points: one a report, of two metrics, with their R². The reports
must be scored alike; only how the models were asked may differ.
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser("plot", help="draw a figure from reports", description=DESCRIPTION)
    options.add_config(parser)
    parser.add_argument(
        "reports", metavar="REPORT", nargs="+", help="as `score --to json` writes it, or a result folder"
    )
    parser.add_argument("--figure", metavar="NAME", help="which of the config's figures (default: the first)")
    parser.add_argument(
        "--metric", metavar="NAME", help="what a radar figure shows, as the reports name it (default: the figure's own)"
    )
    parser.add_argument("--out", metavar="FILE", required=True, help="where to draw: a name ending in .png or .svg")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from pathlib import Path

    from medzh_score.benchmark.choices import pick
    from medzh_score.benchmark.registry import find_config
    from medzh_score.files.writing import refuse_inputs, write_bytes
    from medzh_score.messages.errors import MedzhError

    form = form_of(arguments.out)
    refuse_inputs("--out", arguments.out, arguments.reports)
    config = find_config(arguments.config)
    if not config.plots:
        raise MedzhError("has no figures to draw", field="CONFIG", found=config.name)
    plot = pick("--figure", config.plots, arguments.figure)
    notes, draw = _prepared(config, plot, [Path(name) for name in arguments.reports], arguments.metric)
    say([f"note: {note}" for note in notes])
    drawing = _drawn(draw, form)
    if drawing.lacking and form == "png":
        say([f"note: no font here has {drawing.lacking}; the PNG shows boxes there, an SVG would keep the text"])
    write_bytes(Path(arguments.out), drawing.content)
    return 0


def _prepared(
    config: Config, plot: Plot | Radar | Bars | Scatter, paths: Sequence[Path], metric: str | None
) -> tuple[list[str], Callable[[Form], Drawing]]:
    """Find what a figure shows: what the reader should know of it, and how it is drawn."""
    from medzh_score.benchmark.figures import Bars, Radar, Scatter

    if isinstance(plot, Radar):
        from medzh_score.show.drawing.radars import draw_radar
        from medzh_score.show.radars import radar_of

        radar = radar_of(config, plot, paths, metric)
        return [*_differing(radar.differing), *radar.gaps], lambda form: draw_radar(radar, form)

    from medzh_score.messages.errors import MedzhError
    from medzh_score.show.curves import figure_of
    from medzh_score.show.drawing.curves import draw

    if metric is not None:
        radars = ", ".join(other.name for other in config.plots if isinstance(other, Radar))
        shows = {Bars: "bars", Scatter: "points"}.get(type(plot), "curves")
        problem = f"is for radar figures; {plot.name} shows {shows}"
        raise MedzhError(problem, field="--metric", expected=f"--figure with one of {radars}" if radars else "none")
    if isinstance(plot, Bars):
        from medzh_score.show.bars import bars_of
        from medzh_score.show.drawing.bars import draw_bars

        bars = bars_of(config, plot, paths)
        return _differing(bars.differing), lambda form: draw_bars(bars, form)
    if isinstance(plot, Scatter):
        from medzh_score.show.drawing.scatters import draw_scatter
        from medzh_score.show.scatters import scatter_of

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
    raise MedzhError("names no figure", field="--out", expected="a file whose name ends in .png or .svg", found=out)


def _drawn(draw: Callable[[Form], Drawing], form: Form) -> Drawing:
    """Draw, and leave no folder behind.

    Where matplotlib cannot write its cache into the home, it makes a folder that it removes when Python ends in the
    ordinary way; our processes do not (`medzh_score.messages.process.finish`).
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
