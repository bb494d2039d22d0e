"""What comes back goes where it belongs, or is named: nothing is lost, and no answer takes another's place."""

from __future__ import annotations

import json
import re
import shutil
import tarfile

import pytest
from answer_forms import evalscope_line
from simulated import as_batch, as_lm_eval, as_native, prompts_in, write_lines

from medzh_score.cli.main import main

MARK = "（甲乙丙丁戊己庚辛）"  # at the end of a text that may not leave


@pytest.fixture(scope="module")
def begun(tmp_path_factory, minis):
    """Plan a suite of two models on two configs, and write its first prompts."""
    suite = tmp_path_factory.mktemp("begun") / "suite"
    plan = ["--models", "glm", "qwen", "--configs", "sdak", "cmhe_ce", "--runs", "2", "--data", str(minis)]
    assert main(["suite", "plan", str(suite), *plan, "--quiet"]) == 0
    text = (suite / "plan.toml").read_text(encoding="utf-8")
    text = text.replace('label = "glm"\n', 'label = "glm"\nserved = ["org/GLM-4", "shared"]\n')
    text = text.replace('label = "qwen"\n', 'label = "qwen"\nserved = ["org/qwen", "shared"]\n')
    (suite / "plan.toml").write_text(text, encoding="utf-8")
    assert main(["suite", "prompts", str(suite), "--quiet"]) == 0
    return suite


@pytest.fixture
def suite(begun, tmp_path):
    """Give a copy that may be changed."""
    return shutil.copytree(begun, tmp_path / "suite")


def asked(suite, config):
    return prompts_in(suite / "prompts" / config / "answer.jsonl")


def kept(suite):
    return {path.relative_to(suite): path.read_bytes() for path in suite.rglob("*") if path.is_file()}


def test_a_file_of_several_configs_is_divided_by_its_ids(suite, add, tmp_path):
    both = asked(suite, "sdak") + asked(suite, "cmhe_ce")
    status, said = add(as_native(both, "ORG/glm-4", tmp_path))
    assert status == 0, said
    assert len(prompts_in(suite / "answers/glm/sdak/answer.jsonl")) == len(asked(suite, "sdak"))
    assert len(prompts_in(suite / "answers/glm/cmhe_ce/answer.jsonl")) == len(asked(suite, "cmhe_ce"))
    assert not (suite / "answers/qwen").exists()


def test_the_order_of_files_and_lines_changes_nothing(suite, add, tmp_path):
    lines = asked(suite, "sdak")
    halves = [
        as_native(part, "org/qwen", tmp_path / str(place)) for place, part in enumerate((lines[::2], lines[1::2]))
    ]
    assert add(*halves)[0] == 0
    first = (suite / "answers/qwen/sdak/answer.jsonl").read_bytes()
    shutil.rmtree(suite / "answers")
    assert add(as_lm_eval(lines[::-1], "org/qwen", tmp_path), "--model", "qwen")[0] == 0
    again = (suite / "answers/qwen/sdak/answer.jsonl").read_bytes()
    texts = [[json.loads(line)["prediction"] for line in one.splitlines()] for one in (first, again)]
    assert texts[0] == texts[1]


def test_what_was_added_is_the_same(suite, add, tmp_path):
    file = as_native(asked(suite, "sdak"), "org/qwen", tmp_path)
    count = len(asked(suite, "sdak"))
    assert f"{file}: sdak answer of qwen: {count} new, 0 unchanged, 0 replaced\n" in add(file)[1]
    before = kept(suite)
    status, said = add(file)
    assert (status, f"{file}: sdak answer of qwen: 0 new, {count} unchanged, 0 replaced\n" in said) == (0, True), said
    assert kept(suite) == before


@pytest.mark.parametrize(("name", "taken"), [("glm", 2), ("org/GLM-4", 2), ("shared", 0), ("checkpoint-7", 0)])
def test_a_label_that_is_given_does_not_stand_against_the_name_of_another_model(suite, add, tmp_path, name, taken):
    file = as_native(asked(suite, "sdak"), name, tmp_path)
    before = kept(suite)
    status, said = add(file, "--model", "qwen")
    assert status == taken, said
    if taken:
        assert 'native.jsonl:1: field "model": the system named in the line differs from --model qwen' in said
        assert kept(suite) == before


