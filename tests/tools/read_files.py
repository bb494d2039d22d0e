"""Files of predictions as readers get them: open, and closed when they are read."""

from __future__ import annotations

from medzh_score.files.document import read_document
from medzh_score.files.input_file import InputFile
from medzh_score.predictions.readers.head import head_of
from medzh_score.predictions.readers.recognise import find_reader
from medzh_score.prompts.codes import no_order


def lines_in(path, reader=None, order=no_order):
    """Read a file by a reader; without one by that which recognises it."""
    with InputFile(path) as file:
        return list((reader or find_reader(file, None)).read(file, order))


def reader_of(path, name=None):
    """Find the reader of a file."""
    with InputFile(path) as file:
        return find_reader(file, name)


def head_in(path):
    """Look at what a file begins with."""
    with InputFile(path) as file:
        return head_of(file)


def document_in(path, kind, expected):
    """Read a JSON document."""
    with InputFile(path) as file:
        return read_document(file, kind, expected)
