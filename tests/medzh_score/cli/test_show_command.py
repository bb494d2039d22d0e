"""Saved reports are shown again byte for byte; in Python they have a line and a table."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser

import msgspec
import openpyxl
import pytest
from places import SAMPLES
from scored_minis import scored_mini

from medzh_score.benchmark.registry import config_names
from medzh_score.cli.main import main
from medzh_score.cli.options import REPORT_FORMS
from medzh_score.render.report import rendered
from medzh_score.results.numbers import cells_of


@pytest.fixture(scope="module", params=config_names())
def report(request, minis):
    return scored_mini(request.param, minis).with_changes(model="<b>模型 & Söhne</b>")


@pytest.fixture(scope="module")
def saved(report, tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved") / "result"
    report.save(folder)
    return folder


@pytest.mark.parametrize("form", REPORT_FORMS)
def test_every_form_comes_again_from_a_folder_and_from_its_report(report, saved, tmp_path, form, capfdbinary):
    for place in (saved, saved / "report.json"):
        assert main(["show", str(place), "--to", form]) == 0
        closing = [("more", f"medzh-score show {place} --full")]
        assert capfdbinary.readouterr() == (rendered(report, form, closing=closing).encode(), b"")
        assert main(["show", str(place), "--to", form, "--full"]) == 0
        assert capfdbinary.readouterr() == (rendered(report, form, full=True).encode(), b"")
    assert main(["show", str(saved), "--to", form, "--output", str(tmp_path / "out")]) == 0
    written = rendered(report, form).encode("utf-8-sig" if form == "csv" else "utf-8")  # the mark is for spreadsheets
    assert (tmp_path / "out").read_bytes() == written


def test_it_is_what_score_wrote(minis, tmp_path):
    made = [str(SAMPLES / "sdak" / "predictions.jsonl"), "--data", str(minis), "--bootstrap", "20"]
    for form in REPORT_FORMS:
        assert main(["score", "sdak", *made, "--to", form, "--output", str(tmp_path / form)]) == 0
    for form in REPORT_FORMS:
        assert main(["show", str(tmp_path / "json"), "--to", form, "--output", str(tmp_path / "again")]) == 0
        assert (tmp_path / "again").read_bytes() == (tmp_path / form).read_bytes()


@pytest.fixture(scope="module")
def folder(minis, tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile") / "result"
    scored_mini("sdak", minis).save(folder)
    return folder


def test_what_is_not_a_result_is_named(folder, tmp_path, capfd):
    """And nothing is written."""
    text = (folder / "report.json").read_text(encoding="utf-8")
    older = json.loads(text) | {"schema": 0}
    files = {
        "none": (None, "none: the file does not exist"),
        "text": ("no report", "text"),
        "list": ("[]", "list"),
        "older": (json.dumps(older), 'older: field "schema": unsupported version: expected 1, found 0'),
        "lacking": (text.replace('"coverage"', '"coverages"'), "lacking"),
    }
    for name, (content, expected) in files.items():
        path = tmp_path / name
        if content is not None:
            path.write_text(content, encoding="utf-8")
        assert main(["show", str(path), "--output", str(tmp_path / "out")]) == 2
        said = capfd.readouterr()
        assert (said.out, expected in said.err) == ("", True), said.err
        assert not (tmp_path / "out").exists()


def test_a_folder_that_somebody_changed_is_not_shown(folder, tmp_path, capfd):
    changed = tmp_path / "changed"
    changed.mkdir()
    for one in folder.iterdir():
        (changed / one.name).write_bytes(one.read_bytes())
    path = changed / "report.json"
    path.write_bytes(path.read_bytes().replace(b"official", b"unofficial"))
    assert main(["show", str(changed)]) == 2
    assert "report.json: the file has changed since it was saved" in capfd.readouterr().err


def test_what_is_read_is_not_written_over(folder, capfd):
    before = {one.name: one.read_bytes() for one in folder.iterdir()}
    for place, out in ((folder, folder / "report.json"), (folder, folder / "new"), (folder / "report.json",) * 2):
        assert main(["show", str(place), "--output", str(out)]) == 2
        assert "--output" in capfd.readouterr().err
    assert {one.name: one.read_bytes() for one in folder.iterdir()} == before


def test_a_report_says_in_a_line_what_it_is(minis):
    report = scored_mini("sdak", minis).with_changes(model="a\nb")
    assert repr(report) == (r"<Report sdak of a\nb, rule medzh-1: FactAcc 52.0% (95% CI [42.4, 61.4]), 102 items>")
    value = replace(report.metrics["FactAcc"], value=None, low=None, high=None)
    result = msgspec.structs.replace(report.results["medzh-1"], metrics={"FactAcc": value})
    made = report.with_changes(model=None, results={"medzh-1": result})
    assert repr(made) == "<Report sdak, rule medzh-1: FactAcc not available, 102 items>"


class Cells(HTMLParser):
    """The texts of a table's cells, row by row, and what tags there are."""

    def __init__(self, page):
        super().__init__()
        self.rows, self.tags, self.titles = [], set(), []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.titles += [value for name, value in attrs if name == "title"]
        if tag in {"tr", "caption"}:
            self.rows.append([])

    def handle_data(self, data):
        self.rows[-1].append(data)


