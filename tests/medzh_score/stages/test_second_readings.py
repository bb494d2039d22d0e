"""Rounds about single predictions, of every config that has them: what goes out, comes back, and counts."""

from __future__ import annotations

import json
import re

import jsonschema
import pytest
from places import ROOT
from round_cases import NONE, READ, SECOND, case_of, found_in, key_of, values
from sheet_files import save_sheet
from uncoded import answer_in

from medzh_score.benchmark.rules import DEFAULT_RULE
from medzh_score.prompting.ids import AnswerKey, code_of, judged_id

SCHEMA = json.loads((ROOT / "schemas" / "prompt.schema.json").read_text(encoding="utf-8"))
WITHOUT = f"{DEFAULT_RULE} without fallback"


@pytest.fixture(params=SECOND)
def case(request, minis, tmp_path, capfdbinary):
    return case_of(request.param, minis, tmp_path, capfdbinary)


@pytest.fixture(params=READ)
def any_case(request, minis, tmp_path, capfdbinary):
    return case_of(request.param, minis, tmp_path, capfdbinary)


@pytest.fixture
def tcmd(minis, tmp_path, capfdbinary):
    return case_of("tcmd", minis, tmp_path, capfdbinary)


def test_the_gold_is_never_shown(any_case):
    """Whatever a record's answer is, the question looks the same; a poisoned one does not show."""
    poison = "⚑POISON⚑"
    asked = {
        one.members[0]: one
        for one in any_case.config.queries(any_case.records, any_case.config.layout(any_case.records))
    }
    shown = {"question", "response", "options", "stem", "description", "claim", "type", "id"}
    for place, record in enumerate(any_case.records):
        if place in asked:
            poisoned = {name: value if name in shown else poison for name, value in record.items()}
            question = any_case.config.reads.question
            assert poison not in question(poisoned, asked[place], 0)
            assert question(poisoned, asked[place], 0) == question(record, asked[place], 0)


def test_options_stand_as_they_were_shown_and_a_group_names_its_place(tcmd):
    by_id = {record["id"]: record for record in tcmd.records}
    rows = tcmd.rows("audit", "--sample", "1000")
    grouped = 0
    lines = [json.loads(line) for line in tcmd.predictions.read_text(encoding="utf-8").splitlines()]
    texts = {(line["id"], line.get("variant", 0)): answer_in(line["prediction"]) for line in lines}
    prompts = [
        json.loads(line) for line in tcmd.call("prompts", "tcmd", "--variants", "all", "--shots", "0")[1].splitlines()
    ]
    asked = {(line["id"], line.get("variant", 0)): line["messages"][-1]["content"] for line in prompts}
    for row in rows:
        name, _, variant = key_of(row)
        record = by_id[name]
        group = record["group_id"]
        sent = asked[group, variant]
        assert row["response"].lstrip("'").strip() == texts[group, variant].strip()
        lettered = re.findall(r"^[A-E]\. .*$", row["question"], re.MULTILINE)
        assert len(lettered) == len(record["options"])
        assert all(line in sent for line in lettered)
        assert record["question"] in row["question"]
        if name != group:
            grouped += 1
            assert f"第 {record['position']} 题" in row["question"]
    assert grouped > 10


def as_sheet(case, name, rows, replies):
    filled = [{**row, "answer": replies[row["id"]], "annotator": "Anna"} for row in rows]
    return save_sheet(case.folder / f"{name}.csv", filled)


def as_chat(case, name, rows, replies):
    status, printed, errors = case.call("prompts", case.name, "--stage", name, "--predictions", case.predictions)
    assert status == 0, errors
    lines = [json.loads(line) for line in printed.splitlines()]
    by_id = {row["id"]: row for row in rows}
    for line in lines:
        jsonschema.validate(line, SCHEMA)
        assert (line["stage"], line["prompt"], line["shots"]) == (name, "medzh-zh-1", 0)
        text = line["messages"][0]["content"]
        assert by_id[line["id"]]["question"].lstrip("'") in text
    return case.write("chat.jsonl", [{"id": line["id"], "prediction": replies[line["id"]]} for line in lines])


def as_batch(case, name, rows, replies):
    out = case.folder / "batch.jsonl"
    arguments = ("--stage", name, "--predictions", case.predictions, "--to", "openai-batch", "--model", "m")
    status, _, errors = case.call("prompts", case.name, *arguments, "--output", out)
    assert status == 0, errors
    ids = [json.loads(line)["custom_id"] for line in out.read_text(encoding="utf-8").splitlines()]
    assert ids == [row["id"] for row in rows]
    body = "{}".format
    return case.write(
        "output.jsonl",
        [
            {
                "custom_id": one,
                "response": {
                    "status_code": 200,
                    "body": {"model": "m", "choices": [{"index": 0, "message": {"content": body(replies[one])}}]},
                },
            }
            for one in ids
        ],
    )


