"""Lines of about equal length for a name in Chinese, English or both."""

from __future__ import annotations

import re
from unicodedata import east_asian_width

WIDE = "\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef"
# A line may break beside any Chinese character, and between the words of other scripts.
PIECES = re.compile(rf"[{WIDE}]|[^\s{WIDE}]+|\s+")


def columns(text: str) -> int:
    """Count the columns that a text takes: two for a Chinese character, one for others.

    Examples
    --------
    >>> columns("量表 A")
    6
    """
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


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


def _filled(pieces: list[str], width: int) -> list[str]:
    lines = [""]
    for piece in pieces:
        if lines[-1] and columns((lines[-1] + piece).rstrip()) > width:
            lines.append("")
        lines[-1] += piece if lines[-1] else piece.lstrip()
    return [line.rstrip() for line in lines]
