"""Options and answers in a user's own format: split, freed of their letters, and read as the letter of an option."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

ALPHABET = "ABCDEFGHIJ"
_ONE = "[A-Ja-jＡ-Ｊａ-ｊ]"
# A letter with a mark behind it anywhere but inside a word or number, or with blanks behind it where a line begins.
INLINE = re.compile(
    rf"(?<![0-9A-Za-zＡ-Ｚａ-ｚ])[(（\[【]?({_ONE})(?:[)）\]】][.．、:：]?|[.．、:：])|^\s*({_ONE})\s", re.MULTILINE
)
LABEL = re.compile(rf"\s*[(（\[【]?\s*({_ONE})(?:\s*[)）\]】][.．、:：]?|\s*[.．、:：]|\s)")
LETTER = re.compile(r"[\s(\[【]*([A-J])[\s)\]】.、:]*")


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


class UnmappedError(Exception):
    """A value that a mapping cannot bring into our form.

    Parameters
    ----------
    problem : str
        What is wrong, in words that are the same for all rows with this fault.
    expected : str or None
        What would have been right.
    found : object
        What was there.
    """

    def __init__(self, problem: str, expected: str | None = None, found: object = None) -> None:
        self.problem = problem
        self.expected = expected
        self.found = found
        super().__init__(problem)


def as_text(value: object) -> str | None:
    """Give a value as a text without blanks around it; None where there is nothing.

    Parameters
    ----------
    value : object
        A text, a number or null.

    Raises
    ------
    UnmappedError
        If it is none of these.
    """
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UnmappedError("is no text", "a text", value)
    return str(value).strip() or None


def as_list(value: object, separator: str | None) -> list[str] | None:
    """Give a value as a list of texts without blanks around them; None where there is nothing.

    Parameters
    ----------
    value : object
        A list of texts and numbers, one text, or null. Empty values inside are left out.
    separator : str or None
        What stands between the values of a text; a text is no list without one.

    Raises
    ------
    UnmappedError
        If it is none of these.

    Examples
    --------
    >>> as_list("贫血； 缺铁；", "；"), as_list(["贫血", None], None)
    (['贫血', '缺铁'], ['贫血'])
    """
    if isinstance(value, list):
        return [text for text in map(as_text, value) if text]
    text = as_text(value)
    if text is None:
        return None
    if separator is None:
        expected = "a list of texts, or in [separators] of the mapping file what separates them"
        raise UnmappedError("is no list", expected, value)
    return [part.strip() for part in text.split(separator) if part.strip()]


def read_options(at: OptionsAt, values: Sequence[object]) -> list[str]:
    r"""Read the options of a row.

    Parameters
    ----------
    at : OptionsAt
        How they are separated.
    values : sequence of object
        What stands at each of its paths.

    Returns
    -------
    list of str
        Without letters; empty ones at the end are left out.

    Raises
    ------
    UnmappedError
        If they cannot be separated, or the letters are not A, B, C and so on.

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

    Parameters
    ----------
    text : str
        Such as ``A．舌 B．目``; a question may stand before it.

    Returns
    -------
    tuple of (str, list of str)
        What stands before the first letter, and the options.

    Raises
    ------
    UnmappedError
        If the letters are not A, B, C and so on, each once: one that may be a part of an option is not guessed at.

    Examples
    --------
    >>> split_at_letters("心开窍于\nA．舌\nB．目")
    ('心开窍于', ['舌', '目'])
    """
    labels = list(INLINE.finditer(text))
    letters = "".join(_plain(label[1] or label[2]) for label in labels)
    if not labels or letters != ALPHABET[: len(letters)]:
        raise UnmappedError("cannot be separated by letters", "each letter once and in order", text)
    ends = [*(label.start() for label in labels[1:]), len(text)]
    options = [text[label.end() : end].strip(" \t\r\n\u3000;；") for label, end in zip(labels, ends, strict=True)]
    return text[: labels[0].start()].strip(), options


def read_answer(value: object, options: Sequence[str], index: int | None, *, several: bool = False) -> str | None:
    """Read which option is right.

    Parameters
    ----------
    value : object
        Its letter in any width or case, its text, or a list with one of these; with ``index`` its number.
    options : sequence of str
        Without letters.
    index : int or None
        The number of the first option, where options are numbered.
    several : bool
        Whether several options may be right: then letters may stand together, and a list have several values.

    Returns
    -------
    str or None
        A capital letter, or several in order; None where nothing stands there.

    Raises
    ------
    UnmappedError
        If it means no option, or several where one is right.

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
    joined = index is None and re.fullmatch(rf"[{letters}](?:[\s,、;/+]*[{letters}])+", _plain(text)) is not None
    if joined and not readings and several:
        return "".join(sorted(set(_plain(text)) & set(letters)))
    if joined and not readings:
        raise UnmappedError("has several letters", "one letter", text)
    if not readings:
        raise UnmappedError("is none of the options", f"one of {', '.join(letters)}, or the text of one", text)
    if joined or len(readings) > 1:
        raise UnmappedError("may mean several options", "a letter that is no other option's text", text)
    return readings.pop()


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
    lettered = {_plain(str(key)): text for key, text in value.items()}
    if "".join(sorted(lettered)) != ALPHABET[: len(lettered)] or len(lettered) < len(value):
        raise UnmappedError("has other letters than A, B, C and so on", "A, B, C and so on", list(value))
    return [lettered[letter] for letter in sorted(lettered)]


def _freed(option: str, place: int) -> str:
    label = LABEL.match(option)
    if label is None or _plain(label[1]) != ALPHABET[place : place + 1]:
        expected = f"{ALPHABET[place : place + 1]} before it"
        raise UnmappedError("has an option without its letter", expected, option)
    return option[label.end() :].strip()


def _read(text: str, options: Sequence[str], letters: str) -> set[str]:
    """Find every way to read an answer."""
    readings = {letter for letter, option in zip(letters, options, strict=False) if _plain(option) == _plain(text)}
    letter = LETTER.fullmatch(_plain(text))
    if letter and letter[1] in letters:
        readings.add(letter[1])
    label = LABEL.match(text)
    if label and (place := letters.find(_plain(label[1]))) >= 0:
        rest = _plain(text[label.end() :])
        readings |= {letters[place]} if rest == _plain(options[place]) else set()
    return readings


def _numbered(text: str, letters: str, index: int) -> set[str]:
    digits = _plain(text)
    place = int(digits) - index if digits.isdecimal() and len(digits) <= len(ALPHABET) else -1
    return {letters[place]} if 0 <= place < len(letters) else set()


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().upper()
