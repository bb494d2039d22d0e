"""From predictions files to answers: aligned with what was asked, read by every rule, the texts let go."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.variants import ONE
from medzh_score.messages.errors import MedzhError, printable
from medzh_score.predictions.alignment import Aligned, fill
from medzh_score.predictions.collected import Collected, unknown_ids
from medzh_score.predictions.missing import refuse_not_asked

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.layout import Asked
    from medzh_score.benchmark.rules import Rule
    from medzh_score.benchmark.variants import Variants
    from medzh_score.predictions.readers.several import PredictionFiles

    Alike = Mapping[Variants, Sequence[int]]


def collect(
    ids: Sequence[str],
    asked: Sequence[Asked],
    rules: Sequence[Rule],
    files: PredictionFiles,
    *,
    sent: Mapping[Variants, Collection[int]] | None = None,
) -> Collected:
    """Read predictions files, align them with what was asked and read every answer by every rule.

    No text is kept: memory grows with the number of predictions, not with their length.
    """
    paths = files.paths
    came = aligned(asked, len(ids), rules, files)
    alike = alike_records(asked)
    named = named_variants(came, alike)
    if sent is not None:
        refuse_not_asked(named, sent, files, asked)
    # Where predictions name none, all of these are missing: they are due in the identity.
    due = {kind: set(sent[kind]) if sent is not None else variants or {0} for kind, variants in named.items()}
    return Collected(
        tables=complete(came, alike, due),
        inputs=came.inputs,
        read=came.read,
        empty=came.empty,
        truncated=came.truncated,
        filtered=came.filtered,
        too_long=came.too_long,
        failures=came.failures,
        model=came.named.model,
        unnamed=[printable(path.name) for path in paths if came.files_are_runs and path not in came.named.files],
        asked=came.asked_as,
        variants=tuple((kind, tuple(sorted(variants))) for kind, variants in due.items()),
        variants_stated=sent is not None,
    )


def aligned(asked: Sequence[Asked], records: int, rules: Sequence[Rule], files: PredictionFiles) -> Aligned:
    """Read predictions files into tables: what came of which record, run and variant, and the answers of the rules."""
    if not files.paths:
        raise MedzhError("no predictions file is named", expected="at least one")
    came = Aligned({one.id: one for one in asked}, records, rules)
    for one in files.opened():
        fill(came, one.path, one.batches)
        came.inputs.append(one.input)
    if came.unknown_count:
        raise unknown_ids(came.unknown_count, came.unknown, came.unknown_place, asked[0].id)
    if not came.forms:
        raise MedzhError("holds no predictions", file=files.paths[0], advice="check that generation ran")
    return came


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
