"""Our own lines: ``{"id": "sdak-disease_cause-0001-f", "prediction": "正确。…", "run": 0}``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from medzh_score.readers.lines import decoded, numbered_blocks
from medzh_score.readers.prediction import Prediction
from medzh_score.readers.sent_order import no_order

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from medzh_score.readers.head import Head
    from medzh_score.readers.sent_order import SentOrder

SHAPE = '{"id": …, "prediction": …}'


def recognises(head: Head) -> bool:
    """Say whether a file begins with a native line.

    Parameters
    ----------
    head : Head
        What it begins with.
    """
    return head.form == "lines" and head.has("id", "prediction")


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
    decoder = msgspec.json.Decoder(Prediction)
    for first, lines, block in numbered_blocks(path):
        try:
            predictions = decoder.decode_lines(block)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            predictions = []
        if len(predictions) == lines:
            yield from enumerate(predictions, first)
        else:
            # A blank line or a wrong one: line by line, for the numbers to be right.
            yield from _one_by_one(decoder, path, first, block)


def _one_by_one(
    decoder: msgspec.json.Decoder[Prediction], path: Path, first: int, block: bytes
) -> Iterator[tuple[int, Prediction]]:
    for number, line in enumerate(block.split(b"\n"), first):
        if line and not line.isspace():
            yield number, decoded(decoder, line, path, number)
