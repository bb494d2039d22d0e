"""What was due: in which variants records were asked, by what came back or by what was sent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.answer_table import AnswerTable
from medzh_score.benchmark.variants import ONE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.benchmark.layout import Asked
    from medzh_score.benchmark.variants import Variants
    from medzh_score.predictions.alignment import Grid


@dataclass(frozen=True)
class Alike:
    """Records, by their indices, that have the same variants; whether predictions say in which they were asked."""

    variants: Variants
    members: Sequence[int]
    seen: set[int]
    named: bool


def alike_records(grid: Grid, asked: Sequence[Asked]) -> list[Alike]:
    """Put records that have the same variants together, with those of them that the predictions name.

    Where they name none, all of these predictions are missing: they are due in the identity.
    """
    alike: dict[Variants, list[int]] = {}
    variants, together = ONE, alike.setdefault(ONE, [])
    for one in asked:
        if one.variants is not variants:
            variants, together = one.variants, alike.setdefault(one.variants, [])
        if one.part_of is None:
            together.extend(one.members)
    found = []
    for kind, members in alike.items():
        if not members:
            continue
        inside = set(members)
        seen = {cell[1] for _, index, cell, _ in grid.failed if index in inside}
        for (_, variant), column in grid.columns.items():
            if variant not in seen and any(column.forms[index] for index in members):
                seen.add(variant)
        found.append(Alike(kind, members, seen or {0}, named=bool(seen)))
    return found


def by_rule(grid: Grid, alike: Sequence[Alike]) -> dict[str, AnswerTable]:
    """Give each rule its table; a cell that no prediction named is all missing."""
    runs = tuple(sorted(grid.runs))
    variants = tuple(sorted({variant for group in alike for variant in group.seen}))
    due = np.zeros((grid.records, len(variants)), bool)
    for group in alike:
        places = [position for position, variant in enumerate(variants) if variant in group.seen]
        due[np.ix_(group.members, places)] = True
    columns = {(run, variant): grid.column(run, variant) for run in runs for variant in variants}
    forms = {cell: column.forms for cell, column in columns.items()}
    return {
        rule.name: AnswerTable(
            runs, variants, {cell: column.answers[position] for cell, column in columns.items()}, due, forms
        )
        for position, rule in enumerate(grid.rules)
    }
