"""The prompts file that was sent is read back, and one that holds anything else than its prompts is refused."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from itertools import product

import pytest
from places import SAMPLES

from medzh_score.benchmark.prompts import PromptSettings
from medzh_score.benchmark.registry import find_config
from medzh_score.data.records import Origin, Records
from medzh_score.prompting.sent import SentPrompt, sent_prompt, written_generation
from medzh_score.prompting.write import batch_lines, prompt_lines, variants_asked
from medzh_score.ui.errors import MedzhError

CONFIG = find_config("tcmd")
SAMPLE = SAMPLES / "tcmd" / "TCMD.jsonl"
JIEBA = f"jieba {version('jieba')}"
GREEDY = "do_sample=False,max_new_tokens=128"
FORMS = ("chat", "text", "openai-batch")
SENT_AS = {"chat": "chat", "text": "text", "openai-batch": "chat"}


@cache
def rows(split):
    """Give the sample's records with what prompts need."""
    made = {}
    for text in SAMPLE.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        if line["split"] == split:
            members = made.setdefault(line["group_id"], [])
            place = len(members) + 1
            name = f"{line['group_id']}-{place}" if line["type"] in {"A3", "B1"} else line["group_id"]
            members.append({**line, "id": name, "position": place, "realm": "中医基础"})
    return [record for members in made.values() for record in members]


@cache
def asker_of(asking_key):
    prompt, shots, shot_selection, tokens = asking_key
    asking = (
        PromptSettings(CONFIG.prompting.templates[prompt], shots, shot_selection, tokens, rows("train"))
        if shots
        else PromptSettings(CONFIG.prompting.templates[prompt])
    )
    return CONFIG.prompting.builder(rows("test"), asking), asking


def lines_of(form="chat", prompt=0, shots=3, shot_selection="paper", tokens="characters", variants=None, **more):
    asker, asking = asker_of((prompt, shots, shot_selection, tokens))
    chosen = more.pop("chosen", None) or variants_asked(asker, variants, 0)
    if form == "openai-batch":
        return list(batch_lines(asker, asking, CONFIG.prompting.generation_kwargs, model="m", chosen=chosen, **more))
    return list(prompt_lines(asker, asking, CONFIG.prompting.generation_kwargs, chosen=chosen, form=form, **more))


@pytest.fixture
def sent(tmp_path, write_lines):
    """Give a function that writes lines and reads them back as what was sent."""

    def read(lines, train=lambda: rows("train")):
        path = write_lines(tmp_path / "sent.jsonl", lines)
        return sent_prompt(
            [path], CONFIG, Records("tcmd", "test", rows("test"), Origin("0.0.0", "mini", "0" * 64)), train
        )

    return read


def untouched():
    pytest.fail("the train split was loaded for nothing")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("prompt", [0, 1])
@pytest.mark.parametrize("variants", [None, "cyclic"])
def test_without_examples(sent, form, prompt, variants):
    lines = lines_of(form, prompt, shots=0, variants=variants, runs=2)
    assert sent(lines, untouched) == SentPrompt(("medzh-zh-1", "medzh-zh-1-cot")[prompt], SENT_AS[form], "0", GREEDY)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("prompt", [0, 1])
@pytest.mark.parametrize("shot_selection", ["paper", "same-type"])
@pytest.mark.parametrize("tokens", ["jieba", "characters"])
def test_with_examples(sent, form, prompt, shot_selection, tokens):
    """A batch file names nothing: it is recognised by what it asks."""
    written = f"3 (icl {shot_selection}, bm25-okapi, {JIEBA if tokens == 'jieba' else tokens})"
    found = sent(lines_of(form, prompt, 3, shot_selection, tokens))
    assert found == SentPrompt(("medzh-zh-1", "medzh-zh-1-cot")[prompt], SENT_AS[form], written, GREEDY)


@pytest.mark.parametrize("form", ["chat", "openai-batch"])
@pytest.mark.parametrize("shots", [1, 2, 5])
def test_other_numbers_of_examples(sent, form, shots):
    assert sent(lines_of(form, shots=shots, tokens="jieba")).shots == f"{shots} (icl paper, bm25-okapi, {JIEBA})"


def test_a_file_that_was_split_is_read_from_all_its_parts(tmp_path, write_lines):
    lines = lines_of("openai-batch")
    parts = [write_lines(tmp_path / "1", lines[::2]), write_lines(tmp_path / "2", lines[1::2])]
    records = Records("tcmd", "test", rows("test"), Origin("0.0.0", "mini", "0" * 64))
    whole = sent_prompt([write_lines(tmp_path / "all", lines)], CONFIG, records, lambda: rows("train"))
    assert sent_prompt(parts, CONFIG, records, lambda: rows("train")) == whole
    with pytest.raises(MedzhError, match="pass the complete file, or all files that it was split into"):
        sent_prompt(parts[:1], CONFIG, records, lambda: rows("train"))


