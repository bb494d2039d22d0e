"""Later rounds read by newer rules: only where one is named, signed, and verified like the rest."""

from __future__ import annotations

import json

import pytest

from medzh_score.command_line import main
from medzh_score.config import find_config
from medzh_score.configs.cmhe_ce import SHOWN
from medzh_score.round_rules import with_round_rules
from medzh_score.scoring import score
from medzh_score.verifying import verify

SAID = "我给0.5分，因为答案遗漏了禁忌证。"  # unreadable by the first rule, which wants the number alone


@pytest.fixture
def judged(care_mi_build, care_mi_sample, tmp_path):
    """Give the predictions, what a judge said of each, and the build."""
    predictions, answers = care_mi_sample / "predictions.jsonl", tmp_path / "judge.jsonl"
    lines = [json.loads(line) for line in predictions.read_text(encoding="utf-8").splitlines()]
    told = [{"id": line["id"], "prediction": SAID, "model": "j"} for line in lines if line["prediction"].strip()]
    answers.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in told), encoding="utf-8")
    return predictions, answers, care_mi_build


def test_a_newer_rule_reads_only_where_it_is_named_and_is_signed(judged):
    predictions, answers, build = judged
    rounds = {"correctness": answers}
    old = score("care_mi", predictions, build, rounds=rounds, bootstrap=0)
    new = score("care_mi", predictions, build, rounds=rounds, bootstrap=0, round_rules={"correctness": "score-2"})
    assert old.metrics["correctness-judge"].value is None
    assert new.metrics["correctness-judge"].value == pytest.approx(0.5)
    assert "round rules" not in old.signature
    assert new.signature["round rules"] == "correctness score-2"


def test_a_report_by_a_newer_rule_is_made_again(judged, tmp_path, capsys):
    predictions, answers, build = judged
    report = tmp_path / "report.json"
    command = ["score", "care_mi", str(predictions), "--data", str(build), "--bootstrap", "0", "--to", "json"]
    judging = ["--round", f"correctness={answers}", "--round-rule", "correctness=score-2"]
    assert main([*command, *judging, "--out", str(report)]) == 0
    assert json.loads(report.read_text(encoding="utf-8"))["arguments"]["round_rules"] == {"correctness": "score-2"}
    assert verify(report, build, [predictions, answers]).problems == ()
    capsys.readouterr()


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (["correctness=score-3"], "round correctness has no such rule; expected score-2"),
        (["correctness"], "is no rule of a round; expected NAME=RULE"),
        (["correctness=score-2", "correctness=score-2"], "names a round twice"),
        (["interpretability=score-2"], "names a round of which nothing came back"),
        (["nothing=score-2"], "names a round of which nothing came back"),
    ],
)
def test_what_is_no_rule_of_a_round_is_refused(given, problem, judged, capsys):
    predictions, answers, build = judged
    command = ["score", "care_mi", str(predictions), "--data", str(build), "--round", f"correctness={answers}"]
    rules = [word for one in given for word in ("--round-rule", one)]
    assert main([*command, *rules]) == 2
    assert problem in capsys.readouterr().err


def test_a_choice_that_contradicts_itself_is_none_by_strict_2():
    config = find_config("cmhe_ce")
    old, new = (one.rounds[-1].model.read for one in (config, with_round_rules(config, {"choose": "strict-2"})))
    shown = dict(zip(SHOWN, ("痛风", "痛经", "血友病", "白癜风"), strict=True))
    assert list(old("答案：C", shown).values()) == list(new("答案：C", shown).values()) == ["C"]
    assert old("答案：A。综上所述，选C。", shown) is not None
    assert new("答案：A。综上所述，选C。", shown) is None
