"""CMHE-CE's second round: what goes out, who is asked, how a choice is read, and which explanations decline."""

from __future__ import annotations

import json

import jsonschema
import pytest

from dataset_scripts.recipes.cmhe_ce.records import record_of
from medzh_score.command_line import main
from medzh_score.configs.cmhe_ce.config import CONFIG, SHOWN, read_choice
from medzh_score.configs.cmhe_ce.reading.explanations import refused
from medzh_score.configs.cmhe_ce.statistics import CHOICE
from medzh_score.files.package_files import package_file

SCHEMA = json.loads(package_file("medzh_score", "schemas/prompt.schema.json").read_text(encoding="utf-8"))
# Figure 7's concepts, under the Chinese names in common use.
FIGURE_7 = ("冷球蛋白血症", "免疫增生性小肠病", "POEMS综合征", "尖头并指畸形")

CHOICES = {
    "a letter": ("C", "C"),
    "full width": ("Ｃ。", "C"),
    "in brackets": ("（C）", "C"),
    "with its text": ("C. POEMS综合征", "C"),
    "the text alone": ("POEMS综合征", "C"),
    "bold": ("**C. POEMS综合征**", "C"),
    "marked": ("正确答案是C。", "C"),
    "as Figure 7 answers": ("Based on the given information, the most likely disease is (C) POEMS syndrome.", "C"),
    "most likely to be": ("The disease is most likely to be (C).", "C"),
    "the same in Chinese": ("根据描述，最可能的疾病是（C）POEMS综合征。", "C"),
    "its text in a sentence": ("该疾病最可能是POEMS综合征。", "C"),
    "what the text describes": ("这段文字描述的是“冷球蛋白血症”。", "A"),
    "what the text means": ("疾病指的是 C. POEMS综合征", "C"),
    "what it very likely means": ("疾病很可能指的是 C. POEMS综合征", None),  # a hedge: for a second reader
    "after thinking": ("<think>A 或 B？</think>该疾病是POEMS综合征。", "C"),
    "a conclusion": ("这段文字描述的是POEMS综合征，因此选C。", "C"),
    "in another case": ("Poems综合征", "C"),
    "with its text in another case and with a space": ("C. poems 综合征", "C"),
    "with its name in English": ("(C) POEMS syndrome.", "C"),
    "this is": ("这是POEMS综合征。", "C"),
    "an English article": ("A rare disorder of plasma cells", None),
    "a letter that is taken back in English": ("A. No, it is B", "B"),
    "a letter before no name": ("C. I do not know", None),
    "a letter with another option in another case": ("A. poems综合征", None),
    "what is of an option": ("这是POEMS综合征的典型表现。", None),
    "a letter of a name": ("最可能的检查是 B 超。", None),
    "a letter before its text": ("最可能的疾病是 C POEMS综合征。", "C"),
    "a letter before a reason": ("最可能的疾病是 C 因为有神经病变。", "C"),
    "two": ("A或C", None),
    "two in a sentence": ("最可能的疾病是A或C。", None),
    "two sentences": ("最可能是冷球蛋白血症。最可能的疾病是POEMS综合征。", None),
    "a question": ("这种疾病是冷球蛋白血症还是POEMS综合征？", None),
    "denied": ("最可能的疾病不是C。", None),
    "supposed": ("如果最可能是C，则还应有神经病变。", None),
    "a letter with another text": ("该疾病最可能是C. 冷球蛋白血症", None),
    "no such letter": ("最可能的疾病是E", None),
    "no option": ("这段文字描述的是一种罕见的疾病。", None),
    "a word": ("C反应蛋白升高", None),
    "a refusal": ("信息不足，无法判断。", None),
    "unfinished thinking": ("<think>C", None),
    "nothing": ("", None),
}


@pytest.mark.parametrize(("text", "letter"), CHOICES.values(), ids=CHOICES)
def test_a_choice_is_read_or_is_none_and_never_guessed(text, letter):
    found = read_choice(text, dict(zip(SHOWN, FIGURE_7, strict=True)))
    assert found == (letter and {CHOICE: letter})


