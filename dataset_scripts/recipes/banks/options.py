"""Options as the examination banks write them: as an object, as a list of lettered texts, inside a text."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Lettered = tuple[tuple[str, str], ...]

LETTERED = re.compile(r"\s*([A-Za-z])(?:\s*[.．、:：]|\s)\s*(.*?)\s*", re.DOTALL)
ALPHABET = "ABCDEFGHIJ"
_ONE = "[A-Ja-jＡ-Ｊａ-ｊ]"
# A letter with a mark behind it anywhere but inside a word or number, or with blanks behind it where a line begins.
INLINE = re.compile(
    rf"(?<![0-9A-Za-zＡ-Ｚａ-ｚ])[(（\[【]?({_ONE})(?:[)）\]】][.．、:：]?|[.．、:：])|^\s*({_ONE})\s", re.MULTILINE
)


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


def split_at_letters(text: str) -> tuple[str, list[str]]:
    r"""Split a text where its options begin: what stands before them, and the options without their letters.

    Raises
    ------
    ValueError
        If there are no letters, or they are not each there once and in order.

    Examples
    --------
    >>> split_at_letters("心开窍于\nA．舌\nB．目")
    ('心开窍于', ['舌', '目'])
    """
    labels = list(INLINE.finditer(text))
    letters = "".join(unicodedata.normalize("NFKC", label[1] or label[2]).upper() for label in labels)
    if not labels or letters != ALPHABET[: len(letters)]:
        raise ValueError(letters)
    ends = [*(label.start() for label in labels[1:]), len(text)]
    options = [text[label.end() : end].strip(" \t\r\n\u3000;；") for label, end in zip(labels, ends, strict=True)]
    return text[: labels[0].start()].strip(), options
