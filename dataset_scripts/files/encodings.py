"""The encoding of a text that a user brings: UTF-8 or, where it is not, gb18030, told apart without guessing wildly."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.files.encodings import gb18030_or_big5, is_chinese
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

UTF_8, GB18030 = "utf-8", "gb18030"
WIDE = re.compile("[\u0800-\uffff]")
# So many characters of three bytes before the first fault are no accident of another encoding.
SURELY_UTF_8 = 4


def encoding_of(lines: Callable[[], Iterable[tuple[int, bytes]]], path: Path) -> str:
    """Say in which encoding a text is written.

    Examples
    --------
    >>> encoding_of(lambda: [(1, "胎盘早剥".encode("gb18030"))], "textbook.txt")
    'gb18030'
    """
    wide = 0
    for number, line in lines():
        try:
            text = line.decode(UTF_8)
        except UnicodeDecodeError as fault:
            wide += len(WIDE.findall(line[: fault.start].decode(UTF_8)))
            if wide >= SURELY_UTF_8:
                raise _no_text(path, number, "is UTF-8 with a fault", "mend the line") from fault
            _check_gb18030(lines(), path)
            return GB18030
        if wide < SURELY_UTF_8:
            wide += len(WIDE.findall(text))
    return UTF_8


def _check_gb18030(lines: Iterable[tuple[int, bytes]], path: Path) -> None:
    characters: set[str] = set()
    for number, line in lines:
        try:
            characters.update(line.decode(GB18030))
        except UnicodeDecodeError as error:
            raise _no_text(path, number, "is neither UTF-8 nor gb18030", "convert it") from error
    if gb18030_or_big5(characters) != "GB18030" or not is_chinese("".join(characters)):
        problem = "is not UTF-8, and read as gb18030 it is not surely Chinese"
        raise _no_text(path, 1, problem, "convert it to UTF-8 from what it is, such as Big5")


def _no_text(path: Path, line: int, problem: str, advice: str) -> MedzhError:
    return MedzhError(problem, file=path, line=line, expected="UTF-8, or else gb18030", advice=advice)