REFUSALS = {
    "an apology": ("抱歉，我无法回答这个问题，请咨询专业医生。", True),
    "no knowledge": ("我不了解该疾病。", True),
    "no information": ("对不起。我没有关于这种药物的相关信息。如果您有其他问题，欢迎提问。", True),
    "as a model": ("作为人工智能助手，我不能提供医疗建议。建议您咨询医生。", True),
    "of the answer": ("无法提供相关信息。", True),
    "with a but": ("很抱歉，但我无法回答这个问题。", True),
    "in English": ("I'm sorry, but I cannot help with that. Please consult a doctor.", True),
    "in English without but": ("I'm sorry. I cannot answer this question. Please consult a doctor.", True),
    "little knowledge": ("该病的病因我不太清楚。", True),
    "nothing else": ("不知道。", True),
    "beyond its knowledge": ("抱歉，这超出了我的知识范围。", True),
    "of a list": ("我无法提供医疗建议，包括诊断和治疗。", True),
    "of what it is about": ("对于与医学有关的问题，我无法回答。", True),
    "an explanation behind a comma": ("我们不知道确切病因，可能与环境有关。", False),
    "an explanation after a doubt": ("我不确定您指哪一种，一种由缺铁引起。", False),
    "an explanation after all": ("我不确定，但一般认为与遗传有关。", False),
    "an apology with an explanation": ("抱歉，此前说错了。该病由病毒引起。", False),
    "an explanation with a referral": ("该病由病毒引起。请咨询医生。", False),
    "a referral alone": ("请咨询医生。", False),
    "medicine that is not known": ("病因尚不清楚。", False),
    "a drug that cannot": ("该药不能通过血脑屏障。", False),
    "a patient who cannot": ("患者不能入睡，无法集中注意力。", False),
    "a country": ("我国患者不能直接买到该药。", False),
    "nothing": ("", False),
}


@pytest.mark.parametrize(("text", "declines"), REFUSALS.values(), ids=REFUSALS)
def test_what_declines_and_says_nothing_else_is_a_refusal(text, declines):
    assert refused(text) == declines


def record(concept, kind, aspect, question, **more):
    fields = {"concept": concept, "concept_class": kind, "aspect": aspect, "question": question, **more}
    return record_of(fields, source="own", recipe="official")


POEMS = record(
    "POEMS综合征",
    "disease",
    "cause",
    "哪些因素可能导致患者患上POEMS综合征？",
    concept_id="D016878",
    concept_en="POEMS Syndrome",
    aliases=["Crow-Fukase综合征"],
    options=list(FIGURE_7),
    answer="C",
    distances=[2, 3, 0, 6],
)
WARFARIN = record(
    "华法林",
    "medicine",
    "side effect",
    "华法林有哪些副作用？",
    options=["双香豆素", "华法林", "沙丁胺醇", "肝素"],
    answer="B",
)
ECG = record(
    "心电图",
    "test",
    "procedure",
    "心电图是怎样进行的？",
    aliases=["ECG"],
    options=["脑电图", "肌电图", "胃镜检查", "心电图"],
    answer="D",
)
ROWS = [POEMS, WARFARIN, ECG]
SAID = {
    POEMS["id"]: "<think>POEMS？</think>ＰＯＥＭＳ 综合征（crow fukase综合征）与浆细胞异常增生有关，综合征{label}。",
    WARFARIN["id"]: "抱歉，我无法回答这个问题。",
    ECG["id"]: "",
}


@pytest.fixture
def data(tmp_path, write_build):
    return write_build(tmp_path / "medzh", ROWS, "cmhe_ce", "official")


@pytest.fixture
def explained(tmp_path, write_lines):
    lines = [{"id": name, "prediction": text, "model": "m"} for name, text in SAID.items()]
    return write_lines(tmp_path / "explained.jsonl", lines)


@pytest.fixture
def command(capfdbinary, data):
    """Give a function that calls the command in this process: status, lines, what was said."""

    def call(*words):
        status = main([*map(str, words), "--data", str(data)])
        captured = capfdbinary.readouterr()
        return status, captured.out.decode("utf-8"), captured.err.decode("utf-8").splitlines()

    return call


def asked(command, explained, *more):
    status, printed, said = command("prompts", "cmhe_ce", "--round", "choose", "--after", explained, *more)
    assert status == 0, said
    return {line["id"].partition("~")[0]: line for line in map(json.loads, printed.splitlines())}, said


