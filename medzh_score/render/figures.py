"""Figures of reports and of comparisons, drawn by matplotlib."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from math import cos, nan, pi, sin
from typing import TYPE_CHECKING, Any, cast

from rich.cells import cell_len

from medzh_score.benchmark.config import Plot, Radar, Scatter
from medzh_score.comparison.load import Choices
from medzh_score.comparison.run import comparable, compared
from medzh_score.render.canvas import ROW, drawing, in_title_lines, line_styles, sheet_size, shortened, write_texts
from medzh_score.render.compare_tables import metric_name, titled
from medzh_score.render.display import DAGGER, EXPLAINED, DisplayOptions, ordered
from medzh_score.render.figure_data import BY_GROUPS, HEATMAP, figure_data, footer_of, title_of
from medzh_score.render.tables import HEADS, translated_heads, translated_label, wrapped
from medzh_score.stats.compare import PERMUTATIONS
from medzh_score.stats.permutation import SIGNIFICANCE
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _, pgettext, translated
from medzh_score.ui.numbers import TOPS, rounded
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

    Prepared = tuple[Sequence[str], Callable[[Form], Drawing]]  # notes, and the function that draws

FOREST, TREND = OF_RESULTS = ("forest", "trend")
SIZE = (6.4, 4.8)  # inches, without the legend
WIDTH, MARGIN = 6.4, 1.2  # inches of a figure of rows
SMALL = 8  # points
GREY: dict[str, Any] = {"color": "0.4", "linestyle": "--", "linewidth": 1}


def figure_of_reports(
    config: Config, figure: object, paths: Sequence[Path], *, by: str | None = None, metric: str | None = None
) -> Prepared:
    """Read the reports of a figure; return notes and the function that draws it."""
    data = figure_data(config, figure, paths, by=by, metric=metric)
    named = {BY_GROUPS: draw_groups, HEATMAP: draw_heatmap}
    kinds = {Plot: draw_curves, Radar: draw_radar, Scatter: draw_points}
    draw = kinds.get(type(figure)) or named[getattr(figure, "name", BY_GROUPS)]
    return data.remarks, partial(draw, data)


def _labels(figure: FigureData) -> list[str]:
    return [shortened(one.label) for one in figure.series]


def _styles(figure: FigureData) -> dict[str, dict[str, Any]]:
    return line_styles([one.label for one in figure.series])


def draw_curves(figure: FigureData, form: Form) -> Drawing:
    """Draw curves, each with a dashed line at the value of a metric."""
    labels, heading, styles = _labels(figure), in_title_lines(figure.title), _styles(figure)
    dashed = translated(_("dashed: {level} over all predictions", level=figure.level))
    x, y = translated_heads((figure.x, figure.y))

    def fill(sheet: Sheet) -> None:
        axes, lines = sheet.subplots(), []
        for one in figure.series:
            style = styles[one.label]
            lines += axes.plot(one.x, cast("tuple[float, ...]", one.y), **style)
            if one.level is not None:
                axes.axhline(one.level, **{**GREY, "color": style["color"]})
        axes.set_ylim(bottom=0)
        leveled = any(one.level is not None for one in figure.series)
        if leveled:
            lines += axes.plot([], [], **GREY)
        write_texts(axes, lines, [*labels, dashed] if leveled else labels, heading, x, y)

    return drawing(form, sheet_size(*SIZE, len(labels)), "".join([heading, x, y, dashed, *labels]), fill, figure.footer)


def draw_points(figure: FigureData, form: Form) -> Drawing:
    """Draw two metrics against each other, and the line through the points."""
    labels, styles = _labels(figure), _styles(figure)
    heading = "\n".join(in_title_lines(text) for text in (figure.title, figure.remarks[0]))

    def fill(sheet: Sheet) -> None:
        axes, points = sheet.subplots(), []
        for one in figure.series:
            style = {**styles[one.label], "linestyle": "none", "markersize": 7}
            points += axes.plot(one.x, cast("tuple[float, ...]", one.y), **style)
        if figure.line is not None:
            slope, intercept = figure.line
            ends = [of(one.x[0] for one in figure.series) for of in (min, max)]
            axes.plot(ends, [slope * x + intercept for x in ends], **GREY)
        write_texts(axes, points, labels, heading, figure.x, figure.y)

    texts = "".join([heading, figure.x, figure.y, *labels])
    return drawing(form, sheet_size(*SIZE, len(labels)), texts, fill, figure.footer)


FILLED_ROW = 0.8  # of the room of a row


def draw_groups(figure: FigureData, form: Form) -> Drawing:
    """Draw bars of a metric over all items and in each group, with intervals."""
    labels, heading, styles = _labels(figure), in_title_lines(figure.title), _styles(figure)
    rows = _sized(figure)

    def fill(sheet: Sheet) -> None:
        axes, drawn = sheet.subplots(), []
        height = FILLED_ROW / len(labels)
        for index, series in enumerate(figure.series):
            aside = FILLED_ROW * ((index + 0.5) / len(labels) - 0.5)
            at = [place + aside for place in range(len(rows))]
            color = styles[series.label]["color"]
            drawn.append(axes.barh(at, [value or 0.0 for value in series.y], height, color=color, alpha=0.75))
            for place, ends in zip(at, series.ends, strict=True):
                if ends is not None:
                    axes.plot(ends, [place] * 2, color="0.2", linewidth=1)
        axes.set_axisbelow(True)
        axes.set_xlim(0, 100)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_yticks(range(len(rows)), rows)
        write_texts(axes, drawn, labels, heading, figure.x, "")

    size = sheet_size(WIDTH, MARGIN + ROW * max(1.0, 0.6 * len(labels)) * len(rows), len(labels))
    return drawing(form, size, "".join([heading, figure.x, *labels, *rows]), fill, figure.footer)


def _sized(figure: FigureData) -> list[str]:
    """Name the rows with their n."""
    return [f"{shortened(name)} (n = {n:,})" for name, n in zip(figure.names, figure.sizes, strict=True)]


CELL, AROUND = (0.7, 0.32), (3.2, 1.6)  # inches
FEW = 10  # items: a group with fewer is hatched
DARK = 60.0  # percent: black is hard to read on a deeper color
TINY = 7  # points


def draw_heatmap(figure: FigureData, form: Form) -> Drawing:
    """Draw a metric of each model in each group; groups with fewer than ten items are hatched."""
    labels, rows = _labels(figure), _sized(figure)
    hatched = [place for place, n in enumerate(figure.sizes) if n < FEW]
    lines = [in_title_lines(figure.title)]
    if hatched:
        lines.append(translated(_("hatched: fewer than {few} items", few=FEW)))
    heading = "\n".join(lines)

    def fill(sheet: Sheet) -> None:
        from matplotlib.patches import Rectangle

        axes = sheet.subplots()
        values = [
            [nan if value is None else value for value in of]
            for of in zip(*(one.y for one in figure.series), strict=True)
        ]
        image = axes.imshow(values, cmap="Blues", vmin=0, vmax=100, aspect="auto")
        sheet.colorbar(image, ax=axes, shrink=0.7).set_label(figure.x)
        axes.grid(visible=False)
        for down, of in enumerate(values):
            for across, value in enumerate(of):
                text = "–" if value != value else rounded(value, 1)  # noqa: PLR0124 - not a number
                color = "white" if value > DARK else "black"
                axes.text(across, down, text, ha="center", va="center", fontsize=TINY, color=color)
        for down in hatched:
            shape = (-0.5, down - 0.5), len(labels), 1
            axes.add_patch(Rectangle(*shape, fill=False, hatch="////", edgecolor="0.5", linewidth=0, alpha=0.5))
        axes.set_xticks(range(len(labels)), labels, rotation=45, ha="right")
        axes.set_yticks(range(len(rows)), rows)
        axes.set_title("").set_text(heading)

    size = AROUND[0] + CELL[0] * len(labels), AROUND[1] + CELL[1] * len(rows)
    return drawing(form, size, "".join([heading, figure.x, *labels, *rows]), fill, figure.footer)


RADAR_SIZE = (7.2, 6.2)  # inches, without the legend
BEYOND = 1.05  # radii at which the names of the axes are written
NEARLY = 0.3  # below this sine or cosine a name is centered on its axis
NAME_WIDTH = 16  # columns of a line of a name: eight Chinese characters
LEGEND_WIDTH = 84  # characters of a line of the legend, which may name several reports
KEY = 8  # characters that the drawn line takes before each


def draw_radar(figure: FigureData, form: Form) -> Drawing:
    """Draw a radar, its axes clockwise from the top; a line is closed unless a value is missing."""
    scale = _("{metric} in percent: center 0, rim {rim:g}", metric=figure.y, rim=figure.rings[-1])
    gaps = (
        [_("If a group has no value, the line is not closed.")] if any(None in one.y for one in figure.series) else []
    )
    heading = "\n".join(in_title_lines(text) for text in (figure.title, scale, *gaps))
    labels, names = _labels(figure), [wrapped(shortened(axis), NAME_WIDTH) for axis in figure.names]
    beside = max(1, LEGEND_WIDTH // (KEY + max(map(cell_len, labels))))
    angles = [2 * pi * index / len(names) for index in range(len(names))]
    styles = _styles(figure)

    def fill(sheet: Sheet) -> None:
        sheet.set_layout_engine("constrained")
        axes = cast("PolarAxes", sheet.add_subplot(projection="polar"))
        _draw_web(axes, figure.rings, angles, names)
        lines = []
        for one in figure.series:
            values = [nan if value is None else value for value in one.y]
            closed = [*angles, angles[0]], [*values, values[0]]
            lines += axes.plot(*closed, clip_on=False, linewidth=1.2, **styles[one.label])
        place: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.1), "ncols": beside}
        legend = axes.legend(lines, ["-"] * len(lines), **place)
        # The texts are set afterwards: matplotlib omits labels that begin with an underscore.
        for text, label in zip(legend.get_texts(), labels, strict=True):
            text.set_text(label)
        sheet.suptitle("").set_text(heading)

    size = RADAR_SIZE[0], RADAR_SIZE[1] + ROW * -(-len(labels) // beside)
    return drawing(form, size, "".join([heading, *labels, *names]), fill, figure.footer)


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
    """A figure of results: its metric (None: the primary one), groups, baseline, and the keys that may differ."""

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
        raise MedzhError(_("a baseline is required"), field="--baseline", expected=_("the name or folder of a system"))
    choices = Choices(
        labels=tuple(labels),
        metrics=(wanted.metric,) if wanted.metric else (),
        primary_alone=True,
        rule=config.primary_rule.name,
        by=() if wanted.by is None else (wanted.by,),
        baseline=wanted.baseline,
        allow=wanted.allow,
        permutations=1 if wanted.figure == TREND else PERMUTATIONS,  # a trend shows values, and no test
    )
    systems = comparable(given, choices)
    if systems.config.name != config.name:
        folder, found = systems.results[0].path, Unredacted(systems.config.name)
        raise MedzhError(_("the result belongs to another config"), file=folder, expected=config.name, found=found)
    comparison = compared(systems, choices)
    draw = partial({FOREST: draw_forest, TREND: draw_trend}[wanted.figure], comparison, DisplayOptions())
    return (*comparison.cautions, *comparison.notes), draw


def _footer(comparison: Comparison) -> str:
    n = comparison.found[0].standings[0].value.n
    facts = {"config": comparison.config, "rule": comparison.rule, "n": f"{n:,}"}
    return footer_of(facts, (system.runs for system in comparison.systems), comparison.signature)


def draw_forest(comparison: Comparison, options: DisplayOptions, form: Form) -> Drawing:
    """Draw the differences of a metric to the baseline; a marker is hollow if the difference is not significant."""
    baseline = comparison.found[0].baseline
    if baseline is None:
        raise MedzhError(_("a baseline is required"), field="--baseline")
    rows = [row for found in comparison.found for row in _forest_rows(comparison, found, options)]
    marked = any(one is not None and one.depends_on_unparsed for _unused, one in rows)
    of = {"config": comparison.config, "metric": metric_name(comparison.found[0]), "name": options.name(baseline)}
    what = pgettext("titles", "{config}: {metric}, difference from {name}, 95% CI", **of)
    hollow = _("filled marker: significant difference (adjusted p at most 0.05); hollow marker: not significant")
    notes = [hollow, *([EXPLAINED] if marked else [])]
    heading = "\n".join([in_title_lines(what), *map(translated, notes)])
    axis = translated(
        pgettext("titles", "percentage points relative to {name}", name=shortened(options.name(baseline)))
    )
    styles = line_styles([system.label for system in comparison.systems])
    scale = 100 / TOPS[comparison.unit]

    def fill(sheet: Sheet) -> None:
        axes = sheet.subplots()
        for place, (_unused, one) in enumerate(rows):
            if one is None or one.value is None:
                continue
            style = {**styles[one.label], "markersize": 7}
            if one.low is not None and one.high is not None:
                axes.plot([scale * one.low, scale * one.high], [place] * 2, color=style["color"], linewidth=1.5)
            significant = one.corrected is not None and one.corrected <= SIGNIFICANCE
            face = style["color"] if significant else "white"
            axes.plot([scale * one.value], [place], markerfacecolor=face, **style)
        axes.axvline(0, color="0.4", linewidth=1)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_yticks(range(len(rows)), [label for label, _unused in rows])
        for text, (_unused, one) in zip(axes.get_yticklabels(), rows, strict=True):
            text.set_fontweight("bold" if one is None else "normal")
        axes.set_title("").set_text(heading)
        axes.set_xlabel("").set_text(axis)

    size = WIDTH, MARGIN + ROW * len(rows)
    texts = "".join([heading, axis, *(label for label, _unused in rows)])
    return drawing(form, size, texts, fill, _footer(comparison))


def _forest_rows(
    comparison: Comparison, found: MetricComparison, options: DisplayOptions
) -> list[tuple[str, Difference | None]]:
    by_label = {one.label: one for one in found.differences}
    labels = [found.standings[place].label for place in ordered(comparison, options)]
    rows: list[tuple[str, Difference | None]] = []
    if found.breakdown:
        rows.append((translated_label(found.breakdown, found.group), None))
    differences = [by_label[label] for label in labels if label in by_label]
    marks = [f" {DAGGER}" if one.depends_on_unparsed else "" for one in differences]
    rows += [(shortened(options.name(one.label)) + mark, one) for one, mark in zip(differences, marks, strict=True)]
    return rows


def draw_trend(comparison: Comparison, options: DisplayOptions, form: Form) -> Drawing:
    """Draw a metric over training steps: one line per model, with 95% intervals."""
    found = comparison.found[0]
    trends = trends_of(found, options)
    heading = in_title_lines(title_of(comparison.config, metric_name(found), None))
    labels = {name: shortened(name or found.metric) for name in trends}
    step, y = translated("step", HEADS), translated(titled(comparison, found))
    styles, scale = line_styles([*trends]), 100 / TOPS[comparison.unit]

    def fill(sheet: Sheet) -> None:
        axes, drawn = sheet.subplots(), []
        for name, values in trends.items():
            points = [nan if one.value is None else scale * one.value for one in values.values()]
            drawn += axes.plot(list(values), points, **styles[name])
            for at, one in values.items():
                if one.low is not None and one.high is not None:
                    ends = [scale * one.low, scale * one.high]
                    axes.plot([at, at], ends, color=styles[name]["color"], linewidth=1, alpha=0.6)
        write_texts(axes, drawn, [*labels.values()], heading, step, y)

    texts = "".join([heading, step, y, *labels.values()])
    return drawing(form, sheet_size(*SIZE, len(labels)), texts, fill, _footer(comparison))


STEP = re.compile(r"(?<![^\s_,;:/-])step=([0-9]+)(?![^\s_,;:/-])")
EDGES = " _-,;:/"


def trends_of(found: MetricComparison, options: DisplayOptions) -> dict[str, dict[int, Value]]:
    """Return the values of each model by ascending step; the name of a model is the rest of its labels."""
    lines: dict[str, dict[int, Value]] = {}
    for standing in found.standings:
        label = options.name(standing.label)
        name, step = _split_step(label)
        if step in lines.setdefault(name, {}):
            problem, expected = _("two systems have the same step"), _("one system per step")
            raise MedzhError(problem, field="DIR=NAME", expected=expected, found=label)
        lines[name][step] = standing.value
    return {name: dict(sorted(of.items())) for name, of in lines.items()}


def _split_step(label: str) -> tuple[str, int]:
    found = STEP.findall(label)
    if len(found) != 1:
        problem = _("a trend figure requires the training step in each system name")
        advice = _("name each system, such as DIR=step=3000 or DIR=glm step=3000")
        raise MedzhError(problem, field="DIR=NAME", expected="step=N", found=label, advice=advice)
    return STEP.sub("", label).strip(EDGES), int(found[0])
