"""The lines of a section as texts that are neither too long nor too short to ask about."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from dataset_scripts.recipes.pemebench.settings import settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SENTENCE_END = re.compile(r"(?<=[。!?！？；;])")
PAUSE = re.compile("[，、：:|）]")


def pieces_of(lines: Sequence[str]) -> list[str]:
    """Join lines to texts that are not too long; what would be too short at the end stays with the text before."""
    limits = settings()
    pieces: list[list[str]] = []
    for line in lines:
        for part in _parts(line, limits.longest):
            if pieces and size("".join(pieces[-1])) + size(part) <= limits.longest:
                pieces[-1].append(part)
            else:
                pieces.append([part])
    if len(pieces) > 1 and size("".join(pieces[-1])) < limits.shortest:
        rest = pieces.pop()
        if size("".join([*pieces[-1], *rest])) <= limits.longest:
            pieces[-1] += rest
        else:
            last = pieces[-1].pop()
            head, tail = _cut(last, size(last) // 2)
            pieces[-1].append(head)
            pieces.append([tail, *rest])
    return ["\n".join(piece) for piece in pieces]


def _parts(line: str, longest: int) -> Iterator[str]:
    """Cut a paragraph that is too long at the ends of sentences."""
    if size(line) <= longest:
        yield line
        return
    part = ""
    for sentence in SENTENCE_END.split(line):
        if part and size(part) + size(sentence) > longest:
            yield part
            part = ""
        part += sentence
        while size(part) > longest:  # a table, or a text without full stops
            head, part = _cut(part, longest)
            yield head
    if part:
        yield part


def _cut(text: str, most: int) -> tuple[str, str]:
    """Part a text so that the first part has a size at most: at its last full stop, else pause, and in no number."""
    counted = (place for place, character in enumerate(text) if not character.isspace())
    end = next(islice(counted, most, None), len(text))
    for stops in (SENTENCE_END, PAUSE):
        places = [found.end() for found in stops.finditer(text, 0, end) if 2 * found.end() >= end]
        if places:
            return text[: places[-1]], text[places[-1] :]
    middle = end // 2
    while end > middle and re.fullmatch(r"[\w.,%]{2}", text[end - 1 : end + 1], re.ASCII):
        end -= 1
    return text[:end], text[end:]


def size(text: str) -> int:
    """Count the characters that are no white space."""
    return sum(not character.isspace() for character in text)
