"""XML that is parsed as it is read: a parser looks at an unfinished token again whenever more of it comes."""

from __future__ import annotations

import io
import re
from typing import IO, TYPE_CHECKING

from medzh_score.files.bounds import MB, RAISE, bound
from medzh_score.files.passing import Passing
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

LONGEST = 1 << 20  # bytes from one sign that opens a tag to the next
TAGS = 1 << 19  # of a row, which is parsed as one: thirty-two a cell of the most that a sheet may have
ROW = re.compile(rb"</?(?:[\w.-]+:)?row[\s/>]")
COMMENT = b"<!"  # no program writes one into a sheet; inside of it what looks like a row may be none
BLOCK = 1 << 22  # bytes that are read at least: of few blocks even a long token is looked at seldom


class ShortTokens(Passing):
    """A stream of XML in large blocks; an attribute, or a text between tags, that goes on for long is refused."""

    def __init__(self, stream: IO[bytes], path: Traversable | str) -> None:
        super().__init__(stream)
        self._path, self._since = path, 0

    def read(self, size: int = -1) -> bytes:
        """Read at least as much, which parsers do not mind."""
        block = self.source.read(size if size < 0 else max(size, BLOCK))
        for begin in range(0, len(block), LONGEST):
            self._look(block[begin : begin + LONGEST])
        return block

    def _look(self, part: bytes) -> None:
        first, last = part.find(b"<"), part.rfind(b"<")
        if self._since + (len(part) if first < 0 else first) > bound(LONGEST):
            problem = f"is XML with a token longer than {bound(LONGEST) // MB} MB"
            raise MedzhError(problem, file=self._path, advice=RAISE)
        self._since = self._since + len(part) if last < 0 else len(part) - last

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place."""
        self._since = 0
        return super().seek(offset, whence)


class ShortRows(ShortTokens):
    """A stream of a sheet, of which a row with too many tags is refused, too."""

    def __init__(self, stream: IO[bytes], path: Traversable | str) -> None:
        super().__init__(stream, path)
        self._tags, self._comments, self._end = 0, False, b""

    def _look(self, part: bytes) -> None:
        """Count tags since the last row; once there was a comment, since that, for a row may stand in one."""
        super()._look(part)
        self._comments = self._comments or COMMENT in self._end + part
        self._end = part[-1:]
        rows = [] if self._comments else [found.start() for found in ROW.finditer(part)]
        self._tags += part.count(b"<", 0, rows[0] if rows else len(part))
        if self._tags > bound(TAGS):
            problem, expected = "a row has too many cells", f"at most {bound(TAGS):,} tags"
            raise MedzhError(problem, file=self._path, expected=expected, advice=RAISE)
        if rows:
            self._tags = part.count(b"<", rows[-1])
