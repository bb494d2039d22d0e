"""Draws by SHA-256 of seed and id: no library's random stream is part of a benchmark."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

T = TypeVar("T")
DIGITS = 4300  # Python reads no longer number
ATTEMPTS = 32  # positions that are drawn before all things are looked at


def is_number(text: str) -> bool:
    """Whether a text is a whole number from 0, in the digits of ASCII: a sample's size or seed as an option has it."""
    return text.isascii() and text.isdecimal() and len(text) <= DIGITS


def draw_first(things: Iterable[T], identify: Callable[[T], str], sample: int, seed: int) -> list[T]:
    """Draw without replacement, independent of the order of the input and of any library's random stream.

    Parameters
    ----------
    things : iterable
        To draw from; their ids must differ.
    identify : callable
        From a thing to its id.
    sample : int
        How many; all where there are fewer.
    seed : int
        Another seed gives another draw.

    Returns
    -------
    list
        The first by the SHA-256 of ``seed:id``, in that order.

    Examples
    --------
    >>> draw_first(["a", "b", "c"], str, 2, seed=0) == draw_first(["c", "a", "b"], str, 2, seed=0)
    True
    """

    def digest(thing: T) -> str:
        return hashlib.sha256(f"{seed}:{identify(thing)}".encode()).hexdigest()

    return sorted(things, key=digest)[:sample]


def draw_one(things: Sequence[T], fits: Callable[[T], bool], key: str, seed: int) -> T | None:
    """Draw one of the things that fit, without a look at all of them.

    Positions are drawn by SHA-256, one after the other, until one fits, so each thing that fits is as likely as any
    other. Where few fit, all are looked at.

    Parameters
    ----------
    things : sequence
        To draw from, in an order that does not depend on chance.
    fits : callable
        From a thing to whether it may be drawn.
    key : str
        What is drawn for; another key gives another draw.
    seed : int
        Another seed gives another draw.

    Returns
    -------
    object or None
        None where nothing fits.

    Examples
    --------
    >>> draw_one(range(10), lambda number: number == 7, "a", seed=0)
    7
    """

    def place(attempt: int, size: int) -> int:
        return int(hashlib.sha256(f"{seed}:{key}:{attempt}".encode()).hexdigest(), 16) % size

    for attempt in range(ATTEMPTS if things else 0):
        thing = things[place(attempt, len(things))]
        if fits(thing):
            return thing
    fitting = [thing for thing in things if fits(thing)]
    return fitting[place(ATTEMPTS, len(fitting))] if fitting else None
