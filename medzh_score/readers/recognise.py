"""Which reader a file needs: recognised by the keys of its first object, or named by the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from medzh_score.errors import MedzhError
from medzh_score.readers import batch, native, sheet
from medzh_score.readers.lines import decoded, numbered_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from medzh_score.readers.prediction import Prediction
    from medzh_score.readers.sent_order import SentOrder


class Reader(NamedTuple):
    """A format that can be read.

    Attributes
    ----------
    name : str
        As in ``--from``.
    shape : str
        A line of it, for messages.
    recognises : callable
        Whether a first object is of this format.
    read : callable
        From a path, and in which order prompts were sent, to (line number, `Prediction`) pairs.
    """

    name: str
    shape: str
    recognises: Callable[[Mapping[str, object]], bool]
    read: Callable[[Path, SentOrder], Iterator[tuple[int, Prediction]]]


READERS = (
    Reader("batch", batch.SHAPE, batch.recognises, batch.read),
    Reader("native", native.SHAPE, native.recognises, native.read),
    Reader("sheet", sheet.SHAPE, sheet.recognises, sheet.read),
)


def find_reader(path: Path, name: str | None) -> Reader:
    """Find the reader of a predictions file.

    Parameters
    ----------
    path : Path
        The file.
    name : str or None
        The reader's name; None recognises it by the keys of the first object.

    Returns
    -------
    Reader
        The one that fits.

    Raises
    ------
    MedzhError
        If the file is empty or of no known form, or there is no reader of that name.
    """
    if name is not None:
        for reader in READERS:
            if reader.name == name:
                return reader
        known = ", ".join(reader.name for reader in READERS)
        raise MedzhError("no such reader", field="--from", expected=known, found=name)
    number, line = next(numbered_lines(path), (0, b""))
    if not number:
        raise MedzhError("is empty", file=path, expected="predictions, one a line")
    is_json = line.lstrip().startswith((b"{", b"["))
    first = _first_object(path, number, line) if is_json else sheet.head(line)
    for reader in READERS:
        # A sheet's head may have the same names as a line of JSON.
        if reader.recognises(first) and (reader.read is not sheet.read) == is_json:
            return reader
    shapes = " or ".join(reader.shape for reader in READERS)
    raise MedzhError("is of no known form", file=path, line=number, expected=shapes, found=", ".join(first))


def _first_object(path: Path, number: int, line: bytes) -> Mapping[str, object]:
    first = decoded(msgspec.json.Decoder(), line, path, number) if not _opens_array(line) else []
    if not isinstance(first, dict):
        raise MedzhError(
            "is a JSON array",
            file=path,
            line=number,
            expected="one JSON object a line",
            advice="write one object a line (JSONL)",
        )
    return first


def _opens_array(line: bytes) -> bool:
    return line.lstrip().startswith(b"[")
