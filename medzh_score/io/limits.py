"""Limits on what is unpacked and read: a small file may unpack to more than any memory holds.

What is read as a stream is limited in proportion and by the length of a line; what is held as a whole also in all.
"""

from __future__ import annotations

import gzip
import io
import os
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, AnyStr, cast

from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.numbers import rounded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from importlib.resources.abc import Traversable

    import pyarrow as pa

VARIABLE = "MEDZH_SIZE_LIMIT_FACTOR"
RAISE = _("if the file is valid, raise all size limits: --size-limit-factor 10 or MEDZH_SIZE_LIMIT_FACTOR=10")
MB = 1 << 20
UNPACKED = 32 * MB  # that anything may unpack to
TABLE = 128 * MB  # that a table of results may unpack to: what is the same in a hundred runs is stored once
TIMES = 200  # how often its own size what is packed may unpack to beyond that: texts come to about twenty
ARCHIVE = 4096 * MB  # of all members of an archive, of which one is held at a time
DOCUMENT = 2048 * MB  # a file that is one document, such as a log
LINE = 32 * MB  # a line, or a table's row
LARGEST_MANIFEST = 8 * MB  # a build's manifest, which takes some twenty times as much in memory
LARGEST_CARD = 32 * MB
SETTINGS = 4 * MB  # a file in TOML
YAML = MB  # YAML, which takes its library seconds a MB
CELL = 8  # bytes that a cell of a table takes at least
ROWS = 1 << 14  # of a parquet file that are counted at once


def bound(usual: int) -> int:
    """Give a limit as many times as large as the user lets all of them be."""
    chosen = os.environ.get(VARIABLE, "1")
    if not chosen.isdecimal() or int(chosen[:10]) < 1:
        raise MedzhError(
            _("invalid size limit factor"), field=VARIABLE, expected=_("an integer of at least 1"), found=chosen
        )
    return usual * int(chosen[:10])


@contextmanager
def override_limits(times: int | None) -> Iterator[None]:
    """Raise all limits while the block runs, in the processes that it starts, too."""
    if times is None:
        yield
        return
    if times < 1:
        raise MedzhError(
            _("invalid size limit factor"),
            field="--size-limit-factor",
            expected=_("an integer of at least 1"),
            found=times,
        )
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = str(times)
    try:
        yield
    finally:
        os.environ.pop(VARIABLE)
        os.environ.update({} if before is None else {VARIABLE: before})


def check_unpacked(unpacked: int, packed: int, path: Traversable | str, free: int = 0) -> None:
    """Refuse what unpacks to too many times its size."""
    most = bound(free or UNPACKED)
    if unpacked > most and unpacked > bound(TIMES) * packed:
        problem = _(
            "the decompressed size is more than {most} MB and {bound} times the file size",
            most=most // MB,
            bound=bound(TIMES),
        )
        raise MedzhError(problem, file=path, advice=RAISE)