def test_the_second_question_shows_the_masked_explanation_and_the_options(command, explained):
    """Source: filled in by hand; what the model wrote stands as it is, braces and all."""
    lines, _ = asked(command, explained)
    assert lines.keys() == SAID.keys()
    for line in lines.values():
        jsonschema.validate(line, SCHEMA)
        assert (line["round"], line["prompt"]) == ("choose", "medzh-zh-1")
        assert line["decoding"] == {"temperature": 0.5, "top_p": 0.7, "top_k": 200, "repetition_penalty": 1.1}
    (message,) = lines[POEMS["id"]]["messages"]
    assert message["content"] == (
        "下面这段文字说的是一种疾病，它的名称都已换成“疾病”。\n\n疾病（疾病）与浆细胞异常增生有关，综合征{label}。\n\n"
        "这段文字说的最可能是下列哪一项？\nA. 冷球蛋白血症\nB. 免疫增生性小肠病\nC. POEMS综合征\nD. 尖头并指畸形\n\n"
        "请只回答选项的字母，不要解释。"
    )
    (empty,) = lines[ECG["id"]]["messages"]
    assert "换成“医学检查”。\n\n\n\n这段" in empty["content"]


def test_the_papers_english_sentence_for_each_class(command, explained):
    lines, _ = asked(command, explained, "--prompt", "paper-1", "--to", "text")
    assert lines[POEMS["id"]]["text"] == (
        "疾病（疾病）与浆细胞异常增生有关，综合征{label}。\n\n"
        "The disease is most likely to be which of the following?\n\n"
        "(A) 冷球蛋白血症\n(B) 免疫增生性小肠病\n(C) POEMS综合征\n(D) 尖头并指畸形\n\nAnswer:"
    )
    assert "\n\nThe medicine is most likely" in lines[WARFARIN["id"]]["text"]
    assert "\n\nThe medical test is most likely" in lines[ECG["id"]]["text"]


def test_what_is_said_beside_the_prompts(command, explained):
    """Source: counted by hand. 综合 and 合征 of the one text that is masked stand in no other option."""
    lines, said = asked(command, explained)
    characters = sum(len(line["messages"][0]["content"]) for line in lines.values())
    assert said == [
        f"choose: 3 calls, {characters} characters of prompts",
        f"3 items of the first run: {CONFIG.rounds[0].summary}",
        "to be answered by the model that gave the first answers, no other",
        "3 explanations: 1 masked, 1 without a name to mask, 1 empty, 1 declining",
        "leakage: 1 of 2 texts (50.0 %) hold two characters in a row that of all options the answer has",
        f"{explained}: read as native lines",
    ]


def test_only_what_came_is_asked_and_what_is_answered_is_left_out(command, explained, tmp_path, write_lines):
    lines = [json.loads(line) for line in explained.read_text(encoding="utf-8").splitlines()]
    lines[2] = {"id": ECG["id"], "prediction": "", "error": "timeout"}
    some = write_lines(tmp_path / "some.jsonl", lines)
    answered = write_lines(tmp_path / "answered.jsonl", [{"id": POEMS["id"], "prediction": "C"}])
    left, said = asked(command, some, "--answered", answered)
    assert list(left) == [WARFARIN["id"]]
    assert said[3:5] == ["1 first answers did not come and are not asked about", "1 of 2 are answered and left out"]
    assert said[5].startswith("1 explanations: 0 masked, 1 without")


REFUSED = {
    "a sample": (["--sample", "2"], "field --sample: round choose asks about every first answer: it is scored whole"),
    "a seed": (["--seed", "2"], "field --seed: nothing is drawn"),
    "another prompt": (["--prompt", "paper-2"], "there is none of that name; expected medzh-zh-1, paper-1"),
}


@pytest.mark.parametrize(("words", "message"), REFUSED.values(), ids=REFUSED)
def test_what_does_not_apply_is_refused(command, explained, words, message):
    status, printed, said = command("prompts", "cmhe_ce", "--round", "choose", "--after", explained, *words)
    assert (status, printed) == (2, "")
    assert message in said[-1]


def test_a_sheets_prompt_is_none_and_says_whose_it_is(command, explained):
    words = ("prompts", "cmhe_ce", "--round", "choose", "--after", explained, "--to", "sheet", "--prompt", "paper-1")
    assert "goes with prompts for the model that gave the first answers" in command(*words)[2][-1]
