"""Output of the OpenAI Batch interface and of vLLM's ``run-batch``: the same object, failures apart.

OpenAI writes failed requests to a file of their own, with ``response`` null or a status that is not 200; vLLM writes
them among the others, with a ``body`` of null. Either way a failed request is a missing prediction, with its reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from medzh_score.errors import MedzhError
from medzh_score.readers.lines import decoded, numbered_lines
from medzh_score.readers.prediction import Prediction
from medzh_score.readers.prompt_ids import split_id
from medzh_score.readers.sent_order import no_order

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from medzh_score.readers.head import Head
    from medzh_score.readers.sent_order import SentOrder

SHAPE = '{"custom_id": …, "response": {"status_code": 200, "body": {"choices": […]}}}'
SUCCESS = 200


class Message(msgspec.Struct):
    """A chat message; its content is a text, a list of parts, or null."""

    content: str | list[dict[str, Any]] | None = None
    refusal: str | None = None


class Choice(msgspec.Struct):
    """One of the answers to a request."""

    message: Message
    index: Annotated[int, msgspec.Meta(ge=0)] = 0
    finish_reason: str | None = None


class Body(msgspec.Struct):
    """The body of a response."""

    choices: list[Choice]
    model: str | None = None


class Response(msgspec.Struct):
    """The response to a request."""

    status_code: int = SUCCESS
    body: msgspec.Raw = msgspec.Raw(b"null")


class Line(msgspec.Struct):
    """A line of the output file."""

    custom_id: str
    response: Response | None = None
    error: Any = None


def recognises(head: Head) -> bool:
    """Say whether a file begins with a line of batch output.

    Parameters
    ----------
    head : Head
        What it begins with.
    """
    return head.form == "lines" and head.has("custom_id") and (head.has("response") or head.has("error"))


def read(path: Path, _order: SentOrder = no_order) -> Iterator[tuple[int, Prediction]]:
    """Read batch output, in whatever order the requests came back.

    Parameters
    ----------
    path : Path
        JSONL. Several choices of one request are its runs.
    _order : callable
        Not looked at: ids are named.

    Yields
    ------
    (int, Prediction)
        The line's number and what it says.
    """
    lines = msgspec.json.Decoder(Line)
    bodies = msgspec.json.Decoder(Body)
    for number, raw in numbered_lines(path):
        line: Line = decoded(lines, raw, path, number)
        prompt_id, run, variant = split_id(line.custom_id)
        failure = _failure(line)
        if failure is not None:
            yield number, Prediction(prompt_id, "", run, variant, error=failure)
            continue
        assert line.response is not None  # noqa: S101 - _failure has said so
        body: Body = decoded(bodies, line.response.body, path, number)
        if not body.choices:
            yield number, Prediction(prompt_id, "", run, variant, error="no choices")
        if len(body.choices) > 1 and run:
            raise MedzhError(
                "several choices for a request that names its run",
                file=path,
                line=number,
                field="custom_id",
                expected="one of the two",
                found=line.custom_id,
            )
        for choice in body.choices:
            yield number, _prediction(choice, prompt_id, run or choice.index, variant, body.model)


def _failure(line: Line) -> str | None:
    if line.response is None:
        return f"no response: {_words(line.error)}"
    if line.response.status_code != SUCCESS:
        return f"status {line.response.status_code}: {_words(line.error)}"
    if bytes(line.response.body).strip() == b"null":
        return f"no body: {_words(line.error)}"
    return None


def _words(error: object) -> str:
    if isinstance(error, dict):
        error = error.get("message", error)
    return str(error) if error else "no reason given"


def _prediction(choice: Choice, prompt_id: str, run: int, variant: int, model: str | None) -> Prediction:
    content = choice.message.content
    if isinstance(content, list):
        content = "".join(str(part.get("text") or "") for part in content)
    reason = "content_filter" if content is None and choice.message.refusal else choice.finish_reason
    return Prediction(prompt_id, content or "", run, variant, model, reason)
