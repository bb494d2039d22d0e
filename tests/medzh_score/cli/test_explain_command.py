"""``medzh-score explain``: which predictions it shows, what it says of them, and how it marks what was read."""

from __future__ import annotations

import itertools
import json
import os
import pty
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from places import SAMPLES

from medzh_score.benchmark.answers import Reading, Span
from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.benchmark.rules import Rule, record_alone
from medzh_score.cli.main import main
from medzh_score.data.records import load_records
from medzh_score.render.predictions import PLAIN, TERMINAL, with_marks
from medzh_score.scoring import explain as explaining
from medzh_score.scoring.explain import meaning

FACTUAL, COUNTER = "sdak-disease_cause-0001-f", "sdak-disease_cause-0001-c"


@pytest.fixture
def explain(minis, capsysbinary):
    def run(config, *arguments, file=None):
        path = file or SAMPLES / config / "predictions.jsonl"
        status = main(["explain", config, str(path), "--data", str(minis), *map(str, arguments)])
        out, err = capsysbinary.readouterr()
        return status, out.decode("utf-8"), err.decode("utf-8")

    return run


@pytest.fixture
def said(tmp_path, write_lines):
    def file(*texts, **more):
        return write_lines(
            tmp_path / "p.jsonl",
            [{"id": FACTUAL, "prediction": text, "run": run, **more} for run, text in enumerate(texts)],
        )

    return file


def test_a_prediction_is_shown_by_every_rule_with_its_words_marked(explain, said):
    status, printed, errors = explain("sdak", "--id", FACTUAL, file=said("正确，\n理由⟦略⟧\t\x1b[31m"))
    assert status == 0
    assert errors.endswith("p.jsonl: read as native format\n")
    assert printed.splitlines()[0] == f"{FACTUAL} (run 1) p.jsonl:1"
    assert "  gold answer: 正确\n" in printed
    assert "  official: correct, pattern 正确[:5]: 正确 is in the first 5 characters\n" in printed
    verdict = "medzh-1: correct (unambiguous), pattern verdict at the beginning: the text begins with the verdict"
    assert verdict in " ".join(printed.split())
    assert printed.endswith("    | ⟦正确⟧， ↵ 理由\\u27e6略\\u27e7\\t\\x1b[31m\n")
    full = explain("sdak", "--id", FACTUAL, "--full", file=said("正确，\n理由⟦略⟧\t\x1b[31m"))[1]
    assert full.endswith("    | ⟦正确⟧，\n    | 理由\\u27e6略\\u27e7\\t\\x1b[31m\n")
    assert printed.count("⟦") == printed.count("⟧") == 1


def test_json_has_the_raw_text_and_spans_as_numbers(explain, said):
    text = "答：\n不正确\u2028\x9b⟦"
    plain = json.loads(explain("sdak", "--id", FACTUAL, "--to", "json", file=said(text))[1])
    (one,) = plain["predictions"]
    assert one["text"] == text
    (part,) = one["parts"]
    assert part["rules"]["official"] == {
        "answer": "incorrect",
        "found_by": "不正确[:10]",
        "reason": "不正确 is in the first 10 characters",
        "unambiguous": False,
        "spans": [[3, 6]],
    }
    assert one["asked"].startswith("下列说法是否正确")


def test_which_predictions_are_shown(explain, said):
    file = said("难说", "正确", "难说", "", "错误")

    def heads(*arguments):
        printed = explain("sdak", *arguments, file=file)[1]
        return re.findall(rf"^{FACTUAL} \(run (\d)\) p\.jsonl:\d$", printed, re.MULTILINE)

    assert heads("--id", FACTUAL) == ["1", "2", "3", "4", "5"]
    assert heads("--id", FACTUAL, "--run", 3) == ["3"]
    assert heads("--unparsed", 2) == ["1", "3"]
    assert heads("--unparsed", 9) == ["1", "3", "4"]
    assert heads("--pattern", "empty", "--rule", "medzh-1") == ["4"]
    assert heads("--rule", "official", "--pattern", "错误[:3]") == ["5"]
    assert heads("--pattern", "nothing", "--limit", 1) == ["1"]


