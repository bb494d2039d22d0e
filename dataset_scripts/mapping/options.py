"""Options in a user's own format: split, and freed of their letters."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataset_scripts.mapping.values import UnmappedError, as_text

if TYPE_CHECKING:
    from collections.abc import Sequence

ALPHABET = "ABCDEFGHIJ"
_ONE = "[A-Ja-jＡ-Ｊａ-ｊ]"
# A letter with a mark behind it anywhere but inside a word or number, or with blanks behind it where a line begins.
INLINE = re.compile(
    rf"(?<![0-9A-Za-zＡ-Ｚａ-ｚ])[(（\[【]?({_ONE})(?:[)）\]】][.．、:：]?|[.．、:：])|^\s*({_ONE})\s", re.MULTILINE
)
LABEL = re.compile(rf"\s*[(（\[【]?\s*({_ONE})(?:\s*[)）\]】][.．、:：]?|\s*[.．、:：]|\s)")


@dataclass(frozen=True)
class OptionsAt:
    """Where a user's format has its options, and how they are separated.

    Attributes
    ----------
    paths : tuple of str
        One field with all options, or one field for each.
    kind : str
        ``text`` (a field that is one text), ``list``, ``object`` (letter to text) or ``columns``.
    separator : str or None
        What stands between the options of a text; None where their letters separate them.
    labels : bool
        Whether each begins with its letter.
    inside : bool
        Whether the question stands before them in the same field.
    """

    paths: tuple[str, ...]
    kind: str
    separator: str | None = None
    labels: bool = False
    inside: bool = False


def read_options(at: OptionsAt, values: Sequence[object]) -> list[str]:
    r"""Read the options of a row. Gives without letters; empty ones at the end are left out.

    Examples
    --------
    >>> read_options(OptionsAt(("o",), "text", labels=True), ["A．舌 B．目\nC．耳"])
    ['舌', '目', '耳']
    """
    if at.kind == "text" and at.separator is None:
        before, options = split_at_letters(as_text(values[0]) or "")
        if before and not at.inside:
            raise UnmappedError("has a text before its options", "the letter of the first option", before)
        return options
    options = [as_text(value) or "" for value in _pieces(at, values)]
    while options and not options[-1]:
        options.pop()
    return [_freed(option, place) for place, option in enumerate(options)] if at.labels else options


def split_at_letters(text: str) -> tuple[str, list[str]]:
    r"""Split a text where its options begin.

    Examples
    --------
    >>> split_at_letters("心开窍于\nA．舌\nB．目")
    ('心开窍于', ['舌', '目'])
    """
    labels = list(INLINE.finditer(text))
    letters = "".join(plain(label[1] or label[2]) for label in labels)
    if not labels or letters != ALPHABET[: len(letters)]:
        raise UnmappedError("cannot be separated by letters", "each letter once and in order", text)
    ends = [*(label.start() for label in labels[1:]), len(text)]
    options = [text[label.end() : end].strip(" \t\r\n\u3000;；") for label, end in zip(labels, ends, strict=True)]
    return text[: labels[0].start()].strip(), options


def plain(text: str) -> str:
    """Write a text or letter as it is compared: of one width and case, without blanks around it."""
    return unicodedata.normalize("NFKC", text).strip().upper()


def _pieces(at: OptionsAt, values: Sequence[object]) -> Sequence[object]:
    if at.kind == "columns":
        return values
    (value,) = values
    if at.kind == "list":
        if not isinstance(value, list):
            raise UnmappedError("is no list", "a list of texts", value)
        return value
    if at.kind == "object":
        return _in_order(value)
    return (as_text(value) or "").split(at.separator)


def _in_order(value: object) -> list[object]:
    if not isinstance(value, dict):
        raise UnmappedError("is no object", "an object from letter to text", value)
    lettered = {plain(str(key)): text for key, text in value.items()}
    if "".join(sorted(lettered)) != ALPHABET[: len(lettered)] or len(lettered) < len(value):
        raise UnmappedError("has other letters than A, B, C and so on", "A, B, C and so on", list(value))
    return [lettered[letter] for letter in sorted(lettered)]


def _freed(option: str, place: int) -> str:
    label = LABEL.match(option)
    if label is None or plain(label[1]) != ALPHABET[place : place + 1]:
        expected = f"{ALPHABET[place : place + 1]} before it"
        raise UnmappedError("has an option without its letter", expected, option)
    return option[label.end() :].strip()
