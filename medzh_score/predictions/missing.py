"""Predictions that did not come: an error, a wrong answer, or a reason to drop their unit."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.messages.errors import NAMED, MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.layout import Layout
    from medzh_score.predictions.collected import Collected
from medzh_score.benchmark.incomplete import incomplete

FRAGMENT = 0.05  # of what the fullest run has: a run that lacks more is no run
HALF = 0.5  # of the share that the fullest variant has: one that has less is no variant that was asked
DIGITS = 8


def refuse_missing(collected: Collected, ids: Sequence[str]) -> None:
    """Raise an error that counts and names the missing predictions, if there are any."""
    rule, table = next(iter(collected.tables.items()))
    coverage = collected.coverage(rule)
    if not coverage.missing:
        return
    absent = first_missing(table, ids)
    named = ", ".join(absent) + (", …" if coverage.missing > NAMED else "")
    problem = f"{coverage.missing} of {coverage.expected} predictions are missing ({named})"
    if collected.failures:
        problem = (
            f"{coverage.missing} of {coverage.expected} predictions are missing ({named}); "
            f"{len(collected.failures)} requests failed ({collected.failures[0]})"
        )
    raise MedzhError(
        problem,
        file=", ".join(file.name for file in collected.inputs),
        advice="complete them, or count them as wrong (--missing wrong) or drop their units (--missing skip)",
    )


def first_missing(table: AnswerTable, ids: Sequence[str]) -> list[str]:
    """Name the first few predictions that did not come, by run, then by variant, as the prompts are written."""
    absent = (
        f"{ids[index]} run {run}" + (f" variant {table.variants[variant]}" if table.variants[variant] else "")
        for run, one in zip(table.runs, table.by_run(), strict=True)
        for variant, index in np.argwhere(one.missing[:, 0].T)[:NAMED]
    )
    return list(islice(absent, NAMED))


@dataclass(frozen=True)
class Kept:
    """What ``skip`` keeps: the units that are whole in every run, with a digest of the sorted ids of the kept items."""

    items: NDArray[np.bool_]
    units: int
    of: int
    digest: str

    @property
    def signed(self) -> str:
        """How it stands in a signature."""
        return f"skip, {self.units} of {self.of} units ({self.digest})"


def kept_by_skip(layout: Layout, table: AnswerTable, rounds: Iterable[NDArray[np.bool_]] = ()) -> Kept:
    """Find what ``skip`` keeps: a unit that lacks anything in one run is dropped from all, so that runs stay alike."""
    items = np.logical_not(np.any(incomplete(layout, table, rounds), axis=1))
    ids = sorted(item for item, kept in zip(layout.items, items, strict=True) if kept)
    digest = hashlib.sha256("\n".join(ids).encode()).hexdigest()[:DIGITS]
    return Kept(items, len(np.unique(layout.units[items])), len(np.unique(layout.units)), digest)


def refuse_fragments(table: AnswerTable, files: Sequence[str]) -> None:
    """Raise an error that names a run which lacks more than a twentieth of what the fullest has, or half a variant.

    Under ``skip`` either would decide which units count: one stray answer in another variant would leave one unit
    of its kind. Of a variant few records may be due, so that chance alone can take a twentieth.
    """
    asked = table.due.sum(axis=0)
    lacking = np.stack([one.missing[:, 0].sum(axis=0) for one in table.by_run()])  # of each run and variant
    came = (asked - lacking).sum(axis=1)
    for run, count in zip(table.runs, came, strict=True):
        if count < (1 - FRAGMENT) * came.max():
            raise MedzhError(
                f"run {run} is a fragment: it has {count} predictions, and the fullest run has {came.max()}",
                file=", ".join(files),
                advice="leave the run out, or complete it; --allow-fragments keeps what is whole in all runs",
            )
    each = (asked - lacking) / np.maximum(asked, 1)
    few = (each < HALF * each.max()) & (lacking > FRAGMENT * table.due.any(axis=1).sum())
    for run, variant in np.argwhere(few)[:1]:
        raise MedzhError(
            f"variant {table.variants[variant]} of run {table.runs[run]} is a fragment: it lacks"
            f" {lacking[run, variant]} of {asked[variant]} predictions",
            file=", ".join(files),
            advice="leave the variant out, or complete it; --allow-fragments keeps what is whole in all variants",
        )
