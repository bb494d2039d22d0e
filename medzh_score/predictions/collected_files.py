"""From predictions files to answers: aligned with what was asked, read by every rule, the texts let go."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError, printable
from medzh_score.predictions.alignment import Grid, fill
from medzh_score.predictions.asked_variants import refuse_not_asked
from medzh_score.predictions.collected import Collected, Input
from medzh_score.predictions.errors import unknown_ids
from medzh_score.predictions.readers.recognise import find_reader
from medzh_score.predictions.seen_variants import alike_records, by_rule

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

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

    Parameters
    ----------
    ids : sequence of str
        The ids of the records, in their order.
    asked : sequence of Asked
        All that a prediction can answer.
    rules : sequence of Rule
        All rules of the config.
    files : PredictionFiles
        Taken as one set in which no (id, run, variant) may repeat.
    sent : mapping of Variants to collection of int, optional
        For records that have the same variants, those in which they were sent; when not given, those that the
        predictions name.

    Returns
    -------
    Collected
        Answers and counts.

    Raises
    ------
    MedzhError
        For a file that cannot be read, an unknown id, a variant that the id does not have, a repeated key, a group
        that is answered as a whole and in parts, a second model, a variant that was not sent, or no predictions at
        all.
    """
    paths = files.paths
    grid = aligned(asked, len(ids), rules, files)
    alike = alike_records(grid, asked)
    if sent is not None:
        refuse_not_asked(alike, sent, files, asked)
        alike = [replace(group, seen=set(sent[group.variants])) for group in alike]
    return Collected(
        tables=by_rule(grid, alike),
        inputs=[input_of(path, find_reader(path, files.reader).name) for path in paths],
        read=grid.read,
        empty=grid.empty,
        truncated=grid.truncated,
        filtered=grid.filtered,
        failures=grid.failures,
        model=grid.named.model,
        unnamed=[printable(path.name) for path in paths if grid.files_are_runs and path not in grid.named.files],
        asked=grid.asked_as,
        variants=tuple((group.variants, tuple(sorted(group.seen))) for group in alike),
        variants_stated=sent is not None,
    )


def aligned(asked: Sequence[Asked], records: int, rules: Sequence[Rule], files: PredictionFiles) -> Grid:
    """Read predictions files into a grid: what came of which record, run and variant, and the answers of the rules.

    Parameters
    ----------
    asked : sequence of Asked
        All that a prediction can answer.
    records : int
        How many records there are.
    rules : sequence of Rule
        Those that read the texts; none where only what came is of interest.
    files : PredictionFiles
        Taken as one set in which no (id, run, variant) may repeat.

    Returns
    -------
    Grid
        With at least one prediction.

    Raises
    ------
    MedzhError
        For a file that cannot be read, an unknown id, a variant that the id does not have, a repeated key, a group
        that is answered as a whole and in parts, a second model, or no predictions at all.
    """
    if not files.paths:
        raise MedzhError("no predictions file is named", expected="at least one")
    grid = Grid({one.id: one for one in asked}, records, rules)
    for path, batches in files.batches():
        fill(grid, path, batches)
    if grid.unknown_count:
        raise unknown_ids(grid.unknown_count, grid.unknown, grid.unknown_place, asked[0].id)
    if not grid.columns:
        raise MedzhError("holds no predictions", file=files.paths[0], advice="check that generation ran")
    return grid


def input_of(path: Path, reader: str) -> Input:
    """Account for a file that was read.

    Parameters
    ----------
    path : Path
        The file.
    reader : str
        As what it was read.
    """
    with path.open("rb") as stream:
        return Input(printable(path.name), hashlib.file_digest(stream, "sha256").hexdigest(), reader)
