"""Predictions that did not come: an error, a wrong answer, or a reason to drop their unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.collecting import NAMED
from medzh_score.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from medzh_score.answers import AnswerTable, Collected
    from medzh_score.config import Layout


def refuse_missing(collected: Collected, ids: Sequence[str]) -> None:
    """Raise an error that counts and names the missing predictions, if there are any.

    Parameters
    ----------
    collected : Collected
        What was read.
    ids : sequence of str
        The ids of the records.

    Raises
    ------
    MedzhError
        Names the first few, and the first failed request where requests failed.
    """
    rule, table = next(iter(collected.tables.items()))
    coverage = collected.coverage(rule)
    if not coverage.missing:
        return
    places = np.moveaxis(table.missing, 0, 2)  # by run, then by variant, as the prompts are written
    absent = [
        f"{ids[index]} run {table.runs[run]}"
        + (f" variant {table.variants[variant]}" if table.variants[variant] else "")
        for run, variant, index in np.argwhere(places)[:NAMED]
    ]
    named = ", ".join(absent) + (", …" if coverage.missing > NAMED else "")
    failed = f"; {len(collected.failures)} requests failed ({collected.failures[0]})" if collected.failures else ""
    raise MedzhError(
        f"{coverage.missing} of {coverage.expected} predictions are missing ({named}){failed}",
        file=", ".join(file.name for file in collected.inputs),
        advice="complete them, or count them as wrong (--missing wrong) or drop their units (--missing skip)",
    )


def incomplete(layout: Layout, table: AnswerTable) -> NDArray[np.bool_]:
    """Find the items and runs whose unit lacks a prediction.

    Parameters
    ----------
    layout : Layout
        Items and units.
    table : AnswerTable
        Of any rule; what is missing is missing for all.

    Returns
    -------
    array of bool, shape (items, runs)
    """
    lacking = np.any(table.missing, axis=2)[layout.members].any(axis=1).T
    units = np.zeros((len(table.runs), int(layout.units.max()) + 1), bool)
    for run, items in enumerate(lacking):
        units[run, layout.units[items]] = True
    return units[:, layout.units].T
