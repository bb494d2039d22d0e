"""XML that is parsed as it is read: a parser looks at an unfinished token again whenever more of it comes."""

from __future__ import annotations

import io
from typing import IO, TYPE_CHECKING

from medzh_score.files.bounds import MB, RAISE, bound
from medzh_score.files.passing import Passing
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

LONGEST = 1 << 20  # bytes from one sign that opens a tag to the next
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
            part = block[begin : begin + LONGEST]
            first, last = part.find(b"<"), part.rfind(b"<")
            if self._since + (len(part) if first < 0 else first) > bound(LONGEST):
                problem = f"is XML with a token longer than {bound(LONGEST) // MB} MB"
                raise MedzhError(problem, file=self._path, advice=RAISE)
            self._since = self._since + len(part) if last < 0 else len(part) - last
        return block

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place."""
        self._since = 0
        return super().seek(offset, whence)