def check_whole(size: int, most: int, path: Traversable | str) -> None:
    """Refuse what is larger than what is held as a whole may be."""
    if size > bound(most):
        problem = _("the content is too large: {size} MB", size=rounded(size / MB, 1))
        expected = _("at most {bound} MB", bound=bound(most) // MB)
        raise MedzhError(problem, file=path, expected=expected, advice=RAISE)


def whole(stream: IO[bytes], path: Traversable | str, most: int = DOCUMENT) -> bytes:
    """Read what is held as a whole."""
    content = io.BytesIO()
    while block := stream.read(MB):
        content.write(block)
        check_whole(content.tell(), most, path)
    return content.getvalue()


def lines_of(stream: IO[AnyStr], path: Traversable | str) -> Iterator[AnyStr]:
    """Go through lines, none of which is read whole if it is longer than lines may be."""
    longest, number = bound(LINE), 1
    while line := line_of(stream, path, number, longest):
        yield line
        number += 1


def line_of(stream: IO[AnyStr], path: Traversable | str, number: int, longest: int = 0) -> AnyStr:
    """Read a line, or what is left of it; nothing at the end."""
    longest = longest or bound(LINE)
    line = stream.readline(longest + 1)
    if len(line) > longest:
        raise MedzhError(
            _("the line is longer than {longest} MB", longest=longest // MB), file=path, line=number, advice=RAISE
        )
    return line


class StreamWrapper(io.RawIOBase):
    """A stream that reads from another one; a subclass says what is done with the bytes on their way."""

    def __init__(self, source: IO[bytes] | io.RawIOBase | io.BufferedIOBase) -> None:
        self.source = source

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def seekable(self) -> bool:
        """Say whether it can be gone through again; a pipe cannot."""
        return self.source.seekable()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place."""
        return self.source.seek(offset, whence)

    def tell(self) -> int:
        """Give the place."""
        return self.source.tell()

    def close(self) -> None:
        """Close both."""
        super().close()
        self.source.close()


def unpacked(packed: IO[bytes], path: Traversable | str) -> IO[bytes]:
    """Unpack a gzip file from its beginning as it is read, as far as that stays in proportion."""
    return cast("IO[bytes]", io.BufferedReader(_Gzip(packed, path), 1 << 18))


class _Gzip(StreamWrapper):
    def __init__(self, packed: IO[bytes], path: Traversable | str) -> None:
        self._packed, self._path = packed, path
        self._plain = gzip.GzipFile(fileobj=packed, mode="rb")
        super().__init__(self._plain)

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - of any kind
        block = self._plain.read1(len(buffer))  # what comes before a place that is broken is given first
        check_unpacked(self._plain.tell(), self._packed.tell(), self._path)
        buffer[: len(block)] = block
        return len(block)


def parquet_faults() -> tuple[type[Exception], ...]:
    """List what Arrow raises of what is no parquet file, names of columns that are no UTF-8 among it."""
    import pyarrow as pa

    return pa.ArrowException, OSError, UnicodeDecodeError


def check_texts(
    source: pa.Buffer | IO[bytes],
    packed: int,
    path: Traversable | str,
    columns: Sequence[str] | None = None,
    free: int = 0,
) -> None:
    """Refuse a parquet file whose cells come to too much: a text may stand in a million cells, and is stored once."""
    import pyarrow as pa
    from pyarrow import parquet

    if isinstance(source, pa.Buffer):
        source = pa.BufferReader(source)
    stored: Any = parquet.ParquetFile(source, pre_buffer=False)
    leaves = [stored.schema.column(place) for place in range(len(stored.schema))]
    texts = [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY"]
    groups = [stored.metadata.row_group(place) for place in range(stored.metadata.num_row_groups)]
    size = CELL * sum(group.column(place).num_values for group in groups for place in range(len(leaves)))
    check_unpacked(size, packed, path, free)
    source.seek(0)
    again: Any = parquet.ParquetFile(source, pre_buffer=False, read_dictionary=texts)
    # Each row group has a dictionary of its own, and Arrow joins no nested columns of two dictionaries.
    for place in range(len(groups)):
        for batch in again.iter_batches(ROWS, row_groups=[place], columns=columns, use_threads=False):
            size += sum(map(_bytes_in, batch.columns))
            check_unpacked(size, packed, path, free)


def _bytes_in(array: Any) -> int:  # noqa: ANN401 - of any of Arrow's types
    """Count what the texts of a column come to, in the lists and structures that they stand in."""
    import pyarrow as pa
    from pyarrow import compute

    kind = array.type
    if pa.types.is_dictionary(kind):
        return int(compute.sum(compute.binary_length(array.dictionary).take(array.indices)).as_py() or 0)
    if pa.types.is_struct(kind):
        return sum(map(_bytes_in, array.flatten()))
    if pa.types.is_map(kind):
        return _bytes_in(array.keys) + _bytes_in(array.items)
    return _bytes_in(array.flatten()) if pa.types.is_nested(kind) else 0