@pytest.mark.parametrize("way", [as_sheet, as_chat, as_batch])
def test_what_comes_back_counts_as_read_by_a_second_reader(case, way):
    """Each second reading stands in the items, and the numbers without them are those of before."""
    rows, expected = case.rows("fallback"), case.keys_expected()
    replies = {row["id"]: NONE if number % 3 == 2 else case.reply(row) for number, row in enumerate(rows)}
    items = case.folder / "items.jsonl"
    options = {
        "fallback_extractor": "Anna",
        "items": items,
        "stages": {"fallback": way(case, "fallback", rows, replies)},
    }
    report, before = case.score(**options), case.score()
    plain = json.loads(report.as_json())
    assert len(expected) == plain["fallback"]["expected"]
    answered = sum(key_of(row) in expected and reply != NONE for row, reply in replies.items())
    assert plain["fallback"]["answered"] == answered > 0
    assert plain["fallback"]["missing"] == plain["fallback"]["unreadable"] == 0
    was = json.loads(before.as_json())
    if case.of:  # coverage is of the first answers
        assert plain["coverage"] == was["coverage"]
    else:
        assert plain["coverage"]["fallback"] == len(expected)
        assert plain["coverage"]["unparsed"] == was["coverage"]["unparsed"] - answered
    assert plain["rules"][WITHOUT] == {key: was[key] for key in plain["rules"][WITHOUT]}
    wanted = {key_of(row): reply for row, reply in replies.items()}
    found = found_in(items, case)
    for key in expected:
        value, found_by = found[key]
        assert found_by == "fallback"
        assert (value is None) == (wanted[key] == NONE)
    others = {key for key, (_, found_by) in found.items() if found_by == "fallback"} - expected
    assert others == set()


def test_the_numbers_are_those_of_texts_that_say_what_the_reader_says(case):
    """Where each prediction answers one record, a file with the reader's words in the place of texts is equal."""
    rows, expected = case.rows("fallback"), case.keys_expected()
    replies = {row["id"]: case.reply(row) for row in rows}
    words = {key_of(row): reply for row, reply in replies.items() if key_of(row) in expected}
    lines, kept = [json.loads(line) for line in case.predictions.read_text(encoding="utf-8").splitlines()], []
    for line in lines:
        key = (line["id"], line.get("run", 0), line.get("variant", 0))
        kept.append({**line, "prediction": case.config.reads.completion_prefix + words[key]} if key in words else line)
    if sum(map(bool, words)) != sum(
        one["prediction"] != two["prediction"] for one, two in zip(lines, kept, strict=True)
    ):
        assert case.name == "tcmd"  # a group is answered by one text
        return
    changed = json.loads(case.score(case.write("changed.jsonl", kept)).as_json())
    report = json.loads(case.second(replies).as_json())
    assert [report[key] for key in ("metrics", "groups", "tables")] == [
        changed[key] for key in ("metrics", "groups", "tables")
    ]


def test_letters_of_a_second_reader_are_those_that_were_shown(tcmd):
    """In a permuted variant a letter names the option that stood there: worked out from the question's own lines."""
    rows = tcmd.rows("fallback")
    options = {record["id"]: record["options"] for record in tcmd.records}
    items = tcmd.folder / "items.jsonl"
    tcmd.second({row["id"]: "选 B 项。" for row in rows}, items=items)
    found = found_in(items, tcmd)
    checked = 0
    for row in rows:
        key = key_of(row)
        if key in tcmd.keys_expected():
            text = re.search(r"^B\. (.*)$", row["question"], re.MULTILINE)[1]
            assert options[key[0]]["ABCDE".index(found[key][0])] == text
            checked += key[2] > 0
    assert checked


@pytest.mark.parametrize(
    ("reply", "none"),
    [(NONE, True), ("答案：无答案。", True), ("**无答案**", True), ("<think>选A？</think>无答案", True),
     ("该回答没有给出明确的答案。", True), ("none", True), ("A", False), ("<think>无答案？</think>A", False)],
)  # fmt: skip
def test_a_reader_says_none_in_many_words(tcmd, reply, none):
    rows = tcmd.rows("fallback")
    report = tcmd.second({row["id"]: reply for row in rows})
    assert report.fallback.read == report.fallback.expected
    assert report.fallback.answered == (0 if none else report.fallback.expected)


