"""Which items belong to a unit that lacks a prediction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.layout import Layout


def incomplete(layout: Layout, table: AnswerTable, rounds: Iterable[NDArray[np.bool_]] = ()) -> NDArray[np.bool_]:
    """Find the items and runs whose unit lacks a prediction, or what was due in a later round.

    Parameters
    ----------
    layout : Layout
        Items and units.
    table : AnswerTable
        Of any rule; what is missing is missing for all.
    rounds : iterable of array of bool, shape (items, runs)
        What lacks in later rounds.

    Returns
    -------
    array of bool, shape (items, runs)
    """
    by_run = [np.any(one.missing, axis=2) for one in table.by_run()]
    lacking: NDArray[np.bool_] = np.any(np.concatenate(by_run, axis=1)[layout.members], axis=1).T
    for later in rounds:
        lacking = lacking | later.T
    units = np.zeros((len(table.runs), int(layout.units.max()) + 1), bool)
    for run, items in enumerate(lacking):
        units[run, layout.units[items]] = True
    return units[:, layout.units].T
