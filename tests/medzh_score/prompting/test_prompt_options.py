"""``medzh-score prompts`` with variants and examples: what is written, in which order, and what is refused."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from importlib.metadata import version
from itertools import count
from math import factorial

import jsonschema
import pytest
from places import ROOT
from sheet_files import sheet_rows

from medzh_score.benchmark.prompts import FilledPrompt, PromptBuilder, PromptSettings, PromptTemplate
from medzh_score.benchmark.variants import ONE, Variants
from medzh_score.data.records import load_records
from medzh_score.prompting.write import prompt_lines

SCHEMA = json.loads((ROOT / "schemas" / "prompt.schema.json").read_text(encoding="utf-8"))
JIEBA = f"jieba {version('jieba')}"


@pytest.fixture(scope="module")
def records(minis):
    return load_records(minis, "tcmd").rows


@pytest.fixture(scope="module")
def groups(records):
    """Give the records of each group, in the order of the file."""
    found = {}
    for record in records:
        found.setdefault(record["group_id"], []).append(record)
    return found


@pytest.fixture
def command(calling, minis):
    return lambda *words, folder=minis: calling(*words, "--data", folder)


@pytest.fixture
def written(command):
    """Give a function that writes prompts and gives their lines."""

    def call(*arguments):
        status, printed, errors = command("prompts", "tcmd", *arguments)
        assert status == 0, errors
        return [json.loads(line) for line in printed.splitlines()]

    return call


def sizes(members):
    return {len(member["options"]) for member in members}


def number_of_variants(members):
    return factorial(max(sizes(members))) if len(sizes(members)) == 1 else max(sizes(members))


def test_by_default_each_group_once_with_three_examples(written, command, groups):
    lines = written()
    assert [line["id"] for line in lines] == list(groups)
    assert list(lines[0]) == ["id", "messages", "prompt", "shots", "shot_selection", "tokens", "generation"]
    for line in lines:
        assert [message["role"] for message in line["messages"]] == ["user", "assistant"] * 3 + ["user"]
        assert (line["prompt"], line["shots"], line["shot_selection"], line["tokens"]) == (
            "medzh-zh-1",
            3,
            "paper",
            JIEBA,
        )
        assert line["generation"] == {"do_sample": False, "max_new_tokens": 128}
        jsonschema.validate(line, SCHEMA)
    errors = command("prompts", "tcmd")[2].splitlines()
    assert errors[0] == f"{len(groups)} prompts for {len(groups)} ids"
    of_five = sum(sizes(members) == {5} for members in groups.values())
    assert f"{of_five} ids: 1 of 120 permutations of 5 options" in errors


def test_without_examples_a_single_question_is_asked_as_its_record_says(written, groups):
    lines = written("--shots", "0")
    assert list(lines[0]) == ["id", "messages", "prompt", "shots", "generation"]
    for line in lines:
        members = groups[line["id"]]
        if len(members) == 1:
            assert line["messages"] == [{"role": "user", "content": members[0]["prompt"]}]


def test_all_variants_by_run_then_id_then_variant(written, groups):
    lines = written("--shots", "0", "--variants", "all", "--runs", "2")
    expected = {name: number_of_variants(members) for name, members in groups.items()}
    assert Counter(line["id"] for line in lines) == {name: 2 * number for name, number in expected.items()}
    keys = [(line["run"], list(groups).index(line["id"]), line.get("variant", 0)) for line in lines]
    assert keys == sorted(set(keys))
    assert all(line.get("variant") != 0 for line in lines)
    for name, members in groups.items():
        numbers = [line.get("variant", 0) for line in lines if line["id"] == name and line["run"] == 1]
        if len(sizes(members)) == 1:
            assert numbers == list(range(expected[name]))
    prompts = {(line["id"], line["messages"][0]["content"]) for line in lines}
    assert len(prompts) == len(lines) / 2


def test_examples_are_chosen_as_is_wished(written):
    default = written()
    assert written("--shots", "3", "--shot-selection", "paper", "--shot-tokenizer", "jieba") == default
    two = written("--shots", "2")
    for line, fewer in zip(default, two, strict=True):
        assert fewer["messages"] == [*line["messages"][:4], line["messages"][-1]]
    same = written("--shot-selection", "same-type", "--shot-tokenizer", "characters")
    assert {(line["shot_selection"], line["tokens"]) for line in same} == {("same-type", "characters")}
    assert [line["messages"] for line in same] != [line["messages"] for line in default]


def test_batch_requests_name_run_and_variant(written, groups):
    lines = written("--to", "openai-batch", "--model", "m", "--variants", "cyclic", "--runs", "2")
    assert len({line["custom_id"] for line in lines}) == len(lines)
    name = next(name for name, members in groups.items() if sizes(members) == {5})
    shifts = ["", "v33", "v64", "v90", "v96"]  # 01234, 12340, 23401, 34012, 40123 among the 120
    expected = [f"{name}#{part}".rstrip("#") for part in shifts] + [f"{name}#r1{part}" for part in shifts]
    assert [line["custom_id"] for line in lines if line["custom_id"].partition("#")[0] == name] == expected
    assert all(len(line["custom_id"]) <= 64 for line in lines)
    chat = written("--variants", "cyclic", "--runs", "2")
    assert [line["body"]["messages"] for line in lines] == [line["messages"] for line in chat]
    # The interface has no do_sample: greedy is a temperature of 0.
    assert {tuple(line["body"])[2:] for line in lines} == {("temperature", "max_tokens")}
    assert (lines[0]["body"]["temperature"], lines[0]["body"]["max_tokens"]) == (0, 128)


def test_a_sheet_shows_a_person_the_question_alone(command, written, groups):
    def rows(*arguments):
        return sheet_rows(command("prompts", "tcmd", "--to", "csv", *arguments)[1])

    plain = rows()
    assert list(plain[0]) == ["id", "run", "prompt", "prediction", "annotator"]
    assert [row["id"] for row in plain] == list(groups)
    assert [row["prompt"] for row in plain] == [line["messages"][0]["content"] for line in written("--shots", "0")]
    shifted = rows("--variants", "cyclic")
    assert list(shifted[0]) == ["id", "run", "variant", "prompt", "prediction", "annotator"]
    assert (
        len({(row["id"], row["variant"]) for row in shifted}) == len(shifted) == len({row["prompt"] for row in shifted})
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("sdak --variants all", "option --variants: each prompt has only one option order"),
        ("sdak --shots 0", "option --shots: sdak does not support few-shot examples"),
        (
            "sdak --shot-selection paper",
            "option --shot-selection: sdak does not support few-shot examples",
        ),
        (
            "sdak --shot-tokenizer jieba",
            "option --shot-tokenizer: sdak does not support few-shot examples",
        ),
        ("tcmd --variants some", "expected all, cyclic or a number"),
        ("tcmd --variants 5:1", "found '5:1'\n  Fix: set the seed with --seed."),
        ("tcmd --variants 0", "expected all, cyclic or a number"),
        ("tcmd --shot-selection random", "option --shot-selection: unknown name: expected paper, same-type"),
        ("tcmd --shot-tokenizer words", "option --shot-tokenizer: unknown name: expected jieba, characters"),
        ("tcmd --shots 0 --shot-selection paper", "option --shot-selection: this option requires few-shot examples"),
        ("tcmd --shots 0 --shot-tokenizer jieba", "option --shot-tokenizer: this option requires few-shot examples"),
        ("tcmd --shots 999", "the train split has too few other questions"),
        ("tcmd --to csv --shots 3", "option --shots: --to csv and --to xlsx do not support few-shot examples"),
        ("tcmd --to csv --shot-selection paper", "option --shot-selection: this option requires few-shot examples"),
        ("tcmd --prompt paper-1", "expected medzh-zh-1, medzh-zh-1-cot"),
        ("tcmd --seed 1", "option --seed: this option has no effect because nothing is sampled"),
        ("tcmd --seed 1 --variants all", "option --seed: this option has no effect because nothing is sampled"),
        ("tcmd --rule medzh-1", "option --rule: this option requires --stage"),
        ("tcmd --from native", "option --from: this option requires --stage"),
        ("tcmd --file-per-run", "option --file-per-run: this option requires --stage"),
        ("tcmd --sample 3", "option --sample: this option requires --stage"),
        ("tcmd --stage answer --rule medzh-1", "option --rule: this option requires --stage"),
        (
            "sdak --stage reason --predictions x --shots 0",
            "option --shots: this option cannot be combined with --stage",
        ),
        ("sdak --stage reason --predictions x --variants all", "this option cannot be combined with --stage"),
        ("sdak --stage reason --predictions x --prompt paper-1", "this option cannot be combined with --stage"),
        ("sdak --stage reason --predictions x --runs 2", "this option cannot be combined with --stage"),
    ],
)
def test_what_does_not_apply_is_refused(command, sdak_build, minis, tmp_path, words, message):
    folder = sdak_build if words.startswith("sdak") else minis
    status, printed, errors = command("prompts", *words.split(), "--output", tmp_path / "out", folder=folder)
    assert (status, printed) == (2, "")
    assert re.fullmatch(r"medzh-score: error: .+\n(  Fix: .+\n)?", errors)
    assert message in errors
    assert list(tmp_path.iterdir()) == []


def test_a_build_without_train_says_how_to_ask(command, records, write_build, tmp_path):
    folder = write_build(tmp_path / "medzh", records, "tcmd")
    status, printed, errors = command("prompts", "tcmd", "--output", tmp_path / "out", folder=folder)
    assert (status, printed, errors.count("\n")) == (2, "", 2)
    assert "the train split has no records for few-shot examples" in errors
    assert "\n  Fix: " in errors
    assert "--shots 0" in errors
    assert not (tmp_path / "out").exists()
    assert command("prompts", "tcmd", "--shots", "0", "--output", tmp_path / "out", folder=folder)[0] == 0


def test_the_file_is_equal_byte_for_byte_in_other_processes(minis):
    written = {
        subprocess.run(
            [sys.executable, "-W", "error", "-m", "medzh_score", "prompts", "tcmd", "--data", minis, "--variants", "4"],
            env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale},
            capture_output=True,
            check=True,
        ).stdout
        for seed, locale in (("0", "C"), ("1", "C.UTF-8"))
    }
    assert len(written) == 1


def test_lines_are_made_one_at_a_time():
    made = count()

    def ask(name, variant):
        next(made)
        return FilledPrompt((f"{name} {variant}",), "")

    asker = PromptBuilder({"a": Variants(5), "b": ONE}, ask, {})
    lines = prompt_lines(
        asker, PromptSettings(PromptTemplate("p", "{x}", "here")), {}, chosen={"a": range(10**9), "b": (0,)}
    )
    assert [next(lines)["messages"][0]["content"] for _ in range(3)] == ["a 0", "a 1", "a 2"]
    assert next(made) == 3


def right_answer(members, text):
    """Answer by what is shown: the letter beside the text of the right option, for each question."""
    shown = re.findall(r"^([A-E])\. (.+)$", text, re.MULTILINE)
    lists, letters = [], []
    for letter, option in shown:
        if letter == "A":
            lists.append({})
        lists[-1][option] = letter
    for place, member in enumerate(members):
        gold = member["options"]["ABCDE".index(member["answer"])]
        letters.append(lists[place if len(lists) > 1 else 0][gold])
    return letters[0] if len(letters) == 1 else " ".join(f"{n}.{letter}" for n, letter in enumerate(letters, start=1))


@pytest.mark.parametrize(("form", "prompt"), [("chat", "medzh-zh-1"), ("text", "medzh-zh-1-cot")])
def test_prompts_go_out_and_come_back_in_every_variant(command, written, groups, tmp_path, write_lines, form, prompt):
    """Source: who always picks the right option scores 1, in accuracy and in consistency."""
    lines = written("--to", form, "--prompt", prompt, "--variants", "all", "--shot-tokenizer", "characters")
    answered = [
        {
            "id": line["id"],
            "variant": line.get("variant", 0),
            "prediction": right_answer(
                groups[line["id"]],
                line["text"].rpartition("题目：")[2] if form == "text" else line["messages"][-1]["content"],
            ),
        }
        for line in lines
    ]
    paths = write_lines(tmp_path / "answered", answered), write_lines(tmp_path / "sent", lines)
    status, printed, errors = command(
        "score", "tcmd", paths[0], "--prompts", paths[1], "--to", "json", "--bootstrap", 0
    )
    assert status == 0, errors
    report = json.loads(printed)
    names = ("accuracy", "group-exact", "consistency-valid", "consistency-all")
    assert [report["metrics"][name]["value"] for name in names] == [1.0] * 4
    assert report["signature"]["prompt"] == prompt
    assert report["signature"]["shots"] == "3 (icl paper, bm25-okapi, characters)"
    assert report["signature"]["generation"] == "do_sample=False,max_new_tokens=128"
