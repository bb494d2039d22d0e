"""Where a prediction stands."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A prediction in its file, of which the name stands here; lines count from 1."""

    id: str
    run: int
    variant: int
    file: str
    line: int
