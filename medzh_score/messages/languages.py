"""Which language messages are in: ``--lang``, else the locale, else English; results only by ``--lang``."""

from __future__ import annotations

import os
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ENGLISH, CHINESE = "en", "zh"
LANGUAGES = (ENGLISH, CHINESE)
OPTION = "--lang"
LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides
PLAIN = ("C", "POSIX")

current: ContextVar[str] = ContextVar("language", default=ENGLISH)
# A script that reads what a command writes must not depend on the locale: results change by the option alone.
of_results: ContextVar[str] = ContextVar("language of results", default=ENGLISH)


def choose(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> None:
    """Set the language of the messages and results that follow.

    Examples
    --------
    >>> choose(["check", "sdak", "--lang=zh"])
    >>> current.get(), of_results.get()
    ('zh', 'zh')
    >>> choose([], {"LANG": "zh_CN.UTF-8"})
    >>> current.get(), of_results.get()
    ('zh', 'en')
    >>> choose([], {"LANG": "en_GB.UTF-8"})
    """
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
