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
from medzh_score.readers.prediction import Prediction, content_text, without_failed_text
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def read(file: InputFile, _order: SentOrder = no_order) -> Iterator[tuple[int, Prediction]]:
    """Read batch output, in whatever order the requests came back."""
    lines, bodies, path = msgspec.json.Decoder(BatchLine), msgspec.json.Decoder(Body | None), file.path
    for number, raw in numbered_lines(file):
        line: BatchLine = decoded(lines, without_constants(raw), file, number)
        check_duplicate_keys(raw, path, number)
        prompt_id, run, variant = split_id(line.custom_id)
        failure, answers, model = _failure(line), list[Answered](), None
        if failure is None and line.response is not None:
            body: Body | None = decoded(bodies, line.response.body, file, number)
            if body is None or (error := error_in(body)) is not None:
                failure = f"no body: {_words(line.error)}" if body is None else f"an error: {_words(error)}"
            else:
                try:
                    found, model = answers_in(body), body.model
                except KeyError as error:
                    field = "choices[…].message"
                    raise MedzhError(_("the field is missing"), file=path, line=number, field=field) from error
                if found is None:
                    raise MedzhError(_("the field is missing"), file=path, line=number, field="choices")
                answers, failure = found, None if found else _("no choices")
        if failure is not None:
            yield number, Prediction(prompt_id, "", run, variant, error=failure)
        if len(answers) > 1 and run:
            raise MedzhError(
                _("the request specifies a run, but its response has several choices"),
                file=path,
                line=number,
                field="custom_id",
                expected=_("one of the two"),
                found=line.custom_id,
            )
        for text, reason, choice in answers:
            yield number, without_failed_text(Prediction(prompt_id, text, run or choice, variant, model, reason))


def _failure(line: BatchLine) -> str | None:
    if line.response is None:
        return f"no response: {_words(line.error)}"
    if line.response.status_code != SUCCESS:
        try:
            said = error_in(msgspec.json.decode(line.response.body, type=Body))
        except NO_JSON:
            said = None
        return _(
            "status {status_code}: {words}", status_code=line.response.status_code, words=_words(line.error or said)
        )
    return f"an error: {_words(line.error)}" if line.error and line.response.body != NO_BODY else None


def _words(error: object) -> str:
    if isinstance(error, dict):
        error = error.get("message", error)
    return str(error) if error else _("no reason given")


def answers_in(body: Body) -> list[Answered] | None:
    """Give the answers that a body holds; None where it has no place for any."""
    if body.choices is not None:
        return [_of_choice(choice) for choice in body.choices]
    if body.output is None:
        return None
    return [_of_output(body.output, body.incomplete_details)] if body.output else []


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
    return Answered(content_text(content), "content_filter" if refused else choice.finish_reason, choice.index)


def _of_output(output: list[Item], incomplete: Incomplete | None) -> Answered:
    parts = [part for item in output if item.type == "message" for part in item.content or ()]
    text, reason = content_text(parts), "stop" if incomplete is None else incomplete.reason
    refused = not text and any(part.get("type") == "refusal" for part in parts)
    return Answered(text, "content_filter" if refused else reason)
