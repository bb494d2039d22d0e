"""The screens of score, show, check, explain and suite status: their size, their order, and their numbers."""

from __future__ import annotations

import json
import shlex

import pytest
from places import SAMPLES
from rich.cells import cell_len

from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.cli.main import main
from medzh_score.render.check import PATTERNS
from medzh_score.render.screen import OF_DATA, labeled
from medzh_score.results.warnings import REPLIES, SUMMARIES, TEMPLATES, ReportWarning, warn
from medzh_score.scoring.explain import NO_ANSWER
from medzh_score.ui import i18n
from medzh_score.ui.i18n import _n, translated
from medzh_score.ui.numbers import percent

LINES, WIDTH = 25, 80
MODEL = "组织/a-model-with-a-name-that-fills-more-than-a-line-" + "x" * 60
LANGUAGES = ("en", "zh")


@pytest.fixture
def run(calling, tmp_path, monkeypatch):
    """Give a function that calls a command in a folder of short names, and its lines."""
    monkeypatch.chdir(tmp_path)

    def call(*words, status=0):
        found, printed, errors = calling(*words)
        assert found == status, errors
        assert "\x1b" not in printed
        return printed.splitlines()

    return call


@pytest.fixture
def predictions(tmp_path):
    """Give a function that writes the sample predictions of a config for some runs, the later ones less complete."""

    def write(config, runs):
        lines = (SAMPLES / config / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        if len({row.get("run", 0) for row in rows}) == 1:
            rows = [
                row | {"run": number, **({"prediction": "难说"} if number and place % 5 == number else {})}
                for number in range(runs)
                for place, row in enumerate(rows)
            ]
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (tmp_path / "p.jsonl").write_text(text, encoding="utf-8")
        return "p.jsonl"

    return write


def fits(lines, most=LINES, width=WIDTH):
    assert len(lines) <= most, "\n".join(lines)
    assert max(map(cell_len, lines)) <= width, max(lines, key=cell_len)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("runs", [1, 3])
@pytest.mark.parametrize("config", config_names())
def test_score_fits_one_screen_and_shows_the_numbers_of_the_json(run, predictions, config, runs, language):
    arguments = ("score", config, predictions(config, runs), "--data", "mini", "--bootstrap", "20", "--model", MODEL)
    lines = run(*arguments, "--lang", language, "--save", "result")
    fits(lines)
    assert lines[0].startswith(f"{config} of " if language == "en" else f"{config}：")
    assert lines[2].startswith("! mini")
    report = json.loads("\n".join(run(*arguments, "--to", "json")))
    shown = [line for line in lines if line.startswith(f" {report['primary_metric']['name']} ")]
    for name, value in ((name, value) for name, value in report["metrics"].items() if value["value"] is not None):
        number = percent(value["value"], value["unit"]) + ("" if name.startswith("gap") else "%")
        rows = [line.split() for line in lines if line.split()[:1] == [name]]
        assert all(number in row for row in rows[:1]), rows
    if report["primary_metric"]["value"] is not None:
        assert lines.index(shown[0]) == 5  # after the title, the question, the data and the heading
    labels = ("saved", "more") if language == "en" else ("已保存", "更多")
    assert [line.split()[0] for line in lines if line.split()[:1] in ([labels[0]], [labels[1]])] == list(labels)


@pytest.mark.parametrize("config", config_names())
def test_what_is_saved_is_shown_later_in_full(run, predictions, config):
    arguments = ("score", config, predictions(config, 3), "--data", "mini", "--bootstrap", "20")
    full = run(*arguments, "--full", "--save", "result")
    assert run("show", "result", "--full") == full
    short = run("show", "result")
    fits(short)
    report = json.loads("\n".join(run("show", "result", "--to", "json")))
    text = "\n".join(full)
    assert all(f" {name} " in text for name, value in report["metrics"].items() if value["value"] is not None)
    titled = [line for line in full if f"({config}, rule {report['rule']}, " in line.replace("\n  ", " ")]
    assert len(titled) >= len(report["groups"])
    assert full[-1].startswith("Signature: ")


@pytest.mark.parametrize("config", config_names())
def test_the_next_command_runs_as_it_is_pasted(run, predictions, config):
    lines = run("score", config, predictions(config, 3), "--data", "mini", "--bootstrap", "0")
    text = "\n".join(lines)
    (*_, command) = text.partition(" next ")
    if command:
        words = shlex.split(command.replace("\\\n", " "))
        assert words[0] == "medzh-score"
        assert main(words[1:]) == 0


@pytest.mark.parametrize("width", [60, 100, 300])
def test_a_given_width_is_kept_up_to_a_hundred_columns(run, predictions, width):
    lines = run("score", "sdak", predictions("sdak", 3), "--data", "mini", "--bootstrap", "0", "--width", width)
    assert max(map(cell_len, lines)) <= min(width, 100)


def test_markdown_is_short_unless_asked_otherwise(run, predictions):
    arguments = ("score", "sdak", predictions("sdak", 1), "--data", "mini", "--to", "markdown")
    short, full = run(*arguments), run(*arguments, "--full")
    assert "| FactAcc ↑ | 52.0 (42.4–61.4) | 40.2 (31.2–49.9) |" in short
    assert len(short) < len(full)


@pytest.mark.parametrize(
    ("change", "options", "first"),
    [
        (lambda lines: lines, (), "! mini sample"),
        (lambda lines: lines[7:], ("--missing", "wrong"), "! 7 of 204 predictions are missing"),
    ],
    ids=["whole", "missing"],
)
def test_the_gravest_warning_is_a_line_of_the_screen(run, tmp_path, predictions, change, options, first):
    path = tmp_path / predictions("sdak", 1)
    path.write_text("\n".join(change(path.read_text(encoding="utf-8").splitlines())) + "\n", encoding="utf-8")
    lines = run("score", "sdak", "p.jsonl", "--data", "mini", "--bootstrap", "0", *options)
    assert any(line.strip().startswith(first) for line in lines)


@pytest.mark.parametrize("full", [(), ("--full",), ("--to", "markdown")])
@pytest.mark.parametrize(
    ("answer", "missing", "english", "chinese"),
    [
        ("正确", "wrong", "missing answers", "受缺失预测影响"),
        ("难说", "wrong", "unparsed and missing answers", "受未提取答案和缺失预测影响"),
        ("难说", "skip", "unparsed answers", "受未提取答案影响"),
    ],
)
def test_the_bounds_name_what_they_depend_on(run, tmp_path, answer, missing, english, chinese, full):
    lines = (SAMPLES / "sdak" / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    answers = ["正确"] * (len(lines) - 9) + [answer] * 4
    rows = [json.loads(line) | {"prediction": said} for line, said in zip(lines, answers, strict=False)]
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    arguments = ("score", "sdak", "p.jsonl", "--data", "mini", "--bootstrap", "0", "--missing", missing, *full)
    assert f"at best, depending on {english}" in " ".join(line.strip() for line in run(*arguments))
    assert f" {chinese}：最差" in " ".join(run(*arguments, "--lang", "zh"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("config", config_names())
def test_check_begins_with_the_verdict_and_fits_one_screen(
    calling, predictions, config, language, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    status, printed, _ = calling("check", config, predictions(config, 3), "--data", "mini", "--lang", language)
    lines = printed.splitlines()
    fits(lines)
    ready, not_ready = {"en": ("Ready", "Not ready to score: "), "zh": ("可以评分", "暂不建议评分：")}[language]
    assert lines[0].startswith(not_ready if status else ready)
    assert any("medzh-score " in line for line in lines)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("config", config_names())
def test_an_explained_prediction_is_short(run, predictions, config, language):
    identifier = json.loads((SAMPLES / config / "predictions.jsonl").read_text(encoding="utf-8").splitlines()[0])["id"]
    name = predictions(config, 1)
    lines = run("explain", config, name, "--data", "mini", "--id", identifier, "--run", "1", "--lang", language)
    heads = [line for line in lines if line.startswith(identifier)]
    parts = max(1, sum(line.startswith("  ") and line.strip().startswith(f"{identifier}-") for line in lines))
    assert len(lines) <= len(heads) * (8 + 6 * parts * len(find_config(config).rules)), "\n".join(lines)
    assert max(map(cell_len, lines)) <= WIDTH


def test_a_long_text_is_folded_around_its_match(run, tmp_path):
    text = "前文" * 500 + "。答案是：正确。" + "后文" * 500
    (tmp_path / "p.jsonl").write_text(
        json.dumps({"id": "sdak-disease_cause-0001-f", "prediction": text}) + "\n", encoding="utf-8"
    )
    arguments = ("explain", "sdak", "p.jsonl", "--data", "mini", "--id", "sdak-disease_cause-0001-f")
    lines = run(*arguments)
    assert len(lines) <= 16
    assert any("⟦" in line for line in lines)
    assert sum(line.count("前文") for line in lines) <= 130
    assert sum(line.count("前文") for line in run(*arguments, "--full")) >= 500


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_status_of_a_suite_fits_one_screen(run, language):
    configs = ("sdak", "tcmd", "cmhe_hd", "cmhe_dd", "cmhe_ce", "care_mi", "pemebench")
    run("suite", "plan", "s", "--models", "A-model-with-a-long-name", "B", "C", "--configs", *configs, "--data", "mini")
    lines = run("suite", "status", "s", "--lang", language, status=3)
    fits(lines)
    assert " 0" in lines[0]
    assert any("medzh-score suite prompts s" in line for line in lines[-3:])
    narrow = run("suite", "status", "s", "--lang", language, "--width", "60", status=3)
    fits(narrow, most=60, width=60)


# What warnings hold, as long as in a large suite.
PARAMS = {
    **dict.fromkeys(("count", "missing", "expected", "unparsed", "read", "truncated", "some", "files"), 12_345),
    **dict.fromkeys(("dropped", "of", "agreeing", "judged", "answered", "audited", "unreadable", "fewest"), 12_345),
    **dict.fromkeys(("stage", "by", "name", "model", "metric"), "hallucination"),
    "made": "mini",
    "recipe": "official",
    "metrics": ["precision", "recall"],
    "first": "sdak-1: timed out",
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", SUMMARIES)
def test_a_warning_of_the_screen_is_one_line(code, language):
    warning = ReportWarning(code, "warning", PARAMS, ("judged", "unreadable"))
    with i18n.language(language):
        text = translated(warning.summary if code in OF_DATA else labeled(warning, warning.summary))
    assert cell_len(text) <= WIDTH - 2  # after a sign or a blank
    assert "{" not in text


def test_every_warning_has_a_short_form():
    assert {*TEMPLATES, *REPLIES, "stage_labels"} - {*SUMMARIES, "bounds_of_open_answers"} == set()


def test_a_count_of_one_is_singular():
    lines = [str(warn("requests_failed", count=count, first="x").summary) for count in (1, 2)]
    assert lines[0] == "1 request failed and counts as missing; send it again"
    assert lines[1] == "2 requests failed and count as missing; send them again"
    with i18n.language("zh"):
        assert [translated(_n("{n} run", "{n} runs", n)) for n in (1, 2)] == ["1 次采样", "2 次采样"]


@pytest.mark.parametrize("reason", NO_ANSWER)
def test_why_a_prediction_is_unparsed_has_a_chinese_name_beside_that_for_the_option(reason):
    with i18n.language("zh"):
        name, _blank, of_the_option = translated(reason, PATTERNS).partition(" ")
    assert of_the_option == reason
    assert not name.isascii()
