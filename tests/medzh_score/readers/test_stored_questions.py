"""Questions that files hold are compared with what was to be asked: prompts are signed as they were sent.

Source: the prompts of each config as its own prompt lines have them; options permuted by hand, golds by their texts.
"""

from __future__ import annotations

import json
import random
import re

import pytest
from answer_forms import (
    Came,
    evalscope_lines,
    inspect_log,
    lighteval_details,
    lighteval_json,
    lm_eval_samples,
    marked_entries,
    opencompass_entries,
)

from medzh_score.benchmark.prompts import PromptSettings
from medzh_score.benchmark.registry import find_config
from medzh_score.cli.main import main
from medzh_score.data.records import load_records
from medzh_score.prompting.write import encoded, prompt_lines
from medzh_score.readers.stored_questions import blocks_of, order_shown
from medzh_score.scoring.check import check
from medzh_score.scoring.pipeline import score
from medzh_score.ui.errors import MedzhError

LETTERS = "ABCDEFGH"
MODIFIED = r"modified\([0-9a-f]{8}\)"


def dumped(path, lines):
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path


def came(rows):
    return [Came(*row) for row in rows]


FORMS = (
    *(evalscope_lines, opencompass_entries, marked_entries, inspect_log, lm_eval_samples, lighteval_details),
    lighteval_json,
)
STATED = {inspect_log: "max_new_tokens=64,temperature=0.7", lm_eval_samples: "max_new_tokens=64,top_k=1"}


def user(text):
    return {"role": "user", "content": text}


WAYS = {
    "as it is": lambda turn: [user(turn)],
    "blanks behind lines": lambda turn: [user(turn.replace("\n", "  \n") + "\n")],
    "template": lambda turn: [user(f"Question: {turn}\nAnswer:")],
    "system message": lambda turn: [{"role": "system", "content": "你是医生。"}, user(turn)],
    "wrapper of one's own": lambda turn: [user(f"<题目>{turn}</题目>请一步步想。")],
    "an example before it": lambda turn: [user("1+1=？"), {"role": "assistant", "content": "2"}, user(turn)],
}


@pytest.fixture(scope="module", params=("sdak", "pemebench_medqa"))
def sent(request, minis):
    config = find_config(request.param)
    records = load_records(minis, config.name)
    asker = config.prompting.builder(records.rows, PromptSettings(config.prompting.templates[0]))
    return config, records, {name: asker.ask(name, 0).turns[0] for name in asker.variants}


def signed(config, path, records, **options):
    report = score(config.name, path, records, bootstrap=0, missing="wrong", **options)
    return {key: report.signature.get(key, "") for key in ("prompt", "format", "shots", "generation", "system")}


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
@pytest.mark.parametrize("way", WAYS)
def test_a_prompt_is_signed_as_it_was_sent(sent, form, way, tmp_path):
    config, records, turns = sent
    rows = [(name, WAYS[way](turn), "正确。") for name, turn in turns.items()]
    found = signed(config, form(came(rows), tmp_path), records)
    equal = way in {"as it is", "blanks behind lines"}
    assert re.fullmatch(config.prompting.templates[0].name if equal else MODIFIED, found["prompt"]), found
    assert (found["format"], found["shots"]) == ("chat", "0" if equal else "unknown")
    assert found["generation"] == STATED.get(form, "unknown")
    assert bool(found["system"]) == (way == "system message" and form is not marked_entries)


@pytest.mark.parametrize("way", [way for way in WAYS if way != "blanks behind lines"])
def test_what_the_prompts_file_says_holds_only_of_what_was_sent(sent, way, tmp_path):
    """Its settings are no tool's: another tool than it was written for heeds none of them."""
    config, records, turns = sent
    asking = PromptSettings(config.prompting.templates[0])
    file = tmp_path / "prompts.jsonl"
    lines = prompt_lines(config.prompting.builder(records.rows, asking), asking, config.prompting.generation_kwargs)
    file.write_bytes(b"".join(map(encoded, lines)))
    path = evalscope_lines([Came(name, WAYS[way](turn)) for name, turn in turns.items()], tmp_path)
    found = signed(config, path, records, prompts=file)
    assert re.fullmatch(asking.prompt.name if way == "as it is" else MODIFIED, found["prompt"])
    assert (found["format"], found["generation"]) == ("chat", "unknown")
    native = dumped(tmp_path / "n.jsonl", [{"id": name, "prediction": "正确。"} for name in turns])
    assert signed(config, native, records, prompts=file)["prompt"] == asking.prompt.name


