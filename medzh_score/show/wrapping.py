"""Lines of about equal length for a name in Chinese, English or both."""

from __future__ import annotations

import re

from rich.cells import cell_len

WIDE = "\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef"
# A line may break beside any Chinese character, and between the words of other scripts.
PIECES = re.compile(rf"[{WIDE}]|[^\s{WIDE}]+|\s+")


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
        if lines[-1] and cell_len((lines[-1] + piece).rstrip()) > width:
            lines.append("")
        lines[-1] += piece if lines[-1] else piece.lstrip()
    return [line.rstrip() for line in lines]
