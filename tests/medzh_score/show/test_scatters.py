"""Figures of points: a point a report, and the R² that a paper prints over its models."""

from __future__ import annotations

import numpy as np
import pytest
from whole_reports import whole

from medzh_score.benchmark.registry import find_config
from medzh_score.command_line import main
from medzh_score.messages.errors import MedzhError
from medzh_score.report.paper import load_paper
from medzh_score.show.drawing.curves import draw_scatter, scatter_of

CONFIG = find_config("care_mi")
FIGURE = CONFIG.plots[0]
MODELS = 7  # of Tables 4 and 5; the human baseline has no interpretability


def table(number):
    (found,) = (table for table in load_paper("care_mi").tables if table.number == number)
    return {row["model"]: row for row in found.rows}


@pytest.fixture
def reports(tmp_path, write_lines):
    """Give a function that writes reports with the two metrics."""

    def write(points, **changes):
        paths = []
        for number, (model, x, y) in enumerate(points):
            values = {"correctness": x, "interpretability": y}
            metrics = {name: {"value": value, "n": 1612, "unit": "fraction"} for name, value in values.items()}
            report = {"config": "care_mi", "metrics": metrics, "groups": {}, "signature": {"rule": "raw"}}
            report |= {"model": model, **changes}
            paths.append(write_lines(tmp_path / f"{number}.json", [whole(report)]))
        return paths

    return write


def both(column):
    correct, explained = table(4), table(5)
    return [(model, correct[model][column], explained[model][column]) for model in explained]


@pytest.mark.parametrize(("column", "r2"), [("all", "0.781"), ("medqa", "0.830")])
def test_tables_4_and_5_give_these_r2(reports, column, r2):
    """Source: spec of the checks, and numpy; the paper prints 0.834, whose points it does not state."""
    points = both(column)
    figure = scatter_of(CONFIG, FIGURE, reports(points))
    assert len(figure.points) == MODELS
    assert f"{figure.r2:.3f}" == r2
    _, x, y = zip(*points, strict=True)
    assert figure.r2 == pytest.approx(np.corrcoef(x, y)[0, 1] ** 2, abs=1e-12)
    assert figure.line == pytest.approx(np.polyfit(x, y, 1), abs=1e-9)
    assert figure.note == f"R² = {r2} over 7 reports (squared Pearson correlation of correctness and interpretability)"


@pytest.mark.parametrize("points", [[("a", 0.1, 0.2)], [("a", 0.1, 0.2), ("b", 0.3, 0.4)], [("a", 0.5, 0.1)] * 3])
def test_r2_is_undefined_for_few_points_and_for_equal_ones(reports, points):
    named = [(f"{name}{number}", x, y) for number, (name, x, y) in enumerate(points)]
    figure = scatter_of(CONFIG, FIGURE, reports(named))
    assert figure.r2 is figure.line is None
    assert "undefined" in figure.note
    assert draw_scatter(figure, "svg").content.startswith(b"<?xml")


def test_a_report_without_the_value_is_refused(reports):
    with pytest.raises(MedzhError, match=r"metrics/interpretability: has no value to draw"):
        scatter_of(CONFIG, FIGURE, reports([("a", 0.1, None)]))
    with pytest.raises(MedzhError, match="has no such metric"):
        scatter_of(CONFIG, FIGURE, reports([("a", 0.1, 0.2)], metrics={}))


@pytest.mark.parametrize("form", ["svg", "png"])
def test_the_command_draws_and_says_r2(reports, form, tmp_path, capsys):
    out = tmp_path / f"figure.{form}"
    paths = list(map(str, reports(both("all"))))
    assert main(["plot", "care_mi", *paths, "--figure", "r2", "--out", str(out)]) == 0
    assert "note: R² = 0.781 over 7 reports" in capsys.readouterr().err
    first = out.read_bytes()
    main(["plot", "care_mi", *paths, "--figure", "r2", "--out", str(out)])
    assert out.read_bytes() == first
    if form == "svg":
        text = first.decode("utf-8")
        assert "R² = 0.781 over 7 reports" in text
        assert all(model in text for model in table(5))
