"""PeMeBench's prompts: the paper's role as printed, a scene a task, and no settings, from the file that was sent."""

from __future__ import annotations

import re

import pytest

from medzh_score.benchmark.prompts import PromptSettings
from medzh_score.benchmark.registry import find_config
from medzh_score.configs.pemebench.prompts import (
    DECODING,
    DEPARTMENTS,
    ENTITIES_1,
    HALLUCINATION_1,
    MEDZH_ZH_1,
    SCENES,
    TASKS,
    UNASSIGNED,
    default_prompt,
    huatuo_prompt,
)
from medzh_score.data.records import Origin, Records
from medzh_score.prompting.sent import sent_prompt
from medzh_score.prompting.write import batch_lines, prompt_lines

CONFIG = find_config("pemebench")
HUATUO = find_config("pemebench_huatuo")
ROWS = [
    {
        "id": f"pemebench-{number:010x}",
        "question": f"{task}：第{number}题怎样回答？",
        "answer": "略。",
        "department": department.name,
        "task": task,
        "kind": "solution",
        "entities": [],
    }
    for number, (department, task) in enumerate(zip(DEPARTMENTS, TASKS * 3, strict=False))
]
# The example of section 2.3.1, to the letter.
PRINTED = (
    "假设你是一位能力出众的儿科医生,你擅长诊断与治疗各种肾脏系统疾病,请你基于你的专业能力回答下面关于肾脏系统疾病的问题。\n"
    "问题:如何治疗肾性贫血。"
)


@pytest.fixture
def sent(tmp_path, write_lines):
    """Give a function that writes lines and reads them back as what was sent."""

    def read(lines, config=CONFIG):
        path = write_lines(tmp_path / "sent.jsonl", lines)
        return sent_prompt([path], config, Records(config.name, "test", ROWS, Origin("0.0.0", "mini", "0" * 64)), list)

    return read


def test_the_printed_example_is_made_to_the_letter():
    """The paper prints half-width commas and colon, full-width stops, and no space."""
    assert default_prompt({"department": "儿科肾脏系统疾病", "question": "如何治疗肾性贫血。"}) == PRINTED


@pytest.mark.parametrize("department", DEPARTMENTS, ids=lambda department: department.name)
def test_each_class_stands_twice_in_the_role_and_its_aliases_make_the_same(department):
    made = {default_prompt({"department": name, "question": "？"}) for name in (department.name, *department.aliases)}
    assert made == {PRINTED.replace("肾脏系统疾病", department.field).replace("如何治疗肾性贫血。", "？")}


def test_each_task_has_a_scene_of_its_own():
    assert tuple(SCENES) == (*TASKS, UNASSIGNED)
    asker = CONFIG.asker(ROWS, PromptSettings(MEDZH_ZH_1))
    for row in ROWS:
        (text,) = asker.ask(row["id"], 0).turns
        assert text.startswith(f"场景：{SCENES[row['task']]}\n")
        assert text.endswith(f"问题：{row['question']}")
    assert len(set(SCENES.values())) == len(SCENES)
    assert not any(department.field in scene for scene in SCENES.values() for department in DEPARTMENTS)


def test_a_question_of_huatuo_is_asked_as_it_stands():
    question = "宝宝{发热}怎么办？\n已经两天了"
    assert huatuo_prompt({"question": question}) == question
    asker = HUATUO.asker([{"id": "h", "question": question}], PromptSettings(HUATUO.prompts[0]))
    assert asker.ask("h", 0).turns == (question,)


def test_what_a_question_holds_is_not_filled_in_again():
    row = {**ROWS[0], "question": "{scene}{field}{answer}是什么？"}
    for prompt in CONFIG.prompts:
        assert (
            CONFIG.asker([row], PromptSettings(prompt))
            .ask(row["id"], 0)
            .text.endswith("{scene}{field}{answer}是什么？")
        )


@pytest.mark.parametrize("prompt", CONFIG.prompts, ids=lambda prompt: prompt.name)
@pytest.mark.parametrize("form", ["chat", "text", "openai-batch"])
@pytest.mark.parametrize("runs", [1, 2])
def test_what_is_written_is_read_back_without_settings(sent, prompt, form, runs):
    asking = PromptSettings(prompt)
    asker = CONFIG.asker(ROWS, asking)
    if form == "openai-batch":
        lines = list(batch_lines(asker, asking, DECODING, model="m", runs=runs))
        assert all(set(line["body"]) == {"model", "messages"} for line in lines)
    else:
        lines = list(prompt_lines(asker, asking, DECODING, form=form, runs=runs))
        assert all(line["decoding"] == {} for line in lines)
    found = sent(lines)
    assert (found.prompt, found.shots, found.decoding) == (prompt.name, "0", "unknown")


def test_the_judge_is_shown_all_and_nothing_is_filled_in_twice():
    """A text under judgement may hold anything, the names of our fields too."""
    for later, prompt in zip(CONFIG.rounds, (ENTITIES_1, HALLUCINATION_1), strict=True):
        assert later.model.prompts == (prompt,)
        texts = () if later.about == "records" else ("回答里写着{reference}和结论：无",)
        context = later.context([ROWS[0]], texts)
        assert set(prompt.fields) == set(context)
        asked = prompt.fill(**context)
        assert all(asked.count(text) >= 1 for text in context.values())
        assert "Figure 5 is an image" in prompt.printed_in
    assert CONFIG.rounds[0].model.decoding == CONFIG.rounds[1].model.decoding == {}


def test_the_words_that_the_judge_is_to_answer_with_are_those_that_are_read():
    entities, hallucination = CONFIG.rounds
    assert hallucination.model.read("结论：有", {}) == {"opposed": "yes"}
    assert hallucination.model.read("结论：无", {}) == {"opposed": "no"}
    assert "“结论：有”" in HALLUCINATION_1.text
    assert "“结论：无”" in HALLUCINATION_1.text
    shown = re.search(r"\[.+?\]", ENTITIES_1.text)[0]
    assert entities.model.read(shown, {}) is not None
    assert entities.model.read("[]", {}) == {"entities": "无"}
