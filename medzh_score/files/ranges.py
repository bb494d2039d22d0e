"""A large file of lines in ranges of whole lines, each of which can be read by itself."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from medzh_score.files.bounds import line_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import IO

LINE_FEED = ord("\n")
BLOCK = 1 << 20


class Range(NamedTuple):
    """Where a range begins and ends, in bytes, and the number of its first line."""

    begin: int
    end: int
    line: int


WHOLE = Range(0, sys.maxsize, 1)


def ranges_of(stream: IO[bytes], lines: int, path: Path) -> Iterator[Range]:
    """Divide what is left of a stream into ranges of about so many lines, none without a line."""
    begin, first, number = stream.tell(), 1, 1
    while block := stream.read(min(BLOCK, 16 * lines)):
        if not block.endswith(b"\n"):
            block += line_of(stream, path, number + lines_in(block) - 1)
        number += lines_in(block)
        if number - first >= lines:
            yield Range(begin, stream.tell(), first)
            begin, first = stream.tell(), number
    if number > first:
        yield Range(begin, stream.tell(), first)


def lines_in(block: bytes) -> int:
    """Count the lines of a block, the last of which may lack its end."""
    # NumPy's: bytes.count looks at one byte after the other.
    ends = int(np.count_nonzero(np.frombuffer(block, np.uint8) == LINE_FEED))
    return ends + (not block.endswith(b"\n"))
