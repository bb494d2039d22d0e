"""What all rebuilt recipes that ask models have in common: one turn, and JSON in what comes back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

import msgspec

from medzh_score.benchmark.asking import Question
from medzh_score.extraction.whole_text import answer_text

if TYPE_CHECKING:
    from medzh_score.benchmark.prompts import Prompt

T = TypeVar("T")

FENCED = re.compile(r"```(?:json)?[^\S\n]*\n(?P<inside>.*)\n[^\S\n]*```", re.DOTALL | re.IGNORECASE)


def ask(prompt: Prompt, **fields: str | int) -> Question:
    """Fill a prompt, as the only turn."""
    text = prompt.fill(**fields)
    return Question((text,), text)


def decoded(decoder: msgspec.json.Decoder[T], text: str) -> T | None:
    """Decode a response that is JSON, maybe in a fence and behind a thinking block; None for anything else."""
    response = (answer_text(text) or "").strip()
    if fenced := FENCED.fullmatch(response):
        response = fenced["inside"]
    try:
        return decoder.decode(response)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None