def test_one_wrapper_has_one_digest_and_another_has_another(sent, tmp_path):
    """Whatever the tool, and whatever is missing: two models that were asked alike stay comparable."""
    config, records, turns = sent
    names = list(turns)

    def prompt_of(form, way, some=names):
        rows = [(name, WAYS[way](turns[name]), "正确。") for name in some]
        return signed(config, form(came(rows), tmp_path), records)["prompt"]

    assert (
        prompt_of(evalscope_lines, "template")
        == prompt_of(inspect_log, "template")
        == prompt_of(lm_eval_samples, "template")
    )
    assert prompt_of(evalscope_lines, "template", names[3:]) == prompt_of(evalscope_lines, "template")
    digests = {prompt_of(evalscope_lines, way) for way in WAYS}
    assert len(digests) == len(WAYS) - 1  # two of them are the prompt itself


@pytest.mark.parametrize(
    ("asked", "form"),
    [(lambda question: question.text, "text"), (lambda question: question.turns[0], "chat turn as text")],
    ids=["text", "turn"],
)
def test_a_text_form_is_told_from_a_conversation(sent, asked, form, tmp_path):
    """A chat turn may be sent as one text, without a chat template; in some configs the text form is equal to it."""
    config, records, _ = sent
    asker = config.prompting.builder(records.rows, PromptSettings(config.prompting.templates[0]))
    lines = [
        {
            "doc_id": at,
            "doc": {"id": name},
            "arguments": [[asked(asker.ask(name, 0)), {"until": ["\n"]}]],
            "resps": [["正确。"]],
        }
        for at, name in enumerate(asker.variants)
    ]
    found = signed(config, dumped(tmp_path / "l.jsonl", lines), records)
    assert (found["prompt"], found["generation"]) == (config.prompting.templates[0].name, 'until=["\\n"]')
    assert found["format"] == ("text" if config.name == "sdak" else form)


def test_a_choice_by_likelihood_was_not_generated(minis, tmp_path):
    config, records = find_config("pemebench_medqa"), load_records(minis, "pemebench_medqa")
    asker = config.prompting.builder(records.rows, PromptSettings(config.prompting.templates[0]))
    entries = {
        str(at): {
            "prediction": row["answer"],
            **{
                f"label: {one}": {"testing input": "…", "prompt": asker.ask(row["id"], 0).text + one, "PPL": 1.5}
                for one in "ABCD"
            },
        }
        for at, row in enumerate(sorted(records.rows, key=lambda row: row["id"]))
    }
    path = dumped(tmp_path / "ppl.json", [entries])
    found = signed(config, path, records)
    assert (found["prompt"], found["format"]) == (config.prompting.templates[0].name, "likelihood")
    assert score(config.name, path, records, bootstrap=0).metrics["accuracy"].value == 100.0


# Options in another order

SHOWN = {
    "A) x": lambda letter, text: f"{letter}) {text}\n",
    "A. x": lambda letter, text: f"{letter}. {text}\n",
    "（A）x": lambda letter, text: f"（{letter}）{text}\n",
    "A、x on a line": lambda letter, text: f"{letter}、{text}  ",
    "A: x": lambda letter, text: f"{letter}: {text}\n\n",
}


def shuffled(records, draw, shown, *, answered):
    """Ask each question with its options in another order; a perfect model names the letters of the golds."""
    rows = []
    for row in records.rows:
        order = draw.sample(range(len(row["options"])), len(row["options"]))
        options = "".join(shown(LETTERS[place], row["options"][one]) for place, one in enumerate(order))
        golds = [row["options"][LETTERS.index(letter)] for letter in row["answer"]]
        letters = sorted(LETTERS[order.index(row["options"].index(gold))] for gold in golds)
        stem = f"{row['stem']}\n" if row.get("stem") else ""
        rows.append(
            (row["id"], [user(f"单选题：\n{stem}{row['question']}\n{options}\nAnswer:")], answered("".join(letters)))
        )
    return rows


@pytest.mark.parametrize("form", [evalscope_lines, inspect_log, lm_eval_samples], ids=lambda form: form.__name__)
@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("config", ["pemebench_medqa", "pemebench_cmexam", "tcmd"])
def test_options_that_were_shuffled_are_mapped_back(minis, config, shown, form, tmp_path):
    records = load_records(minis, config)
    draw = random.Random(len(shown))  # noqa: S311
    rows = shuffled(records, draw, SHOWN[shown], answered="答案：{}".format)
    path = form(came(rows), tmp_path)
    if config == "tcmd":  # the questions of a group are asked alone; those of no group bear its id
        alone = {row["group_id"]: row["id"] for row in records.rows}
        counts = [row["group_id"] for row in records.rows]
        ids = {name: group for group, name in alone.items() if counts.count(group) == 1}
        path = form([Came(ids.get(name, name), *rest) for name, *rest in rows], tmp_path)
    report = score(config, path, records, bootstrap=0)
    whole = {"fraction": 1.0, "percent": 100.0}[find_config(config).unit]
    assert report.metrics["accuracy"].value == whole
    assert re.fullmatch(MODIFIED, report.signature["prompt"])
    assert check(config, [path], records).coverage == report.coverage


