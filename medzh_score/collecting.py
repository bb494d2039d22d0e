"""From predictions files to answers: aligned with what was asked, read by every rule, the texts let go."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.answers import AnswerTable, Collected, Input
from medzh_score.errors import MedzhError, printable, shown
from medzh_score.readers.recognise import find_reader
from medzh_score.variants import ONE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from medzh_score.answers import Cell
    from medzh_score.config import Answer, Asked, Rule
    from medzh_score.readers.prediction import Prediction
    from medzh_score.readers.several import PredictionFiles
    from medzh_score.variants import Variants

MOST_RUNS = 2_000  # a line number taken for a run would fill the memory with columns of one answer each
NAMED = 5  # how many ids a message names
REASON_LENGTH = 200  # of what a failed request says


@dataclass(frozen=True)
class _Alike:
    """Records that have the same variants, those of them that were asked, and whether predictions say so."""

    variants: Variants
    members: Sequence[int]
    seen: set[int]
    named: bool


@dataclass
class _Grid:
    """What has been read so far."""

    asked: Mapping[str, Asked]
    records: int
    rules: Sequence[Rule]
    columns: dict[Cell, list[list[Answer | None]]] = field(default_factory=dict)
    runs: set[int] = field(default_factory=set)
    ways: dict[str, str] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    unknown_count: int = 0
    unknown_place: tuple[Path, int] | None = None
    failures: list[tuple[str, int, Cell, str]] = field(default_factory=list)
    models: set[str] = field(default_factory=set)
    read: int = 0
    empty: int = 0
    truncated: int = 0
    filtered: list[tuple[Cell, int]] = field(default_factory=list)

    def column(self, run: int, variant: int) -> list[list[Answer | None]]:
        """Give one list of answers a rule, in the order of the records."""
        column = self.columns.get((run, variant))
        if column is None:
            self.runs.add(run)
            column = self.columns[run, variant] = [[None] * self.records for _ in self.rules]
        return column


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
        that is answered as a whole and in parts, a variant that was not sent, or no predictions at all.
    """
    paths = files.paths
    if not paths:
        raise MedzhError("no predictions file is named", expected="at least one")
    grid = _Grid({one.id: one for one in asked}, len(ids), rules)
    for path, predictions in files.numbered():
        _fill(grid, path, predictions)
    if grid.unknown_count:
        raise _unknown_ids(grid, asked)
    if not grid.columns:
        raise MedzhError("holds no predictions", file=paths[0], advice="check that generation ran")
    alike = _seen(grid, asked)
    if sent is not None:
        alike = [_as_sent(group, sent, paths[0]) for group in alike]
    return Collected(
        tables=_by_rule(grid, alike),
        inputs=[input_of(path, find_reader(path, files.reader).name) for path in paths],
        read=grid.read,
        empty=grid.empty,
        truncated=grid.truncated,
        filtered=grid.filtered,
        failures=_failures(grid),
        models=sorted(grid.models),
        asked=_ways(grid),
        variants=tuple((group.variants, tuple(sorted(group.seen))) for group in alike),
    )


def _fill(  # noqa: C901 - a call a line would cost more than the rest
    grid: _Grid, path: Path, predictions: Iterable[tuple[int, Prediction]]
) -> None:
    """Read one file's answers into the grid; the loop that all of a file's lines go through."""
    asked_of, column_of = grid.asked.get, grid.columns.get
    readers = list(enumerate(rule.read for rule in grid.rules))
    column: Sequence[list[Answer | None]] = ()
    run = variant = -1
    number = 0
    for number, prediction in predictions:
        asked = asked_of(prediction.id)
        if asked is None:
            _note_unknown(grid, path, number, prediction.id)
            continue
        members, text, first = asked.members, prediction.prediction, asked.members[0]
        if prediction.variant != variant or prediction.run != run:
            run, variant = prediction.run, prediction.variant
            column = column_of((run, variant)) or ()
        alone = len(members) == 1
        if not (alone and column) or asked.part_of is not None or (variant and variant not in asked.variants.numbers):
            column = _place(grid, path, number, prediction, asked)
        if prediction.error is not None:
            grid.failures.append((prediction.id, first, (run, variant), prediction.error))
            continue
        if column[0][first] is not None or (not alone and any(column[0][member] is not None for member in members)):
            raise _repeated(path, number, prediction)
        for rule, read in readers:
            if alone:
                column[rule][first] = read(text, asked.side, variant)[0]
                continue
            for member, answer in zip(members, read(text, asked.side, variant), strict=True):
                column[rule][member] = answer
        grid.read += len(members)
        if prediction.finish_reason is not None or prediction.model is not None or not text or text.isspace():
            _note_circumstances(grid, prediction, members)
    if not number:
        raise MedzhError("holds no predictions", file=path, advice="check that generation ran")


def _place(grid: _Grid, path: Path, number: int, prediction: Prediction, asked: Asked) -> list[list[Answer | None]]:
    """Find where a line's answers go; refuse a run, a variant or a way of asking that cannot be."""
    if prediction.variant not in asked.variants.numbers:
        raise _no_such_variant(path, number, prediction, asked.variants.numbers)
    family = asked.id if len(asked.members) > 1 else asked.part_of
    if family is not None:
        _note_way(grid, path, number, asked.id, family)
    column = grid.column(prediction.run, prediction.variant)
    if len(grid.runs) > MOST_RUNS:
        raise _too_many_runs(path, number)
    return column


