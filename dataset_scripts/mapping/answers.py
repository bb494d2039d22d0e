"""Answers in a user's own format, read as the letters of options."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dataset_scripts.mapping.options import ALPHABET, LABEL, plain
from dataset_scripts.mapping.values import UnmappedError, as_text

if TYPE_CHECKING:
    from collections.abc import Sequence

LETTER = re.compile(r"[\s(\[【]*([A-J])[\s)\]】.、:]*")


def read_answer(value: object, options: Sequence[str], index: int | None, *, several: bool = False) -> str | None:
    """Read which option is right.

    Gives a capital letter, or several in order; None where nothing stands there.

    Examples
    --------
    >>> read_answer("ｂ", ["舌", "目"], None), read_answer("目", ["舌", "目"], None), read_answer(1, ["舌", "目"], 0)
    ('B', 'B', 'B')
    >>> read_answer("B、A", ["舌", "目", "耳"], None, several=True)
    'AB'
    """
    if isinstance(value, list):
        if len(value) > 1 and several:
            found = [read_answer(each, options, index) for each in value]
            return "".join(sorted({letter for letter in found if letter})) or None
        if len(value) > 1:
            raise UnmappedError("has several letters", "one letter", value)
        value = value[0] if value else None
    text = as_text(value)
    if text is None:
        return None
    if not options:
        raise UnmappedError("is none of the options", "options", text)
    letters = ALPHABET[: len(options)]
    readings = _numbered(text, letters, index) if index is not None else _read(text, options, letters)
    joined = index is None and re.fullmatch(rf"[{letters}](?:[\s,、;/+]*[{letters}])+", plain(text)) is not None
    if joined and not readings and several:
        return "".join(sorted(set(plain(text)) & set(letters)))
    if joined and not readings:
        raise UnmappedError("has several letters", "one letter", text)
    if not readings:
        raise UnmappedError("is none of the options", f"one of {', '.join(letters)}, or the text of one", text)
    if joined or len(readings) > 1:
        raise UnmappedError("may mean several options", "a letter that is no other option's text", text)
    return readings.pop()


def _read(text: str, options: Sequence[str], letters: str) -> set[str]:
    """Find every way to read an answer."""
    readings = {letter for letter, option in zip(letters, options, strict=False) if plain(option) == plain(text)}
    letter = LETTER.fullmatch(plain(text))
    if letter and letter[1] in letters:
        readings.add(letter[1])
    label = LABEL.match(text)
    if label and (place := letters.find(plain(label[1]))) >= 0:
        rest = plain(text[label.end() :])
        readings |= {letters[place]} if rest == plain(options[place]) else set()
    return readings


def _numbered(text: str, letters: str, index: int) -> set[str]:
    digits = plain(text)
    place = int(digits) - index if digits.isdecimal() and len(digits) <= len(ALPHABET) else -1
    return {letters[place]} if 0 <= place < len(letters) else set()