def test_an_answer_in_words_needs_no_map(minis, tmp_path, capsys):
    records = load_records(minis, "pemebench_medqa")
    rows = shuffled(records, random.Random(5), SHOWN["A. x"], answered=str)  # noqa: S311
    golds = {row["id"]: row["options"][LETTERS.index(row["answer"])] for row in records.rows}
    path = evalscope_lines([Came(name, asked, f"应选{golds[name]}。") for name, asked, _ in rows], tmp_path)
    assert score("pemebench_medqa", path, records, bootstrap=0).metrics["accuracy"].value == 100.0
    assert main(["explain", "pemebench_medqa", str(path), "--data", str(minis), "--id", rows[0][0]]) == 0
    assert records.rows[0]["answer"] in capsys.readouterr().out


def other(rows, place, change):
    name, (asked,), text = rows[place]
    return [*rows[:place], (name, [user(change(asked["content"]))], text), *rows[place + 1 :]]


CHANGED = {
    "another option": lambda text: re.sub(r"B\. .*", "B. 别的", text),
    "one less": lambda text: re.sub(r"D\. .*\n", "", text),
    "one more": lambda text: text.replace("\nAnswer", "E. 以上都不是\nAnswer"),
    "duplicate or blank name": lambda text: re.sub(
        r"B\. .*", re.search(r"A\. (.*)", text)[0].replace("A.", "B."), text
    ),
}


@pytest.mark.parametrize("change", CHANGED)
def test_other_options_are_refused(minis, change, tmp_path):
    records = load_records(minis, "pemebench_medqa")
    rows = shuffled(records, random.Random(7), SHOWN["A. x"], answered=str)  # noqa: S311
    path = evalscope_lines(came(other(rows, 4, CHANGED[change])), tmp_path)
    with pytest.raises(MedzhError, match="do not belong to it, or their order cannot be mapped back") as refused:
        score("pemebench_medqa", path, records, bootstrap=0)
    assert (refused.value.file, refused.value.line) == (str(path), 5)
    assert check("pemebench_medqa", [path], records).status == 2


def test_a_question_of_another_id_is_refused(sent, tmp_path):
    config, records, turns = sent
    (one, other_id), texts = list(turns)[:2], list(turns.values())
    path = evalscope_lines([Came(one, [user(texts[0])]), Came(other_id, [user(texts[0])])], tmp_path)
    with pytest.raises(MedzhError, match=f"the question belongs to '{one}', but the id is '{other_id}'"):
        signed(config, path, records)


def test_second_readers_are_not_asked_with_options_in_another_order(minis, calling, tmp_path):
    records = load_records(minis, "pemebench_medqa")
    rows = shuffled(records, random.Random(7), SHOWN["A. x"], answered=lambda _: "不好说。")  # noqa: S311
    path = evalscope_lines(came(rows), tmp_path)
    asked = ["prompts", "pemebench_medqa", "--stage", "fallback", "--predictions", str(path), "--data", str(minis)]
    status, _, said = calling(*asked, "--output", str(tmp_path / "second.jsonl"))
    assert (status, "were in a different order than in the record" in said) == (2, True)


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("题\nA. 甲\nB. 乙", [["甲", "乙"]]),
        ("例\nA. 甲\nB. 乙\n答案：A\n题\nA. 丙\nB. 丁\nC. 戊", [["甲", "乙"], ["丙", "丁", "戊"]]),
        ("Vitamin A is B. 乙", []),
        ("A、B、C、D 中选一个", []),
        ("血型为\nA 型的人\n多见", []),
        ("(A) 甲 (B) 乙 (C) 丙", [["甲", "乙", "丙"]]),
    ],
)
def test_which_options_a_text_shows(text, blocks):
    assert blocks_of(text) == blocks


def test_an_order_is_that_of_the_last_options():
    prompt = "题\nA. 甲\nB. 乙\nC. 丙"
    assert order_shown("A. 丁\nB. 戊\nC. 己\n答案：C\n题\nA. 丙\nB. 甲\nC. 乙", prompt) == ((2, 0, 1),)
    assert order_shown("题，无选项", prompt) is None
    assert order_shown("A. 甲\nB. 乙", "没有选项") is None
