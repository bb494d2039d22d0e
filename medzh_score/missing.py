"""Predictions that did not come: an error, a wrong answer, or a reason to drop their unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.answers import NAMED
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
    absent = [
        f"{ids[index]} run {run}" + (f" variant {variant}" if variant else "")
        for run in table.runs
        for variant in table.variants
        for index, answer in enumerate(table.columns[run, variant])
        if answer is None
    ]
    named = ", ".join(absent[:NAMED]) + (", …" if len(absent) > NAMED else "")
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
    seen = [
        [[answer is not None for answer in table.columns[run, variant]] for variant in table.variants]
        for run in table.runs
    ]
    present = np.logical_and.reduce(np.array(seen, bool), axis=1)
    lacking = ~present[:, layout.members].all(axis=2)
    units = np.zeros((len(table.runs), int(layout.units.max()) + 1), bool)
    for run, items in enumerate(lacking):
        units[run, layout.units[items]] = True
    return units[:, layout.units].T
