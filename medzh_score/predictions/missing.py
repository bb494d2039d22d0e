"""Predictions that did not come: an error, a wrong answer, or a reason to drop their unit."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.answer_table import incomplete
from medzh_score.benchmark.draws import is_number
from medzh_score.benchmark.variants import chosen_of_each
from medzh_score.messages.errors import NAMED, MedzhError, shown
from medzh_score.messages.privacy import quotable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.layout import Asked, Layout
    from medzh_score.benchmark.variants import Variants
    from medzh_score.predictions.collected import Collected
    from medzh_score.predictions.readers.several import PredictionFiles

    Sets = Mapping[Variants, Collection[int]]


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
        f"{quotable(ids[index])} run {run}" + (f" variant {table.variants[variant]}" if table.variants[variant] else "")
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


def variants_due(which: str | None, sent: Sets | None, asked: Sequence[Asked]) -> Sets | None:
    """Settle which variants were asked, by what the user says and by the prompts file; None where neither says it.

    Examples
    --------
    >>> from medzh_score.benchmark.layout import Asked
    >>> from medzh_score.benchmark.variants import Variants
    >>> asked = [Asked("tcmd-000001", (0,), None, Variants(3))]
    >>> list(variants_due("cyclic", None, asked).values()), list(variants_due("2:7", None, asked).values())
    ([(0, 3, 4)], [(0, 4)])
    """
    if which is None:
        return sent
    size, colon, seed = which.partition(":")
    if colon and not (is_number(size) and is_number(seed)):
        raise MedzhError("is no set of variants", field="--variants", expected="N:SEED, two numbers", found=which)
    chosen = chosen_of_each((one.variants for one in asked), size, int(seed or 0))
    if sent is not None:
        _refuse_other(chosen, sent)
    return chosen


def _refuse_other(chosen: Sets, sent: Sets) -> None:
    """Refuse what the user says where the prompts file says otherwise."""
    for kind, numbers in chosen.items():
        if set(numbers) != set(sent[kind]):
            raise MedzhError(
                f"is not what the prompts file holds: {len(numbers)} of {kind}",
                field="--variants",
                expected=_listed(sent[kind]),
                found=_listed(numbers),
                advice="leave it out: the prompts file says which were asked",
            )


def refuse_not_asked(named: Sets, due: Sets, files: PredictionFiles, asked: Sequence[Asked]) -> None:
    """Refuse predictions of a variant that was not asked; the first of them is looked for only where there is one."""
    if all(set(due[kind]).issuperset(variants) for kind, variants in named.items()):
        return
    kinds = {one.id: one.variants for one in asked}
    for one in files.again():
        for number, prediction in one.lines:
            kind = kinds.get(prediction.id)
            if kind is not None and prediction.variant not in due[kind]:
                raise MedzhError(
                    f"{shown(prediction.id)} was not asked in this variant",
                    file=one.path,
                    line=number,
                    field="variant",
                    expected=_listed(due[kind]),
                    found=prediction.variant,
                    advice="a variant is numbered by the rank of its permutation, as medzh-score prompts writes it",
                )


def _listed(numbers: Collection[int]) -> str:
    """List numbers, the first few where they are many."""
    first = ", ".join(map(str, sorted(numbers)[:NAMED]))
    return f"{first}, …" if len(numbers) > NAMED else first