def test_a_rule_that_cannot_say_where_says_so(explain, said, monkeypatch):
    """Any package may bring one; ours and the papers' can."""
    silent = Rule("silent", "what it is told", record_alone(lambda _text, _side: Reading("correct", "guess")))
    config = replace(find_config("sdak"), rules=(silent,))
    monkeypatch.setattr(explaining, "find_config", lambda _: config)
    file = said("正确")
    printed = explain("sdak", "--id", FACTUAL, file=file)[1]
    assert "  silent: correct, pattern guess (the rule returns no position): guess\n" in printed
    told = json.loads(explain("sdak", "--id", FACTUAL, "--to", "json", file=file)[1])
    assert told["predictions"][0]["parts"][0]["rules"]["silent"]["spans"] is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "no predictions are selected\n  Fix: add --id ID, --unparsed N or --pattern NAME"),
        (("--run", 1), "no predictions are selected"),
        (("--id", "x"), "the id is not in the data"),
        (("--id", COUNTER), f"no prediction has this id: found '{COUNTER}'"),
        (("--id", FACTUAL, "--variant", 0, "--run", 7), "no prediction of run 7 with option order 0 has this id"),
        (("--id", COUNTER, "--variant", 0), "no prediction with option order 0 has this id"),
        (("--id", FACTUAL, "--run", 7), "no prediction of run 7 has this id"),
        (("--id", FACTUAL, "--rule", "x"), "expected medzh-1, official"),
    ],
)
def test_what_is_not_there_is_an_error(explain, said, arguments, words):
    status, printed, errors = explain("sdak", *arguments, file=said("正确"))
    assert (status, printed) == (2, "")
    assert words in errors


def test_a_group_shows_each_part_and_a_part_itself(explain):
    lines = [
        json.loads(line) for line in (SAMPLES / "tcmd" / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    group = next(line["id"] for line in lines if "1.D 2.E" in line["prediction"])
    plain = json.loads(explain("tcmd", "--id", group, "--to", "json")[1])["predictions"]
    assert [part["id"] for part in plain[0]["parts"]] == [f"{group}-1", f"{group}-2"]
    (alone,) = json.loads(explain("tcmd", "--id", f"{group}-2", "--run", 1, "--variant", 0, "--to", "json")[1])[
        "predictions"
    ]
    assert [part["id"] for part in alone["parts"]] == [f"{group}-2"]
    assert alone["parts"][0]["rules"]["medzh-1"]["spans"] == [[6, 7]]


@pytest.mark.parametrize("config", config_names())
def test_every_name_that_decides_has_a_meaning_in_words(config, minis):
    """Told of the sample and of texts that say nothing, decline, hedge, contradict or are cut off."""
    found = find_config(config)
    rows = load_records(minis, config, columns=found.columns).rows
    lines = (SAMPLES / config / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["prediction"] for line in lines]
    texts += [
        *("", "难说", "抱歉，我无法回答。", "正确错误", "不是错误", "A或B", "选A。选B", "Z", "如果选A", "不选A"),
        *("<think>", "是。否。"),
    ]
    checked = 0
    for one in found.queries(rows, found.layout(rows))[:30]:
        for rule, text in itertools.product(found.rules, texts):
            for answer in rule.read(text, one.context, 0):
                assert meaning(rule, answer.reason, answered=answer.value is not None), (answer.reason, text)
                checked += 1
    assert checked > 100


def test_reverse_video_marks_each_line_and_hides_no_text():
    text = "甲\n乙丙\n丁"
    shown = with_marks(text, [Span(0, 4)], TERMINAL)
    assert shown == "    | \x1b[7m甲\x1b[27m\n    | \x1b[7m乙丙\x1b[27m\n    | 丁\n"
    assert with_marks(text, [Span(2, 4), Span(3, 6)], PLAIN) == "    | 甲\n    | ⟦乙丙\n    | 丁⟧\n"
    assert with_marks("\ud800", (), PLAIN) == "    | \\ud800\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("more", "colours"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_only_a_terminal_gets_reverse_video(minis, said, forked, more, colours):
    arguments = ["-m", "medzh_score", "explain", "sdak", str(said("正确")), "--data", str(minis), "--id", FACTUAL]
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "PYTHONUTF8": "1", **more}
    subprocess.run([sys.executable, *arguments], stdout=follower, env=environment, check=True)
    os.close(follower)
    shown = os.read(leader, 65_536).decode("utf-8")
    os.close(leader)
    assert ("\x1b[7m正确\x1b[27m" in shown) == colours
    assert ("⟦正确⟧" in shown) != colours
    piped = forked(*arguments, env=environment).stdout
    assert "⟦正确⟧" in piped
    assert "\x1b" not in piped


def test_a_wording_that_nothing_knows_is_an_error_and_the_nearest_is_named(explain, said):
    file = said("正确", "难说")
    status, printed, told = explain("sdak", "--rule", "official", "--pattern", "正确[:4]", file=file)
    assert (status, printed) == (2, "")
    assert "rule official has no such pattern, or the pattern matches no prediction" in told
    assert "expected 正确[:5], found '正确[:4]'" in told
    status, _, told = explain("sdak", "--rule", "medzh-1", "--pattern", "emty", file=file)
    assert (status, "expected empty, found 'emty'" in told) == (2, True)
    # What is a reason, and decided nothing here, is an answer: there are none.
    status, printed, told = explain("sdak", "--rule", "medzh-1", "--pattern", "empty", file=file)
    assert (status, printed, "No predictions match." in told) == (0, "", True)
