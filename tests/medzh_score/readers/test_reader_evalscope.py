"""Predictions of EvalScope: by the ids in their metadata, in any order, repeats as runs; without ids by their index.

Source: what the package's own ``ModelResult`` and ``ModelOutput`` say of their fields, retold by hand.
"""

from __future__ import annotations

import json

import pytest
from read_files import lines_in, reader_of

from medzh_score.prompting.positions import Position
from medzh_score.readers import evalscope
from medzh_score.ui.errors import MedzhError

PROMPTS = {"m-f": "麻疹具有传染性，对吗？", "m-c": "麻疹没有传染性，对吗？"}
SENT = [Position(identifier, 0, 0, text) for identifier, text in PROMPTS.items()]


def line(index, content="正确", named="m-f", *, stop="stop", asked=None, **more):
    answer = {"role": "assistant", "content": content, "source": "generate"}
    user = {"role": "user", "content": PROMPTS.get(named) if asked is None else asked, "id": "x"}
    return {
        "index": index,
        "model": "m-1",
        "model_output": {"model": "m-1", "choices": [{"message": answer, "stop_reason": stop}], "usage": None},
        "messages": [{"role": "system", "content": "你是医生。"}, user, answer],
        "agent_trace": None,
        "metadata": {"id": named},
        **more,
    }


def unnamed(index, content, asked, **more):
    return line(index, content, asked=asked, metadata=None, **more)


@pytest.fixture
def write(tmp_path):
    def dump(*lines):
        path = tmp_path / "set_default.jsonl"
        path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines), encoding="utf-8")
        return path

    return dump


def read(path, sent=SENT):
    assert reader_of(path).name == "evalscope"
    return [one for _, one in lines_in(path, evalscope, lambda: {"sent": sent})]


def refusal(path, sent=SENT):
    with pytest.raises(MedzhError) as failure:
        read(path, sent)
    return failure.value


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("正确", "正确"),
        ("", ""),
        (None, ""),
        ([{"type": "text", "text": "正"}, {"type": "text", "text": "确"}], "正确"),
        ([{"type": "reasoning", "reasoning": "想", "text": "想"}, {"type": "text", "text": "正确"}], "正确"),
        ([{"type": "reasoning", "reasoning": "想"}], ""),
        ([], ""),
    ],
)
def test_what_an_answer_may_be(write, content, text):
    (one,) = read(write(line(0, content)))
    assert (one.id, one.prediction, one.run, one.model, one.finish_reason) == ("m-f", text, 0, "m-1", "stop")


@pytest.mark.parametrize(
    ("output", "error"),
    [
        (None, "no output"),
        ({"choices": []}, "no output"),
        ({"choices": [], "error": "timed out"}, "timed out"),
        ({"choices": [{"message": {"role": "assistant", "content": ""}}], "error": "moderated"}, "moderated"),
    ],
)
def test_a_failure_is_missing(write, output, error):
    (one,) = read(write(line(0, model_output=output)))
    assert (one.id, one.prediction, one.error) == ("m-f", "", error)


def test_repeats_are_runs_by_their_index(write):
    lines = [line(3, "d", "m-c"), line(0, "a"), line(5, "f", "m-c"), line(2, "c"), line(1, "b"), line(4, "e", "m-c")]
    found = read(write(*lines))
    assert sorted((one.id, one.run, one.prediction) for one in found) == [
        *(("m-c", run, text) for run, text in enumerate("def")),
        *(("m-f", run, text) for run, text in enumerate("abc")),
    ]


def test_choices_are_runs(write):
    output = line(0)["model_output"]
    output["choices"] = [{"message": {"role": "assistant", "content": text}} for text in "abc"]
    assert [(one.run, one.prediction) for one in read(write(line(0, model_output=output)))] == list(enumerate("abc"))
    assert "several choices for a prompt that was repeated" in str(
        refusal(write(line(0, model_output=output), line(1, model_output=output)))
    )


