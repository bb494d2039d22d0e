"""The Chinese of every message: a table from English, in which ``{0}`` stands for what a message fills in."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from medzh_score.messages.languages import CHINESE, current

FILE = "messages/zh.toml"
PACKAGES = ("medzh_score", "dataset_scripts")
GAP = re.compile(r"\{(\d+)\}")


class Template(NamedTuple):
    """A message with gaps: the English as an expression with a group ``g0``, ``g1``, … a gap, and the Chinese.

    Of several that match, the one with the most literal characters is meant.
    """

    expression: re.Pattern[str]
    chinese: str
    literal: int


def translated(text: str) -> str:
    """Say a message in the language that was chosen.

    Examples
    --------
    >>> translated("is a folder")
    'is a folder'
    """
    return _in_chinese(text) if current.get() == CHINESE else text


def _in_chinese(text: str) -> str:
    exact, templates = catalogue()
    if text in exact:
        return exact[text]
    fitting = [(one, found) for one in templates if (found := one.expression.fullmatch(text))]
    if not fitting:
        return text
    best, found = max(fitting, key=lambda pair: pair[0].literal)
    # What fills a gap may be a message itself, such as what was expected.
    return GAP.sub(lambda gap: exact.get(found[f"g{gap[1]}"], found[f"g{gap[1]}"]), best.chinese)


@cache
def catalogue() -> tuple[dict[str, str], list[Template]]:
    """Read the tables of all packages."""
    exact, templates = dict[str, str](), list[Template]()
    for english, chinese in pairs():
        if GAP.search(english):
            templates.append(template(english, chinese))
        else:
            exact[english] = chinese
    return exact, templates


def pairs() -> list[tuple[str, str]]:
    """Read the tables of all packages as they stand: English and Chinese."""
    # Imported here: messages in English need none of them, and --help is to come at once.
    import tomllib
    from importlib.resources import files

    tables = [tomllib.loads((files(package) / FILE).read_text(encoding="utf-8")) for package in PACKAGES]
    return [pair for table in tables for section in table.values() for pair in section.items()]


def template(english: str, chinese: str) -> Template:
    """Make a template of a pair.

    Examples
    --------
    >>> template("there is no {0}", "没有 {0}").expression.fullmatch("there is no run")["g0"]
    'run'
    """
    parts = GAP.split(english)
    seen: set[str] = set()
    pattern = ""
    for place, part in enumerate(parts):
        if place % 2 == 0:
            pattern += re.escape(part)
        else:
            pattern += rf"(?P=g{part})" if part in seen else rf"(?P<g{part}>.*?)"
            seen.add(part)
    return Template(re.compile(pattern, re.DOTALL), chinese, sum(map(len, parts[::2])))
