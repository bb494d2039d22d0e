"""What a column of records must hold for scoring: a config declares it by name, in words and as one test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NO_ID = "#~ "  # what stands between the parts of a prompt's id, and between names in messages


@dataclass(frozen=True)
class Holds:
    """The allowed values of a column."""

    expected: str  # what a value must be, in words
    # from values to whether all of them are that; a TypeError means that they are not. It is asked about a whole
    # column first, and about each value only where that fails
    fit: Callable[[Sequence[Any]], bool]

    def fits(self, values: Sequence[Any]) -> bool:
        """Return whether all values are allowed."""
        try:
            return self.fit(values)
        except TypeError:
            return False


def _texts(values: Sequence[Any]) -> bool:
    return all(map(str.strip, values))


def _ids(values: Sequence[Any]) -> bool:
    together = "".join(values)
    return all(values) and together.isprintable() and not any(sign in together for sign in NO_ID)


def _types(*kinds: type) -> Callable[[Sequence[Any]], bool]:
    return lambda values: set(map(type, values)) <= set(kinds)


ID = Holds(_("a string without spaces, # or ~"), _ids)
TEXT = Holds(_("a non-blank string"), _texts)
ANY_TEXT = Holds(_("a string"), _types(str))
TEXT_OR_NONE = Holds(_("a string or null"), _types(str, type(None)))
TEXTS = Holds(_("a list of non-blank strings"), lambda values: all(map(_is_texts, values)))
TEXTS_OR_NONE = Holds(
    _("a list of non-blank strings, or null"),
    lambda values: all(one is None or _is_texts(one) for one in values),
)
COUNTED = Holds(
    _("an integer of at least 1"), lambda values: set(map(type, values)) <= {int} and min(values, default=1) >= 1
)


def one_of(*words: str | None) -> Holds:
    """Allow one of some words, or null if None is among them."""
    known = frozenset(words)
    return Holds(_("one of {word}", word=", ".join(word or "none" for word in words)), known.issuperset)


def options(least: int, most: int) -> Holds:
    """Allow lists of at most ``most`` options."""
    number = str(least) if least == most else _("{least} to {most}", least=least, most=most)
    return Holds(
        _("a list of {number} options (non-blank strings)", number=number),
        lambda values: all(_is_texts(value) and least <= len(value) <= most for value in values),
    )


def distinct(holds: Holds) -> Holds:
    """Let a column hold lists of texts in which nothing stands twice."""
    return Holds(
        _("{expected}, without duplicates", expected=holds.expected),
        lambda values: holds.fit(values) and all(len(set(value)) == len(value) for value in values),
    )


def _is_texts(value: Any) -> bool:  # noqa: ANN401 - whatever a row holds
    return isinstance(value, list) and _texts(value)


class HasName(Protocol):
    """Anything that is chosen by its name."""

    @property
    def name(self) -> str:
        """The name."""


Named = TypeVar("Named", bound=HasName)


def pick(kind: str, named: Sequence[Named], name: str | None) -> Named:
    """Choose one of a config's prompts, rules or rounds by name, the first by None; ``kind`` is the option."""
    if name is None:
        return named[0]
    for candidate in named:
        if candidate.name == name:
            return candidate
    names = ", ".join(candidate.name for candidate in named)
    raise MedzhError(_("unknown name"), field=kind, expected=names or "none", found=name)
