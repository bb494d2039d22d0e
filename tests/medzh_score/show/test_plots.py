"""Figures from reports: what they show, what is refused, and files that are equal byte for byte."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from commands import called
from whole_reports import whole

from medzh_score.commands import plot as command
from medzh_score.messages.errors import MedzhError
from medzh_score.show.drawing.canvas import fonts_for
from medzh_score.show.drawing.curves import Curve, CurveFigure, draw, figure_of

NAME = "ward"
CONFIG = """\
from dataclasses import replace

from medzh_score.benchmark.figures import Plot
from medzh_score.configs.sdak.config import CONFIG as SDAK

VOTE = Plot("vote", "how often the vote of the ward is right", "votes", "threshold", "share", "run", "FactAcc")
RIGHT = Plot("sure", "how often the ward is sure", "votes", "threshold", "sure", "run", "FactAcc")
CONFIG = replace(SDAK, name="ward", plots=(VOTE, RIGHT))
"""
DRAWN_TWICE = """
import sys
from medzh_score.command_line import main
from medzh_score.messages.process import as_process
*words, one, other = sys.argv[1:]
as_process(lambda: main([*words, one]) or main([*words, other]))
"""
COLUMNS = ["run", "sure", "threshold", "share"]
# By run and threshold: the share. The second run has no value at 1.
SHARES = {0: {0.2: 0.8, 0.6: 0.5, 1.0: 0.25}, 1: {1.0: None, 0.6: 0.75, 0.2: 0.9}}
MEANS = ((0.2, (0.8 + 0.9) / 2), (0.6, (0.5 + 0.75) / 2), (1.0, 0.25))
SIGNATURE = {"config": "ward", "split": "test", "data": "0.0.0/mini/01234567", "prompt": "p-1", "rule": "medzh-1"}


def report(model=None, scale=1.0, tables=None, signature=None, **changes):
    rows = [
        [run, 1 - threshold, threshold, None if share is None else scale * share]
        for run, shares in SHARES.items()
        for threshold, share in shares.items()
    ]
    return {
        "config": "ward",
        "metrics": {"FactAcc": {"value": 0.7 * scale, "n": 5, "unit": "fraction", "low": None}},
        "groups": {},
        "tables": {"votes": {"title": "votes", "columns": COLUMNS, "rows": rows}} if tables is None else tables,
        "signature": {**SIGNATURE, **(signature or {})},
        "model": model,
        **changes,
    }


def figure(own_config, *paths, name=0):
    return figure_of(own_config, own_config.plots[name], paths)


# What a figure shows


def test_a_curve_is_the_mean_over_runs_at_each_x(own_config, write):
    (curve,) = figure(own_config, write("a.json", report("甲"))).curves
    assert curve == Curve("甲", MEANS, 0.7)


def test_axes_are_named_after_the_columns_and_the_title_after_the_figure(own_config, write):
    path = write("a.json", report())
    first, second = figure(own_config, path), figure(own_config, path, name=1)
    assert (first.title, first.x, first.y) == ("ward: how often the vote of the ward is right", "threshold", "share")
    assert (second.y, second.curves[0].points[0]) == ("sure", (0.2, 0.8))


def test_an_undefined_metric_has_no_line(own_config, write):
    undefined = {"FactAcc": {"value": None, "n": 0, "unit": "fraction", "why": "none"}}
    assert figure(own_config, write("a.json", report(metrics=undefined))).curves[0].level is None


def test_a_report_is_named_by_its_model_else_by_its_file(own_config, write):
    paths = [write("a.json", report("甲")), write("b.json", report()), write("c.json", report("乙\n丙"))]
    assert [curve.label for curve in figure(own_config, *paths).curves] == ["甲", "b.json", "乙\\n丙"]


def test_reports_of_one_model_are_named_by_their_files_too(own_config, write):
    paths = [write(f"{name}.json", report("甲", signature={"prompt": name})) for name in ("p-1", "p-2")]
    found = figure(own_config, *paths)
    assert [curve.label for curve in found.curves] == [f"甲 ({path})" for path in paths]
    assert found.differing == ("prompt",)


# What is refused


def written(**changes):
    return json.dumps(whole(report(**changes)))


VOTES = report()["tables"]["votes"]
REFUSED = {
    "no JSON": ("{", "is not JSON"),
    "a list": ("[]", "expected a report as"),
    "no metrics": (json.dumps({"config": "ward"}), "expected a report as"),
    "another config": (written(config="sdak"), "is a report of another config; expected ward; found 'sdak'"),
    "no tables": (written(tables={}), "has no table votes, .*figure vote.*found 'no tables'"),
    "other tables": (written(tables={"spread": VOTES}), "has no table votes.*found 'spread'"),
    "no column": (
        written(tables={"votes": {**VOTES, "columns": ["run", "sure", "x", "share"]}}),
        "is not the table of the figure; expected numbers in the columns run, threshold and share",
    ),
    "short rows": (
        written(tables={"votes": {**VOTES, "rows": [[0, 1]]}}),
        "votes: a row is not as long as the column heads",
    ),
    "text": (written(tables={"votes": {**VOTES, "rows": [[0, 1, 0.2, "half"]]}}), "is not the table"),
    "no rows": (written(tables={"votes": {**VOTES, "rows": []}}), "holds no values to draw"),
    "no values": (written(tables={"votes": {**VOTES, "rows": [[0, 1, 0.2, None]]}}), "holds no values"),
    "no metric": (written(metrics={}), "has no such metric; expected FactAcc"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_report_of_the_config_is_refused_by_its_name(name, own_config, write, tmp_path):
    content, message = REFUSED[name]
    bad = tmp_path / "bad.json"
    bad.write_text(content, encoding="utf-8")
    with pytest.raises(MedzhError, match=message) as refused:
        figure(own_config, write("good.json", report()), bad)
    assert str(refused.value).startswith(str(bad))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("key", ["data", "rule", "split", "items", "variants", "missing", "judges"])
def test_reports_that_differ_in_what_is_compared_are_refused(key, own_config, write):
    other = "medzh-1+other" if key == "rule" else "other"
    paths = [write("a.json", report()), write("b.json", report(signature={key: other, "prompt": "p-2"}))]
    problem = rf"the reports differ in {key} \({key}: .* and {re.escape(other)}\)"
    with pytest.raises(MedzhError, match=problem) as refused:
        figure(own_config, *paths)
    assert all(str(path) in str(refused.value) for path in paths)


@pytest.mark.parametrize(
    "key", ["prompt", "form", "shots", "decoding", "asked", "runs", "interval", "ddof", "medzh_score"]
)
def test_reports_may_differ_in_how_the_model_was_asked(key, own_config, write):
    paths = [write("a.json", report("甲")), write("b.json", report("乙", signature={key: "other"}))]
    assert figure(own_config, *paths).differing == (key,)


def test_one_report_twice_is_refused(own_config, write):
    path = write("a.json", report())
    with pytest.raises(MedzhError, match="named twice"):
        figure(own_config, path, path.parent / "." / path.name)


# What is drawn


def drawn(figure, form="svg"):
    return draw(figure, form).content


def paths_of(svg, colour):
    """Give the drawn lines of a colour: dashed or not, and their points."""
    found = []
    for data, style in re.findall(r'<path d="([^"]*)"[^>]*style="([^"]*)"', svg.decode("utf-8")):
        if f"stroke: {colour}" in style and "clip" not in style:
            points = [tuple(map(float, point)) for point in re.findall(r"[ML] ([\d.]+) ([\d.]+)", data)]
            found.append(("dasharray" in style, points))
    return found


def test_the_curve_stands_at_its_values_and_the_line_at_the_metric_in_its_colour():
    made = CurveFigure("t", "x", "y", "m", (Curve("甲", MEANS, 0.7), Curve("乙", ((0.2, 0.4), (1.0, 0.1)), 0.3)))
    svg = drawn(made)
    for colour, curve in zip(("#1f77b4", "#ff7f0e"), made.curves, strict=True):
        lines = paths_of(svg, colour)
        (points,) = [points for dashed, points in lines if not dashed and len(points) == len(curve.points) > 1][:1]
        ((start, end),) = [points for dashed, points in lines if dashed]
        assert start[1] == end[1]
        heights = [y for _, y in curve.points] + [curve.level]
        places = [y for _, y in points] + [start[1]]
        scale = (places[1] - places[0]) / (heights[1] - heights[0])
        assert scale < 0  # y grows upwards
        for height, place in zip(heights, places, strict=True):
            assert place - places[0] == pytest.approx(scale * (height - heights[0]), abs=1e-3)
        assert [x for x, _ in points] == sorted(x for x, _ in points)


@pytest.mark.parametrize(
    "label", ["a$b$c", "$", "_hidden", "a_b^c", "<b>&", "甲" * 100, "中医大模型", "🩺", "%s{}\\alpha"]
)
@pytest.mark.parametrize("form", ["png", "svg"])
def test_any_model_name_is_drawn_without_a_warning(label, form):
    assert len(drawn(CurveFigure("t", "x", "y", "m", (Curve(label, MEANS, None),)), form)) > 1000


def test_svg_keeps_the_text():
    svg = drawn(
        CurveFigure("中医 & 西医", "x", "y", "m", (Curve("_神农$x$", MEANS, 0.7), Curve("乙" * 60, MEANS, 0.7)))
    )
    text = svg.decode("utf-8")
    assert re.findall(r">([^<>\n]+)</text>", text)[-4:] == [
        "中医 &amp; 西医",
        "_神农$x$",
        "乙" * 24 + "…" + "乙" * 23,
        "dashed: m over all predictions",
    ]
    assert "sans-serif" in text


def test_many_reports_have_different_looks():
    curves = tuple(Curve(f"m{index}", MEANS, None) for index in range(24))
    svg = drawn(CurveFigure("t", "x", "y", "m", curves)).decode("utf-8")
    assert all(f">m{index}</text>" in svg for index in range(24))
    looks = re.findall(r'<use xlink:href="#(\w+)"[^>]*style="fill: (#\w+); stroke: \2[;"]', svg)
    assert len(set(looks)) >= 24


def test_a_font_of_the_machine_is_used_where_it_has_the_characters():
    assert fonts_for("Qwen-14B 0.5 ä\n") == (["DejaVu Sans"], "")
    families, lacking = fonts_for("a\U0001d7fb")  # DejaVu Sans has none; STIX, which matplotlib brings, has
    assert (len(families), lacking) == (2, "")


def test_a_png_shows_the_characters_that_another_font_has():
    # DejaVu Sans has none of these sans-serif digits; fonts that matplotlib brings have them all.
    contents = {drawn(CurveFigure(digit, "x", "y", "m", (Curve("A", MEANS, None),)), "png") for digit in "𝟻𝟼𝟽"}
    assert len(contents) == 3


@pytest.mark.parametrize("name", ["Last Resort High-Efficiency", ".LastResort", "LastResort"])
def test_a_font_of_boxes_is_none(name, monkeypatch):
    from matplotlib import font_manager

    boxes = [replace(entry, name=name) for entry in font_manager.fontManager.ttflist if entry.name == "STIXGeneral"]
    base = [entry for entry in font_manager.fontManager.ttflist if entry.name == "DejaVu Sans"]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", [*base, *boxes])
    assert fonts_for("\U0001d7fba") == (["DejaVu Sans"], "\U0001d7fb")


def test_a_damaged_font_is_passed_over(monkeypatch, tmp_path):
    from matplotlib import font_manager

    (tmp_path / "bad.ttf").write_bytes(b"no font")
    names = [tmp_path / "bad.ttf", tmp_path / "gone.ttf"]
    entries = [font_manager.FontEntry(fname=str(path), name="A", style="normal", weight=400) for path in names]
    entries += [entry for entry in font_manager.fontManager.ttflist if entry.name == "DejaVu Sans"]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", entries)
    assert fonts_for("\U0001d7fb") == (["DejaVu Sans"], "\U0001d7fb")


@pytest.fixture
def without_fonts(monkeypatch):
    """Hide the fonts of the machine: matplotlib knows those alone that it brings."""
    from matplotlib import font_manager

    brought = [entry for entry in font_manager.fontManager.ttflist if "mpl-data" in entry.fname]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", brought)


@pytest.mark.usefixtures("without_fonts")
def test_chinese_needs_no_font_of_the_machine():
    assert fonts_for("准确率（%）：中医证候、糖尿病、鼻鼽") == (["DejaVu Sans", "Noto Sans SC"], "")


@pytest.mark.usefixtures("without_fonts")
@pytest.mark.parametrize("form", ["png", "pdf"])
def test_no_boxes_stand_for_chinese_where_the_machine_has_no_font(form):
    contents = {drawn(CurveFigure(title, "x", "y", "m", (Curve("A", MEANS, None),)), form) for title in "糖尿病"}
    assert len(contents) == 3
    assert (b"NotoSansSC" in contents.pop()) == (form == "pdf")


@pytest.mark.usefixtures("without_fonts")
def test_a_pdf_embeds_outlines_as_what_they_are():
    # Noto Sans SC has PostScript outlines, which readers refuse in a font that says it is TrueType.
    pdf = drawn(CurveFigure("糖尿病", "x", "y", "m", (Curve("A", MEANS, None),)), "pdf")
    assert b"/Subtype /Type3" in pdf
    assert b"/FontFile2" not in pdf
    latin = drawn(CurveFigure("Diabetes", "x", "y", "m", (Curve("A", MEANS, None),)), "pdf")
    assert b"/FontFile2" in latin


@pytest.mark.usefixtures("without_fonts")
def test_a_note_where_no_font_is_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "pylopdf_fonts_zh_cn", None)
    assert fonts_for("中") == (["DejaVu Sans"], "中")


# medzh-score plot


@pytest.mark.usefixtures("own_config")
@pytest.mark.parametrize(("name", "start"), [("f.png", b"\x89PNG"), ("F.SVG", b"<?xml"), ("f.pdf", b"%PDF")])
def test_equal_reports_give_equal_files(name, start, write, tmp_path, capsys):
    paths = [write("a.json", report("甲", signature={"prompt": "p-2"})), write("b.json", report("B", 0.5))]
    contents = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        assert called(command, "ward", *paths, "--out", tmp_path / folder / name) == 0
        assert [path.name for path in (tmp_path / folder).iterdir()] == [name]
        contents.append((tmp_path / folder / name).read_bytes())
    assert contents[0] == contents[1]
    assert contents[0].startswith(start)
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("note: the reports differ in prompt\n") == 2


@pytest.mark.usefixtures("own_config")
def test_what_a_png_lacks_is_said_once(write, tmp_path, capsys, monkeypatch):
    from matplotlib import font_manager

    base = [entry for entry in font_manager.fontManager.ttflist if entry.name == "DejaVu Sans"]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", base)
    monkeypatch.setitem(sys.modules, "pylopdf_fonts_zh_cn", None)
    path = write("a.json", report("神农"))
    called(command, "ward", path, "--out", tmp_path / "f.png")
    (line,) = capsys.readouterr().err.splitlines()
    assert "no font here has 农神" in line
    called(command, "ward", path, "--out", tmp_path / "f.svg")
    assert capsys.readouterr().err == ""
    assert "神农" in (tmp_path / "f.svg").read_text(encoding="utf-8")


@pytest.mark.usefixtures("own_config")
def test_another_figure_is_drawn_by_name(write, tmp_path):
    path = write("a.json", report("A"))
    called(command, "ward", path, "--figure", "sure", "--out", tmp_path / "f.svg")
    assert "how often the ward is sure" in (tmp_path / "f.svg").read_text(encoding="utf-8")
    with pytest.raises(MedzhError, match="there is none of that name; expected vote, sure, groups, forest, matrix"):
        called(command, "ward", path, "--figure", "no", "--out", tmp_path / "g.svg")


@pytest.mark.usefixtures("own_config")
@pytest.mark.parametrize("out", ["-", "figure", "figure.eps", "png", ""])
def test_only_png_svg_and_pdf_are_drawn(out, write, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MedzhError, match=r"--out: .*\.png, \.svg or \.pdf"):
        called(command, "ward", write("a.json", report()), "--out", out)
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


@pytest.mark.usefixtures("own_config")
def test_a_report_is_not_drawn_over(write):
    path = write("a.svg", report())
    with pytest.raises(MedzhError, match="is one of the files that are read"):
        called(command, "ward", path, "--out", path)


@pytest.mark.usefixtures("own_config")
def test_without_matplotlib_the_extra_is_named(write, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MedzhError, match=r"drawing needs matplotlib.*pip install '\.\[plot\]'"):
        called(command, "ward", write("a.json", report()), "--out", tmp_path / "f.svg")
    assert not (tmp_path / "f.svg").exists()


def test_the_machine_of_the_user_does_not_show(packages, write, tmp_path):
    """Two figures a process, for it is long until matplotlib has found the fonts of a machine."""
    path = write("a.json", report("甲", signature={"prompt": "p-1"}))
    (tmp_path / "settings").write_text("lines.linewidth: 9\nno.such.key: 1\nsvg.fonttype: path\n", encoding="utf-8")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("MPL", "MATPLOTLIB", "XDG"))}
    others = {
        "as it is": {"MPLCONFIGDIR": str(tmp_path / "cache")},
        "settings": {"MATPLOTLIBRC": str(tmp_path / "settings"), "MPLBACKEND": "module://no.such.module"},
        "no home": {"HOME": os.devnull, "USERPROFILE": os.devnull, "TMPDIR": str(temporary)},
    }
    contents = set()
    for name, variables in others.items():
        out = [tmp_path / f"{name}.{form}" for form in ("png", "svg")]
        done = subprocess.run(
            [sys.executable, "-c", DRAWN_TWICE, "plot", "ward", path, "--out", *out],
            env={**kept, **variables, "PYTHONPATH": str(packages)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (0, "")
        assert [line for line in done.stderr.splitlines() if not line.startswith("note: no font here has 甲")] == []
        contents.add(tuple(one.read_bytes() for one in out))
    assert len(contents) == 1
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "variables", "message"),
    [("{", {}, "bad.json:1: is not JSON"), (written(), {"MPLBACKEND": "no"}, "unset MPLBACKEND")],
)
def test_what_goes_wrong_is_one_line_and_nothing_is_drawn(content, variables, message, packages, tmp_path):
    (tmp_path / "bad.json").write_text(content, encoding="utf-8")
    out = tmp_path / "f.svg"
    done = subprocess.run(
        [sys.executable, "-m", "medzh_score", "plot", "ward", tmp_path / "bad.json", "--out", out],
        env={**os.environ, "PYTHONPATH": str(packages), **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert message in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["bad.json"]
