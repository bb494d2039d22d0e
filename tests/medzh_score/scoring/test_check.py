"""What a predictions file holds, counted before it is scored: each count against the file that was written."""

from __future__ import annotations

import io
import json
import re
import shlex
from collections import Counter

import pytest
from round_cases import case_of

from medzh_score.benchmark.registry import config_names
from medzh_score.cli.main import main
from medzh_score.data.records import Origin, Records
from medzh_score.render.check import rendered_check
from medzh_score.scoring.check import check
from medzh_score.scoring.pipeline import score
from medzh_score.ui.errors import MedzhError

DECLINES = "抱歉，我无法回答这个问题。"
LISTED = re.compile(r"^ First (\d) unparsed predictions\n((?:   .*\n)*)", re.MULTILINE)


@pytest.fixture
def rows(made_claims):
    return made_claims(A=30, B=20)


@pytest.fixture
def data(rows):
    return Records("sdak", "test", list(rows), Origin("0.0.0", "official", "ab" * 32))


@pytest.fixture
def lines(rows):
    """One line a claim, all different, all answered."""
    return [{"id": row["id"], "prediction": f"正确。理由{index}"} for index, row in enumerate(rows)]


@pytest.fixture
def checked(tmp_path, write_lines, data):
    def run(lines, **options):
        return check("sdak", [write_lines(tmp_path / "p.jsonl", lines)], data, **options)

    return run


def said(found):
    return rendered_check(found, "text", full=True)


def test_a_sound_file_is_called_sound(checked, lines):
    found = checked(lines)
    assert (found.status, found.sound, found.why_not, found.error) == (0, True, (), None)
    assert (found.coverage.expected, found.coverage.read, found.coverage.missing) == (100, 100, 0)
    assert found.seen.texts == 100
    assert found.seen.languages == {"Chinese": 100, "English": 0, "mixed": 0, "other": 0, "none": 0}
    assert said(found).startswith("Ready to score.\n")
    next_command = said(found).partition("\n Next: score the predictions:\n")[2].partition("\n\n")[0]
    assert shlex.split(next_command.replace("\\\n", " "))[:3] == ["medzh-score", "score", "sdak"]


@pytest.mark.parametrize(
    ("change", "count", "what"),
    [
        (lambda line, index: None if index < 1 else line, 1, "missing"),
        (lambda line, index: line | {"prediction": "难说"} if index < 20 else line, 20, None),
        (lambda line, index: line | {"prediction": "难说"} if index < 21 else line, 21, "unparsed"),
        (lambda line, index: line | {"finish_reason": "length"} if index < 5 else line, 5, None),
        (lambda line, index: line | {"finish_reason": "length"} if index < 6 else line, 6, "truncated"),
    ],
)
def test_scoring_is_sound_up_to_the_limits_and_not_above(checked, lines, change, count, what):
    changed = [change(line, index) for index, line in enumerate(lines)]
    found = checked([line for line in changed if line])
    assert found.status == (1 if what else 0)
    assert [reason.what for reason in found.why_not] == ([what] if what else [])
    if what:
        assert found.why_not[0].count == getattr(found.coverage, what) == count
        assert said(found).startswith("Not ready to score: ")
        assert "\n Next: " in said(found)


def test_all_that_a_text_can_be_is_counted(checked, lines):
    texts = [
        *("", " \n", DECLINES, "Correct.", "да, верно", "7", "正确 correct"),
        *("<think>想一想", "<think>想</think>正确。"),
    ]
    for line, text in zip(lines, texts, strict=False):
        line["prediction"] = text
    lines[9]["finish_reason"] = lines[2]["finish_reason"] = "content_filter"
    lines[10]["finish_reason"] = "length"
    found = checked(lines, rule="medzh-1")
    assert found.seen.languages == {"Chinese": 93, "English": 1, "mixed": 1, "other": 1, "none": 4}
    assert (found.coverage.empty, found.coverage.truncated, found.filtered) == (3, 1, 2)
    assert (found.seen.declined, found.seen.declined_or_filtered, found.seen.unclosed) == (1, 2, 1)
    assert found.coverage.refused == 2
    plain = found.as_dict()
    assert plain["refusals"] == {"file": 2, "text": 1, "either": 2}
    # What thinks before it answers is read without its thoughts, and what never stops says nothing.
    assert plain["unparsed"]["reason"] == {"empty": 3, "nothing": 2, "refusal": 1}
    assert [one["reason"] for one in plain["unparsed"]["examples"]] == [
        "empty",
        "empty",
        "refusal",
        "nothing",
        "nothing",
    ]
    assert [one["line"] for one in plain["unparsed"]["examples"]] == [1, 2, 3, 5, 6]
    listed = [LISTED.search(rendered_check(found, "text", width)) for width in range(20, 80)]
    assert {(int(one[1]), one[2].count("\n")) for one in listed if one} == {
        (1, 1),
        (3, 3),
    }  # as many as there is room for


