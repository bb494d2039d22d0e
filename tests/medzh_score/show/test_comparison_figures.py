"""Forests, matrices and trends: what they show stands at its values, and equal input gives equal files."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from commands import called
from compared import all_pairs, three_systems, value
from made_results import made, of_pairs, pairs

from medzh_score.benchmark.registry import find_config
from medzh_score.commands import plot as command
from medzh_score.messages.errors import MedzhError
from medzh_score.show.comparison.figures import Wanted, draw_trend, figure_of_results, split_step, trends_of
from medzh_score.show.comparison.showing import Showing
from medzh_score.show.drawing.matrices import draw_forest, draw_matrix

STARTS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
BLUE = "#1f77b4"


def texts_of(svg):
    return [text.replace("&amp;", "&") for text in re.findall(r">([^<>\n]+)</text>", svg.decode("utf-8"))]


def lines_of(svg, colour):
    """Give the points of the drawn lines of a colour."""
    found = re.findall(r'<path d="([^"]*)"[^>]*style="([^"]*)"', svg.decode("utf-8"))
    strokes = [data for data, style in found if f"stroke: {colour}" in style and "fill: none" in style]
    return [[tuple(map(float, point)) for point in re.findall(r"[ML] ([\d.]+) ([\d.]+)", data)] for data in strokes]


def stepped(*labels):
    """Compare systems whose labels are given, of ever lower values."""
    found = all_pairs(len(labels)).found[0]
    return replace(
        found, standings=tuple(replace(one, label=label) for one, label in zip(found.standings, labels, strict=True))
    )


def drawings(form):
    few, many = three_systems(), all_pairs(9)
    return [
        draw_forest(few, few.found, Showing(), form),
        draw_matrix(many, many.found[0], Showing(), form),
        draw_trend(many, stepped(*(f"甲 step={step}" for step in range(9))), Showing(), form),
    ]


@pytest.mark.parametrize("form", STARTS)
def test_equal_comparisons_give_equal_files_in_every_form(form):
    first, second = drawings(form), drawings(form)
    assert [one.content for one in first] == [one.content for one in second]
    assert all(one.content.startswith(STARTS[form]) for one in first)
    assert not [one for one in first if re.search(rb"CreationDate|\(Matplotlib|20\d\d-\d\d-\d\d", one.content)]


def test_a_forest_has_each_difference_at_its_place():
    made_up = three_systems()
    svg = draw_forest(made_up, made_up.found, Showing(), "svg").content
    ends = [line for line in lines_of(svg, BLUE) if len(line) == 2]
    (low, high), (lowest, highest) = ([point[0] for point in line] for line in ends)
    scale = (low - lowest) / (-5.5 + 25.5)
    assert scale > 0
    assert high - low == pytest.approx(scale * (0.505 + 5.5), abs=0.01)
    assert highest - lowest == pytest.approx(scale * 6, abs=0.01)
    texts = texts_of(svg)
    assert {"glm_4% †", "甲模型", "† depends on unread answers"} <= set(texts)
    assert "sdak: FactAcc ↑ (percent) minus qwen&co, 95% intervals" in texts
    assert "qwen&co" not in texts


def test_a_forest_of_groups_has_a_block_for_each():
    made_up = three_systems()
    groups = [replace(made_up.found[0], breakdown="type", group=name) for name in ("病因", "治疗")]
    texts = texts_of(draw_forest(made_up, [*made_up.found, *groups], Showing(), "svg").content)
    shown = [text for text in texts if text in {"病因", "治疗", "甲模型"}]
    assert shown == ["甲模型", "病因", "甲模型", "治疗", "甲模型"]


def test_a_matrix_has_corrected_p_above_and_won_and_lost_beneath():
    pairs_of = all_pairs(3)
    first, *others = pairs_of.found[0].differences
    found = replace(pairs_of.found[0], differences=(replace(first, corrected=0.00001, won=7, lost=5), *others))
    texts = texts_of(draw_matrix(pairs_of, found, Showing(), "svg").content)
    assert [text for text in texts if re.fullmatch(r"<?0\.\d{4}|&lt;.*|\d+/\d+", text)] == [
        "5/7",  # the rows of the second system: its wins are the first's losses
        *("20/30", "&lt;0.0001", "20/30", "0.0400", "0.5000"),
    ]
    assert {"1 m00", "2 m01", "3 m02"} <= set(texts)


def test_a_matrix_has_the_first_thirty():
    made_up = all_pairs(33)
    texts = texts_of(draw_matrix(made_up, made_up.found[0], Showing(order="FactAcc"), "svg").content)
    assert "30 m29" in texts
    assert "31 m30" not in texts
    assert "the first 30 of 33 systems" in texts


def test_forests_and_matrices_need_what_they_show():
    with pytest.raises(MedzhError, match="a forest is of differences to a baseline; found 'all pairs'"):
        draw_forest(all_pairs(3), all_pairs(3).found, Showing(), "svg")
    with pytest.raises(MedzhError, match="a matrix is of all pairs"):
        draw_matrix(three_systems(), three_systems().found[0], Showing(), "svg")


# Trends


@pytest.mark.parametrize(
    ("label", "parts"),
    [
        ("step=3000", ("", 3000)),
        ("glm-4 step=3000", ("glm-4", 3000)),
        ("qwen2.5_step_200", ("qwen2.5", 200)),
        ("500", ("", 500)),
        ("checkpoint-700", ("checkpoint", 700)),
        ("Steps 10 千问", ("千问", 10)),
    ],
)
def test_a_label_names_model_and_step(label, parts):
    assert split_step(label) == parts


@pytest.mark.parametrize("label", ["glm", "glm-4 v2", "", "step=1 step=2"])
def test_a_label_without_one_number_is_refused(label):
    with pytest.raises(MedzhError, match=r"a trend needs the training step .* such as step=3000; found"):
        split_step(label)


def test_steps_stand_in_order_in_a_line_a_model():
    found = stepped("glm step=20", "glm step=3", "千问 step=3")
    trends = trends_of(found, Showing())
    assert [(one.name, one.steps, [of.value for of in one.values]) for one in trends] == [
        ("glm", (3, 20), [89.0, 90.0]),
        ("千问", (3,), [88.0]),
    ]
    with pytest.raises(MedzhError, match="two systems are of one step"):
        trends_of(stepped("glm step=3", "glm step=3 "), Showing())


def test_a_trend_has_values_and_intervals_at_their_places():
    found = stepped("step=0", "step=100")
    standings = (
        replace(found.standings[0], value=value(50.0, 40.0, 70.0)),
        replace(found.standings[1], value=value(60.0, None, None)),
    )
    svg = draw_trend(all_pairs(2), replace(found, standings=standings), Showing(), "svg").content
    lines = lines_of(svg, BLUE)
    (curve,) = [line for line in lines if len(line) == 2 and line[0][0] != line[1][0] and line[0][1] != line[1][1]]
    (bar,) = [line for line in lines if len(line) == 2 and line[0][0] == line[1][0]]
    scale = (curve[1][1] - curve[0][1]) / 10
    assert scale < 0
    assert bar[0][0] == curve[0][0]
    assert bar[1][1] - bar[0][1] == pytest.approx(30 * scale, abs=0.01)
    assert {"step", "FactAcc"} <= set(texts_of(svg))


# From results


def results(count=3):
    generator = np.random.Generator(np.random.PCG64(1))
    layout = pairs(40)
    right = generator.integers(0, 2, (count, 40, 1))
    return [made(f"r/{n}", {"medzh-1": of_pairs(right[n])}, layout, model=f"m step={n}") for n in range(count)]


@pytest.mark.parametrize("figure", ["forest", "matrix", "trend"])
def test_figures_of_results(figure):
    wanted = Wanted(figure, None, None, "m step=0" if figure == "forest" else None, ())
    comparison, draw = figure_of_results(find_config("sdak"), results(), (), wanted)
    assert comparison.found[0].metric == "FactAcc"
    texts = texts_of(draw("svg").content)
    assert "m" in texts if figure == "trend" else any(text.startswith(("m step=1", "1 m step=")) for text in texts)


def test_results_of_another_config_are_refused():
    with pytest.raises(MedzhError, match="is of another config; expected tcmd; found 'sdak'"):
        figure_of_results(find_config("tcmd"), results(), (), Wanted("trend", "FactAcc", None, None, ()))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--figure", "trend", "--by", "type"], "--by and --baseline are for forests"),
        (["--baseline", "a"], "--baseline and --allow are for figures of result folders"),
        (["--figure", "trend"], "is not there; expected a result folder"),
    ],
)
def test_what_does_not_fit_is_refused(options, message, tmp_path):
    with pytest.raises(MedzhError, match=message):
        called(command, "sdak", tmp_path / "a", tmp_path / "b", *options, "--out", tmp_path / "f.svg")
    assert list(tmp_path.iterdir()) == []