def test_a_notebook_shows_a_small_table(report):
    page = report._repr_html_()
    found = Cells(page)
    assert found.tags == {"table", "caption", "thead", "tbody", "tr", "th", "td"}
    (caption,), heads, *rows = found.rows
    assert caption == f"{report.config} of <b>模型 & Söhne</b>, rule {report.rule}"
    assert heads == ["metric", "value", "95% interval", "std", "n"]
    assert [row[0] for row in rows] == list(report.metrics)
    assert [int(row[4]) for row in rows] == [value.n for value in report.metrics.values()]
    assert found.titles == [
        value.unavailable_reason for value in report.metrics.values() if value.unavailable_reason is not None
    ]
    for row, (name, value) in zip(rows, report.metrics.items(), strict=True):
        assert row[1:3] == list(cells_of(value, points=name.startswith("gap-"))[:2])


# The name of what is written decides its form where --to does not, and never promises another


def test_reports_are_written_as_their_names_end(tmp_path):
    reported = ("published", "care_mi", "--output")
    assert main([*reported, str(tmp_path / "r.JSON")]) == 0
    json.loads((tmp_path / "r.JSON").read_text(encoding="utf-8"))
    for name, form in (("r.md", "markdown"), ("r.tex", "latex"), ("r.txt", "text"), ("r", "text")):
        assert main([*reported, str(tmp_path / name)]) == 0
        assert main([*reported, str(tmp_path / "stated"), "--to", form]) == 0
        assert (tmp_path / name).read_bytes() == (tmp_path / "stated").read_bytes()
    assert main([*reported, str(tmp_path / "r.json"), "--to", "text"]) == 0  # what is said goes before the name
    assert (tmp_path / "r.json").read_bytes() == (tmp_path / "r.txt").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (("published", "care_mi"), "r.xlsx"),
        (("published", "care_mi", "--to", "text"), "r.html"),
        (("prompts", "care_mi", "--data", "mini", "--to", "chat"), "p.xlsx"),
        (("prompts", "care_mi", "--data", "mini"), "p.html"),
        (("prompts", "care_mi", "--data", "mini", "--to", "chat"), "p.csv"),
        (("prompts", "care_mi", "--data", "mini", "--to", "csv"), "p.jsonl"),
        *((("published", "care_mi"), f"r.{one}") for one in ("csv", "tsv", "pdf", "docx", "xls", "htm", "jsonl")),
    ],
)
def test_a_name_that_promises_another_form_is_refused(arguments, name, tmp_path, capsys):
    out = tmp_path / name
    assert main([*arguments, "--output", str(out)]) == 2
    error = capsys.readouterr().err
    assert f"the output format does not match the extension .{name.rpartition('.')[2]}" in error
    assert "did you mean" not in error
    assert not out.exists()


@pytest.mark.parametrize("option", [("--to", "html"), ("--output", "r.html")])
def test_score_says_how_to_get_a_page(option, capsys):
    try:
        status = main(["score", "care_mi", "x.jsonl", *option])
    except SystemExit as ended:
        status = ended.code
    told = capsys.readouterr()
    assert (status, told.out) == (2, "")
    assert told.err.endswith("for a page, use --save DIR and run: medzh-score show DIR --to html\n")


@pytest.mark.parametrize("command", [("score", "care_mi", "x.jsonl"), ("compare", "a", "b")])
def test_items_are_lines_of_json(command, tmp_path, capsys):
    items = tmp_path / "it.xlsx"
    assert main([*command, "--items", str(items)]) == 2
    assert (
        "option --items: the output format does not match the extension .xlsx: expected .jsonl"
        in capsys.readouterr().err
    )
    assert not items.exists()


def test_a_workbook_needs_no_form(tmp_path):
    asked = ["prompts", "care_mi", "--data", "mini", "--output"]
    for name in ("p.csv", "p.xlsx", "p.jsonl"):
        assert main([*asked, str(tmp_path / name), "-q"]) == 0
    rows = list(openpyxl.load_workbook(tmp_path / "p.xlsx").active.iter_rows(values_only=True))
    lines = (tmp_path / "p.jsonl").read_text(encoding="utf-8").splitlines()
    assert [row[0] for row in rows[1:]] == [json.loads(line)["id"] for line in lines]
    assert (tmp_path / "p.csv").read_text(encoding="utf-8-sig").startswith("id,")