def test_missing_predictions_and_failed_requests_are_named_with_their_reasons(checked, lines, rows):
    kept = lines[7:]
    failed = [{"id": line["id"], "prediction": "", "error": reason} for line, reason in zip(lines, "xyy", strict=False)]
    mended = [{"id": lines[50]["id"], "prediction": "", "error": "made up for"}]
    found = checked([*failed, *mended, *kept])
    assert found.coverage.missing == 7
    assert found.as_dict()["missing"] == [f"{row['id']} run 0" for row in rows[:5]]
    assert found.failed == {"y": 2, "x": 1}
    assert "Failed requests: 3 (y 2, x 1)" in said(found)


def test_repeated_lines_and_unknown_ids_are_counted_and_the_first_five_named(checked, lines):
    repeated = [lines[index] for index in (3, 3, 5, 7, 9, 11, 13)]
    unknown = [{"id": f"sdak-x-{index}", "prediction": "正确。"} for index in range(6)]
    found = checked([*lines, *repeated, *unknown])
    assert found.status == 2
    assert found.seen.duplicates.count == 7
    assert [(one.id, one.line) for one in found.seen.duplicates.first] == [
        (line["id"], 101 + index) for index, line in enumerate(repeated[:5])
    ]
    assert found.seen.unknown.count == 6
    assert [(one.id, one.line) for one in found.seen.unknown.first] == [(f"sdak-x-{i}", 108 + i) for i in range(5)]
    assert (found.coverage.read, found.coverage.missing, found.seen.texts) == (100, 0, 100)
    assert all(f" p.jsonl:{line}" in said(found) for line in (*range(101, 106), *range(108, 113)))


@pytest.mark.parametrize(
    "fault",
    [
        [{"id": "sdak-x", "prediction": "正确。"}],
        [{"id": None, "prediction": "正确。"}],
        [{"id": "OWN", "prediction": "正确。", "variant": 3}],
        [{"id": "OWN", "prediction": "正确。"}],
    ],
)
def test_the_error_is_that_of_scoring_and_the_counts_go_as_far_as_they_can(tmp_path, write_lines, data, lines, fault):
    fault = [line | {"id": lines[0]["id"]} if line["id"] == "OWN" else line for line in fault]
    path = write_lines(tmp_path / "p.jsonl", [*lines[:60], *fault, *lines[60:80]])
    with pytest.raises(MedzhError) as raised:
        score("sdak", path, data)
    found = check("sdak", [path], data)
    assert str(found.error) == str(raised.value)
    assert found.status == 2
    assert found.coverage.read == (80 if isinstance(fault[0]["id"], str) and "variant" not in fault[0] else 60)
    assert found.as_dict()["error"] == str(raised.value)


def test_where_every_id_is_unknown_nothing_is_covered(checked):
    found = checked([{"id": f"x{index}", "prediction": "正确。"} for index in range(3)])
    assert (found.status, found.coverage, found.seen.unknown.count) == (2, None, 3)
    assert "3 predictions have ids that are not in the data" in str(found.error)
    assert said(found).startswith("Scoring is not possible.\n\n Unknown ids: 3, such as x0 (run 1) p.jsonl:1")


@pytest.mark.parametrize(("same", "expected"), [(50, 0), (51, 51), (100, 100)])
def test_one_text_for_more_than_half_is_told(checked, lines, same, expected):
    """A majority is found wherever its texts stand."""
    places = [index * 37 % 100 for index in range(same)]  # 37 and 100 have no common divisor
    for place in places:
        lines[place]["prediction"] = "正确。\n" if place % 2 else "正确。"
    found = checked(lines)
    assert found.seen.constant == expected
    assert found.as_dict()["identical"] == {"count": expected, "of": 100, "text": "正确。" if expected else None}
    assert ("predictions have the same text" in said(found)) == bool(expected)


@pytest.mark.parametrize("form", ["text", "json", "markdown", "latex"])
def test_what_is_shown_can_be_written_and_acts_on_no_terminal(tmp_path, data, lines, form):
    lines[0]["prediction"] = "\x1b[31m\x9b\u2028" + "坏" * 300
    lines[1] = {"id": lines[1]["id"], "prediction": "", "error": "\x1b[2J"}
    lines[2]["id"] = "\x1b]0;x"
    path = tmp_path / "p.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="ascii")
    shown = rendered_check(check("sdak", [path], data), form, full=True)
    assert shown.encode("utf-8")
    assert not any(sign in shown for sign in "\x1b\x9b\u2028")
    assert "坏" * 100 in shown
    assert "坏" * 161 not in shown
    assert shown.endswith("\n")
    if form == "json":
        assert json.loads(shown)["unparsed"]["examples"][0]["text"].startswith(r"\x1b[31m\x9b")


