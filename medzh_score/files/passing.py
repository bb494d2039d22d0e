"""A stream on whose way something is looked at: what it is read from, gone through and closed with."""

from __future__ import annotations

import io
from typing import IO


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
