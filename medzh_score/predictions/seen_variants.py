"""What was due: in which variants records were asked, by what came back or by what was sent."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.variants import ONE

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.layout import Asked
    from medzh_score.benchmark.variants import Variants
    from medzh_score.predictions.alignment import Aligned

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


def named_variants(came: Aligned, alike: Alike) -> dict[Variants, set[int]]:
    """Find the variants in which predictions, failed ones among them, name records."""
    named: dict[Variants, set[int]] = {}
    for kind, members in alike.items():
        inside = set(members)
        seen = named[kind] = {variant for _, index, (_, variant), _ in came.failed if index in inside}
        for (_, variant), forms in came.forms.items():
            if variant not in seen and any(forms[index] for index in members):
                seen.add(variant)
    return named


def complete(came: Aligned, alike: Alike, due: Mapping[Variants, Collection[int]]) -> dict[str, AnswerTable]:
    """Give the table of each rule with what was due; a cell that no prediction named is all missing."""
    variants = sorted({one for numbers in due.values() for one in numbers})
    asked = np.zeros((came.records, len(variants)), bool)
    for kind, members in alike.items():
        asked[np.ix_(members, [place for place, variant in enumerate(variants) if variant in due[kind]])] = True
    cells = list(product(sorted(came.runs), variants))
    for cell in cells:
        came.open(cell)
    return {
        name: replace(table, columns={cell: table.columns[cell] for cell in cells}, due=asked)
        for name, table in came.tables.items()
    }
