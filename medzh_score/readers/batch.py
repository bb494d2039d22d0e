"""Output of the OpenAI Batch interface and of vLLM's ``run-batch``: the same object, failures apart.

OpenAI writes failed requests to a file of their own, with ``response`` null or a status that is not 200; vLLM writes
them among the others, with a ``body`` of null. Either way a failed request is a missing prediction, with its reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec

from medzh_score.io.documents import check_duplicate_keys
from medzh_score.io.jsonl import NO_JSON, decoded, numbered_lines, without_constants
from medzh_score.prompting.ids import split_id
from medzh_score.prompting.positions import no_order
from medzh_score.readers.prediction import Prediction, settled
from medzh_score.ui.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from medzh_score.io.open_input import InputFile
    from medzh_score.prompting.positions import SentOrder


SUCCESS = 200
NO_BODY = msgspec.Raw(b"null")


class BatchResponse(msgspec.Struct):
    """The response to a request."""

    status_code: int = SUCCESS
    body: msgspec.Raw = NO_BODY


class BatchLine(msgspec.Struct):
    """A line of the output file."""

    custom_id: str
    response: BatchResponse | None = None
    error: Any = None


def read(file: InputFile, _order: SentOrder = no_order) -> Iterator[tuple[int, Prediction]]:
    """Read batch output, in whatever order the requests came back."""
    lines = msgspec.json.Decoder(BatchLine)
    bodies, path = msgspec.json.Decoder(Body | None), file.path
    for number, raw in numbered_lines(file):
        line: BatchLine = decoded(lines, without_constants(raw), file, number)
        check_duplicate_keys(raw, path, number)
        prompt_id, run, variant = split_id(line.custom_id)
        failure = _failure(line)
        if failure is not None:
            yield number, Prediction(prompt_id, "", run, variant, error=failure)
            continue
        assert line.response is not None  # noqa: S101 - _failure has said so
        body: Body | None = decoded(bodies, line.response.body, file, number)
        if body is None or error_in(body) is not None:
            said = f"no body: {_words(line.error)}" if body is None else f"an error: {_words(error_in(body))}"
            yield number, Prediction(prompt_id, "", run, variant, error=said)
            continue
        answers = _answers(body, path, number)
        if not answers:
            yield number, Prediction(prompt_id, "", run, variant, error="no choices")
        if len(answers) > 1 and run:
            raise MedzhError(
                "several choices for a request that names its run",
                file=path,
                line=number,
                field="custom_id",
                expected="one of the two",
                found=line.custom_id,
            )
        for text, reason, choice in answers:
            yield number, settled(Prediction(prompt_id, text, run or choice, variant, body.model, reason))


def _answers(body: Body, path: Path, number: int) -> list[Answered]:
    try:
        answers = answers_in(body)
    except KeyError as error:
        raise MedzhError("the field is missing", file=path, line=number, field="choices[…].message") from error
    if answers is None:
        raise MedzhError("the field is missing", file=path, line=number, field="choices")
    return answers


def _failure(line: BatchLine) -> str | None:
    if line.response is None:
        return f"no response: {_words(line.error)}"
    if line.response.status_code != SUCCESS:
        return f"status {line.response.status_code}: {_words(line.error or _in_body(line.response.body))}"
    return f"an error: {_words(line.error)}" if line.error and line.response.body != NO_BODY else None


def _in_body(raw: msgspec.Raw) -> object:
    try:
        body = msgspec.json.decode(raw, type=Body)
    except NO_JSON:
        return None
    return error_in(body)


def _words(error: object) -> str:
    if isinstance(error, dict):
        error = error.get("message", error)
    return str(error) if error else "no reason given"


TEXTS = ("text", "output_text")  # the parts that hold what was answered; reasoning is none of them


class ResponseMessage(msgspec.Struct):
    """A chat message; its content is a text, a list of parts, or null."""

    content: str | list[dict[str, Any]] | None = None
    refusal: str | None = None


class ResponseChoice(msgspec.Struct):
    """One of the answers to a request: a message, or the text of a plain completion."""

    message: ResponseMessage | None = None
    text: str | None = None
    index: Annotated[int, msgspec.Meta(ge=0)] = 0
    finish_reason: str | None = None


class Item(msgspec.Struct):
    """One of the things that a response holds: a message, reasoning, or the call of a tool."""

    type: str = "message"
    content: list[dict[str, Any]] | None = None


class Incomplete(msgspec.Struct):
    """Why a response was not finished."""

    reason: str | None = None


class Body(msgspec.Struct):
    """The body of a response, of which one of ``choices``, ``output`` and ``error`` is there."""

    choices: list[ResponseChoice] | None = None
    output: list[Item] | None = None
    model: str | None = None
    error: Any = None
    incomplete_details: Incomplete | None = None
    object: str | None = None
    message: str | None = None


class Answered(NamedTuple):
    """An answer to a request, without the reasoning before it; of several, its number."""

    text: str
    finish_reason: str | None
    number: int = 0


def answers_in(body: Body) -> list[Answered] | None:
    """Give the answers that a body holds; None where it has no place for any."""
    if body.choices is not None:
        return [_of_choice(choice) for choice in body.choices]
    return None if body.output is None else [_of_output(body.output, body.incomplete_details)] * bool(body.output)


def error_in(body: Body) -> object:
    """Give the error in which a request ended, whatever came before it; None where there is none."""
    if body.choices or body.output:
        return body.error or None
    return body.error or (body.message if body.object == "error" else None)


def _of_choice(choice: ResponseChoice) -> Answered:
    if choice.message is None:
        if choice.text is None:
            raise KeyError("message")
        return Answered(choice.text, choice.finish_reason, choice.index)
    content = choice.message.content
    refused = content is None and choice.message.refusal
    text = _joined(content) if isinstance(content, list) else content or ""
    return Answered(text, "content_filter" if refused else choice.finish_reason, choice.index)


def _of_output(output: list[Item], incomplete: Incomplete | None) -> Answered:
    parts = [part for item in output if item.type == "message" for part in item.content or ()]
    text = _joined(parts)
    reason = incomplete.reason if incomplete is not None else "stop"
    if not text and any(part.get("type") == "refusal" for part in parts):
        reason = "content_filter"
    return Answered(text, reason)


def _joined(parts: list[dict[str, Any]]) -> str:
    return "".join(str(part.get("text") or "") for part in parts if part.get("type", "text") in TEXTS)
