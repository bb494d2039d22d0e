"""The language of messages (``--lang``, or the locale) and of results (``--lang`` alone); the Chinese.

Tables lead from English, in which ``{0}`` stands for what is filled in. A gap of the Chinese may say what fills it:
``{0:、}`` a list, whose parts stand by commas in English; ``{0:；}`` one by semicolons; ``{0:，}`` clauses by either;
``{0:heads}`` a word of that section, ``{0:、heads}`` a list of them; ``{0:=}`` what is never words of ours. Without a
section, a single word is a name, which stays as it is.
"""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


LANGUAGES = ("en", "zh")
ENGLISH, CHINESE = LANGUAGES
OPTION = "--lang"
LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides
PLAIN = ("C", "POSIX")

current: ContextVar[str] = ContextVar("language", default=ENGLISH)
# A script that reads what a command writes must not depend on the locale: results change by the option alone.
of_results: ContextVar[str] = ContextVar("language of results", default=ENGLISH)
FOLDER = "messages"
PACKAGES = {"medzh_score": "ui", "dataset_scripts": "messages"}  # with the folder of their tables
MESSAGES = ("argparse", "messages", "system", "libraries", "help", "results")  # whole texts; others are words
GAP = re.compile(r"\{(\d+)(?::([^{}]+))?\}")
AS_IT_IS = "="
LISTS = {"、": re.compile(", "), "；": re.compile("; ")}
CLAUSES = re.compile(r"([,;]) (?![^(]*\))")  # between clauses of a sentence, of which each is a text of its own
NOTE = "note: "  # stands before a whole sentence, of which it is no part
ENGLISH_WORDS = re.compile(r"[A-Za-z]{2,} [a-z]{2,}")  # what no name is, mostly


def choose(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> None:
    """Set the language of the messages and results that follow."""
    named = _named(arguments)
    current.set(named or _of_locale(environment))
    of_results.set(named or ENGLISH)


@contextmanager
def results_in(language: str) -> Iterator[None]:
    """Let results be in a language while the block runs: what is published must not change with the option."""
    token = of_results.set(language)
    try:
        yield
    finally:
        of_results.reset(token)


def _named(arguments: Sequence[str]) -> str | None:
    named = None
    for place, argument in enumerate(arguments):
        if argument == "--":
            break
        option, equals, value = argument.partition("=")
        if option == OPTION:
            value = value if equals else "".join(arguments[place + 1 : place + 2])
            named = value if value in LANGUAGES else named
    return named


def _of_locale(environment: Mapping[str, str]) -> str:
    locale = next((environment[name] for name in LOCALES if environment.get(name)), "")
    wishes = environment.get("LANGUAGE", "") if locale.partition(".")[0] not in {"", *PLAIN} else ""
    first = (wishes or locale).partition(":")[0]
    return CHINESE if first.lower().startswith("zh") else ENGLISH


class Template(NamedTuple):
    """A text with gaps: the English as an expression with a group ``g0``, ``g1``, … a gap, and the Chinese.

    The pieces are what is literal in the English, the longest first. Few of the expressions are ever compiled.
    Of several that match, the one is meant whose gaps hold no English sentence, and the most literal characters.
    """

    expression: str
    chinese: str
    pieces: tuple[str, ...]

    @property
    def literal(self) -> int:
        """Count the literal characters."""
        return sum(map(len, self.pieces))

    def match(self, text: str) -> re.Match[str] | None:
        """Match a text; most templates share no words with it, which is seen at once."""
        return _compiled(self.expression).fullmatch(text) if all(piece in text for piece in self.pieces) else None


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.DOTALL)


class Section(NamedTuple):
    """Texts without gaps, and templates."""

    exact: dict[str, str]
    templates: list[Template]


def translated(text: str) -> str:
    """Say a message in the language that was chosen."""
    return in_chinese(text) if current.get() == CHINESE else text


def worded(text: str, section: str = FOLDER) -> str:
    """Say what a result says in the language of results: whole texts, or by a section one of its words."""
    return in_chinese(text, section) if of_results.get() == CHINESE else text


@lru_cache(maxsize=1 << 14)
def in_chinese(text: str, section: str = FOLDER) -> str:
    """Say a text, or by a section a word, in Chinese; what is in no table stays as it is."""
    known = catalogue().get(section)
    if known is None or text in known.exact:
        return text if known is None else known.exact[text]
    likely = [one for one in known.templates if one.pieces[0] in text]
    if text.startswith(NOTE):
        likely = [one for one in likely if one.expression.startswith(re.escape(NOTE))]
    fitting = [(one, found) for one in likely if (found := one.match(text))]
    fitting.sort(key=lambda pair: -pair[0].literal)
    # What fills a gap may be a message itself, such as what was expected.
    filled = [{name: _filled(one, name, words) for name, words in found.groupdict().items()} for one, found in fitting]
    whole = [place for place, gaps in enumerate(filled) if not any(map(ENGLISH_WORDS.search, gaps.values()))]
    if not fitting:
        return text
    best = whole[0] if whole else 0
    return GAP.sub(lambda gap: filled[best][f"g{gap[1]}"], fitting[best][0].chinese)


def _filled(template: Template, name: str, words: str) -> str:
    kind = next((gap[2] for gap in GAP.finditer(template.chinese) if f"g{gap[1]}" == name), None)
    if kind == AS_IT_IS:
        return words
    if kind is not None and kind[0] in LISTS:
        return kind[0].join(_gap(part, kind[1:]) for part in LISTS[kind[0]].split(words))
    if kind == "，":
        parts = CLAUSES.split(words)
        marks = {",": "，", ";": "；"}
        return "".join(marks[part] if place % 2 else in_chinese(part, "clauses") for place, part in enumerate(parts))
    return _gap(words, kind)


def _gap(words: str, section: str | None) -> str:
    return in_chinese(words, section or FOLDER) if section or " " in words else words


@cache
def catalogue() -> dict[str, Section]:
    """Read the tables of all packages, by section; whole texts under one name."""
    sections = {FOLDER: Section({}, [])}
    for name, english, chinese in pairs():
        section = sections.setdefault(FOLDER if name in MESSAGES else name, Section({}, []))
        if GAP.search(english):
            section.templates.append(template(english, chinese))
        else:
            section.exact[english] = chinese
    return sections


def pairs() -> Iterator[tuple[str, str, str]]:
    """Read the tables of all packages as they stand: section, English and Chinese."""
    # Imported here: messages in English need none of them, and --help is to come at once.
    import tomllib
    from importlib.resources import files

    for package, folder in PACKAGES.items():
        for file in sorted((files(package) / folder).iterdir(), key=lambda file: file.name):
            if file.name.endswith(".toml"):
                for name, table in tomllib.loads(file.read_text(encoding="utf-8")).items():
                    yield from ((name, english, chinese) for english, chinese in table.items())


def template(english: str, chinese: str) -> Template:
    """Make a template of a pair."""
    pattern, pieces, last = "", [], 0
    seen: set[str] = set()
    for gap in GAP.finditer(english):
        pieces.append(english[last : gap.start()])
        pattern += re.escape(pieces[-1]) + (rf"(?P=g{gap[1]})" if gap[1] in seen else rf"(?P<g{gap[1]}>.*?)")
        seen.add(gap[1])
        last = gap.end()
    pieces.append(english[last:])
    longest_first = tuple(sorted(pieces, key=len, reverse=True))
    return Template(pattern + re.escape(pieces[-1]), chinese, longest_first)
