"""In which order prompts were sent: some tools answer by position and repeat no ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple


class Position(NamedTuple):
    """What was sent at one position; the text is that of all its messages, which stand apart in ``turns``."""

    id: str
    run: int
    variant: int
    text: str
    turns: tuple[str, ...] = ()


# From the name of a prompt, or of the prompts file that was sent, to the positions in their order: a reader takes the
# first of which every text fits what the file says was asked, and refuses the file where none does.
SentOrder = Callable[[], Mapping[str, Sequence[Position]]]


def no_order() -> Mapping[str, Sequence[Position]]:
    """Say that no order is known: what stands by position cannot be read."""
    return {}
