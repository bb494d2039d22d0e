"""Files of predictions as readers get them: open, and closed when they are read."""

from __future__ import annotations

from medzh_score.io.open_input import InputFile
from medzh_score.prompting.positions import no_order
from medzh_score.readers.detect import find_reader


def lines_in(path, reader=None, order=no_order):
    """Read a file by a reader or the one of that name; without one by that which recognises it."""
    with InputFile(path) as file:
        chosen = find_reader(file, reader) if reader is None or isinstance(reader, str) else reader
        return list(chosen.read(file, order))


def reader_of(path, name=None):
    """Find the reader of a file."""
    with InputFile(path) as file:
        return find_reader(file, name)