def test_answers_that_nobody_asked_of_a_model_so_far_are_counted_and_can_be_added_later(suite, add, tmp_path):
    """Second rounds of one model are asked while those of the other are not, and both ask about the same."""
    assert add(as_native(asked(suite, "cmhe_ce"), "org/GLM-4", tmp_path / "0"))[0] == 0
    assert main(["suite", "prompts", str(suite), "--quiet"]) == 0
    ids = {line["id"] for line in prompts_in(suite / "outbox/glm/cmhe_ce--choose.jsonl")}
    later = as_native(prompts_in(suite / "outbox/glm/cmhe_ce--choose.jsonl"), "org/qwen", tmp_path / "1")
    before = kept(suite)
    status, said = add(later)
    assert status == 0
    skipped = f"{len(ids)} responses skipped because this model has not been queried yet ("
    assert f"{later}: cmhe_ce choose of qwen: {skipped}" in said
    assert kept(suite) == before
    assert add(write_alike(suite, tmp_path))[0] == 0
    assert main(["suite", "prompts", str(suite), "--quiet"]) == 0
    assert {line["id"] for line in prompts_in(suite / "prompts/cmhe_ce/choose--qwen.jsonl")} == ids
    assert f"{later}: cmhe_ce choose of qwen: {len(ids)} new, 0 unchanged, 0 replaced\n" in add(later)[1]


def write_alike(suite, folder):
    """Give the other model the same answers, so that the same is asked about them."""
    lines = prompts_in(suite / "answers/glm/cmhe_ce/answer.jsonl")
    return write_lines(folder / "alike.jsonl", [line | {"model": "org/qwen"} for line in lines])


def test_of_several_files_those_that_were_added_are_named_before_one_is_refused(suite, add, tmp_path):
    good = as_native(asked(suite, "sdak"), "org/qwen", tmp_path / "0")
    bad = write_lines(tmp_path / "bad.jsonl", [{"id": "nobody-1", "prediction": "正确", "model": "org/qwen"}])
    status, said = add(good, bad)
    assert status == 2
    counts = f"{len(asked(suite, 'sdak'))} new, 0 unchanged, 0 replaced"
    assert said.splitlines()[0] == f"{good}: sdak answer of qwen: {counts}"
    assert 'bad.jsonl:1: field "id": 1 id is not from prompts of this suite (' in said


def change(number, **fields):
    def changed(lines):
        lines[number] |= fields
        return lines

    return changed


