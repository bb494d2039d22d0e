"""CMHE-CE's second round: what goes out, who is asked, how a choice is read, and which explanations decline."""

from __future__ import annotations

import json

import jsonschema
import pytest
from tables import case_tables, holds

from dataset_scripts.recipes.cmhe_ce.records import record_of
from medzh_score.configs.cmhe_ce.config import CONFIG, SHOWN, read_choice
from medzh_score.configs.cmhe_ce.metrics import CHOICE
from medzh_score.io.paths import package_file

SCHEMA = json.loads(package_file("medzh_score", "schemas/prompt.schema.json").read_text(encoding="utf-8"))
# Figure 7's concepts, under the Chinese names in common use.
FIGURE_7 = ("冷球蛋白血症", "免疫增生性小肠病", "POEMS综合征", "尖头并指畸形")

CASES = case_tables("cmhe_ce_cases")


def test_a_choice_is_read_or_is_none_and_never_guessed():
    def letter(_, text):
        found = read_choice(text, dict(zip(SHOWN, FIGURE_7, strict=True)))
        return found and found[CHOICE]

    holds(CASES["choices"], letter)


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
def command(calling, data):
    """Give a function that calls the command: status, output, lines of what was said."""

    def call(*words):
        status, printed, errors = calling(*words, "--data", data)
        return status, printed, errors.splitlines()

    return call


def asked(command, explained, *more):
    status, printed, said = command("prompts", "cmhe_ce", "--stage", "choose", "--predictions", explained, *more)
    assert status == 0, said
    return {line["id"].partition("~")[0]: line for line in map(json.loads, printed.splitlines())}, said


def test_the_second_question_shows_the_masked_explanation_and_the_options(command, explained):
    """Source: filled in by hand; what the model wrote stands as it is, braces and all."""
    lines, _ = asked(command, explained)
    assert lines.keys() == SAID.keys()
    for line in lines.values():
        jsonschema.validate(line, SCHEMA)
        assert (line["stage"], line["prompt"]) == ("choose", "medzh-zh-1")
        assert line["generation"] == {"temperature": 0.5, "top_p": 0.7, "top_k": 200, "repetition_penalty": 1.1}
    (message,) = lines[POEMS["id"]]["messages"]
    assert message["content"] == (
        "下面这段文字说的是一种疾病，它的名称都已换成“疾病”。\n\n疾病（疾病）与浆细胞异常增生有关，综合征{label}。\n\n"
        "这段文字说的最可能是下列哪一项？\nA. 冷球蛋白血症\nB. 免疫增生性小肠病\nC. POEMS综合征\nD. 尖头并指畸形\n\n"
        "请只回答选项的字母，不要解释。"
    )
    (empty,) = lines[ECG["id"]]["messages"]
    assert "换成“医学检查”。\n\n\n\n这段" in empty["content"]


def test_what_is_said_beside_the_prompts(command, explained):
    """Source: counted by hand. 综合 and 合征 of the one text that is masked stand in no other option."""
    lines, said = asked(command, explained)
    characters = sum(len(line["messages"][0]["content"]) for line in lines.values())
    assert said == [
        f"choose: 3 calls, {characters} characters of prompts",
        f"3 items of the first run: {CONFIG.stages[0].summary}",
        "only the model that generated the predictions may answer these prompts",
        "3 explanations: 1 masked, 1 without a name to mask, 1 empty, 1 refusals",
        (
            "leakage: 1 of 2 non-empty explanations (50.0%) contain two consecutive characters "
            "that only the correct option has"
        ),
        f"{explained}: read as native format",
    ]


REFUSED = {
    "a sample": (
        ["--sample", "2"],
        "option --sample: stage choose is scored on all predictions and does not support sampling",
    ),
    "a seed": (["--seed", "2"], "option --seed: this option has no effect because nothing is sampled"),
    "another prompt": (["--prompt", "paper-2"], "unknown name: expected medzh-zh-1, paper-1"),
}


@pytest.mark.parametrize(("words", "message"), REFUSED.values(), ids=REFUSED)
def test_what_does_not_apply_is_refused(command, explained, words, message):
    status, printed, said = command("prompts", "cmhe_ce", "--stage", "choose", "--predictions", explained, *words)
    assert (status, printed) == (2, "")
    assert message in said[-2]  # before what to do
