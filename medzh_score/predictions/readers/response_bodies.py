"""Bodies of responses: of chat completions, of plain completions, and of OpenAI's interface of responses."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import msgspec

TEXTS = ("text", "output_text")  # the parts that hold what was answered; reasoning is none of them


class Message(msgspec.Struct):
    """A chat message; its content is a text, a list of parts, or null."""

    content: str | list[dict[str, Any]] | None = None
    refusal: str | None = None


class Choice(msgspec.Struct):
    """One of the answers to a request: a message, or the text of a plain completion."""

    message: Message | None = None
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

    choices: list[Choice] | None = None
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
    """Give the answers that a body holds; None where it has no place for any.

    Examples
    --------
    >>> answers_in(Body(choices=[Choice(text="正确", finish_reason="stop")]))
    [Answered(text='正确', finish_reason='stop', number=0)]
    """
    if body.choices is not None:
        return [_of_choice(choice) for choice in body.choices]
    return None if body.output is None else [_of_output(body.output, body.incomplete_details)] * bool(body.output)


def error_in(body: Body) -> object:
    """Give the error in which a request ended, whatever came before it; None where there is none."""
    if body.choices or body.output:
        return body.error or None
    return body.error or (body.message if body.object == "error" else None)


def _of_choice(choice: Choice) -> Answered:
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