def test_run_and_variant_may_stand_in_the_id(write):
    (one,) = read(write(line(0, named="m-f#r2v5")))
    assert (one.id, one.run, one.variant) == ("m-f", 2, 5)


@pytest.mark.parametrize("metadata", [None, {}, {"id": "unknown"}, {"id": ""}, {"id": 7}, {"id": None}])
def test_without_ids_the_index_counts(write, metadata):
    lines = [line(1, "b", "m-c", metadata=metadata), line(0, "a", metadata=metadata)]
    assert [(one.id, one.run, one.prediction) for one in read(write(*lines))] == [("m-c", 0, "b"), ("m-f", 0, "a")]


def test_without_ids_repeats_follow_one_another(write):
    lines = [unnamed(index, text, PROMPTS[("m-f", "m-c")[index // 3]]) for index, text in enumerate("abcdef")]
    assert [(one.id, one.run, one.prediction) for one in read(write(*lines))] == [
        *(("m-f", run, text) for run, text in enumerate("abc")),
        *(("m-c", run, text) for run, text in enumerate("def")),
    ]


def test_what_was_asked_is_not_what_was_answered(write):
    """An answer that quotes the prompt is no proof that it was asked."""
    failure = refusal(write(unnamed(0, PROMPTS["m-f"], "何谓麻疹？")))
    assert "at 1 of 1 positions" in str(failure)


@pytest.mark.parametrize(
    ("lines", "number", "field", "message"),
    [
        ([line(0), line(0, named="m-c")], 2, "index", "line 1 has it too"),
        ([line(0), line(1, metadata=None)], 2, "metadata.id", "others have none"),
        ([unnamed(0, "a", PROMPTS["m-c"])], 1, None, "something else was asked"),
        ([unnamed(2, "a", PROMPTS["m-f"]), unnamed(3, "a", PROMPTS["m-f"])], 2, None, "something else was asked"),
        ([line(0), line("1")], 2, "index", "expected a whole number"),
        ([line(0), line(-1)], 2, "index", "is too small; expected a whole number from 0"),
        ([line(0), {"index": 1, "model_output": 5}], 2, "model_output", "wrong kind"),
    ],
)
def test_a_wrong_line_is_named(write, lines, number, field, message):
    failure = refusal(write(*lines))
    assert message in str(failure)
    assert (failure.line, failure.field) == (number, field)


def former(index, content="正确", named="m-f", **more):
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    raw = {"id": named, "query": PROMPTS.get(named, "")}
    return {"index": index, "choices": [choice], "model": "m-1", "raw_input": raw, "object": "chat.completion", **more}


def test_lines_of_a_version_before_1_0(write):
    found = read(write(former(1, "b", "m-c"), former(0, None), former(2, "c", "m-c")))
    assert [(one.id, one.run, one.prediction, one.model, one.finish_reason) for one in found] == [
        *(("m-c", 0, "b", "m-1", "stop"), ("m-f", 0, "", "m-1", "stop"), ("m-c", 1, "c", "m-1", "stop"))
    ]
    (one,) = read(write(former(0, raw_input={"query": PROMPTS["m-f"]})))
    assert (one.id, one.question.messages) == ("m-f", (("user", PROMPTS["m-f"]),))
    assert "at 1 of 1 positions" in str(refusal(write(former(0, raw_input={"query": "何谓麻疹？"}))))


@pytest.mark.parametrize(
    "messages", [[], [{"role": "assistant", "content": "正确"}], [{"role": "user", "content": " "}]]
)
def test_an_answer_alone_has_no_place(write, messages):
    """As versions from 1.0 to 1.6.1 write it; an id in the metadata is enough."""
    failure = refusal(write(line(0, metadata={}, messages=messages)))
    assert (failure.line, "as EvalScope before 1.7 writes it" in failure.problem) == (1, True)
    (one,) = read(write(line(0, messages=messages)))
    assert (one.id, one.prediction) == ("m-f", "正确")
