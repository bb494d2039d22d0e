"""Where the values of a chart stand: an axis with round numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

STEPS = (1, 2, 2.5, 5, 10)
PARTS = 5  # at most
TOPS = {"percent": 100.0, "fraction": 1.0}


@dataclass(frozen=True)
class Scale:
    """An axis from its first tick to its last, over so many pixels from an offset on; ``length`` may be negative."""

    ticks: tuple[float, ...]
    offset: float
    length: float

    def at(self, value: float) -> float:
        """Give the place of a value."""
        low, high = self.ticks[0], self.ticks[-1]
        return self.offset + self.length * (value - low) / (high - low)


def ticks(low: float, high: float) -> tuple[float, ...]:
    """Place ticks at multiples of a round number, from at or below the lowest value to at or above the highest.

    Examples
    --------
    >>> ticks(0, 100), ticks(-0.07, 0.9), ticks(3, 3)
    ((0.0, 20.0, 40.0, 60.0, 80.0, 100.0), (-0.2, 0.0, 0.2, 0.4, 0.6, 0.8, 1.0), (3.0, 3.2, 3.4, 3.6, 3.8, 4.0))
    """
    span = high - low or 1.0
    power = 10.0 ** math.floor(math.log10(span / PARTS))
    step = next(one * power for one in STEPS if span <= PARTS * one * power * (1 + 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil((low + span if high == low else high) / step - 1e-9)
    return tuple(round(number * step, 10) for number in range(first, last + 1))


def of_unit(unit: str, values: Iterable[float]) -> tuple[float, ...]:
    """Place ticks for values of a unit: from 0 to its top, unless values lie beyond.

    Examples
    --------
    >>> of_unit("percent", [40.5])
    (0.0, 20.0, 40.0, 60.0, 80.0, 100.0)
    """
    found = list(values)
    return ticks(min(0.0, *found), max(TOPS.get(unit, 0.0), *found))