def test_a_batch_file_is_not_judged_by_its_first_line_alone(sent):
    """Where both kinds of tokens find the same examples for one question, the other questions tell."""
    ours, others = lines_of("openai-batch"), lines_of("openai-batch", tokens="jieba")
    alike = [number for number, (one, other) in enumerate(zip(ours, others, strict=True)) if one == other]
    assert 0 < len(alike) < len(ours)
    first = alike[0]
    for lines, tokens in ((ours, "characters"), (others, JIEBA)):
        assert sent([lines[first], *lines[:first], *lines[first + 1 :]]).shots.endswith(f"{tokens})")
    # What the first question leaves open is settled by the order of the list: jieba first.
    assert ours[first] == others[first]


def test_lines_that_name_nothing_are_recognised_too(sent):
    for form, shots in product(("chat", "text"), (0, 3)):
        lines = [
            {key: line[key] for key in line.keys() & {"id", "messages", "text"}} for line in lines_of(form, shots=shots)
        ]
        written = "3 (icl paper, bm25-okapi, characters)" if shots else "0"
        assert sent(lines) == SentPrompt("medzh-zh-1", form, written, "unknown")


def test_records_may_be_asked_alone(sent):
    asker, _ = asker_of((0, 3, "paper", "characters"))
    kinds = {**asker.variants, **asker.alone}
    alone = {record["id"]: (0, max(kinds[record["id"]].numbers)) for record in rows("test")}
    assert len(asker.alone) == 24
    lines = lines_of(chosen=alone)
    assert sent(lines).shots.startswith("3 ")
    assert sent(lines[::-1]).prompt == "medzh-zh-1"
    whole = lines_of(chosen={name: (0, max(variants.numbers)) for name, variants in asker.variants.items()})
    with pytest.raises(MedzhError, match="prompts for 1 of 53 ids are missing"):
        sent(lines[:-2])
    with pytest.raises(
        MedzhError, match="the file queries a question group both in one prompt and in separate prompts"
    ):
        sent(lines + whole)
    groups = {record["group_id"] for record in rows("test") if record["id"] in asker.alone}
    part = [line for line in whole if line["id"] in groups][:2]
    with pytest.raises(
        MedzhError, match="the file queries a question group both in one prompt and in separate prompts"
    ):
        sent(lines + part)


# What is not what the config asks.


def change(lines, number, **fields):
    lines[number].update(fields)


def turned(lines, change_turns):
    """Change the messages of the fifth line."""
    lines[4]["messages"] = change_turns(lines[4]["messages"])


def another(turn, text):
    return {**turn, "content": text}


NOT_ASKED = "the text matches no prompt for this id, option order and examples: expected "
INVALID = "invalid line in a prompts file"
SYSTEM = {"role": "system", "content": "你是一名中医。"}


def turning(how):
    return lambda lines: turned(lines, how)


def changing(**values):
    return lambda lines: change(lines, 4, **values)


def differs(name, expected):
    return f'field "{name}": the value differs from that in the previous lines: expected {expected}'


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        # Another answer of an example, the example of another line, examples in another order, one less.
        (turning(lambda old: [old[0], another(old[1], "AB"), *old[2:]]), NOT_ASKED),
        (lambda lines: turned(lines, lambda old: [*lines[9]["messages"][:2], *old[2:]]), NOT_ASKED),
        (turning(lambda old: [*old[2:4], *old[:2], *old[4:]]), NOT_ASKED),
        (turning(lambda old: old[2:]), NOT_ASKED),
        # Another word of the question, and the whole of another line.
        (turning(lambda old: [*old[:-1], another(old[-1], old[-1]["content"] + "。")]), NOT_ASKED),
        (lambda lines: turned(lines, lambda _: lines[9]["messages"]), NOT_ASKED),
        (turning(lambda old: [SYSTEM, *old]), differs("system", "nothing, found")),
        (turning(lambda old: [{**old[0], "role": "assistant"}, *old[1:]]), INVALID),
        (turning(lambda old: old[:-1]), INVALID),
        (lambda lines: next(one for one in lines if one.get("variant") == 119).update(variant=118), NOT_ASKED),
        (lambda lines: (change(lines, 4, variant=lines[5]["variant"]), change(lines, 5, variant=0)), NOT_ASKED),
        (lambda lines: lines.pop(4), "have different option orders: 1 differ"),
        (
            lambda lines: lines.__setitem__(slice(None), [one for one in lines if one["id"] != lines[4]["id"]]),
            "prompts for 1 of 39 ids are missing",
        ),
        (changing(id="nobody"), "no record has this id"),
        (changing(variant=120), "the option order does not exist: expected one of the 120 permutations"),
        (changing(variant=-1), INVALID),
        (changing(variant="1"), INVALID),
        (changing(shots=2), differs("shots", "3, found")),
        (changing(shots=-3), 'field "shots": invalid value'),
        (changing(prompt="medzh-zh-1-cot"), differs("prompt", "medzh-zh-1, found")),
        (changing(shot_selection="same-type"), differs("shot_selection", "paper, found")),
        (changing(tokens=JIEBA), differs("tokens", "characters, found")),
        (
            changing(generation={"temperature": 1}),
            'field "generation\\.do_sample": the value differs from that in the previous lines: expected False',
        ),
        (lambda lines: lines.clear(), "the file contains no prompts"),
    ],
)
def test_a_file_in_which_one_thing_is_changed_is_refused(sent, damage, message):
    asker, _ = asker_of((0, 3, "paper", "characters"))
    chosen = {name: (0, max(variants.numbers)) for name, variants in asker.variants.items()}
    lines = deepcopy(lines_of(chosen=chosen))
    assert sent(lines).prompt == "medzh-zh-1"
    damage(lines)
    with pytest.raises(MedzhError, match=message):
        sent(lines)


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"prompt": "medzh-zh-1-cot"}, NOT_ASKED),
        ({"prompt": "paper-1"}, 'field "prompt": invalid value: expected medzh-zh-1, medzh-zh-1-cot'),
        ({"shots": 2}, NOT_ASKED),
        ({"shots": 0}, NOT_ASKED),
        ({"shot_selection": "same-type"}, NOT_ASKED),
        ({"shot_selection": "random"}, 'field "shot_selection": invalid value: expected paper, same-type'),
        ({"tokens": JIEBA}, NOT_ASKED),
        ({"tokens": "jieba 0.1"}, f'field "tokens": invalid value: expected {JIEBA}, characters'),
    ],
)
@pytest.mark.parametrize("form", ["chat", "text"])
def test_a_file_that_is_named_wrongly_throughout_is_refused(sent, form, named, message):
    with pytest.raises(MedzhError, match=message):
        sent([line | named for line in lines_of(form)])


