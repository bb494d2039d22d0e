"""Options as the examination banks write them: as an object, as a list of lettered texts, inside a text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Lettered = tuple[tuple[str, str], ...]

LETTERED = re.compile(r"\s*([A-Za-z])(?:\s*[.．、:：]|\s)\s*(.*?)\s*", re.DOTALL)


def from_mapping(options: Mapping[str, str]) -> Lettered:
    """Take options under their letters; empty texts behind the last one, which some banks write, are none.

    >>> from_mapping({"B": "肝", "A": "心", "C": ""})
    (('A', '心'), ('B', '肝'))
    """
    listed = [(letter.strip(), text.strip()) for letter, text in sorted(options.items())]
    while listed and not listed[-1][1]:
        listed.pop()
    return tuple(listed)


def from_texts(options: Iterable[str]) -> Lettered:
    """Take options that each begin with their letter: ``A 心``, ``A.心`` or ``A．心``; the letter may be missing.

    >>> from_texts(["A.心", "B 肝"])
    (('A', '心'), ('B', '肝'))
    """
    pairs = []
    for text in options:
        found = LETTERED.fullmatch(text)
        if found:
            pairs.append((found[1].upper(), found[2]))
        elif text.strip():
            pairs.append(("", text.strip()))
    return tuple(pairs)