def _note_circumstances(grid: _Grid, prediction: Prediction, members: Sequence[int]) -> None:
    if not prediction.prediction.strip():
        grid.empty += len(members)
    grid.truncated += len(members) * (prediction.finish_reason == "length")
    if prediction.finish_reason == "content_filter":
        grid.filtered += [((prediction.run, prediction.variant), member) for member in members]
    if prediction.model is not None:
        grid.models.add(prediction.model)


def _note_way(grid: _Grid, path: Path, number: int, identifier: str, family: str) -> None:
    """Remember whether a group is answered as a whole or in its parts, and refuse both."""
    way = "a whole" if identifier == family else "single records"
    known = grid.ways.setdefault(family, way)
    if known != way:
        raise MedzhError(
            f"the group {family} is answered as {known} and as {way}",
            file=path,
            line=number,
            field="id",
            expected="one of the two",
            found=identifier,
            advice="keep the lines of one prompt form",
        )


def _ways(grid: _Grid) -> str:
    """Say how groups were answered: as a whole, by their records, or some so and some so."""
    ways = {"groups" if way == "a whole" else "records" for way in grid.ways.values()}
    return " and ".join(sorted(ways))


def _too_many_runs(path: Path, number: int) -> MedzhError:
    return MedzhError(
        f"more than {MOST_RUNS} runs",
        file=path,
        line=number,
        field="run",
        expected="the number of a run, from 0, not of a line",
    )


def _no_such_variant(path: Path, number: int, prediction: Prediction, numbers: Collection[int]) -> MedzhError:
    listed = sorted(numbers)
    known = ", ".join(map(str, listed)) if listed != list(range(len(listed))) else f"0 to {listed[-1]}"
    advice = "a variant is numbered by the rank of its permutation, as medzh-score prompts writes it"
    if len(listed) == 1:
        known, advice = "0", 'number repeated answers with "run"'
    return MedzhError(
        f"{shown(prediction.id)} has no such variant",
        file=path,
        line=number,
        field="variant",
        expected=known,
        found=prediction.variant,
        advice=advice,
    )


def _repeated(path: Path, number: int, prediction: Prediction) -> MedzhError:
    return MedzhError(
        "the same prediction twice",
        file=path,
        line=number,
        field="id",
        expected="each id once for a run and variant",
        found=f"{prediction.id} run {prediction.run} variant {prediction.variant}",
        advice='number repeated answers with "run", or give one file a run with --file-per-run',
    )


def _note_unknown(grid: _Grid, path: Path, number: int, identifier: str) -> None:
    grid.unknown_count += 1
    if grid.unknown_place is None:
        grid.unknown_place = (path, number)
    if len(grid.unknown) < NAMED:
        grid.unknown.append(identifier)


def _unknown_ids(grid: _Grid, asked: Sequence[Asked]) -> MedzhError:
    path, number = grid.unknown_place or (None, None)
    named = ", ".join(shown(identifier) for identifier in grid.unknown)
    more = ", …" if grid.unknown_count > NAMED else ""
    return MedzhError(
        f"{grid.unknown_count} predictions have an id that the data lack ({named}{more})",
        file=path,
        line=number,
        field="id",
        expected=f"one such as {asked[0].id}",
        found=grid.unknown[0],
        advice="check that --data is the build whose prompts were sent",
    )


def _failures(grid: _Grid) -> list[str]:
    """Name the failed requests that no other line made up for, whatever the order of the lines."""
    return sorted(
        f"{identifier}: {printable(' '.join(reason.split())[:REASON_LENGTH])}"
        for identifier, index, cell, reason in grid.failures
        if grid.columns[cell][0][index] is None
    )


def _by_rule(grid: _Grid, alike: Sequence[_Alike]) -> dict[str, AnswerTable]:
    """Give each rule its table; a cell that no prediction named is all missing."""
    runs = tuple(sorted(grid.runs))
    variants = tuple(sorted({variant for group in alike for variant in group.seen}))
    for run in runs:
        for variant in variants:
            grid.column(run, variant)
    due = np.zeros((grid.records, len(variants)), bool)
    for group in alike:
        places = [position for position, variant in enumerate(variants) if variant in group.seen]
        due[np.ix_(group.members, places)] = True
    cells = [(run, variant) for run in runs for variant in variants]
    return {
        rule.name: AnswerTable(runs, variants, {cell: grid.columns[cell][position] for cell in cells}, due)
        for position, rule in enumerate(grid.rules)
    }


def _as_sent(group: _Alike, sent: Mapping[Variants, Collection[int]], path: Path) -> _Alike:
    """Let records be due in what was sent, whether or not a prediction of it came back."""
    numbers = set(sent[group.variants])
    others = sorted(group.seen - numbers) if group.named else []
    if others:
        raise MedzhError(
            "holds a variant that the prompts file does not",
            file=path,
            field="variant",
            expected=", ".join(map(str, sorted(numbers)[:NAMED])) + (", …" if len(numbers) > NAMED else ""),
            found=others[0],
            advice="give the prompts file that was sent",
        )
    return replace(group, seen=numbers)


def _seen(grid: _Grid, asked: Sequence[Asked]) -> list[_Alike]:
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
        seen = {cell[1] for _, index, cell, _ in grid.failures if index in inside}
        for (_, variant), column in grid.columns.items():
            if variant not in seen and any(column[0][index] is not None for index in members):
                seen.add(variant)
        found.append(_Alike(kind, members, seen or {0}, named=bool(seen)))
    return found


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
