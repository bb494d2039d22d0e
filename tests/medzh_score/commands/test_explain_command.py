"""``medzh-score explain``: which predictions it shows, what it says of them, and how it marks what was read."""

from __future__ import annotations

import itertools
import json
import os
import pty
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import pytest
from places import SAMPLES

from medzh_score.benchmark.answers import Reading, Span
from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.benchmark.rules import Rule, record_alone
from medzh_score.cli.main import main
from medzh_score.data.records import load_records
from medzh_score.render.explain import PLAIN, TERMINAL, with_marks
from medzh_score.scoring import explain as explaining
from medzh_score.scoring.explain import ANSWERS, NO_ANSWER, meaning

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
    assert errors.endswith("p.jsonl: read as native lines\n")
    assert printed.splitlines()[0] == f"{FACTUAL} run 0 (p.jsonl:1)"
    assert "  gold: 正确" in printed
    assert "  official: correct, by 正确[:5]: 正确 stands in the first 5 characters\n" in printed
    assert "  medzh-1: correct (clear), by verdict at the beginning: the text begins with the verdict\n" in printed
    assert printed.endswith("    | ⟦正确⟧，\n    | 理由\\u27e6略\\u27e7\\t\\x1b[31m\n")
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
        "why": "不正确 stands in the first 10 characters",
        "clear": False,
        "spans": [[3, 6]],
    }
    assert one["asked"].startswith("下列说法是否正确")


def test_which_predictions_are_shown(explain, said):
    file = said("难说", "正确", "难说", "", "错误")

    def heads(*arguments):
        printed = explain("sdak", *arguments, file=file)[1]
        return re.findall(rf"^{FACTUAL} run (\d) \(p\.jsonl:\d\)$", printed, re.MULTILINE)

    assert heads("--id", FACTUAL) == ["0", "1", "2", "3", "4"]
    assert heads("--id", FACTUAL, "--run", 3) == ["3"]
    assert heads("--unread", 2) == ["0", "2"]
    assert heads("--unread", 9) == ["0", "2", "3"]
    assert heads("--rule-fired", "empty", "--rule", "medzh-1") == ["3"]
    assert heads("--rule", "official", "--rule-fired", "错误[:3]") == ["4"]
    assert heads("--rule-fired", "nothing", "--first", 1) == ["0"]


def test_the_first_of_several_ids_are_no_error(explain, tmp_path, write_lines):
    """Those that are not shown because enough are came all the same."""
    lines = [{"id": name, "prediction": "正确"} for name in (FACTUAL, COUNTER)]
    file = write_lines(tmp_path / "p.jsonl", lines)
    status, printed, _ = explain("sdak", "--id", FACTUAL, "--id", COUNTER, "--first", 1, file=file)
    assert (status, printed.count(" run 0 (")) == (0, 1)
    found = [explain("sdak", "--unread", 2, "--first", first, file=file)[0] for first in (1, 3)]
    assert found == [0, 0]


def test_of_two_limits_the_lower_counts(explain, said):
    file = said("难说", "难说", "难说")
    shown = [
        explain("sdak", "--unread", unanswered, "--first", first, file=file)[1].count(" run ")
        for unanswered, first in ((1, 2), (2, 1), (3, 3))
    ]
    assert shown == [1, 1, 3]


def test_a_rule_that_cannot_say_where_says_so(explain, said, monkeypatch):
    """Any package may bring one; ours and the papers' can."""
    silent = Rule("silent", "what it is told", record_alone(lambda _text, _side: Reading("correct", "guess")))
    config = replace(find_config("sdak"), rules=(silent,))
    monkeypatch.setattr(explaining, "find_config", lambda _: config)
    file = said("正确")
    printed = explain("sdak", "--id", FACTUAL, file=file)[1]
    assert "  silent: correct, by guess (this rule does not say where)\n" in printed
    told = json.loads(explain("sdak", "--id", FACTUAL, "--to", "json", file=file)[1])
    assert told["predictions"][0]["parts"][0]["rules"]["silent"]["spans"] is None


def test_letters_in_the_order_of_a_groups_questions_have_their_places(explain, minis, tmp_path, write_lines):
    groups = Counter(row["group_id"] for row in load_records(minis, "tcmd").rows)
    group = next(name for name, questions in groups.items() if questions == 3)
    file = write_lines(tmp_path / "g.jsonl", [{"id": group, "prediction": "A\nB\nC"}])
    status, printed, _ = explain("tcmd", "--id", group, file=file)
    assert status == 0
    assert "by in order: answers stand in the order of the questions\n" in printed
    told = json.loads(explain("tcmd", "--id", group, "--to", "json", file=file)[1])
    rules = [part["rules"]["medzh-1"] for part in told["predictions"][0]["parts"]]
    assert [one["spans"] for one in rules] == [[[0, 1]], [[2, 3]], [[4, 5]]]