BROKEN = {
    "a foreign id": (change(3, id="nobody-1"), "1 id is not from prompts of this suite (nobody-1 (run 1))"),
    "another config's id": (
        change(3, id="tcmd-0123456789"),
        "check the ids: they look like ids of tcmd, which is not in the plan",
    ),
    "another run": (change(3, run=7), "1 id is not from prompts of this suite (sdak-"),
    "another variant": (change(3, variant=1), "1 id is not from prompts of this suite (sdak-"),
    "a stranger's name": (
        change(3, model="someone"),
        "the name is not in the plan: expected glm, qwen, found 'someone'",
    ),
    "a name of two": (change(3, model="shared"), "several systems of the plan have this name: expected glm, qwen"),
    "no name": (change(3, model=None), "the model name is missing"),
    "one prompt twice": (lambda lines: [*lines, lines[0] | {"prediction": "错误"}], "two different responses to"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_placed_is_named_and_nothing_is_kept(suite, add, tmp_path, name):
    changed, message = BROKEN[name]
    lines = prompts_in(as_native(asked(suite, "sdak"), "org/qwen", tmp_path))
    file = write_lines(tmp_path / "changed.jsonl", changed(lines))
    before = kept(suite)
    status, said = add(file)
    assert (status, message in said) == (2, True), said
    assert "changed.jsonl" in said
    assert kept(suite) == before


def test_another_answer_stays_out_unless_it_is_to_replace(suite, add, tmp_path):
    lines = prompts_in(as_native(asked(suite, "sdak"), "org/qwen", tmp_path))
    assert add(write_lines(tmp_path / "a.jsonl", lines))[0] == 0
    other = [*lines[:5], lines[5] | {"prediction": "正确，但是换了一种说法。"}]
    status, said = add(write_lines(tmp_path / "b.jsonl", other))
    assert status == 2
    assert "b.jsonl:6: the response to sdak-" in said
    assert "differs from the stored response: expected " in said
    status, said = add(tmp_path / "b.jsonl", "--overwrite")
    assert status == 0
    assert "b.jsonl: sdak answer of qwen: 0 new, 5 unchanged, 1 replaced" in said
    status, said = add(write_lines(tmp_path / "c.jsonl", [lines[5], other[5]]), "--overwrite")
    assert (status, "two different responses to" in said) == (2, True)


def test_a_failed_request_gives_way_to_an_answer_and_never_takes_its_place(suite, add, tmp_path):
    lines = prompts_in(as_native(asked(suite, "sdak"), "org/qwen", tmp_path))
    failed = [line | {"prediction": "", "error": "status 500"} for line in lines[:4]]
    assert add(write_lines(tmp_path / "failed.jsonl", failed + lines[4:]))[0] == 0
    main(["suite", "prompts", str(suite), "--quiet"])
    assert len(prompts_in(suite / "outbox/qwen/sdak--answer.jsonl")) == 4
    assert add(write_lines(tmp_path / "late.jsonl", lines[:4]))[0] == 0
    assert add(write_lines(tmp_path / "again.jsonl", [failed[0] | {"error": "status 429"}]))[0] == 0
    assert not any("error" in line for line in prompts_in(suite / "answers/qwen/sdak/answer.jsonl"))


PLANS = {
    "no TOML": ("runs = 2", "runs = ", "invalid TOML"),
    "an unknown key": ("runs = 2", "run = 2", "unknown field `run`"),
    "a wrong type": ("runs = 2", 'runs = "2"', "Expected `int`, got `str`"),
    "another version": ("version = 1", "version = 9", "unsupported version: expected 1, found 9"),
    "a label that leaves the folder": ('label = "glm"', 'label = "../glm"', "the name cannot be used as a folder name"),
    "one label twice": ('label = "glm"', 'label = "Qwen"', "the value occurs twice"),
    "unknown config": ('config = "sdak"', 'config = "sdka"', "unknown config"),
}


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_with_a_fault_is_named(suite, capsys, name):
    old, new, message = PLANS[name]
    plan = suite / "plan.toml"
    plan.write_text(plan.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    assert main(["suite", "status", str(suite)]) == 2
    assert message.replace("`", "") in capsys.readouterr().err.replace("`", "")


def carried(suite, folder, *names):
    """Carry files of a suite in an archive, as the manual does."""
    with tarfile.open(folder.parent / "carried.tar", "w") as archive:
        for name in names:
            archive.add(suite / name, name)
    with tarfile.open(folder.parent / "carried.tar") as archive:
        archive.extractall(folder, filter="data")
    return folder


def test_work_goes_over_a_boundary_and_back(suite, add, tmp_path, capsys):
    """Prompts in, results out: inside, the same commands; outside, the results alone, or the answers."""
    inside = carried(suite, tmp_path / "inside", "plan.toml", "prompts")
    for place, config in enumerate(("sdak", "cmhe_ce")):
        lines = prompts_in(as_native(asked(inside, config), "org/qwen", tmp_path / str(place)))
        file = write_lines(
            tmp_path / f"{config}.jsonl", [one | {"prediction": one["prediction"] + MARK} for one in lines]
        )
        assert main(["suite", "add", str(inside), str(file)]) == 0
    assert main(["suite", "prompts", str(inside), "--to", "openai-batch"]) == 0
    requests = [one for one in prompts_in(inside / "outbox/qwen.jsonl") if "~" in one["custom_id"]]
    assert main(["suite", "add", str(inside), "--model", "qwen", str(as_batch(requests, tmp_path, {}))]) == 0
    assert main(["suite", "score", str(inside)]) == 0
    carried(inside, suite, "results")
    assert MARK.encode() not in b"".join(kept(suite).values())
    capsys.readouterr()
    main(["suite", "status", str(suite), "--to", "json"])
    rows = [row for row in json.loads(capsys.readouterr().out)["rows"] if row["stage"] == "answer"]
    brought = [
        (row["config"], row["back"], row["missing"], row["missing_characters"])
        for row in rows
        if row["scored"] == "brought"
    ]
    assert brought == [("sdak", 0, 0, 0), ("cmhe_ce", 0, 0, 0)], rows
    others = [row for row in rows if row["scored"] != "brought"]
    assert others
    assert all(row["missing"] for row in others)
    assert main(["suite", "prompts", str(suite)]) == 0
    said = capsys.readouterr().err
    calls = [int(found.replace(",", "")) for found in re.findall(r": ([\d,]+) calls", said)]
    assert sum(calls) == sum(row["missing"] for row in others)
    assert main(["suite", "score", str(suite)]) == 0
    assert f"0 scored, 0 failed, 2 already scored, {len(others)} incomplete" in capsys.readouterr().err
    answers = carried(inside, tmp_path / "back", "answers") / "answers/qwen"
    assert add(*answers.glob("*/answer.jsonl"), "--model", "qwen")[0] == 0
    assert main(["suite", "prompts", str(suite)]) == 0
    assert add(answers, "--model", "qwen")[0] == 0
    assert main(["suite", "score", str(suite)]) == 0
    assert f"0 scored, 0 failed, 2 already scored, {len(others)} incomplete" in capsys.readouterr().err


def answered(lines, form, folder):
    """Answer prompts by a script that keeps the fields of its lines, or by a tool that does."""
    if form == "lm-eval":
        return as_lm_eval(lines, "org/qwen", folder)
    return write_lines(folder / "own.jsonl", [{**line, "prediction": "正确。", "model": "org/qwen"} for line in lines])


def worded(line, text):
    return {**line, "messages": [*line["messages"][:-1], {"role": "user", "content": text}]}


@pytest.mark.parametrize("form", ["native", "lm-eval"])
def test_answers_that_carry_the_prompts_of_another_plan_are_refused(suite, add, tmp_path, form):
    lines = asked(suite, "sdak")
    other = [*lines[:2], worded(lines[2], lines[2]["messages"][-1]["content"] + "请简要回答。"), *lines[3:]]
    before = kept(suite)
    status, said = add(answered(other, form, tmp_path / "other"))
    assert status == 2
    another = "the prompt differs from the prompt of this suite and belongs to another plan"
    assert f":3: {another} ({lines[2]['id']}" in said
    assert kept(suite) == before
    texts = [{**line, "text": line["messages"][-1]["content"]} for line in lines]
    texts = [{name: line[name] for name in line if name != "messages"} for line in texts]
    assert add(answered(texts, form, tmp_path / "text"))[0] == 0
    assert add(answered([{**line, "text": "请判断。"} for line in texts], form, tmp_path / "texts"))[0] == 2
    longer = [{**line, "messages": [*line["messages"], {"role": "assistant", "content": "正确。"}]} for line in lines]
    status, said = add(answered(longer, form, tmp_path / "own"))
    assert (status, f"0 new, {len(lines)} unchanged" in said) == (0, True), said


@pytest.mark.parametrize("word", ["length", "max_tokens", "MAX_TOKENS", "FinishReason.MAX_TOKENS", "model_length"])
def test_status_counts_what_was_cut_off_in_any_tools_word(suite, add, tmp_path, capsys, word):
    """The words are those of one table, by which reports and `check` count as well."""
    lines = [
        {"id": one["id"], "run": one["run"], "prediction": "正确。", "finish_reason": "stop"}
        for one in asked(suite, "sdak")
    ]
    for at, words in enumerate([{"finish_reason": word}] * 3 + [{"error": "timed out", "finish_reason": word}]):
        lines[at] |= words
    lines[4]["prediction"] = None
    status, said = add(write_lines(tmp_path / "n.jsonl", lines), "--model", "qwen")
    assert status == 0, said
    assert main(["suite", "status", str(suite), "--to", "json"]) == 3
    (row,) = [one for one in json.loads(capsys.readouterr().out)["rows"] if one["back"]]
    assert (row["cut off"], row["failed"]) == (3, 1), row


@pytest.mark.parametrize("change", [{}, {"system": "你是医生。"}, {"head": "Question: "}])
def test_a_tool_that_asked_otherwise_is_refused(suite, add, tmp_path, change):
    """What its file says was asked is compared with what the suite sent: a suite signs its own prompts."""
    lines = []
    for at, line in enumerate(asked(suite, "sdak")):
        line["messages"][-1]["content"] = change.get("head", "") + line["messages"][-1]["content"]
        system = [{"role": "system", "content": change["system"]}] if "system" in change else []
        line["messages"] = system + line["messages"]
        lines.append(evalscope_line(line, "正确。", at, {"id": line["id"]}))
    status, said = add(write_lines(tmp_path / "e.jsonl", lines), "--model", "qwen")
    refused = ":1: the prompt differs from the prompt of this suite and belongs to another plan (" in said
    assert (status, refused) == ((2, True) if change else (0, False)), said


def test_a_text_beside_messages_is_no_prompt_and_space_around_one_makes_no_other(suite, add, tmp_path):
    lines = [worded(line, line["messages"][-1]["content"] + "\n") for line in asked(suite, "sdak")]
    lines = [{**line, "text": "<think>…</think>正确。"} for line in lines]
    status, said = add(answered(lines, "native", tmp_path))
    assert (status, f"{len(lines)} new" in said) == (0, True), said


@pytest.mark.parametrize("form", ["native", "lm-eval"])
def test_prompts_of_the_same_plan_in_another_form_are_named(minis, tmp_path, capsys, form):
    suite = tmp_path / "suite"
    plan = ["--models", "qwen", "--configs", "tcmd", "--data", str(minis), "--quiet"]
    assert main(["suite", "plan", str(suite), *plan]) == 0
    assert main(["suite", "prompts", str(suite), "--quiet"]) == 0
    texts = tmp_path / "texts.jsonl"
    assert main(["prompts", "tcmd", "--data", str(minis), "--to", "text", "-o", str(texts), "--quiet"]) == 0
    file = answered(prompts_in(texts), form, tmp_path / "came")
    assert main(["suite", "add", str(suite), str(file), "--model", "qwen"]) == 2
    assert "the prompt format differs from that of this suite (" in capsys.readouterr().err
    plan = (suite / "plan.toml").read_text("utf-8")
    (suite / "plan.toml").write_text(plan.replace('form = "chat"', 'form = "text"'), "utf-8")
    assert main(["suite", "prompts", str(suite), "--to", "text", "--quiet"]) == 0
    assert main(["suite", "add", str(suite), str(file), "--model", "qwen", "--quiet"]) == 0
