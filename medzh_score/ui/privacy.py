"""Private configs: whether one takes part in what is at work, and what messages then say in place of values.

A value of a record or a prediction passes through `quotable`, `shown` or ``found`` of an error where a message is made.
Our own words, counts, ids, and names of files, configs, columns and options are never withheld.
"""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

OTHERS = 0o077  # what group and others may do
# Keyed ids with a group's suffix, run and variant, and digests: these say nothing of a text.
ID = re.compile(r"[a-z]\w*-[0-9a-f]{8,}(?:-[0-9a-z]{1,3})?(?:#r\d+(?:v\d+)?(?:~[a-z]+)?)?", re.ASCII)
DIGEST = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}", re.ASCII)
KEY = re.compile(r"[\w./~$#\[\]…-]*", re.ASCII)


@dataclass(eq=False)
class _Work:
    """What a command or a function does."""

    private: bool


# Of all threads: what one of them says while another's work is private is private, too.
_AT_WORK: list[_Work] = []
# The work of a public config alone, in which its values are said whatever else the command has loaded.
_PUBLIC: ContextVar[_Work | None] = ContextVar("public", default=None)
_MASKS: list[int] = []  # what the process's mask was before a work became private


@contextmanager
def at_work(*, private: bool = False, public: bool = False) -> Iterator[None]:
    """Begin a work that is private from the moment in which a private config takes part in it.

    One of a ``public`` config alone does not become so by what its command did before; what it says is said later, too.
    """
    work = _Work(private)
    token = _PUBLIC.set(None if private else work if public else _PUBLIC.get())
    _AT_WORK.append(work)
    try:
        yield
    finally:
        _AT_WORK.remove(work)
        _PUBLIC.reset(token)
        if _MASKS and not texts_are_withheld():
            os.umask(_MASKS.pop())


def withhold_texts() -> None:
    """Say that a private config takes part in what is at work.

    From then on what is made is its owner's alone, whichever library writes it: that is the process's mask.
    """
    for work in _AT_WORK:
        work.private = True
    if _AT_WORK and not _MASKS:
        _MASKS.append(os.umask(OTHERS))


def texts_are_withheld() -> bool:
    """Say whether a private config takes part in anything that is at work."""
    public = _PUBLIC.get()
    return any(work.private for work in _AT_WORK) if public is None else public.private


class Unredacted(str):
    """A declared name or a word of ours, which stands where values may: it is never withheld."""

    __slots__ = ()


class Worded(Unredacted):
    """Words of ours in the place of a value, such as the name of a prediction: translated, and without quotes."""

    __slots__ = ("message",)

    message: str

    def __new__(cls, message: str) -> Self:
        """Keep the message, which may be translated."""
        worded = super().__new__(cls, message)
        worded.message = message
        return worded

    def __repr__(self) -> str:
        """Say it as it is."""
        return str(self)


class Withheld(Worded):
    """The kind and length of a value, in its place."""

    __slots__ = ()


def redacted(found: object) -> object:
    """Give a value, or where a private config takes part its kind and length; whole numbers, ids and names stay."""
    if found is None or isinstance(found, Unredacted) or type(found) is int:
        return found
    if not texts_are_withheld():
        if _PUBLIC.get() is None:
            return found
        return Unredacted(found) if isinstance(found, str) else Withheld(repr(found))
    if not isinstance(found, str):
        return Withheld(_("a value of type {name}", name=type(found).__name__))
    is_known = not found or ID.fullmatch(found) or DIGEST.fullmatch(found)
    return found if is_known else Withheld(_("a string of {n_found} characters", n_found=len(found)))


def quotable(found: object) -> str:
    """Give a value of a record or a prediction, or what a library says of one, as it may stand within a message."""
    value = redacted(found if isinstance(found, str) else str(found))
    return value.message if isinstance(value, Worded) else str(value)


def quotable_key(*found: str) -> Unredacted:
    """List keys, columns or pointers of the user's: what is no plain name may be a text."""
    return Unredacted(", ".join(one if KEY.fullmatch(one) else quotable(one) for one in found))