def test_the_chosen_rule_stands_first(explain, said):
    printed = explain("sdak", "--id", FACTUAL, "--rule", "medzh-1", file=said("难说"))[1]
    assert printed.index("medzh-1:") < printed.index("official:")


def test_a_failed_request_says_why(explain, said):
    printed = explain("sdak", "--id", FACTUAL, file=said("", error="time\x1bout"))[1]
    assert r"the request failed: time\x1bout" in printed


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "nothing says which predictions to explain"),
        (("--id", "x"), "the data have no such id"),
        (("--id", COUNTER), f"no prediction has it; found '{COUNTER}'"),
        (("--id", FACTUAL, "--variant", 0, "--run", 7), "no prediction of run 7 and variant 0 has it"),
        (("--id", COUNTER, "--variant", 0), "no prediction of variant 0 has it"),
        (("--id", FACTUAL, "--run", 7), "no prediction of run 7 has it"),
        (("--id", FACTUAL, "--rule", "x"), "expected medzh-1, official"),
    ],
)
def test_what_is_not_there_is_an_error(explain, said, arguments, words):
    status, printed, errors = explain("sdak", *arguments, file=said("正确"))
    assert (status, printed, errors.count("\n")) == (2, "", 1)
    assert words in errors


def test_where_no_prediction_is_such_it_says_so(explain, said):
    status, printed, errors = explain("sdak", "--unread", 1, file=said("正确"))
    assert (status, printed) == (0, "")
    assert errors.startswith("no prediction is such\n")
    assert explain("sdak", "--unread", 1, "--quiet", file=said("正确")) == (0, "", "")


def test_a_group_shows_each_part_and_a_part_itself(explain):
    lines = [
        json.loads(line) for line in (SAMPLES / "tcmd" / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    group = next(line["id"] for line in lines if "1.D 2.E" in line["prediction"])
    plain = json.loads(explain("tcmd", "--id", group, "--to", "json")[1])["predictions"]
    assert [part["id"] for part in plain[0]["parts"]] == [f"{group}-1", f"{group}-2"]
    (alone,) = json.loads(explain("tcmd", "--id", f"{group}-2", "--run", 0, "--variant", 0, "--to", "json")[1])[
        "predictions"
    ]
    assert [part["id"] for part in alone["parts"]] == [f"{group}-2"]
    assert alone["parts"][0]["rules"]["medzh-1"]["spans"] == [[6, 7]]


def test_a_variant_shows_what_was_asked_in_it(explain):
    printed = explain("tcmd", "--id", "tcmd-52d1d459ce", "--variant", 33)[1]
    assert "name options as the record does" in printed
    same = explain("tcmd", "--id", "tcmd-52d1d459ce", "--variant", 0)[1]
    asked = [next(line for line in text.splitlines() if "asked:" in line) for text in (printed, same)]
    assert asked[0] != asked[1]


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
                assert meaning(rule, answer.why, answered=answer.value is not None), (answer.why, text)
                checked += 1
    assert checked > 100


def test_a_name_means_the_same_whatever_the_answer_is():
    declared = [ANSWERS, NO_ANSWER]
    declared += [rule.meanings for config in config_names() for rule in find_config(config).rules if rule.meanings]
    names = [name for meanings in declared for name in meanings]
    assert len(names) == len(set(names)) > len(ANSWERS) + len(NO_ANSWER)


def test_the_words_of_a_rule_go_before_those_of_many():
    rule = Rule("own-1", "a rule of a package", record_alone(lambda _text, _side: None), {"alone": "its own words"})
    assert meaning(rule, "alone", answered=True) == "its own words"
    assert meaning(rule, "nod", answered=True) == ANSWERS["nod"]
    assert meaning(rule, "empty", answered=False) == NO_ANSWER["empty"]
    assert not meaning(rule, "a name of another package", answered=True)


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


def test_a_former_rule_is_named_before_what_is_to_be_explained(explain, said):
    status, _, told = explain("sdak", "--rule", "strict-1", file=said("正确"))
    assert status == 2
    assert "replaced by medzh-1" in told
    assert "nothing says which" not in told


def test_a_wording_that_nothing_knows_is_an_error_and_the_nearest_is_named(explain, said):
    file = said("正确", "难说")
    status, printed, told = explain("sdak", "--rule", "official", "--rule-fired", "正确[:4]", file=file)
    assert (status, printed) == (2, "")
    assert "rule official knows no such wording, or none that decided a prediction here" in told
    assert "expected 正确[:5]; found '正确[:4]'" in told
    status, _, told = explain("sdak", "--rule", "medzh-1", "--rule-fired", "emty", file=file)
    assert (status, "expected empty; found 'emty'" in told) == (2, True)
    # What is a reason, and decided nothing here, is an answer: there are none.
    status, printed, told = explain("sdak", "--rule", "medzh-1", "--rule-fired", "empty", file=file)
    assert (status, printed, "no prediction is such" in told) == (0, "", True)
