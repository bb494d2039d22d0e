"""A text in pieces by what was read in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def parted(text: str, spans: Iterable[Sequence[int]]) -> list[str]:
    """Part a text at its spans: beside them and inside them in turns, beginning beside; spans that overlap are one.

    Examples
    --------
    >>> parted("答：正确", [(2, 4)]), parted("答", [])
    (['答：', '正确', ''], ['答'])
    """
    pieces, last = [], 0
    for start, end in _merged(spans):
        pieces += [text[last:start], text[start:end]]
        last = end
    return [*pieces, text[last:]]


def _merged(spans: Iterable[Sequence[int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted((start, end) for start, end in spans):
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged
