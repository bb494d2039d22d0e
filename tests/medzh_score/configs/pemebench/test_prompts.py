"""PeMeBench's prompts: the paper's role as printed, a scene a task, and no settings, from the file that was sent."""

from __future__ import annotations

import pytest

from medzh_score.benchmark.prompts import PromptSettings
from medzh_score.benchmark.registry import find_config
from medzh_score.configs.pemebench.prompts import DEPARTMENTS, ENTITIES_1, HALLUCINATION_1, TASKS, default_prompt
from medzh_score.data.records import Origin, Records
from medzh_score.prompting.sent import sent_prompt
from medzh_score.prompting.write import batch_lines, prompt_lines

CONFIG = find_config("pemebench")
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


@pytest.mark.parametrize("prompt", CONFIG.prompting.templates, ids=lambda prompt: prompt.name)
@pytest.mark.parametrize("form", ["chat", "text", "openai-batch"])
@pytest.mark.parametrize("runs", [1, 2])
def test_what_is_written_is_read_back_without_settings(sent, prompt, form, runs):
    asking = PromptSettings(prompt)
    asker = CONFIG.prompting.builder(ROWS, asking)
    if form == "openai-batch":
        lines = list(batch_lines(asker, asking, {}, model="m", runs=runs))
        assert all(set(line["body"]) == {"model", "messages"} for line in lines)
    else:
        lines = list(prompt_lines(asker, asking, {}, form=form, runs=runs))
        assert all(line["generation"] == {} for line in lines)
    found = sent(lines)
    assert (found.prompt, found.shots, found.generation) == (prompt.name, "0", "unknown")


def test_the_judge_is_shown_all_and_nothing_is_filled_in_twice():
    """A text under judgement may hold anything, the names of our fields too."""
    for later, prompt in zip(CONFIG.stages, (ENTITIES_1, HALLUCINATION_1), strict=True):
        assert later.model.prompts == (prompt,)
        texts = () if later.about == "records" else ("回答里写着{reference}和结论：无",)
        context = later.context([ROWS[0]], texts)
        assert set(prompt.fields) == set(context)
        asked = prompt.fill(**context)
        assert all(asked.count(text) >= 1 for text in context.values())
        assert "Figure 5 is an image" in prompt.printed_in
    assert CONFIG.stages[0].model.generation_kwargs == CONFIG.stages[1].model.generation_kwargs == {}
