"""How many units are won, lost and tied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.statistics.comparison.rows import differences

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Direction


@dataclass(frozen=True)
class Record:
    """In how many units one system is better, worse and equal."""

    won: int
    lost: int
    tied: int


def record(one: NDArray[np.float64], other: NDArray[np.float64], direction: Direction | None) -> Record | None:
    """Count units by the formula on each unit's own sums, where it has a value for both systems.

    None where it has one in no unit, as a correlation has, or where no direction is better.
    """
    found = differences(one, other)
    if direction is None or np.isnan(found).all():
        return None
    better = found if direction == "higher" else -found
    return Record(int((better > 0).sum()), int((better < 0).sum()), int((better == 0).sum()))
