"""What is compared: the statistics of several systems on the same items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from medzh_score.benchmark.layout import Layout


@dataclass(frozen=True)
class Systems:
    """Several systems on the same items, by one rule.

    Attributes
    ----------
    labels : tuple of str
        Of the systems, each once.
    layout : Layout
        Items, units and groups; all that a comparison needs to know of the records.
    statistics : array, shape (systems, items, runs, k)
        What each item contributes. All have the same number of runs: where these differ, they were averaged before.
    unread : array, shape (systems, items, runs)
        In how many variants of the item the rule found no answer to what came.
    asked : array, shape (items,), or None
        In how many variants the item was asked; None where all were asked in one.
    """

    labels: tuple[str, ...]
    layout: Layout
    statistics: NDArray[np.float64]
    unread: NDArray[np.float64]
    asked: NDArray[np.int64] | None = None
