"""A list of texts as Python prints one, read by its grammar: nothing is evaluated."""

from __future__ import annotations

import re

TEXT = re.compile(r"""'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)\"""")
BETWEEN = re.compile(r"\s*,\s*")
ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))")
PLAIN = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"'}
LAST = 0x10FFFF
HALVES = range(0xD800, 0xE000)  # halves of characters, which no text has alone


def read_texts(written: str) -> list[str] | None:
    r"""Read a list of quoted texts in brackets, with Python's escapes; None where it is anything else.

    >>> read_texts("['一', \"二\\xa0三\"]"), read_texts("[1]"), read_texts("[]")
    (['一', '二\xa0三'], None, [])
    """
    inside = written.strip()
    if len(inside) < len("[]") or not (inside.startswith("[") and inside.endswith("]")):
        return None
    inside = inside[1:-1].strip()
    texts: list[str] = []
    place = 0
    while place < len(inside):
        if texts:
            comma = BETWEEN.match(inside, place)
            if comma is None:
                return None
            place = comma.end()
        found = TEXT.match(inside, place)
        text = None if found is None else _meant(found[1] if found[1] is not None else found[2])
        if found is None or text is None:
            return None
        texts.append(text)
        place = found.end()
    return texts


def _meant(quoted: str) -> str | None:
    if "\\" not in quoted:
        return quoted
    parts: list[str] = []
    place = 0
    for escape in ESCAPE.finditer(quoted):
        digits = escape[1] or escape[2] or escape[3]
        number = int(digits, 16) if digits else 0
        character = PLAIN.get(escape[4] or "", "") if not digits else ""
        if digits and number <= LAST and number not in HALVES:
            character = chr(number)
        if not character:
            return None
        parts += [quoted[place : escape.start()], character]
        place = escape.end()
    return "".join([*parts, quoted[place:]])
