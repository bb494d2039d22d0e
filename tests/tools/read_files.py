"""Files of predictions as readers get them: open, and closed when they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.files.document import read_document
from medzh_score.files.input_file import InputFile
from medzh_score.predictions.readers.head import head_of
from medzh_score.predictions.readers.recognise import find_reader
from medzh_score.prompts.codes import no_order

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType
    from typing import Any

    from medzh_score.predictions.readers.head import Head
    from medzh_score.predictions.readers.prediction import Prediction
    from medzh_score.predictions.readers.recognise import Reader
    from medzh_score.prompts.codes import SentOrder


def lines_in(path: Path, reader: ModuleType | None = None, order: SentOrder = no_order) -> list[tuple[int, Prediction]]:
    """Read a file by a reader; without one by that which recognises it."""
    with InputFile(path) as file:
        return list((reader or find_reader(file, None)).read(file, order))


def reader_of(path: Path, name: str | None = None) -> Reader:
    """Find the reader of a file."""
    with InputFile(path) as file:
        return find_reader(file, name)


def head_in(path: Path) -> Head:
    """Look at what a file begins with."""
    with InputFile(path) as file:
        return head_of(file)


def document_in(path: Path, kind: Any, expected: str) -> Any:
    """Read a JSON document."""
    with InputFile(path) as file:
        return read_document(file, kind, expected)