@pytest.mark.parametrize(
    "reply", ["该回答未给出答案，正确答案应为B。", "该回答没有给出答案。\n答案：B", "无答案，正确答案是B", "F", "A或B"]
)
def test_a_reader_who_solves_the_question_or_names_no_option_is_not_read(tcmd, reply):
    rows = tcmd.rows("fallback")
    report = tcmd.second({row["id"]: reply for row in rows})
    assert report.fallback.answered == 0
    assert report.fallback.unreadable == report.fallback.expected


def test_with_nothing_due_scores_are_those_of_before_but_signed(case):
    plain = [{"id": one, "prediction": case.config.reads.completion_prefix + case.readable(one)} for one in case.gold]
    if case.name == "tcmd":
        members = {}
        for record in sorted(case.records, key=lambda record: record["position"]):
            members.setdefault(record["group_id"], []).append(record["answer"])
        texts = {
            group: letters[0]
            if len(letters) == 1
            else " ".join(f"{place}.{letter}" for place, letter in enumerate(letters, 1))
            for group, letters in members.items()
        }
        plain = [{"id": group, "prediction": text} for group, text in texts.items()]
    path = case.write("plain.jsonl", plain)
    rows = case.rows("fallback", after=path)
    assert rows == []
    before, after = case.score(path), case.score(path, fallback_extractor="reader-1")
    assert after.fallback.expected == 0
    found, was = json.loads(after.as_json()), json.loads(before.as_json())
    assert found["rules"].pop(WITHOUT) == {
        key: was[key]
        for key in ("metrics", "groups", "tables", "unparsed", "unambiguous", "response_formats", "pattern_counts")
    }
    assert found["signature"].pop("fallback extractor") == "reader-1 (unparsed, prompt unknown)"
    for one in (found, was):
        one["arguments"].pop("fallback_extractor", None), one["arguments"].pop("unclear", None)
        one.pop("fallback"), one.pop("warnings")
    assert found == was


def test_the_prompts_that_were_sent_are_signed_and_checked(case):
    out, batch = case.folder / "sent.jsonl", case.folder / "batch.jsonl"
    given = ("--stage", "fallback", "--predictions", case.predictions)
    assert case.call("prompts", case.name, *given, "--output", out)[0] == 0
    assert case.call("prompts", case.name, *given, "--to", "openai-batch", "--model", "m", "--output", batch)[0] == 0
    replies = {row["id"]: NONE for row in case.rows("fallback")}
    for file in (out, batch):
        report = case.second(replies, prompts=file)
        assert report.signature["fallback extractor"] == "reader-1 (unparsed, prompt medzh-zh-1 do_sample=False)"
    text = out.read_text(encoding="utf-8").replace("不要自己解题", "请自己解题")
    out.write_text(text, encoding="utf-8")
    with pytest.raises(Exception, match=r"sent.jsonl:1: the text matches no prompt of the stage for this answer"):
        case.second(replies, prompts=out)


def test_what_did_not_come_back_stays_unread_and_is_counted(case):
    rows, expected = case.rows("fallback"), case.keys_expected()
    first = next(row["id"] for row in rows if key_of(row) in expected)
    replies = {row["id"]: case.reply(row) for row in rows if row["id"] != first}
    failed = case.write(
        "failed.jsonl",
        [{"id": first, "error": "timeout"}, *({"id": one, "prediction": text} for one, text in replies.items())],
    )
    report = case.score(stages={"fallback": failed}, fallback_extractor="x")
    assert (report.fallback.missing, report.fallback.read) == (1, len(expected) - 1)
    for missing in ("error", "wrong", "skip"):
        report = case.second(replies, missing=missing)
        assert (report.fallback.missing, report.fallback.read) == (1, len(expected) - 1)
        assert report.coverage.fallback == (0 if case.of else len(expected) - 1)  # it is of the first answers
        assert any(
            f"{len(expected)} expected, {len(expected) - 1} parsed" in note and "1 missing" in note
            for note in report.notes
        )
    assert case.score(fallback_extractor="x").fallback.missing == len(expected)


def test_a_later_file_wins_and_completes(case):
    rows = case.rows("fallback")
    first = case.write("first.jsonl", [{"id": row["id"], "prediction": NONE} for row in rows[::2]])
    left = case.rows("fallback", "--skip-answered", first)
    assert [row["id"] for row in left] == [row["id"] for row in rows[1::2]]
    all_of_them = case.write("second.jsonl", [{"id": row["id"], "prediction": case.reply(row)} for row in rows])
    one = case.score(stages={"fallback": [first, all_of_them]}, fallback_extractor="x")
    two = case.score(stages={"fallback": [all_of_them]}, fallback_extractor="x")
    assert values(one) == values(two)


