"""XML that is parsed as it is read: a parser looks at an unfinished token again whenever more of it comes."""

from __future__ import annotations

import io
import re
from typing import IO, TYPE_CHECKING

from medzh_score.files.bounds import MB, RAISE, bound
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

LONGEST = 1 << 20  # bytes from one sign that opens a tag to the next
TAGS = 1 << 19  # of a row, which is parsed as one: thirty-two a cell of the most that a sheet may have
ROW = re.compile(rb"</?(?:[\w.-]+:)?row[\s/>]")
COMMENT = b"<!"  # no program writes one into a sheet; inside of it what looks like a row may be none
BLOCK = 1 << 22  # bytes that are read at least: of few blocks even a long token is looked at seldom


class ShortTokens(io.RawIOBase):
    """A stream of XML in large blocks; an attribute, or a text between tags, that goes on for long is refused.

    So is a row of a sheet with too many tags, where the stream is one.
    """

    def __init__(self, stream: IO[bytes], path: Traversable | str, *, sheet: bool = False) -> None:
        self._stream, self._path, self._sheet, self._comments = stream, path, sheet, False
        self._since, self._tags, self._last = 0, 0, b""

    def read(self, size: int = -1) -> bytes:
        """Read at least as much, which parsers do not mind."""
        block = self._stream.read(size if size < 0 else max(size, BLOCK))
        for begin in range(0, len(block), LONGEST):
            part = block[begin : begin + LONGEST]
            first, last = part.find(b"<"), part.rfind(b"<")
            if self._since + (len(part) if first < 0 else first) > bound(LONGEST):
                problem = f"is XML with a token longer than {bound(LONGEST) // MB} MB"
                raise MedzhError(problem, file=self._path, advice=RAISE)
            self._since = self._since + len(part) if last < 0 else len(part) - last
            if self._sheet:
                self._count_tags(part)
        return block

    def _count_tags(self, part: bytes) -> None:
        """Count since the last row; once there was a comment, since that, for a row may stand in one."""
        self._comments = self._comments or COMMENT in self._last + part
        self._last = part[-1:]
        rows = [] if self._comments else [found.start() for found in ROW.finditer(part)]
        self._tags += part.count(b"<", 0, rows[0] if rows else len(part))
        if self._tags > bound(TAGS):
            problem, expected = "a row has too many cells", f"at most {bound(TAGS):,} tags"
            raise MedzhError(problem, file=self._path, expected=expected, advice=RAISE)
        if rows:
            self._tags = part.count(b"<", rows[-1])

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def seekable(self) -> bool:
        """Say whether it can be gone through again."""
        return self._stream.seekable()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place."""
        self._since, self._tags, self._last, self._comments = 0, 0, b"", False
        return self._stream.seek(offset, whence)

    def close(self) -> None:
        """Close both."""
        super().close()
        self._stream.close()
