"""What was sent in a later round is read back into the signature, and refused where it is something else."""

from __future__ import annotations

import json

import pytest

from dataset_scripts.recipes.cmhe_ce.records import record_of
from medzh_score.prompting.ids import code_of

FIELDS = {
    "concept": "痛风",
    "concept_class": "disease",
    "question": "",
    "options": ["痛风", "类风湿关节炎", "骨关节炎", "湿疹"],
    "answer": "A",
}
ROWS = [
    record_of(FIELDS | {"aspect": aspect, "question": question}, source="own", recipe="official")
    for aspect, question in (("cause", "哪些因素可能导致患者患上痛风？"), ("symptom", "痛风患者通常有哪些症状？"))
]
SETTINGS = "repetition_penalty=1.1,temperature=0.5,top_k=200,top_p=0.7"


@pytest.fixture
def data(tmp_path, write_build):
    return write_build(tmp_path / "medzh", ROWS, "cmhe_ce", "official")


@pytest.fixture
def files(tmp_path, write_lines):
    explained = [{"id": row["id"], "prediction": "痛风是嘌呤代谢紊乱引起的{疾病}。"} for row in ROWS]
    chosen = [{"id": row["id"], "prediction": "A"} for row in ROWS]
    return write_lines(tmp_path / "explained.jsonl", explained), write_lines(tmp_path / "chosen.jsonl", chosen)


@pytest.fixture
def command(data, calling):
    return lambda *words: calling(*words, "--data", data)


@pytest.fixture
def sent(command, files, tmp_path):
    """Give a function that writes the prompts of the second round, each line changed by a function."""

    def write(*words, change=lambda line: line):
        out = tmp_path / "sent.jsonl"
        status, _, errors = command(
            "prompts", "cmhe_ce", "--stage", "choose", "--predictions", files[0], "--output", out, *words
        )
        assert status == 0, errors
        lines = [change(json.loads(line)) for line in out.read_text(encoding="utf-8").splitlines()]
        out.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
        return out

    return write


def scored(command, files, *prompts):
    given = [word for path in prompts for word in ("--prompts", path)]
    arguments = ("score", "cmhe_ce", files[0], "--stage", f"choose={files[1]}", "--bootstrap", "0", "--to", "json")
    return command(*arguments, *given)


@pytest.mark.parametrize("prompt", ["medzh-zh-1", "paper-1"])
@pytest.mark.parametrize("form", ["chat", "text"])
def test_the_second_prompt_is_signed_beside_the_first(command, files, sent, tmp_path, prompt, form):
    first = tmp_path / "first.jsonl"
    assert command("prompts", "cmhe_ce", "--output", first)[0] == 0
    second = sent("--prompt", prompt, "--to", form)
    status, printed, errors = scored(command, files, first, second)
    assert status == 0, errors
    signature = json.loads(printed)["signature"]
    assert signature["prompt"] == "medzh-zh-1"
    assert signature["queried again"] == f"choose {prompt} {SETTINGS}"


def test_without_its_file_the_second_prompt_is_unknown(command, files):
    assert json.loads(scored(command, files)[1])["signature"]["queried again"] == "choose unknown"


@pytest.mark.parametrize("prompt", ["medzh-zh-1", "paper-1"])
def test_a_batch_file_names_neither_round_nor_prompt_and_is_known_by_what_it_asks(command, files, sent, prompt):
    batch = sent("--prompt", prompt, "--to", "openai-batch", "--model", "m")
    status, printed, errors = scored(command, files, batch)
    assert status == 0, errors
    signature = json.loads(printed)["signature"]
    assert (signature["prompt"], signature["queried again"]) == ("unknown", f"choose {prompt} {SETTINGS}")


