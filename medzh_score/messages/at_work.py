"""What is at work: whether a private config takes part in it, and which names may stand in messages then."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclass(eq=False)
class _Work:
    """What a command or a function does: whether a private config takes part, and which names may stand."""

    names: set[str] = field(default_factory=set)
    private: bool = False


OTHERS = 0o077  # what group and others may do
# Of all threads: what one of them says while another's work is private is private, too.
_AT_WORK: list[_Work] = []
_MASKS: list[int] = []  # what the process's mask was before a work became private


@contextmanager
def at_work(names: Iterable[str] = ()) -> Iterator[None]:
    """Begin a work that is private from the moment in which a private config takes part in it."""
    work = _Work({*names})
    _AT_WORK.append(work)
    try:
        yield
    finally:
        _AT_WORK.remove(work)
        if _MASKS and not texts_are_withheld():
            os.umask(_MASKS.pop())


def withhold_texts(names: Iterable[str]) -> None:
    """Say that a private config takes part in what is at work, and which names it declares.

    From then on what is made is its owner's alone, whichever library writes it: that is the process's mask.
    """
    for work in _AT_WORK:
        work.private = True
        work.names.update(names)
    if _AT_WORK and not _MASKS:
        _MASKS.append(os.umask(OTHERS))


def texts_are_withheld() -> bool:
    """Say whether a private config takes part in anything that is at work."""
    return any(work.private for work in _AT_WORK)


def names_at_work() -> set[str]:
    """Gather the names that may stand in messages now."""
    return {name for work in _AT_WORK for name in work.names}
