"""Which reader a file needs: recognised by what the file begins with, or named by the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from medzh_score.messages.errors import MedzhError, printable
from medzh_score.predictions.readers import (
    batch,
    evalscope,
    inspect_log,
    lighteval,
    lm_eval,
    native,
    opencompass,
    sheet,
)
from medzh_score.predictions.readers.head import Head, head_of
from medzh_score.predictions.readers.names import NAMED, NAMES
from medzh_score.predictions.readers.not_predictions import refuse_other_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from medzh_score.files.input_file import InputFile
    from medzh_score.predictions.readers.prediction import Prediction
    from medzh_score.prompts.sent_order import SentOrder

KEYS_SHOWN = 12
LONGEST_KEY = 30


class Reader(NamedTuple):
    """A format that can be read, by its name in ``--from``; its shape is a line of it, for messages."""

    name: str
    shape: str
    recognises: Callable[[Head], bool]
    read: Callable[[InputFile, SentOrder], Iterator[tuple[int, Prediction]]]


FORMS = {
    "batch": batch,
    "lm-eval": lm_eval,
    "inspect": inspect_log,
    "evalscope": evalscope,
    "opencompass": opencompass,
    "lighteval": lighteval,
    "native": native,
    "sheet": sheet,
}
READERS = tuple(Reader(name, FORMS[name].SHAPE, FORMS[name].recognises, FORMS[name].read) for name in NAMES)


def find_reader(file: InputFile, name: str | None) -> Reader:
    """Find the reader of a predictions file."""
    if name is not None:
        for reader in READERS:
            if reader.name == name:
                return reader
        raise MedzhError("no such reader", field="--from", expected=NAMED, found=name)
    head = head_of(file)
    for reader in READERS:
        if reader.recognises(head):
            return reader
    refuse_other_files(head, file.path)
    raise _unknown(head, file.path)


def _unknown(head: Head, path: Path) -> MedzhError:
    """Say which keys were seen, and what would have been read."""
    keys = [printable(key[:LONGEST_KEY]) for key in head.first if key]
    seen = ", ".join(keys[:KEYS_SHOWN]) + (", …" if len(keys) > KEYS_SHOWN else "")
    shapes = "; ".join(f"{reader.name}: {reader.shape}" for reader in READERS)
    problem = f"is of no known form; its keys are {seen}" if seen else "is of no known form; it has no keys"
    return MedzhError(problem, file=path, line=head.line, expected=f"one of these: {shapes}")