@pytest.mark.parametrize("form", ["chat", "text", "openai-batch"])
def test_choices_after_a_former_explanation_are_noticed(command, files, sent, write_lines, tmp_path, form):
    second = sent("--to", form, *(("--model", "m") if form == "openai-batch" else ()))
    anew = [{"id": ROWS[0]["id"], "prediction": "痛风是嘌呤代谢紊乱引起的{疾病}。"}]
    anew.append({"id": ROWS[1]["id"], "prediction": "关节红肿热痛。"})
    other = write_lines(tmp_path / "anew.jsonl", anew), files[1]
    status, printed, errors = scored(command, other, second)
    assert (status, printed) == (2, "")
    codes = [code_of("choose", [line["prediction"]]) for line in (anew[1], anew[0])]
    assert "sent.jsonl:" in errors
    assert "the answer hash does not match the predictions file" in errors
    assert f"expected {ROWS[1]['id']}~{codes[0]}, found '{ROWS[1]['id']}~{codes[1]}'" in errors


def test_a_prompt_that_shows_another_text_than_its_code_says_is_noticed(command, files, sent):
    def edited(line):
        text = line["messages"][0]["content"].replace("嘌呤代谢紊乱", "尿酸排泄减少")
        return {**line, "messages": [{"role": "user", "content": text}]}

    status, printed, errors = scored(command, files, sent(change=edited))
    assert (status, printed) == (2, "")
    assert "the prompt contains a different answer from the one in the predictions file" in errors


def test_prompts_of_the_users_own_name_no_answer_and_are_compared_by_what_they_show(
    command, files, sent, write_lines, tmp_path
):
    second = sent(change=lambda line: {**line, "id": line["id"].partition("~")[0]})
    assert scored(command, files, second)[0] == 0
    anew = [{"id": row["id"], "prediction": "关节红肿热痛。"} for row in ROWS]
    other = write_lines(tmp_path / "anew.jsonl", anew), files[1]
    status, _, errors = scored(command, other, second)
    assert status == 2
    assert "the prompt contains a different answer from the one in the predictions file" in errors


def test_a_prompt_about_another_run_is_no_prompt_about_this_one(command, write_lines, tmp_path):
    said = ("嘌呤代谢紊乱。", "尿酸盐沉积。")
    rows = [{"id": row["id"], "run": run, "prediction": said[run]} for row in ROWS for run in (0, 1)]
    chosen = [{"id": row["id"], "run": run, "prediction": "A"} for row in ROWS for run in (0, 1)]
    both = write_lines(tmp_path / "both.jsonl", rows), write_lines(tmp_path / "choices.jsonl", chosen)
    out, swapped = tmp_path / "out.jsonl", tmp_path / "swapped.jsonl"
    assert command("prompts", "cmhe_ce", "--stage", "choose", "--predictions", both[0], "--output", out)[0] == 0
    assert scored(command, both, out)[0] == 0
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    ids = {line["id"]: line["id"].replace("#r1~", "~") for line in lines if "#r1~" in line["id"]}
    assert len(ids) == len(ROWS)
    write_lines(swapped, [{**line, "id": ids[line["id"]]} for line in lines if line["id"] in ids])
    status, _, errors = scored(command, both, swapped)
    assert status == 2
    assert "the answer hash does not match the predictions file" in errors


def other_option(line):
    text = line["messages"][0]["content"].replace("D. 湿疹", "D. 白癜风")
    return {**line, "messages": [{"role": "user", "content": text}]}


def hotter_for_one(line):
    return {**line, "generation": {"temperature": 1.0}} if line["id"].startswith(ROWS[0]["id"]) else line


WRONG = {
    "another option": (other_option, "the text matches no prompt for this id: expected medzh-zh-1"),
    "another name": (
        lambda line: {**line, "prompt": "paper-1"},
        "the text matches no prompt for this id: expected paper-1",
    ),
    "an unknown name": (lambda line: {**line, "prompt": "paper-9"}, "unknown name"),
    "an unknown id": (lambda line: {**line, "id": "ce-0"}, "field \"id\": no item has this id: found 'ce-0'"),
    "an unknown round": (
        lambda line: {**line, "stage": "guess"},
        'field "stage": unknown name: expected choose, found',
    ),
    "two settings": (
        hotter_for_one,
        'field "generation.repetition_penalty": the value differs from that in the previous lines: expected 1.1',
    ),
}


@pytest.mark.parametrize(("change", "message"), WRONG.values(), ids=WRONG)
def test_what_was_not_asked_is_refused(command, files, sent, change, message):
    status, printed, errors = scored(command, files, sent(change=change))
    assert (status, printed) == (2, "")
    assert message in errors