def test_a_batch_file_in_which_an_example_is_changed_is_refused(sent):
    lines = deepcopy(lines_of("openai-batch"))
    lines[7]["body"]["messages"][1]["content"] += "。"
    with pytest.raises(MedzhError, match=rf"sent\.jsonl:8: {NOT_ASKED}medzh-zh-1, found"):
        sent(lines)


def test_a_plain_text_in_which_an_example_is_changed_is_refused(sent):
    lines = deepcopy(lines_of("text"))
    lines[7]["text"] = lines[7]["text"].replace("答案：", "答案: ", 1)
    with pytest.raises(MedzhError, match=rf"sent\.jsonl:8: {NOT_ASKED}medzh-zh-1, found"):
        sent(lines)


def test_a_config_without_examples_was_sent_none(tmp_path, write_lines, sdak_rows):
    config = find_config("sdak")
    records = Records("sdak", "test", sdak_rows, Origin("0.0.0", "mini", "0" * 64))
    asking = PromptSettings(config.prompting.templates[0])
    lines = list(prompt_lines(config.prompting.builder(sdak_rows, asking), asking, config.prompting.generation_kwargs))
    for wrong in (
        [line | {"shots": 2} for line in lines],
        [
            line | {"messages": [*line["messages"], {"role": "assistant", "content": "正确"}, *line["messages"]]}
            for line in lines
        ],
        [line | {"variant": 1} for line in lines],
    ):
        with pytest.raises(MedzhError):
            sent_prompt([write_lines(tmp_path / "p", wrong)], config, records, untouched)
    found = sent_prompt([write_lines(tmp_path / "p", lines)], config, records, untouched)
    assert (found.prompt, found.shots) == ("paper-1", "0")


def test_a_system_message_before_every_prompt_is_signed_by_a_digest(sent):
    """The digest is that of `printf 你是一名医生。 | sha256sum`."""
    message = {"role": "system", "content": "你是一名医生。"}
    for form in ("chat", "openai-batch"):
        lines = deepcopy(lines_of(form))
        assert not sent(lines).system
        for line in lines:
            (line["body"] if form == "openai-batch" else line)["messages"].insert(0, message)
        assert sent(lines).system == "sha256 13f8a728"
        assert replace(sent(lines), system="") == sent(lines_of(form))
    lines[3]["body"]["messages"].insert(1, message)
    with pytest.raises(MedzhError, match=r"sent.jsonl:4: invalid line in a prompts file"):
        sent(lines)


def test_two_forms_are_no_set(sent):
    """The same prompt as text is another input than as a chat: a server puts a template around one of them."""
    both = [*lines_of("chat"), *lines_of("text")[1:]]
    with pytest.raises(MedzhError, match=rf"sent\.jsonl:{len(lines_of('chat')) + 1}: .*: expected chat, found 'text'"):
        sent(both)


def test_what_differs_is_signed_otherwise():
    """Texts and numbers, names with signs of the form in them, and lists and their spelling; 5.0 is 5 everywhere."""
    values = ["1", 1, True, "True", ["x"], '["x"]', {"a": 1}, [5], {"a": [5, {"b": 2}]}, None, "None", 1.5]
    unlike = [{"s": value} for value in values] + [{"a=1,b": 2}, {"a": 1, "b": 2}, {'"a"': 1}]
    assert len({written_generation(one) for one in unlike}) == len(unlike)
    assert written_generation({"a": {"b": [5.0]}}) == written_generation({"a": {"b": [5]}}) == 'a={"b":[5]}'
