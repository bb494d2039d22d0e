"""What was due: in which variants records were asked, by what came back or by what was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.answer_table import AnswerTable
from medzh_score.benchmark.variants import ONE

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from medzh_score.benchmark.layout import Asked
    from medzh_score.benchmark.variants import Variants
    from medzh_score.predictions.alignment import Grid

    Alike = Mapping[Variants, Sequence[int]]


def alike_records(asked: Sequence[Asked]) -> Alike:
    """Put the indices of records that have the same variants together."""
    alike: dict[Variants, list[int]] = {}
    variants, together = ONE, alike.setdefault(ONE, [])
    for one in asked:
        if one.variants is not variants:
            variants, together = one.variants, alike.setdefault(one.variants, [])
        if one.part_of is None:
            together.extend(one.members)
    return {kind: members for kind, members in alike.items() if members}


def named_variants(grid: Grid, alike: Alike) -> dict[Variants, set[int]]:
    """Find the variants in which predictions, failed ones among them, name records."""
    named: dict[Variants, set[int]] = {}
    for kind, members in alike.items():
        inside = set(members)
        seen = named[kind] = {variant for _, index, (_, variant), _ in grid.failed if index in inside}
        for (_, variant), forms in grid.forms.items():
            if variant not in seen and any(forms[index] for index in members):
                seen.add(variant)
    return named


def by_rule(grid: Grid, alike: Alike, due: Mapping[Variants, Collection[int]]) -> dict[str, AnswerTable]:
    """Give each rule its table; a cell that no prediction named is all missing."""
    runs, variants = tuple(sorted(grid.runs)), tuple(sorted({one for numbers in due.values() for one in numbers}))
    asked = np.zeros((grid.records, len(variants)), bool)
    for kind, members in alike.items():
        asked[np.ix_(members, [place for place, variant in enumerate(variants) if variant in due[kind]])] = True
    forms = {(run, variant): grid.open((run, variant)) for run in runs for variant in variants}
    return {
        name: AnswerTable(runs, variants, {cell: columns[cell] for cell in forms}, asked, forms)
        for name, columns in grid.answers.items()
    }
