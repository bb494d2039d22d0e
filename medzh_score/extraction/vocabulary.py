"""Words and expressions that answers are read by: words by class, each class one sign, from the TOML files here."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ahocorasick_rs import AhoCorasick


FOLDER = Path(__file__).parent / "vocabulary"
Over = Literal["text", "signs"]


class Word(NamedTuple):
    """An entry of the vocabulary, in lower case, half width, simplified; its class has a name and a sign.

    An ambiguous word has a text in which it has this sense, and one that holds its characters and has it not.
    """

    word: str
    kind: str
    sign: str
    matches: str = ""
    misses: str = ""


@dataclass(frozen=True)
class Lexicon:
    """The words that one kind of answer is read by, by the numbers that the automaton gives.

    The last of ``signs`` is of the end of a text; no letter may touch a word that is ``latin``.
    """

    automaton: AhoCorasick
    words: tuple[Word, ...]
    signs: str
    latin: tuple[bool, ...]


@cache
def vocabulary(file: str) -> tuple[Word, ...]:
    """Read the words of a file of the vocabulary that have a sign."""
    return tuple(word for kind, of in _classes(file).items() if "sign" in of for word in _words(kind, of))


def phrases(file: str, kind: str) -> tuple[str, ...]:
    """Give the words of a class without a sign, each of which is looked for where it matters."""
    return tuple(_classes(file)[kind]["words"])


@cache
def _classes(file: str) -> dict[str, Any]:
    with (FOLDER / f"{file}.toml").open("rb") as stream:
        return tomllib.load(stream)


def _words(kind: str, of: dict[str, Any]) -> Iterable[Word]:
    sign = of["sign"]
    for word in of.get("words", ()):
        yield Word(word, kind, sign)
    for entry in of.get("ambiguous", ()):
        yield Word(entry["word"], kind, sign, entry["matches"], entry["misses"])


def lexicon(words: Sequence[Word]) -> Lexicon:
    """Make an automaton of words; of equal ones the last counts, so that a kind overrides what is shared."""
    own = tuple({word.word: word for word in words}.values())
    return Lexicon(
        automaton([word.word for word in own]),
        own,
        "".join(word.sign for word in own) + " ",
        (*(word.word[0].isascii() and word.word[-1].isascii() and word.word[0].isalpha() for word in own), False),
    )


def automaton(words: Sequence[str]) -> AhoCorasick:
    """Make an automaton that finds, from the left, the longest of words."""
    from ahocorasick_rs import AhoCorasick, MatchKind

    return AhoCorasick(words, matchkind=MatchKind.LeftmostLongest)


@cache
def lexicon_of(*files: str) -> Lexicon:
    """Make the automaton of vocabulary files, the shared one first."""
    return lexicon([word for file in ("shared", *files) for word in vocabulary(file)])


@dataclass(slots=True)
class Expression:
    """An expression with its examples; the pattern is looked up at each use, so that a test can take it away."""

    name: str
    pattern: re.Pattern[str]
    matches: str
    misses: str
    over: Over


ALL: list[Expression] = []


def expression(name: str, pattern: str, *, matches: str, misses: str, over: Over = "text") -> Expression:
    """Compile an expression and keep it with its examples, which a test runs."""
    made = Expression(name, re.compile(pattern), matches, misses, over)
    ALL.append(made)
    return made


def over_signs(name: str, pattern: str, matches: str, misses: str) -> Expression:
    """Compile one that runs over the signs of a text, not over the text itself."""
    return expression(name, pattern, matches=matches, misses=misses, over="signs")
