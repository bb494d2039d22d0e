"""Our own lines: ``{"id": "sdak-disease_cause-0001-f", "prediction": "正确。…", "run": 0}``."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import msgspec

from medzh_score.readers.lines import decoded, numbered_blocks
from medzh_score.readers.prediction import Prediction
from medzh_score.readers.sent_order import no_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.readers.sent_order import SentOrder

SHAPE = '{"id": …, "prediction": …}'


def recognises(first: Mapping[str, object]) -> bool:
    """Say whether a file's first object is a native line.

    Parameters
    ----------
    first : mapping
        The object on the first line.
    """
    return "id" in first and "prediction" in first


def read(path: Path, _order: SentOrder = no_order) -> Iterator[tuple[int, Prediction]]:
    """Read native lines.

    Parameters
    ----------
    path : Path
        JSONL; keys beside those of `Prediction` are passed over.
    _order : callable
        Not looked at: ids are named.

    Yields
    ------
    (int, Prediction)
        The line's number and what it says.
    """
    for numbers, predictions in blocks(path):
        yield from zip(numbers, predictions, strict=True)


def blocks(path: Path) -> Iterator[tuple[Sequence[int], Sequence[Prediction]]]:
    """Read native lines many at a time, which is how they are read fast.

    Parameters
    ----------
    path : Path
        As for `read`.

    Yields
    ------
    (sequence of int, sequence of Prediction)
        The numbers of lines that follow one another, and what they say; never none.
    """
    decoder = msgspec.json.Decoder(Prediction)
    for first, lines, block in numbered_blocks(path):
        try:
            predictions = decoder.decode_lines(block)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            predictions = []
        if len(predictions) == lines:
            yield range(first, first + lines), predictions
        else:
            # A blank line or a wrong one: line by line, for the numbers to be right.
            yield from _one_by_one(decoder, path, first, block)


def _one_by_one(
    decoder: msgspec.json.Decoder[Prediction], path: Path, first: int, block: bytes
) -> Iterator[tuple[Sequence[int], Sequence[Prediction]]]:
    for number, line in enumerate(io.BytesIO(block), first):
        if not line.isspace():
            yield (number,), (decoded(decoder, line, path, number),)
