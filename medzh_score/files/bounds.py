"""Bounds on what is unpacked and read, in one place: a small file may unpack to more than any memory holds.

What is read as a stream is bound in proportion and by the length of a line; what is held as a whole also in all.
"""

from __future__ import annotations

import gzip
import io
import os
import tomllib
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, AnyStr, cast

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable


class Passing(io.RawIOBase):
    """What is read of a stream; who derives from it says what is done with the bytes on their way."""

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


VARIABLE = "MEDZH_BOUNDS"
RAISE = "if the file is sound, raise all bounds: --bounds 10, or MEDZH_BOUNDS=10"
FREE = 1 << 25  # bytes that anything may unpack to
TABLE = 1 << 27  # bytes that a table of results may unpack to: what is the same in a hundred runs is stored once
TIMES = 200  # how often its own size what is packed may unpack to beyond that: texts come to about twenty
ARCHIVE = 1 << 32  # bytes of all members of an archive, of which one is held at a time
DOCUMENT = 1 << 31  # bytes of a file that is one document, such as a log
LINE = 1 << 25  # bytes of a line, or of a table's row
LARGEST_MANIFEST = 1 << 23  # bytes of a build's manifest, which takes some twenty times as much in memory
LARGEST_CARD = 1 << 25  # bytes of a card
SETTINGS = 1 << 22  # bytes of a file in TOML
YAML = 1 << 20  # characters of YAML, which takes its library seconds a MB
MB = 1 << 20


def bound(usual: int) -> int:
    """Give a bound as many times as large as the user lets all of them be."""
    chosen = os.environ.get(VARIABLE, "1")
    if not chosen.isdecimal() or int(chosen[:10]) < 1:
        raise MedzhError("is no bound", field=VARIABLE, expected="a whole number from 1", found=chosen)
    return usual * int(chosen[:10])


@contextmanager
def raised(times: int | None) -> Iterator[None]:
    """Raise all bounds while the block runs, in the processes that it starts, too."""
    if times is not None and times < 1:
        raise MedzhError("is no bound", field="--bounds", expected="a whole number from 1", found=times)
    before = os.environ.get(VARIABLE)
    if times is not None:
        os.environ[VARIABLE] = str(times)
    try:
        yield
    finally:
        if times is not None:
            os.environ.pop(VARIABLE)
            os.environ.update({} if before is None else {VARIABLE: before})


def check_unpacked(unpacked: int, packed: int, path: Traversable | str, free: int | None = None) -> None:
    """Refuse what unpacks to too many times its size."""
    most = bound(FREE if free is None else free)
    if unpacked > most and unpacked > bound(TIMES) * packed:
        problem = f"unpacks to more than {most // MB} MB and {bound(TIMES)} times its size"
        raise MedzhError(problem, file=path, advice=RAISE)


def check_whole(size: int, most: int, path: Traversable | str) -> None:
    """Refuse what is larger than what is held as a whole may be."""
    if size > bound(most):
        problem, expected = f"is too large: {size / MB:,.1f} MB", f"at most {bound(most) // MB} MB"
        raise MedzhError(problem, file=path, expected=expected, advice=RAISE)


def unpacked(packed: IO[bytes], path: Traversable | str) -> IO[bytes]:
    """Unpack a gzip file from its beginning as it is read, as far as that stays in proportion."""
    return cast("IO[bytes]", io.BufferedReader(_Gzip(packed, path), 1 << 18))


class _Gzip(Passing):
    """What a gzip file holds; asked at each reading for what was unpacked of how much."""

    def __init__(self, packed: IO[bytes], path: Traversable | str) -> None:
        self._packed, self._path = packed, path
        self._plain = gzip.GzipFile(fileobj=packed, mode="rb")
        super().__init__(self._plain)

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - of any kind
        """Unpack some more."""
        block = self._plain.read1(len(buffer))  # what comes before a place that is broken is given first
        check_unpacked(self._plain.tell(), self._packed.tell(), self._path)
        buffer[: len(block)] = block
        return len(block)


def whole(stream: IO[bytes], path: Traversable | str, most: int = DOCUMENT) -> bytes:
    """Read what is held as a whole."""
    content = io.BytesIO()
    while block := stream.read(MB):
        content.write(block)
        check_whole(content.tell(), most, path)
    return content.getvalue()


def lines_of(stream: IO[AnyStr], path: Traversable | str) -> Iterator[AnyStr]:
    """Go through lines, none of which is read whole if it is longer than lines may be."""
    longest, number = bound(LINE), 0
    while line := stream.readline(longest + 1):
        number += 1
        if len(line) > longest:
            raise _too_long(path, number, longest)
        yield line


def line_of(stream: IO[AnyStr], path: Traversable | str, number: int) -> AnyStr:
    """Read a line, or what is left of it; nothing at the end."""
    longest = bound(LINE)
    line = stream.readline(longest + 1)
    if len(line) > longest:
        raise _too_long(path, number, longest)
    return line


def _too_long(path: Traversable | str, number: int, longest: int) -> MedzhError:
    return MedzhError(f"is longer than {longest // MB} MB", file=path, line=number, advice=RAISE)


def toml_of(content: bytes, path: Traversable | str) -> dict[str, Any]:
    """Read a user's file in TOML, in UTF-8 with or without a byte order mark; ValueError where it is none."""
    check_whole(len(content), SETTINGS, path)
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except RecursionError as error:
        raise MedzhError("is nested too deeply", file=path) from error
