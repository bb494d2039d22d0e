"""Text in lines of a width, for names in Chinese, English or both and for sentences; no word is cut."""

from __future__ import annotations

import re
import shutil
import sys
from bisect import bisect_left

from rich.cells import cell_len

from medzh_score.messages.errors import printable

# Files and pipes: a line a row for other programs, and the same bytes on every machine.
UNLIMITED = 10_000
NARROWEST = 60


def width_for(out: str | None) -> int:
    """Find how wide a result may be that goes to a file, or to standard output."""
    if out not in {None, "-"} or sys.stdout is None or not sys.stdout.isatty():
        return UNLIMITED
    return max(NARROWEST, shutil.get_terminal_size().columns)


WIDE = "\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
OPENING, CLOSING = "（《「『【“‘", "，。、；：！？）》」』】”’/"  # end no line, and begin none, where there is room
# A line may break beside any Chinese character, between the words of other scripts, and after the bars of a signature.
PIECES = re.compile(rf"[{WIDE}]|[^\s|{WIDE}]+\|?|\|+|\s+")
BENEATH = "  "  # how the lines of a sentence after its first begin


def wrapped(text: str, width: int) -> str:
    r"""Break a name into as few lines as fit, and make these about equally long.

    Examples
    --------
    >>> wrapped("儿科内分泌与代谢性疾病", 16)
    '儿科内分泌与\n代谢性疾病'
    """
    pieces = _together(PIECES.findall(text.strip()), width)
    fewest = _filled(pieces, width)
    limits = range(1, width + 1)
    narrowest = limits[bisect_left(limits, True, key=lambda limit: len(_filled(pieces, limit)) <= len(fewest))]  # noqa: FBT003
    return "\n".join(_filled(pieces, narrowest))


def in_lines(text: str, width: int) -> str:
    r"""Break a sentence into lines that are as full as can be; a word that is longer stands alone, and nothing acts.

    Examples
    --------
    >>> in_lines("note: compare with no paper.", 20)
    'note: compare with\n  no paper.'
    """
    text = printable(text)
    if cell_len(text) <= width:
        return text
    room = width - len(BENEATH)
    return f"\n{BENEATH}".join(_filled(_together(PIECES.findall(text), room), room))


def longest_piece(text: str) -> int:
    """Measure what no line break divides."""
    return max(map(cell_len, PIECES.findall(text.strip())), default=0)


def _together(pieces: list[str], width: int) -> list[str]:
    """Join to a piece what must not begin or end a line without it, as far as they fit into one."""
    joined: list[str] = []
    for piece in pieces:
        last = joined[-1] if joined else " "
        bound = (piece in CLOSING or last[-1] in OPENING) and not last.isspace() and not piece.isspace()
        if bound and cell_len(last + piece) <= width:
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined


def _filled(pieces: list[str], width: int) -> list[str]:
    lines: list[list[str]] = [[]]
    taken = 0  # columns of the last line, spaces at its end included
    for piece in pieces:
        wide = cell_len(piece)
        if lines[-1] and not piece.isspace() and taken + wide > width:
            lines.append([])
            taken = 0
        if lines[-1] or not piece.isspace():
            lines[-1].append(piece)
            taken += wide
    return ["".join(line).rstrip() for line in lines]
