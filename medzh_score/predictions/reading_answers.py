"""From predictions files to answers: aligned with what was asked, read by every rule, the texts let go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError, printable
from medzh_score.predictions.alignment import Aligned, fill
from medzh_score.predictions.asked_variants import refuse_not_asked
from medzh_score.predictions.collected import Collected
from medzh_score.predictions.errors import unknown_ids
from medzh_score.predictions.seen_variants import alike_records, complete, named_variants

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from medzh_score.benchmark.layout import Asked
    from medzh_score.benchmark.rules import Rule
    from medzh_score.benchmark.variants import Variants
    from medzh_score.predictions.readers.several import PredictionFiles


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
