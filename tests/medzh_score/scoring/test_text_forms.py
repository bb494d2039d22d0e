"""What share was read, clear and unread, by form of text: counted by hand, shown in words and as numbers."""

from __future__ import annotations

import json

import pytest
from round_cases import case_of

from medzh_score.benchmark.answers import FORMS, form_of

# The form, the text, and what our rule makes of it in CMHE-HD.
TOLD = (
    ("bare", "是", "clear"),
    ("bare", "否", "clear"),
    ("bare", "无法判断。", "unread"),
    ("empty", "", "unread"),
    ("empty", " \n", "unread"),
    ("reasoning before", "<think>再想想</think>\n是", "clear"),
    ("markup", "**否**", "clear"),
    ("JSON", '{"answer": "是"}', "clear"),
)


@pytest.fixture
def case(request, minis, tmp_path, capfdbinary):
    return case_of(request.param, minis, tmp_path, capfdbinary)


@pytest.mark.parametrize(("form", "text", "_read"), TOLD)
def test_the_form_of_a_text_is_told(form, text, _read):
    assert FORMS[form_of(text)] == form


def told(case):
    lines = [{"id": one["id"], "prediction": TOLD[n % len(TOLD)][1]} for n, one in enumerate(case.records)]
    return case.write("told.jsonl", lines), [TOLD[n % len(TOLD)] for n in range(len(lines))]


@pytest.mark.parametrize("kept", [(), ("--keep-reasoning",)])
@pytest.mark.parametrize("case", ["cmhe_hd"], indirect=True)
def test_check_and_the_report_count_alike_and_add_up(case, kept):
    """Where reasoning is removed, what stood behind it is what counts."""
    path, written = told(case)
    if not kept:
        written = [("bare" if form == "reasoning before" else form, *more) for form, *more in written]
    wanted = {
        name: {
            "predictions": sum(form == name for form, *_ in written),
            "unread": sum((form, read) == (name, "unread") for form, _, read in written),
            "clear": sum((form, read) == (name, "clear") for form, _, read in written),
        }
        for name in dict.fromkeys(form for form, *_ in written)
    }
    checked = json.loads(case.call("check", "cmhe_hd", path, "--to", "json", *kept)[1])
    scored = json.loads(case.call("score", "cmhe_hd", path, "--bootstrap", "0", "--to", "json", *kept)[1])
    assert checked["forms"] == scored["forms"] == wanted
    for key in ("unread", "clear"):
        assert checked["coverage"][key] == sum(one[key] for one in wanted.values())
    unread, clear = scored["coverage"]["unread"], scored["coverage"]["clear"]
    shown = case.call("score", "cmhe_hd", path, "--bootstrap", "0")[1]
    assert f"{len(written) - unread} read ({clear} clear), {unread} unread" in shown


@pytest.mark.parametrize("case", ["sdak"], indirect=True)
def test_a_rule_that_does_not_say_what_is_clear_shows_no_share_of_it(case):
    shown = case.call("check", "sdak", case.predictions, "--rule", "official")[1]
    assert "read by official" in shown
    assert "clear by official" not in shown
    (row,) = (line.split() for line in shown.splitlines() if line.lstrip().startswith("sentences"))
    assert row[3] == "-"
    assert "clear by medzh-1" in case.call("check", "sdak", case.predictions, "--rule", "medzh-1")[1]


@pytest.mark.parametrize("case", ["cmhe_ce"], indirect=True)
def test_where_the_whole_text_is_the_answer_its_form_decides_nothing(case):
    shown = case.call("check", "cmhe_ce", case.predictions)[1]
    assert "by form of text" not in shown
    assert "clear by" not in shown
