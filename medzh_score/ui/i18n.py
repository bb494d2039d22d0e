"""Messages in English and Chinese: `_` marks what people read, gettext translates it when it is shown.

A message keeps its English template and its values, so that one language does not depend on when the other was chosen:
what is stored, compared and written as JSON is English, and `translated` gives the language of the command.
"""

from __future__ import annotations

import gettext
import os
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

LANGUAGES = ("en", "zh")
ENGLISH, CHINESE = LANGUAGES
OPTION, VARIABLE = "--lang", "MEDZH_LANG"
LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides
PLAIN = ("C", "POSIX")
CATALOG = "locale/zh_CN/LC_MESSAGES/medzh.mo"
# What joins texts in English, and in Chinese.
SEPARATORS = {", ": "、", " or ": "或", "; ": "；", ": ": "：", ". ": "。", " ": "", "": "", "\n": "\n"}

current: ContextVar[str] = ContextVar("language", default=ENGLISH)


def choose(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> None:
    """Set the language of what follows: by the option, else by the variable, else by the locale."""
    named = environment.get(VARIABLE)
    current.set(_of_option(arguments) or (named if named in LANGUAGES else _of_locale(environment)))


@contextmanager
def language(name: str) -> Iterator[None]:
    """Translate into a language while the block runs."""
    token = current.set(name)
    try:
        yield
    finally:
        current.reset(token)


def _of_option(arguments: Sequence[str]) -> str | None:
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


class MarkedText(str):
    """A text in English that knows its template, context and values."""

    __slots__ = ("context", "plural", "template", "values")

    context: str | None
    template: str
    plural: str | None  # of a template that has two forms in English, by the value n
    values: Mapping[str, Any]

    def with_values(self, change: Callable[[str], str]) -> str:
        """Change the texts that fill its gaps, such as what a server said."""
        changed: dict[str, Any] = {
            name: change(value) if isinstance(value, str) else value for name, value in self.values.items()
        }
        if self.plural is not None:
            return _n(self.template, self.plural, changed.pop("n"), **changed)
        return pgettext(self.context, self.template, **changed)

    def in_chinese(self) -> str:
        """Translate it, and the messages among its values."""
        template = (
            in_catalog(self.template, self.context)
            if self.plural is None
            else _catalog().ngettext(self.template, self.plural, self.values["n"])
        )
        chinese = {name: _value(value) for name, value in self.values.items()}
        return template.format_map(chinese) if chinese else template


class BilingualText(str):
    """A text of a data file in English, which has its Chinese next to it."""

    __slots__ = ("chinese",)

    chinese: str

    def in_chinese(self) -> str:
        """Give the Chinese of the file."""
        return self.chinese


class JoinedText(str):
    """Texts that are joined, each of which is translated alone."""

    __slots__ = ("parts", "separator")

    parts: tuple[str, ...]
    separator: str

    def in_chinese(self) -> str:
        """Translate the parts, and join them by Chinese punctuation."""
        return SEPARATORS[self.separator].join(map(in_chinese, self.parts))


def _(template: str, /, **values: Any) -> str:  # noqa: ANN401 - whatever str.format takes
    """Mark a message; `values` fill its named gaps.

    >>> _("{count} predictions", count=3)
    '3 predictions'
    """
    return pgettext(None, template, **values)


def pgettext(context: str | None, template: str, /, **values: Any) -> str:  # noqa: ANN401 - whatever str.format takes
    """Mark a message whose translation depends on where it stands, such as ``"table heading"``."""
    if isinstance(template, MarkedText | BilingualText | JoinedText):
        return template  # marked where it was written
    message = MarkedText(template.format_map(values) if values else template)
    message.context, message.template, message.plural, message.values = context, template, None, values
    return message


def _n(singular: str, plural: str, n: int, /, **values: Any) -> str:  # noqa: ANN401 - whatever str.format takes
    """Mark a message with a count ``n``, which has one form for 1 in English and one for all other numbers.

    >>> _n("{n} run", "{n} runs", 1), _n("{n} run", "{n} runs", 3)
    ('1 run', '3 runs')
    """
    filled = {"n": n, **values}
    message = MarkedText((singular if n == 1 else plural).format_map(filled))
    message.context, message.template, message.plural, message.values = None, singular, plural, filled
    return message


def N_(template: str) -> str:  # noqa: N802 - as gettext's manual names it
    """Mark a template that is filled elsewhere."""
    return template


def Nn_(singular: str, plural: str) -> tuple[str, str]:  # noqa: N802 - as `N_`
    """Mark a template with a count that is filled elsewhere."""
    return singular, plural


def bilingual(english: str, chinese: str) -> BilingualText:
    """Put a text and its Chinese together.

    >>> bilingual("4 cells", "4 格"), bilingual("4 cells", "4 格").in_chinese()
    ('4 cells', '4 格')
    """
    text = BilingualText(english)
    text.chinese = chinese
    return text


def joined(parts: Iterable[str], separator: str = ", ") -> str:
    """Join texts by a mark of `SEPARATORS`.

    >>> joined(["a", "b"])
    'a, b'
    """
    several = tuple(parts)
    text = JoinedText(separator.join(several))
    text.parts, text.separator = several, separator
    return text


def translated(text: str, context: str | None = None) -> str:
    """Give a text in the language that was chosen; what the catalog does not have stays as it is."""
    return in_chinese(text, context) if current.get() == CHINESE else str(text)


def in_chinese(text: str, context: str | None = None) -> str:
    """Give a text in Chinese; what the catalog does not have stays as it is."""
    if isinstance(text, MarkedText | BilingualText | JoinedText):
        chinese = text.in_chinese()
        return in_catalog(text, context) if chinese == text else chinese
    return in_catalog(text, context)


def _value(value: object) -> object:
    translate = getattr(value, "in_chinese", None)  # a message, or an error; what users wrote stays as it is
    return value if translate is None else translate()


def in_catalog(template: str, context: str | None) -> str:
    """Look up a template as it stands."""
    if not template:
        return ""  # gettext keeps the head of the catalog under it
    return _catalog().gettext(template) if context is None else _catalog().pgettext(context, template)


@cache
def _catalog() -> gettext.NullTranslations:
    from importlib.resources import files

    with files("medzh_score").joinpath(CATALOG).open("rb") as file:
        return gettext.GNUTranslations(file)


def plain_text(value: object) -> str:
    """Give msgspec a message as what it is in English; anything else it refuses."""
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError(type(value).__name__)
