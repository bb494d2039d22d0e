"""Output of the OpenAI Batch interface and of vLLM's ``run-batch``: the same object, failures apart.

OpenAI writes failed requests to a file of their own, with ``response`` null or a status that is not 200; vLLM writes
them among the others, with a ``body`` of null. Either way a failed request is a missing prediction, with its reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.files.document import refuse_twins
from medzh_score.files.json_text import NO_JSON, without_constants
from medzh_score.files.lines import decoded, numbered_lines
from medzh_score.messages.errors import MedzhError
from medzh_score.predictions.readers.prediction import Prediction, settled
from medzh_score.predictions.readers.response_bodies import Body, answers_in, error_in
from medzh_score.prompts.codes import no_order, split_id

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from medzh_score.files.input_file import InputFile
    from medzh_score.predictions.readers.head import Head
    from medzh_score.predictions.readers.response_bodies import Answered
    from medzh_score.prompts.codes import SentOrder

SHAPE = '{"custom_id": …, "response": {"status_code": 200, "body": {"choices": […]}}}'
SUCCESS = 200
NO_BODY = msgspec.Raw(b"null")


class Response(msgspec.Struct):
    """The response to a request."""

    status_code: int = SUCCESS
    body: msgspec.Raw = NO_BODY


class Line(msgspec.Struct):
    """A line of the output file."""

    custom_id: str
    response: Response | None = None
    error: Any = None


def recognises(head: Head) -> bool:
    """Say whether a file begins with a line of batch output."""
    return head.form == "lines" and head.has("custom_id") and (head.has("response") or head.has("error"))


def read(file: InputFile, _order: SentOrder = no_order) -> Iterator[tuple[int, Prediction]]:
    """Read batch output, in whatever order the requests came back."""
    lines = msgspec.json.Decoder(Line)
    bodies, path = msgspec.json.Decoder(Body | None), file.path
    for number, raw in numbered_lines(file):
        line: Line = decoded(lines, without_constants(raw), file, number)
        refuse_twins(raw, path, number)
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
    """Give a body's answers, or name what is missing."""
    try:
        answers = answers_in(body)
    except KeyError as error:
        raise MedzhError("the field is missing", file=path, line=number, field="choices[…].message") from error
    if answers is None:
        raise MedzhError("the field is missing", file=path, line=number, field="choices")
    return answers


def _failure(line: Line) -> str | None:
    """Say why a request has no answer, where that shows before its body is read."""
    if line.response is None:
        return f"no response: {_words(line.error)}"
    if line.response.status_code != SUCCESS:
        return f"status {line.response.status_code}: {_words(line.error or _in_body(line.response.body))}"
    return f"an error: {_words(line.error)}" if line.error and line.response.body != NO_BODY else None


def _in_body(raw: msgspec.Raw) -> object:
    """Find the error in the body of a failed request, whatever else it is."""
    try:
        body = msgspec.json.decode(raw, type=Body)
    except NO_JSON:
        return None
    return error_in(body)


def _words(error: object) -> str:
    if isinstance(error, dict):
        error = error.get("message", error)
    return str(error) if error else "no reason given"
