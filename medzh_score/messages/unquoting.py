"""What a message leaves out where a private config takes part: all that is neither our words nor a known name.

A message has its Chinese in the catalogue, by which its own words are told from what fills them in: these stay, and of
what is filled in only numbers, ids and names that are known. All else, known to the catalogue or not, gives way to its
kind and length. So no message, no library's words in one, and no call that somebody adds later can quote a text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.messages.at_work import names_at_work, texts_are_withheld
from medzh_score.messages.catalogue import FOLDER, catalogue

if TYPE_CHECKING:
    from collections.abc import Collection

NUMBER = re.compile(r"[-+]?[\d.,:]+(?: ?%)?", re.ASCII)
ID = re.compile(r"[a-z]\w*(?:[-.]\w+)*-(?=\w*\d)\w{4,}(?:#r\d+(?:v\d+)?(?:~[a-z]+)?)?", re.ASCII)  # such as ward-0123
DIGEST = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}", re.ASCII)
OPTION = re.compile(r"--[a-z-]+", re.ASCII)
KIND = re.compile(r"[A-Z][A-Za-z]*(?:Error|Exception)", re.ASCII)  # of an error, as Python names it
IDS = (ID, DIGEST)
KNOWN = (*IDS, NUMBER, OPTION, KIND)
PLACES = frozenset({"run", "variant", "line"})  # before a number
RECIPES = frozenset({"official", "open", "mini", "mesh", "pediabench"})  # the usual ones: no text of anybody
LISTS = (", ", "; ", " or ", " and ")
UNQUOTED = re.compile(r"a text of \d+ characters")
FEW = 8  # characters of its own, by which a message is hardly told from a text that has them, too


@dataclass(frozen=True)
class Unquoted:
    """What stands in the place of a value: its kind and length."""

    words: str

    def __repr__(self) -> str:
        """Say it without quotes."""
        return self.words


def sayable(text: str) -> str:
    """Give a message as it may be said now."""
    return without_texts(text, names_at_work()) if texts_are_withheld() else text


def without_texts(text: str, names: Collection[str]) -> str:
    """Leave of a message its own words, and of what fills them in numbers, ids and names.

    Examples
    --------
    >>> without_texts("prompts of ward have no examples", {"ward"})
    'prompts of ward have no examples'
    >>> without_texts("prompts of 患者发热三天 have no examples", {"ward"})
    'prompts of a text of 6 characters have no examples'
    """
    if _is_known(text, names):
        return text
    found = [(one, match) for one in catalogue()[FOLDER].templates if one.literal and (match := one.match(text))]
    found.sort(key=lambda pair: -pair[0].literal)
    made = [(one.literal, _refilled(match, names)) for one, match in found]
    whole = (words for _, words in made if UNQUOTED.search(words) is None)
    if (fitting := next(whole, None) or next((words for literal, words in made if literal >= FEW), None)) is not None:
        return fitting
    lists, words = re.split("|".join(LISTS), text), text.split()
    if all(_is_known(part, names) for part in lists) or all(_is_name(word, {*names, *PLACES}) for word in words):
        return text
    return f"a text of {len(text)} characters"


def _refilled(match: re.Match[str], names: Collection[str]) -> str:
    """Write a message again, each gap as it may stand; one that fills two places may stand whole or in neither."""
    made, last = "", 0
    for group in sorted(match.re.groupindex.values(), key=match.start):
        start, end = match.span(group)
        made += match.string[last:start] + without_texts(match.string[start:end], names)
        last = end
    made += match.string[last:]
    twice = [name for name in match.re.groupindex if f"(?P={name})" in match.re.pattern]
    hidden = [match[name] for name in twice if without_texts(match[name], names) != match[name]]
    return f"a text of {len(match.string)} characters" if hidden else made


def _is_known(text: str, names: Collection[str]) -> bool:
    """Say whether a text is a name or wholly in our own words."""
    return _is_name(text, names) or text in catalogue()[FOLDER].exact


def _is_name(text: str, names: Collection[str]) -> bool:
    """Say whether a text is none, a name that is known, a number, an id or a digest."""
    return text in {"", "…", *RECIPES} or text in names or any(one.fullmatch(text) for one in KNOWN)


def place_unquoted(field_name: str, names: Collection[str]) -> str:
    """Keep the name of a field, an option or a way into a document; a key that is no such name may be a text."""
    plain = re.fullmatch(r"[-\w./\[\]…$]+", field_name, re.ASCII) is not None
    return field_name if plain else without_texts(field_name, names)


def value_unquoted(value: object, names: Collection[str]) -> object:
    """Say of what kind a value is and how long; a name, an id and what was said of a value stay."""
    match value:
        case None | Unquoted():
            return value
        case str():
            stays = value in names or any(one.fullmatch(value) for one in IDS)
            return value if stays else Unquoted(f"a text of {len(value)} characters")
        case bool() | int() | float():
            return Unquoted("a number")
        case list() | tuple() | dict() | set() | frozenset():
            return Unquoted(f"{len(value)} values")
    return Unquoted(f"a value of type {type(value).__name__}")
