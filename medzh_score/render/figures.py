"""Figures of reports and of comparisons, drawn by matplotlib."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from math import cos, nan, pi, sin
from typing import TYPE_CHECKING, Any, cast

from rich.cells import cell_len

from medzh_score.benchmark.config import Bars, Plot, Radar, Scatter
from medzh_score.comparison.load import Choices
from medzh_score.comparison.run import comparable, compared
from medzh_score.render.canvas import ROW, drawing, in_title_lines, line_style, sheet_size, shortened, write_texts
from medzh_score.render.compare_tables import titled
from medzh_score.render.display import DAGGER, EXPLAINED, DisplayOptions, ordered, p_value
from medzh_score.render.figure_data import OF_DATA, figure_data, title_of
from medzh_score.render.tables import HEADS, translated_heads, translated_label, wrapped
from medzh_score.stats.compare import SWAPS
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import N_, _, pgettext, translated
from medzh_score.ui.privacy import Unredacted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from matplotlib.figure import Figure as Sheet
    from matplotlib.projections.polar import PolarAxes

    from medzh_score.benchmark.config import Config
    from medzh_score.comparison.model import Comparison
    from medzh_score.render.canvas import Drawing, Form
    from medzh_score.render.figure_data import FigureData
    from medzh_score.results.result import Result
    from medzh_score.stats.pairwise import Difference, MetricComparison
    from medzh_score.stats.values import Value

    Prepared = tuple[Sequence[str], Callable[[Form], Drawing]]  # notes, and what draws

FOREST, MATRIX, TREND = FIGURES = ("forest", "matrix", "trend")
SIZE = (6.4, 4.8)  # inches, without the legend
WIDTH, MARGIN = 6.4, 1.2  # inches of a figure of rows
SMALL = 8  # points
GREY: dict[str, Any] = {"color": "0.4", "linestyle": "--", "linewidth": 1}


def figure_of_reports(
    config: Config, figure: object, paths: Sequence[Path], *, by: str | None = None, metric: str | None = None
) -> Prepared:
    """Read what a figure of reports shows: what its reader should know, and how it is drawn."""
    data = figure_data(config, figure, paths, by=by, metric=metric)
    kinds = {Plot: draw_curves, Bars: draw_bars, Radar: draw_radar, Scatter: draw_points}
    return data.remarks, partial(kinds.get(type(figure), draw_groups), data)


def _labels(figure: FigureData) -> list[str]:
    return [shortened(one.label) for one in figure.series]


def draw_curves(figure: FigureData, form: Form) -> Drawing:
    """Draw curves, each with a dashed line at its level."""
    labels, heading = _labels(figure), in_title_lines(figure.title)
    dashed = translated(_("dashed: {level} over all predictions", level=figure.level))
    x, y = translated_heads((figure.x, figure.y))

    def fill(sheet: Sheet) -> None:
        axes, lines = sheet.subplots(), []
        for index, one in enumerate(figure.series):
            style = line_style(index)
            lines += axes.plot(one.x, cast("tuple[float, ...]", one.y), **style)
            if one.level is not None:
                axes.axhline(one.level, **{**GREY, "color": style["color"]})
        axes.set_ylim(bottom=0)
        leveled = any(one.level is not None for one in figure.series)
        if leveled:
            lines += axes.plot([], [], **GREY)
        write_texts(axes, lines, [*labels, dashed] if leveled else labels, heading, x, y)

    return drawing(form, sheet_size(*SIZE, len(labels)), "".join([heading, x, y, dashed, *labels]), fill)


def draw_points(figure: FigureData, form: Form) -> Drawing:
    """Draw two metrics against each other, and the line through the points."""
    labels = _labels(figure)
    heading = "\n".join(in_title_lines(text) for text in (figure.title, figure.remarks[0]))

    def fill(sheet: Sheet) -> None:
        axes, points = sheet.subplots(), []
        for index, one in enumerate(figure.series):
            style = {**line_style(index), "linestyle": "none", "markersize": 7}
            points += axes.plot(one.x, cast("tuple[float, ...]", one.y), **style)
        if figure.line is not None:
            slope, intercept = figure.line
            ends = [of(one.x[0] for one in figure.series) for of in (min, max)]
            axes.plot(ends, [slope * x + intercept for x in ends], **GREY)
        write_texts(axes, points, labels, heading, figure.x, figure.y)

    return drawing(form, sheet_size(*SIZE, len(labels)), "".join([heading, figure.x, figure.y, *labels]), fill)


NARROWEST, A_NAME = 6.4, 0.5  # inches of a sheet of bars, and of one name on it
FILLED = 0.8  # of the room of a name


def draw_bars(figure: FigureData, form: Form) -> Drawing:
    """Draw bars, a colour a report beside that of the data."""
    labels = [shortened(translated(OF_DATA) if one.label == OF_DATA else one.label) for one in figure.series]
    names, heading = [shortened(name) for name in figure.names], in_title_lines(figure.title)
    (y,) = translated_heads((figure.y,))

    def fill(sheet: Sheet) -> None:
        axes, width, drawn = sheet.subplots(), FILLED / len(labels), []
        for index, one in enumerate(figure.series):
            places = [place + (index + 0.5) * width - FILLED / 2 for place in range(len(names))]
            heights = [value or 0.0 for value in one.y]
            drawn.append(axes.bar(places, heights, width, color=line_style(index)["color"]))
        axes.set_axisbelow(True)
        axes.set_xticks(range(len(names)), names, rotation=90)
        write_texts(axes, drawn, labels, heading, "", y)

    size = sheet_size(max(NARROWEST, A_NAME * len(names)), SIZE[1], len(labels))
    return drawing(form, size, "".join([heading, y, *labels, *names]), fill)


FILLED_ROW = 0.7  # of the room of a row


def draw_groups(figure: FigureData, form: Form) -> Drawing:
    """Draw a metric over all items and in each group, with intervals."""
    labels, rows = _labels(figure), [shortened(name) for name in figure.names]
    heading = in_title_lines(figure.title)

    def fill(sheet: Sheet) -> None:
        axes, drawn = sheet.subplots(), []
        for index, series in enumerate(figure.series):
            style: dict[str, Any] = {**line_style(index), "linestyle": "none", "markersize": 5}
            aside = FILLED_ROW * ((index + 0.5) / len(labels) - 0.5)
            points = [(one.value, place + aside) for place, one in enumerate(series.values) if one.value is not None]
            drawn += axes.plot([x for x, _unused in points], [y for _unused, y in points], **style)
            for place, one in enumerate(series.values):
                if one.low is not None and one.high is not None:
                    axes.plot([one.low, one.high], [place + aside] * 2, color=style["color"], linewidth=1.5)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_yticks(range(len(rows)), rows)
        write_texts(axes, drawn, labels, heading, figure.x, "")

    size = sheet_size(WIDTH, MARGIN + ROW * max(1.0, 0.6 * len(labels)) * len(rows), len(labels))
    return drawing(form, size, "".join([heading, figure.x, *labels, *rows]), fill)


RADAR_SIZE = (7.2, 6.2)  # inches, without the legend
BEYOND = 1.05  # where the names of the axes stand, in radii
NEARLY = 0.3  # below this sine or cosine a name is centred on its axis
NAME_WIDTH = 16  # columns of a line of a name: eight Chinese characters
LEGEND_WIDTH = 84  # characters of a line of the legend, in which several reports may stand
KEY = 8  # characters that the drawn line takes before each
UNITS = {"percent": N_("in percent"), "fraction": N_("as a fraction")}


def draw_radar(figure: FigureData, form: Form) -> Drawing:
    """Draw a radar, its axes clockwise from the top; a line is closed unless a value is missing."""
    unit, rim = UNITS.get(figure.unit, figure.unit), figure.rings[-1]
    scale = _("{metric} {unit}: centre 0, rim {rim:g}", metric=figure.y, unit=_(unit), rim=rim)
    gaps = [_("a line is open where it has no value")] if any(None in one.y for one in figure.series) else []
    heading = "\n".join(in_title_lines(text) for text in (figure.title, scale, *gaps))
    labels, names = _labels(figure), [wrapped(shortened(axis), NAME_WIDTH) for axis in figure.names]
    beside = max(1, LEGEND_WIDTH // (KEY + max(map(cell_len, labels))))
    angles = [2 * pi * index / len(names) for index in range(len(names))]

    def fill(sheet: Sheet) -> None:
        sheet.set_layout_engine("constrained")
        axes = cast("PolarAxes", sheet.add_subplot(projection="polar"))
        _draw_web(axes, figure.rings, angles, names)
        lines = []
        for index, one in enumerate(figure.series):
            values = [nan if value is None else value for value in one.y]
            closed = [*angles, angles[0]], [*values, values[0]]
            lines += axes.plot(*closed, clip_on=False, linewidth=1.2, **line_style(index))
        legend = sheet.legend(lines, ["-"] * len(lines), loc="outside lower center", ncols=beside)
        # The texts are set afterwards: matplotlib leaves out labels that begin with an underscore.
        for text, label in zip(legend.get_texts(), labels, strict=True):
            text.set_text(label)
        sheet.suptitle("").set_text(heading)

    size = RADAR_SIZE[0], RADAR_SIZE[1] + ROW * -(-len(labels) // beside)
    return drawing(form, size, "".join([heading, *labels, *names]), fill)


def _draw_web(axes: PolarAxes, rings: tuple[float, ...], angles: Sequence[float], names: Sequence[str]) -> None:
    axes.set_theta_zero_location("N")
    axes.set_theta_direction(-1)
    axes.set_ylim(0, rings[-1])
    axes.set_yticks(rings, [f"{ring:g}" for ring in rings], fontsize=SMALL, color="0.4")
    axes.set_rlabel_position(180 / len(names))
    axes.set_xticks(angles, [""] * len(angles))
    for angle, name in zip(angles, names, strict=True):
        across, up = sin(angle), cos(angle)
        side = "center" if abs(across) < NEARLY else "left" if across > 0 else "right"
        base = "center" if abs(up) < NEARLY else "bottom" if up > 0 else "top"
        axes.text(angle, BEYOND * rings[-1], name, ha=side, va=base, fontsize=SMALL)


@dataclass(frozen=True)
class FigureRequest:
    """Which figure, of which metric (None: the headline), groups and baseline, and the keys that may differ."""

    figure: str
    metric: str | None
    by: str | None
    baseline: str | None
    allow: tuple[str, ...]


def figure_of_results(
    config: Config, given: Sequence[Result | str | Path], labels: Sequence[str | None], wanted: FigureRequest
) -> Prepared:
    """Compare systems by one metric; the best system is drawn first."""
    if wanted.figure == FOREST and wanted.baseline is None:
        raise MedzhError(_("is needed for a forest"), field="--baseline", expected=_("a label or a folder"))
    choices = Choices(
        labels=tuple(labels),
        metrics=(wanted.metric,) if wanted.metric else (),
        primary_alone=True,
        rule=config.primary_rule.name,
        by=() if wanted.by is None else (wanted.by,),
        baseline=wanted.baseline,
        allow=wanted.allow,
        swaps=1 if wanted.figure == TREND else SWAPS,  # a trend shows values, and no test
    )
    systems = comparable(given, choices)
    if systems.config.name != config.name:
        folder, found = systems.results[0].path, Unredacted(systems.config.name)
        raise MedzhError(_("is of another config"), file=folder, expected=config.name, found=found)
    comparison = compared(systems, choices)
    draws = {FOREST: draw_forest, MATRIX: draw_matrix, TREND: draw_trend}
    draw = partial(draws[wanted.figure], comparison, DisplayOptions(order=comparison.found[0].metric))
    return (*comparison.cautions, *comparison.notes), draw


def draw_forest(comparison: Comparison, options: DisplayOptions, form: Form) -> Drawing:
    """Draw the differences of a metric to the baseline, on all items and in each group."""
    baseline = comparison.found[0].baseline
    if baseline is None:
        raise MedzhError(_("a forest is of differences to a baseline"), field="--figure", found="all pairs")
    rows = [row for found in comparison.found for row in _forest_rows(comparison, found, options)]
    marked = any(one is not None and one.depends_on_unread for _unused, one in rows)
    metric = titled(comparison, comparison.found[0])
    names = {"config": comparison.config, "metric": pgettext("titles", metric), "name": options.name(baseline)}
    what = pgettext("titles", "{config}: {metric} minus {name}, 95% intervals", **names)
    heading = "\n".join([in_title_lines(what), *([translated(EXPLAINED)] if marked else [])])

    def fill(sheet: Sheet) -> None:
        axes = sheet.subplots()
        for place, (_unused, one) in enumerate(rows):
            if one is None or one.value is None:
                continue
            if one.low is not None and one.high is not None:
                axes.plot([one.low, one.high], [place, place], color="C0", linewidth=1.5)
            axes.plot([one.value], [place], color="C0", marker="s", markersize=5)
        axes.axvline(0, color="0.4", linewidth=1)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_yticks(range(len(rows)), [label for label, _unused in rows])
        for text, (_unused, one) in zip(axes.get_yticklabels(), rows, strict=True):
            text.set_fontweight("bold" if one is None else "normal")
        axes.set_title("").set_text(heading)

    size = WIDTH, MARGIN + ROW * len(rows)
    return drawing(form, size, "".join([heading, *(label for label, _unused in rows)]), fill)


def _forest_rows(
    comparison: Comparison, found: MetricComparison, options: DisplayOptions
) -> list[tuple[str, Difference | None]]:
    by_label = {one.label: one for one in found.differences}
    labels = [found.standings[place].label for place in ordered(comparison, options)]
    rows: list[tuple[str, Difference | None]] = []
    if found.breakdown:
        rows.append((translated_label(found.breakdown, found.group), None))
    differences = [by_label[label] for label in labels if label in by_label]
    marks = [f" {DAGGER}" if one.depends_on_unread else "" for one in differences]
    rows += [(shortened(options.name(one.label)) + mark, one) for one, mark in zip(differences, marks, strict=True)]
    return rows


FIRST = 30  # systems of a matrix
AROUND, CELL = 2.4, 0.55  # inches
TINY = 6  # points
DARK = 0.6  # of the deepest colour: black is hard to read there


def draw_matrix(comparison: Comparison, options: DisplayOptions, form: Form) -> Drawing:
    """Draw the pairs of the first systems: corrected p above the diagonal, units won and lost beneath.

    Colours are the row's value minus the column's.
    """
    found = comparison.found[0]
    if found.baseline is not None:
        raise MedzhError(_("a matrix is of all pairs"), field="--figure", found=f"a baseline, {found.baseline}")
    labels = [found.standings[place].label for place in ordered(comparison, options)]
    shown = labels[:FIRST]
    names = [f"{number} {shortened(options.name(label))}" for number, label in enumerate(shown, 1)]
    of = {"config": comparison.config, "titled": pgettext("titles", titled(comparison, found))}
    what = pgettext("titles", "{config}: {titled}; above: corrected p; beneath: units won/lost", **of)
    lines = [in_title_lines(what), translated(_("colour: the row's value minus the column's"))]
    if any(one.depends_on_unread for one in found.differences):
        lines.append(translated(EXPLAINED))
    if len(labels) > FIRST:
        lines.append(translated(_("the first {first} of {n_labels} systems", first=FIRST, n_labels=len(labels))))
    heading = "\n".join(lines)
    pairs = {frozenset((one.label, one.other)): one for one in found.differences}

    def fill(sheet: Sheet) -> None:
        axes = sheet.subplots()
        values = [[_signed(pairs.get(frozenset((row, column))), row) for column in shown] for row in shown]
        widest = max((abs(value) for line in values for value in line), default=0) or 1
        image = axes.imshow(values, cmap="RdBu", vmin=-widest, vmax=widest)
        sheet.colorbar(image, ax=axes, shrink=0.7)
        axes.grid(visible=False)
        for across, column in enumerate(shown):
            for down, row in enumerate(shown):
                if (one := pairs.get(frozenset((row, column)))) is not None:
                    colour = "white" if abs(values[down][across]) > DARK * widest else "black"
                    text = p_value(one.corrected) + (DAGGER if one.depends_on_unread else "")
                    if across < down:
                        won, lost = (one.won, one.lost) if one.label == row else (one.lost, one.won)
                        text = "-" if won is None else f"{won}/{lost}"
                    axes.text(across, down, text, ha="center", va="center", fontsize=TINY, color=colour)
        axes.set_xticks(range(len(shown)), [str(number) for number in range(1, len(shown) + 1)])
        axes.set_yticks(range(len(shown)), names)
        axes.set_title("").set_text(heading)

    side = AROUND + CELL * len(shown)
    return drawing(form, (side, side), heading + "".join(names), fill)


def _signed(one: Difference | None, row: str) -> float:
    if one is None or one.value is None:
        return 0.0
    return one.value if one.label == row else -one.value


def draw_trend(comparison: Comparison, options: DisplayOptions, form: Form) -> Drawing:
    """Draw a metric over training steps: a line a model, and the 95 % intervals."""
    found = comparison.found[0]
    trends = trends_of(found, options)
    heading = in_title_lines(title_of(comparison.config, titled(comparison, found), None))
    labels = [shortened(name or found.metric) for name in trends]
    step = translated("step", HEADS)

    def fill(sheet: Sheet) -> None:
        axes, drawn = sheet.subplots(), []
        for index, values in enumerate(trends.values()):
            style = line_style(index)
            drawn += axes.plot(
                list(values), [nan if one.value is None else one.value for one in values.values()], **style
            )
            for at, one in values.items():
                if one.low is not None and one.high is not None:
                    axes.plot([at, at], [one.low, one.high], color=style["color"], linewidth=1, alpha=0.6)
        write_texts(axes, drawn, labels, heading, step, found.metric)

    texts = "".join([heading, step, found.metric, *labels])
    return drawing(form, sheet_size(*SIZE, len(labels)), texts, fill)


STEPS = re.compile(r"step[s\s=_-]*([0-9]+)", re.IGNORECASE)
NUMBER = re.compile(r"[0-9]+")
EDGES = " =_-,;:/"


def trends_of(found: MetricComparison, options: DisplayOptions) -> dict[str, dict[int, Value]]:
    """Give each model's values by ascending step; its name is what labels hold beside the step, perhaps nothing."""
    lines: dict[str, dict[int, Value]] = {}
    for standing in found.standings:
        label = options.name(standing.label)
        name, step = _split_step(label)
        if step in lines.setdefault(name, {}):
            raise MedzhError(
                _("two systems are of one step"), field="DIR=LABEL", expected=_("each step once"), found=label
            )
        lines[name][step] = standing.value
    return {name: dict(sorted(of.items())) for name, of in lines.items()}


def _split_step(label: str) -> tuple[str, int]:
    found = STEPS.findall(label) or NUMBER.findall(label)
    if len(found) != 1:
        problem = _("a trend needs the training step of each system")
        expected = _("labels with one number, such as step=3000")
        raise MedzhError(problem, field="DIR=LABEL", expected=expected, found=label)
    rest = (STEPS if STEPS.search(label) else NUMBER).sub("", label)
    return rest.strip(EDGES), int(found[0])
