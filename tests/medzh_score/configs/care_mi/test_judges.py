"""What judges of CARE-MI are asked and how their texts are read: one number from 0 to 1, or nothing."""

from __future__ import annotations

import json

import pytest
from tables import case_tables, holds

from medzh_score.command_line import main
from medzh_score.configs.care_mi.config import CONFIG, context_of, judge_prompts
from medzh_score.configs.care_mi.reading.true_false import score_reader

RECORD = {
    "question": "妊娠剧吐会引起脱水吗？",
    "true_statement": "妊娠剧吐会引起脱水。",
    "evidence": ["频繁呕吐使体液丢失。", "严重时出现脱水。"],
}
CASES = case_tables("care_mi_scores")


def test_the_one_score_is_read_and_none_is_made_of_anything_else():
    rows = [
        *([text, {"correctness": score}] for text, score in CASES["read"]),
        *([text, None] for (text,) in CASES["unread"]),
    ]
    holds(rows, lambda text: score_reader("correctness")(text, {}))


def test_the_papers_prompts_are_those_that_it_prints():
    """Source: Appendix B.6, with evidence put together without anything between, as it shows."""
    context = context_of("interpretability")([RECORD], ["会，应当补液。"])
    paper, released = judge_prompts("interpretability")
    assert paper.fill(**context) == (
        "Given question and evidence, judge if the following answer is interpretable:\n"
        "Question: 妊娠剧吐会引起脱水吗？\n"
        "Evidences: 频繁呕吐使体液丢失。严重时出现脱水。\n"
        "Answer: 会，应当补液。\n"
        "Your judgement:"
    )
    assert released.fill(**context) == (
        "听取某AI助手对一个医学问题的回答，并在 可解释性 方面对其进行打分，不用解释原因。\n"
        "问题: 妊娠剧吐会引起脱水吗？\n"
        "参考资料: 频繁呕吐使体液丢失。 严重时出现脱水。\n"
        "某AI助手: 会，应当补液。\n"
        "你的评分:"
    )
    assert "judge if the following answer is correct:" in judge_prompts("correctness")[0].text
    assert "正确性" in judge_prompts("correctness")[1].text


def test_every_round_has_both_wordings():
    for later in CONFIG.rounds:
        assert [prompt.name for prompt in later.model.prompts] == ["paper-1", "released-1"]
        assert later.many
        assert later.blind


@pytest.mark.parametrize(("wording", "form"), [("paper-1", "chat"), ("released-1", "chat"), ("released-1", "text")])
def test_the_signature_says_with_which_wording_judges_were_asked(
    wording, form, care_mi_build, care_mi_sample, tmp_path, capfdbinary
):
    predictions, sent = care_mi_sample / "predictions.jsonl", tmp_path / "sent.jsonl"
    asked = ["prompts", "care_mi", "--round", "correctness", "--after", str(predictions), "--data", str(care_mi_build)]
    assert main([*asked, "--prompt", wording, "--to", form, "--out", str(sent)]) == 0
    score = ["score", "care_mi", str(predictions), "--data", str(care_mi_build), "--bootstrap", "0", "--to", "json"]
    files = [care_mi_sample / f"judge-correctness{name}.jsonl" for name in ("", "-again")]
    judged = [word for file in files for word in ("--round", f"correctness={file}")]
    assert main([*score, *judged, "--prompts", str(sent)]) == 0
    signature = json.loads(capfdbinary.readouterr().out)["signature"]
    assert signature["judges"].startswith(f"correctness by sample judge (prompt {wording} ")
    assert signature["judges"].endswith(", sample all, verified)")
    altered = sent.read_text(encoding="utf-8").replace("某AI助手", "一位医生").replace("judge if", "say whether")
    sent.write_text(altered, encoding="utf-8")
    assert main([*score, *judged, "--prompts", str(sent)]) == 2
    assert b"is not what the prompt of this name asks" in capfdbinary.readouterr().err


def test_a_line_of_an_item_shows_what_each_said(care_mi_build, care_mi_sample, tmp_path):
    predictions, items = care_mi_sample / "predictions.jsonl", tmp_path / "items.jsonl"
    item = json.loads(predictions.read_text(encoding="utf-8").splitlines()[0])["id"]
    sheet = tmp_path / "sheet.csv"
    rows = ["id,correctness,rater", f"{item},0.9,甲", f"{item},0.2,乙", f"{item},0.9,sample judge"]
    sheet.write_text("\n".join(rows), encoding="utf-8")
    rounds = ["--round", f"correctness={sheet}", "--round", f"correctness={care_mi_sample / 'judge-correctness.jsonl'}"]
    score = ["score", "care_mi", str(predictions), "--data", str(care_mi_build), "--bootstrap", "0"]
    score += ["--missing", "wrong", "--items", str(items), "--out", str(tmp_path / "report.txt")]
    assert main([*score, *rounds]) == 0
    lines = {line["item"]: line["rounds"] for line in map(json.loads, items.read_text(encoding="utf-8").splitlines())}
    said = {name: value["correctness"] for name, value in lines[item]["correctness"].items()}
    assert said == {"乙": "0.2", "甲": "0.9", "sample judge (person)": "0.9", "sample judge (model)": "0.95"}
    assert lines["caremi-e12ae36002"] == {"correctness": None}
