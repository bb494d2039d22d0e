"""Draws by SHA-256 of seed and id: no library's random stream is part of a benchmark."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

T = TypeVar("T")


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
