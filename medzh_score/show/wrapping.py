"""Text in lines of a width, for names in Chinese, English or both and for sentences; no word is cut."""

from __future__ import annotations

import re

from rich.cells import cell_len

WIDE = "\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
OPENING, CLOSING = "（《「『【“‘", "，。、；：！？）》」』】”’"  # end no line, and begin none, where there is room
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
    pieces = PIECES.findall(text.strip())
    fewest = _filled(pieces, width)
    narrowest = next(filled for limit in range(1, width + 1) if len(filled := _filled(pieces, limit)) <= len(fewest))
    return "\n".join(narrowest)


def in_lines(text: str, width: int) -> str:
    r"""Break a sentence into lines that are as full as can be; a word that is longer stands on one by itself.

    Examples
    --------
    >>> in_lines("note: compare with no paper.", 20)
    'note: compare with\n  no paper.'
    """
    if cell_len(text) <= width:
        return text
    return f"\n{BENEATH}".join(_filled(PIECES.findall(text), width - len(BENEATH)))


def longest_piece(text: str) -> int:
    """Measure what no line break divides."""
    return max(map(cell_len, PIECES.findall(text.strip())), default=0)


def _filled(pieces: list[str], width: int) -> list[str]:
    lines: list[list[str]] = [[]]
    for piece in pieces:
        line = lines[-1]
        if line and cell_len("".join((*line, piece)).rstrip()) > width:
            lines.append([line.pop()] if _belong(line, piece, width) else [])
        if lines[-1] or not piece.isspace():
            lines[-1].append(piece)
    return ["".join(line).rstrip() for line in lines]


def _belong(line: list[str], piece: str, width: int) -> bool:
    """Say whether the last piece of a line goes to the next line with the piece that begins it."""
    last = line[-1]
    apart = last.isspace() or piece.isspace() or len(line) == 1
    return (piece in CLOSING or last in OPENING) and not apart and cell_len(last + piece) <= width