def test_a_judgement_of_another_text_is_refused_with_both_codes(any_case):
    name = "fallback" if any_case.config.reads.second else "audit"
    rows = any_case.rows(name, *(() if any_case.config.reads.second else ("--sample", 5)))
    replies = {row["id"]: NONE for row in rows}
    last = rows[-1]["id"]
    key, code = last.split("~")
    replies.pop(last)
    replies[f"{key}~bbbbbbbb"] = NONE
    with pytest.raises(Exception, match="the answer hash does not match the predictions file") as refused:
        any_case.second(replies, name=name)
    error = refused.value
    assert (error.line, error.field, error.expected, error.found) == (len(rows), "id", last, f"{key}~bbbbbbbb")
    assert error.file.endswith("replies.jsonl")
    of_run_7 = f"{key.partition('#')[0]}#r7~{code}"
    for wrong, said in (
        (key, "the id has no valid answer hash"),
        (f"x-1~{code}", "no record has this id"),
        (of_run_7, "the answer is not in the predictions file"),
    ):
        with pytest.raises(Exception, match=said):
            any_case.second({wrong: NONE}, name=name)


def test_a_blank_answer_is_none_that_can_be_judged(any_case):
    lines = [json.loads(line) for line in any_case.predictions.read_text(encoding="utf-8").splitlines()]
    lines[0]["prediction"] = " \n"
    blank, name = any_case.write("blank.jsonl", lines), "fallback" if any_case.config.reads.second else "audit"
    key = AnswerKey(lines[0]["id"], lines[0].get("run", 0), lines[0].get("variant", 0))
    if any_case.name == "tcmd":
        key = next(AnswerKey(one["id"], *key[1:]) for one in any_case.records if one["group_id"] == key.id)
    replies = {judged_id(key, code_of(name, [" \n"])): NONE}
    with pytest.raises(Exception, match="the answer is not in the predictions file"):
        any_case.second(replies, name=name, predictions=blank)


def test_what_a_person_mistypes_is_named_with_its_line(case):
    rows = case.rows("fallback")
    replies = {row["id"]: case.reply(row) for row in rows} | {rows[1]["id"]: "这个问题很有意思"}
    with pytest.raises(Exception, match="invalid value for this column") as refused:
        case.score(stages={"fallback": as_sheet(case, "fallback", rows, replies)}, fallback_extractor="Anna")
    assert (refused.value.field, refused.value.found) == ("answer", "这个问题很有意思")
    assert refused.value.line is not None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--stage", "fallback=FILE"), "option --fallback-extractor: this option is required with stage fallback"),
        (("--include-ambiguous",), "this option requires fallback extraction"),
        (("--stage", "third-reading=FILE"), "unknown name"),
    ],
)
def test_a_policy_is_said_whole(tcmd, arguments, said):
    file = tcmd.write("file.jsonl", [{"id": "x~bbbbbbbb", "prediction": "A"}])
    given = [one.replace("FILE", str(file)) for one in arguments]
    status, _, errors = tcmd.call("score", "tcmd", tcmd.predictions, *given)
    assert status == 2
    assert said in errors


def test_second_readings_enter_our_rule_only(minis, tmp_path, capfdbinary):
    for name, rule, said in (
        ("sdak", "official", "the config does not support fallback extraction"),
        ("cmhe_dd", "judge", "fallback extraction requires rule medzh-1"),
        ("pemebench_cmexam", "letters-only", "fallback extraction requires rule medzh-1"),
        ("care_mi", "raw", "the config does not support fallback extraction"),
    ):
        one = case_of(name, minis, tmp_path, capfdbinary)
        status, _, errors = one.call("score", name, one.predictions, "--rule", rule, "--fallback-extractor", "x")
        assert (status, said in errors) == (2, True), errors


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("fallback", ("--sample", "3"), "includes all predictions that need fallback extraction"),
        ("fallback", ("--rule", DEFAULT_RULE), "applies only to the answers of extraction rules"),
        ("audit", ("--rule", DEFAULT_RULE), "applies only to the answers of extraction rules"),
        ("audit", ("--include-ambiguous",), "this option requires --stage fallback"),
        ("audit", ("--dictionary", "names.csv"), "this option requires --stage fallback"),
        ("fallback", ("--dictionary", "names.csv"), "the config does not use a disease-name dictionary"),
        ("audit", ("--runs", "3"), "this option cannot be combined with --stage"),
    ],
)
def test_options_that_say_nothing_are_refused(tcmd, name, arguments, said):
    status, printed, errors = tcmd.call(
        "prompts", "tcmd", "--stage", name, "--predictions", tcmd.predictions, *arguments
    )
    assert (status, printed) == (2, "")
    assert said in errors
    status, _, errors = tcmd.call("prompts", "tcmd", "--stage", name)
    assert status == 2
    assert f"option --predictions: this option is required for stage {name}" in errors
