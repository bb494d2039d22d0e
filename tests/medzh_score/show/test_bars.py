"""Figures of bars: what they show, what is refused, and files that are equal byte for byte."""

from __future__ import annotations

import json
import re

import pytest
from whole_reports import whole

from medzh_score.benchmark.registry import find_config
from medzh_score.command_line import main
from medzh_score.messages.errors import MedzhError
from medzh_score.messages.languages import results_in
from medzh_score.show.drawing.bars import BarFigure, Series, bars_of, draw_bars

CONFIG = find_config("cmhe_dd")
(BARS,) = CONFIG.plots
COLUMNS = ["chapter", "title", "right", "percent", "said", "said percent"]
ROWS = [
    ["I", "one", 1, 25.0, 2, 50.0],
    ["II", "two", 3, 75.0, 0, 0.0],
    ["III", "three", 0, 0.0, 2, 50.0],
    ["IV", "four", 0, 0.0, 0, 0.0],
]


def report(path, model, rows=ROWS, **changes):
    content = {
        "config": "cmhe_dd",
        "metrics": {},
        "groups": {},
        "tables": {"chapters": {"title": "t", "columns": COLUMNS, "rows": rows}},
        "signature": {"config": "cmhe_dd", "rule": "medzh-1"},
        "model": model,
        **changes,
    }
    path.write_text(json.dumps(whole(content)), encoding="utf-8")
    return path


def test_the_data_stand_beside_each_report_without_rows_that_hold_nothing(tmp_path):
    other = [[*row[:5], value] for row, value in zip(ROWS, (10.0, 90.0, 0.0, 0.0), strict=True)]
    paths = [report(tmp_path / "a.json", "m1"), report(tmp_path / "b.json", "m2", other)]
    figure = bars_of(CONFIG, BARS, paths)
    assert figure.names == ("I", "II", "III")
    assert figure.series == (
        Series("the data", (25.0, 75.0, 0.0)),
        Series("m1", (50.0, 0.0, 50.0)),
        Series("m2", (10.0, 90.0, 0.0)),
    )
    assert figure.y == "percent"


def test_a_report_alone_that_names_no_model_is_not_called_as_its_file(tmp_path):
    assert bars_of(CONFIG, BARS, [report(tmp_path / "a.json", None)]).series[1].label == "this report"
    with results_in("zh"):
        assert bars_of(CONFIG, BARS, [report(tmp_path / "a.json", None)]).series[1].label == "本报告"
    two = [report(tmp_path / name, None) for name in ("a.json", "b.json")]
    assert [one.label for one in bars_of(CONFIG, BARS, two).series][1:] == ["a.json", "b.json"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tables": {}}, "has no table chapters"),
        ({"rows": [[*row[:5], "x"] for row in ROWS]}, "is not the table of the figure"),
        ({"rows": [[*row[:3], 0.0, 0, 0.0] for row in ROWS]}, "holds no values to draw"),
        ({"rows": [[*row[:4], 0, None] for row in ROWS]}, "chapters/said percent: holds no values to draw"),
    ],
)
def test_reports_that_cannot_be_drawn(changes, message, tmp_path):
    with pytest.raises(MedzhError, match=message):
        bars_of(CONFIG, BARS, [report(tmp_path / "a.json", "m", **changes)])


def test_reports_on_other_data_are_refused(tmp_path):
    paths = [report(tmp_path / "a.json", "m1"), report(tmp_path / "b.json", "m2", ROWS[:2])]
    with pytest.raises(MedzhError, match="shows other data"):
        bars_of(CONFIG, BARS, paths)


def heights(svg):
    """Give the heights of the bars of each colour: paths of four corners, in the order in which they are drawn."""
    found = {}
    for data, colour in re.findall(r'<path d="([^"]*)"[^>]*style="fill: (#[0-9a-f]{6})"', svg):
        points = [tuple(map(float, point)) for point in re.findall(r"[ML] ([-\d.]+) ([-\d.]+)", data)]
        if len(points) == 4:
            found.setdefault(colour, []).append(abs(points[0][1] - points[2][1]))
    return found


def test_bars_are_as_high_as_their_values():
    figure = BarFigure("t", "percent", ("a", "b"), (Series("the data", (20.0, 40.0)), Series("m", (10.0, None))))
    drawn = heights(draw_bars(figure, "svg").content.decode("utf-8"))
    first, second = drawn["#1f77b4"][:2]
    assert second == pytest.approx(2 * first, rel=1e-4)
    assert drawn["#ff7f0e"][0] == pytest.approx(first / 2, rel=1e-4)


@pytest.mark.parametrize("form", ["svg", "png"])
def test_equal_figures_are_equal_files(form):
    figure = BarFigure(
        "中文 $标题$", "percent", ("VII+VIII", "_x"), (Series("the data", (1.0, 2.0)), Series("_m", (3.0, 0.5)))
    )
    assert draw_bars(figure, form).content == draw_bars(figure, form).content
    if form == "svg":
        text = draw_bars(figure, form).content.decode("utf-8")
        assert all(f">{name}<" in text for name in ("VII+VIII", "_x", "_m", "the data", "中文 $标题$"))


def test_the_command_draws_it(tmp_path):
    path, out = report(tmp_path / "a.json", "m"), tmp_path / "f.png"
    assert main(["plot", "cmhe_dd", str(path), "--figure", "chapters", "--out", str(out)]) == 0
    assert out.read_bytes().startswith(b"\x89PNG")
    assert main(["plot", "cmhe_dd", str(path), "--metric", "F1-level-0", "--out", str(out)]) == 2
