"""A result folder, read back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from medzh_score.benchmark.layout import Layout
    from medzh_score.report.report import Report


@dataclass(frozen=True)
class Result:
    """What a scoring run left behind.

    Attributes
    ----------
    folder : Path
        Where it was read.
    report : Report
        Equal to the one that was saved: every form of it is shown as it was then.
    layout : Layout
        Items, units and groups; nothing of the records.
    runs : tuple of int
        Those seen, ascending.
    statistics : mapping of str to array, shape (items, runs, k)
        By rule, what each item contributed; of what was dropped all 0.
    unread : mapping of str to array of int, shape (items, runs)
        By rule, in how many variants the rule found no answer to what came.
    missing : array of int, shape (items, runs)
        In how many variants nothing came.
    """

    folder: Path
    report: Report
    layout: Layout
    runs: tuple[int, ...]
    statistics: Mapping[str, NDArray[np.float64]]
    unread: Mapping[str, NDArray[np.int64]]
    missing: NDArray[np.int64]
