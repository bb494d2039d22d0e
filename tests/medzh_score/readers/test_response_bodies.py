"""What stands in a batch's output beside chat completions: plain completions, responses, and errors for bodies.

Source: the shapes that the OpenAI interfaces document and that vLLM's ``run_batch`` writes, retold by hand.
"""

from __future__ import annotations

import json

import pytest
from read_files import lines_in, reader_of

from medzh_score.readers import batch
from medzh_score.ui.errors import MedzhError

REFUSAL = {"type": "refusal", "refusal": "I cannot help."}


def text_part(text):
    return {"type": "output_text", "text": text, "annotations": []}


def message(*parts):
    return {"type": "message", "role": "assistant", "status": "completed", "content": list(parts)}


REASONING = {"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "想"}]}


@pytest.fixture
def read(tmp_path):
    def through(body, custom_id="a", **more):
        path = tmp_path / "out.jsonl"
        line = {"custom_id": custom_id, "response": {"status_code": 200, "body": body}, "error": None, **more}
        path.write_text(json.dumps(line, ensure_ascii=False) + "\n", encoding="utf-8")
        assert reader_of(path).name == "batch"
        return [one for _, one in lines_in(path, batch)]

    return through


@pytest.mark.parametrize(
    ("said", "text", "reason"),
    [
        ({"content": "正确", "reasoning_content": "想"}, "正确", "stop"),
        ({"content": None, "reasoning_content": "想：正确"}, "", "stop"),
        ({"content": None, "reasoning": "想：正确"}, "", "stop"),
        ({"reasoning_content": "想：正确"}, "", "stop"),
        ({"content": [{"type": "thinking", "text": "想"}, {"type": "text", "text": "正确"}]}, "正确", "stop"),
        ({"content": [{"text": "正确"}]}, "正确", "stop"),
        ({"content": None, "refusal": "I cannot"}, "", "content_filter"),
    ],
)
def test_reasoning_is_no_answer(read, said, text, reason):
    body = {"model": "m", "choices": [{"index": 0, "finish_reason": "stop", "message": said}]}
    (one,) = read(body)
    assert (one.prediction, one.finish_reason, one.error) == (text, reason, None)


@pytest.mark.parametrize("reason", ["stop", "length", None])
def test_plain_completions(read, reason):
    choices = [{"index": index, "text": text, "finish_reason": reason} for index, text in ((1, "错误"), (0, "正确"))]
    found = read({"object": "text_completion", "model": "m", "choices": choices})
    assert [(one.run, one.prediction, one.finish_reason) for one in found] == [(1, "错误", reason), (0, "正确", reason)]


@pytest.mark.parametrize(
    ("body", "text", "reason"),
    [
        ({"output": [message(text_part("正确"))]}, "正确", "stop"),
        ({"output": [REASONING, message(text_part("正"), text_part("确"))]}, "正确", "stop"),
        ({"output": [REASONING]}, "", "stop"),
        ({"output": [{**REASONING, "content": None}, message(REFUSAL)]}, "", "content_filter"),
        ({"output": [REASONING], "incomplete_details": {"reason": "max_output_tokens"}}, "", "max_output_tokens"),
        ({"output": [message(text_part("正"))], "incomplete_details": {"reason": "other"}}, "正", "other"),
        ({"output": [message()], "incomplete_details": {"reason": "content_filter"}}, "", "content_filter"),
        ({"output": [message(text_part("正确"))], "incomplete_details": None, "error": None}, "正确", "stop"),
    ],
)
def test_responses(read, body, text, reason):
    (one,) = read({"object": "response", "model": "m", "status": "completed", **body})
    assert (one.prediction, one.finish_reason, one.model, one.error) == (text, reason, "m", None)


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"error": {"message": "too long", "type": "BadRequestError", "code": 400}}, "an error: too long"),
        ({"error": "too long"}, "an error: too long"),
        ({"object": "error", "message": "too long", "code": 400}, "an error: too long"),
        ({"object": "response", "status": "failed", "output": [], "error": {"message": "server"}}, "an error: server"),
        ({"object": "response", "output": []}, "no choices"),
        ({"choices": []}, "no choices"),
        ({"choices": [], "error": {"code": 7}}, "an error: {'code': 7}"),
        ({"choices": [{"text": "正", "index": 0}], "error": {"message": "server"}}, "an error: server"),
        ({"object": "response", "output": [REASONING], "error": {"message": "server"}}, "an error: server"),
        (None, "no body: no reason given"),
    ],
)
def test_an_error_for_a_body(read, body, error):
    (one,) = read(body, "a#r1v2")
    assert (one.id, one.run, one.variant, one.prediction, one.error) == ("a", 1, 2, "", error)


@pytest.mark.parametrize(
    "more",
    [
        {"response": None, "error": {"code": "batch_expired", "message": "too late"}},
        {"response": {"status_code": 429, "body": {"error": {"message": "too late"}}}, "error": None},
        {"response": {"status_code": 500, "body": "too late"}, "error": {"object": "error", "message": "too late"}},
    ],
)
def test_a_failure_gives_its_reason_wherever_it_stands(read, more):
    (one,) = read(None, **more)
    assert one.error.endswith(": too late")


def test_a_line_without_a_response(tmp_path):
    path = tmp_path / "errors.jsonl"
    path.write_text('{"custom_id": "a", "error": {"message": "expired"}}\n')
    assert reader_of(path).name == "batch"
    assert [one.error for _, one in lines_in(path, batch)] == ["no response: expired"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"choices": [{"index": 0}]}, "choices[…].message"),
        ({"model": "m"}, "choices"),
        ({"output": [{"content": "x"}]}, "output[0].content"),
        ({"choices": [{"text": 5}]}, "choices[0].text"),
    ],
)
def test_a_body_of_another_shape(read, body, field):
    with pytest.raises(MedzhError) as failure:
        read(body)
    assert field in failure.value.field or field == "output[0].content"
    assert failure.value.line == 1


def test_what_was_said_before_an_error_is_no_answer(read):
    """A server that breaks off says so in the place of a reason to stop, or beside the response."""
    whole, broken = (
        {"index": 0, "text": "正确", "finish_reason": "stop"},
        {"index": 1, "text": "正", "finish_reason": "error"},
    )
    assert [one.error for one in read({"choices": [whole, broken]})] == [None, "generation ended in an error"]
    assert [one.error for one in read({"choices": [whole]}, error={"message": "late"})] == ["an error: late"]


@pytest.mark.parametrize("failed", [{"error": "timed\n out"}, {"prediction": None, "error": "timed out"}])
@pytest.mark.parametrize("first", [True, False])
def test_a_native_line_may_say_why_there_is_no_prediction(tmp_path, failed, first):
    lines = [{"id": "a", "run": 1, **failed}, {"id": "b", "prediction": "正确"}]
    path = tmp_path / "p.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in (lines if first else reversed(lines))), encoding="utf-8")
    found = {one.id: one for _, one in lines_in(path)}
    assert reader_of(path).name == "native"
    assert (found["a"].run, found["a"].prediction, found["a"].error) == (1, "", "timed out")
    assert (found["b"].prediction, found["b"].error) == ("正确", None)
