"""The page of a result: equal bytes, no more of the texts than is asked for, and numbers that are the report's."""

from __future__ import annotations

import json
import re
import shutil

import messages
import pytest
from commands import called
from places import ROOT, SAMPLES

from medzh_score.data.records import load_records
from medzh_score.html.charts import axis_ticks, ticks
from medzh_score.html.items import items_of, questions_of
from medzh_score.html.result import result_page
from medzh_score.render.report import rendered
from medzh_score.render.screen import bounds_line, coverage_line, runs_text
from medzh_score.results.result import Result
from medzh_score.scoring.pipeline import score
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import language
from medzh_score.ui.numbers import PAPER_DECIMALS, rounded


@pytest.fixture(scope="module")
def folders(tmp_path_factory, sdak_build, sdak_sample):
    """Give results of the sample that hold as much of the texts as their names say."""
    folder = tmp_path_factory.mktemp("results")
    for texts in ("none", "spans", "full"):
        answers = sdak_sample / "predictions.jsonl"
        score("sdak", [answers], sdak_build, save=folder / texts, include_text=texts, bootstrap=20, model="甲")
    return folder


@pytest.fixture(scope="module")
def shipped(tmp_path_factory, sdak_sample):
    """Give a result on the sample in the package, with all texts; the first answer has reasoning."""
    folder = tmp_path_factory.mktemp("shipped")
    first, *lines = (sdak_sample / "predictions.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    reasoned = first.replace('"prediction": "', '"prediction": "<think>先想一想。</think>')
    (folder / "answers.jsonl").write_text("".join([reasoned, *lines]), encoding="utf-8")
    score("sdak", [folder / "answers.jsonl"], "mini", save=folder / "result", include_text="full", bootstrap=0)
    return Result.load(folder / "result")


@pytest.fixture(scope="module")
def texts(sdak_sample):
    lines = (sdak_sample / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["prediction"] for line in lines]


def test_equal_results_give_equal_pages(folders):
    one, other = (result_page(Result.load(folders / "full"), "full") for _ in range(2))
    assert one == other
    assert b"\r" not in one


def test_texts_are_there_only_where_they_are_asked_for(folders, texts, tmp_path):
    long = [text for text in texts if len(text) > 20]
    called("show", folders / "full", "--to", "html", "-o", tmp_path / "none.html")
    page = (tmp_path / "none.html").read_text(encoding="utf-8")
    assert not [text for text in long if text[:20] in page]
    called("show", folders / "full", "--to", "html", "--include-text", "full", "-o", tmp_path / "full.html")
    page = (tmp_path / "full.html").read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="data-items">(.*?)</script>', page)[1])
    both = zip(data["reasoning"], data["texts"], strict=True)
    assert {(reasoning or "") + "".join(pieces) for reasoning, pieces in both} == set(texts)


def test_reasoning_is_apart_from_the_answer(shipped):
    items = items_of(shipped, "full")
    ((reasoning, pieces),) = [pair for pair in zip(items.reasoning, items.texts, strict=True) if pair[0]]
    assert reasoning == "<think>先想一想。</think>"
    assert "think" not in "".join(pieces)


def test_questions_and_gold_are_those_of_the_sample(shipped):
    """Source: the rows of the sample, by the fields that the authors gave them."""
    questions, sdak_rows = questions_of(shipped, None), load_records("mini", "sdak").rows
    assert questions == {row["id"]: (row["claim"], [], row["answer"]) for row in sdak_rows}


def test_other_data_are_refused(shipped):
    with pytest.raises(MedzhError, match="the data differ from the data of the result"):
        questions_of(shipped, "open")


def test_questions_of_data_that_may_not_be_passed_on_are_not_on_the_page(shipped, tmp_path):
    """Source: the manifest of the build says of each source whether it is redistributable."""
    shutil.copytree(ROOT / "medzh_score/configs/sdak/mini", tmp_path / "data")
    manifest = tmp_path / "data" / "manifest.json"
    manifest.write_text(
        manifest.read_text(encoding="utf-8").replace('"redistributable": true', '"redistributable": false')
    )
    assert questions_of(shipped, str(tmp_path / "data")) is None


def test_marks_compare_each_claim_with_its_gold_answer(shipped):
    """Source: the extracted answers of the result and the gold answers of the sample, compared here by words."""
    result, questions = shipped, questions_of(shipped, None)
    rows = [row for row in result.items().to_pylist() if row["rule"] == result.report.rule]
    words = {"correct": "正确", "incorrect": "错误"}
    expected = [
        3 if row["answer"] is None else 1 if words[row["answer"]] == questions[row["id"]][2] else 2 for row in rows
    ]
    assert list(items_of(result, "full", questions).marks) == expected
    assert {1, 2, 3} == set(expected)


def test_what_was_read_is_the_same_however_it_was_kept(folders):
    kept, cut = items_of(Result.load(folders / "spans"), "spans"), items_of(Result.load(folders / "full"), "spans")
    marked = [[list(pieces[1::2]) for pieces in one.texts] for one in (kept, cut)]
    assert marked[0] == marked[1]
    assert any(marked[0])
    assert {piece for one in (kept, cut) for pieces in one.texts for piece in pieces[::2]} <= {None, ""}


@pytest.mark.parametrize(
    ("held", "options", "message"),
    [
        (
            "none",
            ["--to", "html", "--include-text", "spans"],
            "does not contain these texts: expected 'none', found",
        ),
        (
            "spans",
            ["--to", "html", "--include-text", "full"],
            "does not contain these texts: expected 'none' or 'spans'",
        ),
        (
            "full",
            ["--to", "text", "--include-text", "full"],
            "option --include-text: only HTML pages contain texts of predictions, found 'full'|only HTML pages contain",
        ),
        (
            "full",
            ["--to", "html", "--width", "90"],
            ("option --width: the option does not apply to HTML pages"),
        ),
        ("full/report.json", ["--to", "html"], "expected a result folder"),
    ],
)
def test_what_cannot_be_shown_is_refused(folders, tmp_path, held, options, message):
    with pytest.raises(MedzhError, match=message):
        called("show", folders / held, *options, "-o", tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


def test_rows_say_of_each_prediction_what_the_result_says(folders):
    result = Result.load(folders / "none")
    columns = {column["head"][0]: column for column in items_of(result, "none").columns}
    rows = [row for row in result.items().to_pylist() if row["rule"] == result.report.rule]
    for head, key in (("item", "item"), ("id", "id")):
        column = columns[head]
        assert [column["names"][at] for at in column["at"]] == [row[key] for row in rows]
    english = [one if isinstance(one, str) else one[0] for one in columns["verdict"]["names"]]
    right = {rows[place]["item"] for place, at in enumerate(columns["verdict"]["at"]) if english[at] == "right"}
    value = result.report.metrics["FactAcc"]
    assert 100 * len(right) / value.n == pytest.approx(value.value)


def test_the_page_is_in_the_language_of_results_at_first(folders):
    result = Result.load(folders / "none")
    for chosen in ("en", "zh"):
        with language(chosen):
            assert f'<html lang="{chosen}"'.encode() in result_page(result)


def test_the_head_counts_predictions_and_runs_as_the_screen_does(folders):
    report = Result.load(folders / "none").report
    page = result_page(Result.load(folders / "none")).decode()
    head = page[page.index('<div class="headline">') : page.index('<h2 id="breakdown">')]
    bounds = bounds_line(report)
    assert bounds
    for line in (coverage_line(report), *bounds, runs_text(report.metrics["FactAcc"])):
        assert str(line) in head


@pytest.mark.parametrize(("config", "tables"), [("tcmd", ["pass-line", "positions"]), ("sdak", ["errors"])])
def test_tables_of_a_config_have_the_decimals_of_its_unit(config, tables, tmp_path):
    score(config, [SAMPLES / config / "predictions.jsonl"], "mini", save=tmp_path / "result", bootstrap=0)
    report = Result.load(tmp_path / "result").report
    page = result_page(Result.load(tmp_path / "result")).decode()
    full = rendered(report, "text", full=True)
    runs = [f"run {number + 1}" for number in range(int(report.signature["runs"]))]
    unit = report.metrics[report.primary_name].unit
    for table in (report.tables[name] for name in tables):
        assert [head for head in table.columns if re.fullmatch(r"run \d+", head)] in ([], runs)
        for number in (cell for row in table.rows for cell in row if cell and isinstance(cell, float)):
            shown = f"{rounded(100 * number, 1)}%" if unit == "fraction" else rounded(number, PAPER_DECIMALS[unit])
            assert f">{shown}<" in page
            assert f" {shown}" in full
    assert (" run 1 " in full) is (config == "sdak")
    assert re.search(r"^ sentences +\d+ +\d+\.\d +\d+\.\d +\d+\.\d$", full, re.MULTILINE)


def test_every_verdict_of_a_config_has_its_chinese():
    known = {english for context, english, _ in messages.entries() if context == "column verdict"}
    words = {"right", "wrong", "mixed", "skipped", "not followed", "both correct", "both incorrect", "reversed"}
    assert words <= known


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0, 100, (0, 25, 50, 75, 100)), (0, 1, (0, 0.25, 0.5, 0.75, 1)), (-12, 30, (-20, 0, 20, 40))],
)
def test_an_axis_has_round_numbers_and_contains_its_values(low, high, expected):
    assert ticks(low, high) == expected


def test_the_axis_of_a_share_ends_at_its_top():
    assert axis_ticks([40.0])[-1] == 100
    assert axis_ticks([-10, 20])[0] <= -10