def test_a_rule_that_takes_whole_texts_says_what_unanswered_means(sdak_sample, minis):
    told = {}
    for config in config_names():
        found = check(config, [sdak_sample.parent / config / "predictions.jsonl"], minis)
        assert found.status in {0, 1}
        assert found.seen.texts == found.coverage.read == sum(found.seen.languages.values())
        told[config] = "uses the complete text as the answer" in " ".join(said(found).split())
    assert {config for config, whole in told.items() if whole} == {
        *("care_mi", "cmhe_ce", "pemebench", "pemebench_huatuo")
    }


def printed(capsysbinary, *arguments):
    status = main(["check", "sdak", *map(str, arguments)])
    out, err = capsysbinary.readouterr()
    return status, out.decode("utf-8"), err.decode("utf-8")


def test_standard_input_is_called_so(capsysbinary, monkeypatch, sdak_build, sdak_sample):
    content = (sdak_sample / "predictions.jsonl").read_bytes() + b'{"id": 5}\n'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    status, written, errors = printed(capsysbinary, "-", "--data", sdak_build, "--to", "json")
    assert status == 2
    assert json.loads(written)["coverage"]["read"] == 204
    assert json.loads(written)["error"] in errors
    assert "medzh-" not in json.loads(written)["error"]


@pytest.mark.parametrize(
    ("text", "named"), [("正确。", "score"), ("难说", "explain"), (None, "score")], ids=["sound", "unparsed", "missing"]
)
def test_the_next_command_runs_as_it_stands(capsysbinary, sdak_build, sdak_sample, tmp_path, text, named):
    lines = list(map(json.loads, (sdak_sample / "predictions.jsonl").read_text(encoding="utf-8").splitlines()))
    folder = tmp_path / "what came back"
    folder.mkdir()
    changed = [line | {"prediction": text or line["prediction"]} for line in lines[0 if text else 1 :]]
    paths = [folder / "a.jsonl", folder / "b.jsonl"]
    for path, part in zip(paths, (changed[:50], changed[50:]), strict=True):
        path.write_text("".join(json.dumps(line) + "\n" for line in part), encoding="utf-8")
    options = ("--data", sdak_build, "--from", "native", "--rule", "medzh-1")
    _, shown, _ = printed(capsysbinary, *paths, *options)
    words = shlex.split(shown[shown.rindex("medzh-score") :].replace("\\\n", " "))
    assert (words[1], set(map(str, (*paths, *options))) <= set(words)) == (named, True)
    assert main(words[1:]) == 0


# Forms of text: the form, the text, and what our rule makes of it in CMHE-HD.
TOLD = (
    ("bare", "是", "unambiguous"),
    ("bare", "无法判断。", "unparsed"),
    ("empty", " \n", "unparsed"),
    ("reasoning before", "<think>再想想</think>\n是", "unambiguous"),
    ("markup", "**否**", "unambiguous"),
    ("JSON", '{"answer": "是"}', "unambiguous"),
)


@pytest.fixture
def case(request, minis, tmp_path, capfdbinary):
    return case_of(request.param, minis, tmp_path, capfdbinary)


@pytest.mark.parametrize("kept", [(), ("--keep-reasoning",)])
@pytest.mark.parametrize("case", ["cmhe_hd"], indirect=True)
def test_check_and_the_report_count_forms_alike_and_add_up(case, kept):
    """Where reasoning is removed, what stood behind it is what counts."""
    written = [TOLD[number % len(TOLD)] for number in range(len(case.records))]
    lines = [{"id": one["id"], "prediction": text} for one, (_, text, _) in zip(case.records, written, strict=True)]
    counted = Counter(("bare" if form == TOLD[3][0] and not kept else form, read) for form, _, read in written)
    wanted = {}
    for (form, read), count in counted.items():
        of = wanted.setdefault(form, {"predictions": 0, "unparsed": 0, "unambiguous": 0})
        of["predictions"] += count
        of[read] += count
    path = case.write("told.jsonl", lines)
    checked = json.loads(case.call("check", "cmhe_hd", path, "--to", "json", *kept)[1])
    scored = json.loads(case.call("score", "cmhe_hd", path, "--bootstrap", "0", "--to", "json", *kept)[1])
    assert checked["response_formats"] == scored["response_formats"] == wanted
    for key in ("unparsed", "unambiguous"):
        assert checked["coverage"][key] == sum(one[key] for one in wanted.values())


@pytest.mark.parametrize(
    ("case", "rule", "share"),
    [("sdak", "official", False), ("sdak", "medzh-1", True), ("cmhe_ce", "medzh-1", False)],
    indirect=["case"],
)
def test_only_a_rule_that_says_what_is_clear_shows_a_share_of_it(case, rule, share):
    shown = case.call("check", case.config.name, case.predictions, "--rule", rule, "--full")[1]
    assert f"parsed by {rule}" in shown
    assert (f"parsed unambiguously by {rule}" in shown) == share
    assert ("by response format" in shown) == (case.config.name == "sdak")  # else the whole text is the answer
