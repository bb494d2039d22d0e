"""The body of a response, as the text of an answer; whatever else came is named."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from medzh_score.files.json_text import NO_JSON
from medzh_score.predictions.readers.response_bodies import Body, answers_in, error_in
from medzh_score.suites.asking.faults import Course, FaultError, words_of

OK = 200
BODY = msgspec.json.Decoder(Body)
BROKEN_OFF = ("error", "abort")  # why generation ended where its text is none that the model would have given


class Text(NamedTuple):
    """What a model answered, why it ended there, and by which name the server calls the model."""

    text: str
    finish_reason: str | None
    model: str | None


class CallingMessage(msgspec.Struct):
    """A message that calls tools instead of saying something."""

    tool_calls: Any = None
    function_call: Any = None


class CallingChoice(msgspec.Struct):
    """A choice of which only that is looked at."""

    message: CallingMessage = msgspec.field(default_factory=CallingMessage)


class Calling(msgspec.Struct):
    """A body of which only that is looked at."""

    choices: list[CallingChoice] = []


def answer_in(content: bytes) -> Text:
    """Give the one answer that a response holds.

    An empty text is an answer: to ask again until a model says something would be to choose among its answers.
    """
    body = _body(content)
    if error_in(body) is not None:
        raise FaultError(f"an error instead of an answer: {words_of(content)[0]}", status=OK)
    try:
        answers = answers_in(body)
    except KeyError:
        raise FaultError("a choice without a message") from None
    if not answers:
        raise FaultError("no choices")
    if len(answers) > 1:
        raise FaultError(f"{len(answers)} choices instead of one", Course.LASTS)
    (answer,) = answers
    if answer.finish_reason in BROKEN_OFF:
        raise FaultError("generation broke off")
    if not answer.text and _calls_tools(content):
        raise FaultError("a tool call instead of a text", Course.LASTS)
    return Text(answer.text, answer.finish_reason, body.model)


def _body(content: bytes) -> Body:
    bare = content.strip()
    if not bare:
        raise FaultError("an empty body")
    if bare.startswith(b"<"):
        raise FaultError(f"a page instead of JSON: {words_of(bare)[0]}", status=OK)
    try:
        return BODY.decode(content)
    except msgspec.ValidationError as error:
        raise FaultError(f"JSON of another shape: {error}", status=OK) from None
    except NO_JSON as error:
        raise FaultError(f"no JSON, or cut off: {error}", status=OK) from None


def _calls_tools(content: bytes) -> bool:
    message = msgspec.json.decode(content, type=Calling).choices[0].message
    return bool(message.tool_calls or message.function_call)
