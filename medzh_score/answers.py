"""From predictions files to answers: aligned with the records, read by every rule, the texts let go."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.errors import MedzhError, printable, shown
from medzh_score.readers.recognise import find_reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from medzh_score.config import Answer, Rule
    from medzh_score.readers.prediction import Prediction

Cell = tuple[int, int]  # run, variant
MOST_CELLS = 2_000  # a line number taken for a run would fill the memory with columns of one answer each
NAMED = 5  # how many ids a message names
REASON_LENGTH = 200  # of what a failed request says


@dataclass(frozen=True)
class AnswerTable:
    """The answers that one rule read.

    Attributes
    ----------
    runs, variants : tuple of int
        Those seen, ascending.
    columns : mapping of (run, variant) to list of Answer or None
        For each the answers in the order of the records; None where a prediction is missing.
    """

    runs: tuple[int, ...]
    variants: tuple[int, ...]
    columns: Mapping[Cell, Sequence[Answer | None]]

    @cached_property
    def unanswered(self) -> int:
        """How many predictions the rule found no answer in; missing ones aside."""
        tallies = [Counter(column) for column in self.columns.values()]
        return sum(
            count for tally in tallies for answer, count in tally.items() if answer is not None and answer.value is None
        )

    def codes(self, code: Callable[[Answer], int]) -> NDArray[np.int8]:
        """Turn answers into small numbers.

        Parameters
        ----------
        code : callable
            From an answer to its number; missing predictions get 0.

        Returns
        -------
        array of int8, shape (records, runs, variants)
        """
        known: dict[Answer | None, int] = {None: 0}
        for column in self.columns.values():
            for answer in set(column) - known.keys():
                known[answer] = code(answer)  # type: ignore[arg-type] # None is known
        stacked = [
            [np.fromiter(map(known.__getitem__, self.columns[run, variant]), np.int8) for variant in self.variants]
            for run in self.runs
        ]
        return np.moveaxis(np.array(stacked), 2, 0)


@dataclass(frozen=True)
class Input:
    """A file that was read: its name, SHA-256 and reader."""

    name: str
    sha256: str
    reader: str


@dataclass(frozen=True)
class Coverage:
    """How the predictions cover what was asked.

    Attributes
    ----------
    expected : int
        Records times runs seen times variants seen.
    read : int
        Predictions that came.
    missing : int
        Those that did not, failed requests among them.
    empty : int
        Predictions of nothing but space.
    unanswered : int
        Predictions in which the chosen rule found no answer, empty ones among them.
    truncated, refused : int
        Predictions that the file marks as cut off at the length limit, or as filtered or refused.
    """

    expected: int
    read: int
    missing: int
    empty: int
    unanswered: int
    truncated: int
    refused: int


@dataclass
class Collected:
    """Answers of all rules, and an account of the files that they were read from."""

    tables: dict[str, AnswerTable]
    inputs: list[Input]
    read: int
    empty: int
    truncated: int
    refused: int
    failures: list[str]
    models: list[str]
    records: int

    def coverage(self, rule: str) -> Coverage:
        """Count how the predictions cover what was asked.

        Parameters
        ----------
        rule : str
            Whose unanswered predictions are counted.
        """
        table = self.tables[rule]
        expected = self.records * len(table.runs) * len(table.variants)
        return Coverage(
            expected, self.read, expected - self.read, self.empty, table.unanswered, self.truncated, self.refused
        )


@dataclass
class _Grid:
    """What has been read so far."""

    ids: Mapping[str, int]
    sides: Sequence[object]
    rules: Sequence[Rule]
    columns: dict[Cell, list[list[Answer | None]]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    unknown_count: int = 0
    unknown_place: tuple[Path, int] | None = None
    failures: list[tuple[int, Cell, str]] = field(default_factory=list)
    models: set[str] = field(default_factory=set)
    read: int = 0
    empty: int = 0
    truncated: int = 0
    refused: int = 0

    def column(self, run: int, variant: int) -> list[list[Answer | None]]:
        """Give one list of answers a rule, in the order of the records."""
        column = self.columns.get((run, variant))
        if column is None:
            column = self.columns[run, variant] = [[None] * len(self.ids) for _ in self.rules]
        return column


def predictions_of(
    paths: Sequence[Path], reader: str | None, *, file_per_run: bool
) -> Iterator[tuple[Path, Iterable[tuple[int, Prediction]]]]:
    """Open several files as one set of predictions.

    Parameters
    ----------
    paths : sequence of Path
        The files.
    reader : str or None
        The reader's name; None recognises it for each file.
    file_per_run : bool
        Number the files as runs, from 0; what they say of runs themselves must then be 0.

    Yields
    ------
    (Path, iterable of (int, Prediction))
        Each file with its line numbers and predictions.
    """
    for run, path in enumerate(paths):
        predictions = find_reader(path, reader).read(path)
        yield path, _as_run(path, predictions, run) if file_per_run else predictions


def _as_run(path: Path, predictions: Iterable[tuple[int, Prediction]], run: int) -> Iterator[tuple[int, Prediction]]:
    import msgspec

    for number, prediction in predictions:
        if prediction.run:
            raise MedzhError(
                "names its run while --file-per-run numbers the files",
                file=path,
                line=number,
                field="run",
                expected="0",
                found=prediction.run,
            )
        yield number, msgspec.structs.replace(prediction, run=run)


def collect(  # noqa: PLR0913 - the reading options of the command
    ids: Sequence[str],
    sides: Sequence[object],
    rules: Sequence[Rule],
    paths: Sequence[Path],
    *,
    reader: str | None = None,
    file_per_run: bool = False,
) -> Collected:
    """Read predictions files, align them with the records and read every answer by every rule.

    No text is kept: memory grows with the number of predictions, not with their length.

    Parameters
    ----------
    ids : sequence of str
        The ids of the records, in their order.
    sides : sequence
        What the rules need to know of each record.
    rules : sequence of Rule
        All rules of the config.
    paths : sequence of Path
        Predictions files, taken as one set in which no (id, run, variant) may repeat.
    reader : str, optional
        The reader's name; recognised when not given.
    file_per_run : bool
        Number the files as runs.

    Returns
    -------
    Collected
        Answers and counts.

    Raises
    ------
    MedzhError
        For a file that cannot be read, an unknown id, a repeated key, or no predictions at all.
    """
    if not paths:
        raise MedzhError("no predictions file is named", expected="at least one")
    grid = _Grid({identifier: index for index, identifier in enumerate(ids)}, sides, rules)
    for path, predictions in predictions_of(paths, reader, file_per_run=file_per_run):
        _fill(grid, path, predictions)
    if grid.unknown_count:
        raise _unknown_ids(grid, ids)
    if not grid.columns:
        raise MedzhError("holds no predictions", file=paths[0], advice="check that generation ran")
    runs = tuple(sorted({run for run, _ in grid.columns}))
    variants = tuple(sorted({variant for _, variant in grid.columns}))
    if len(runs) * len(variants) > MOST_CELLS:
        raise _too_many_runs(paths[0], 1)
    inputs = [input_of(path, find_reader(path, reader).name) for path in paths]
    return Collected(
        tables=_by_rule(grid, runs, variants),
        inputs=inputs,
        read=grid.read,
        empty=grid.empty,
        truncated=grid.truncated,
        refused=grid.refused,
        failures=_failures(grid, ids),
        models=sorted(grid.models),
        records=len(ids),
    )


def _fill(grid: _Grid, path: Path, predictions: Iterable[tuple[int, Prediction]]) -> None:
    """Read one file's answers into the grid; the loop that all of a file's lines go through."""
    index_of, sides = grid.ids.get, grid.sides
    readers = list(enumerate(rule.read for rule in grid.rules))
    run = variant = -1
    column: list[list[Answer | None]] = []
    number = 0
    for number, prediction in predictions:
        index = index_of(prediction.id)
        if index is None:
            _note_unknown(grid, path, number, prediction.id)
            continue
        if prediction.run != run or prediction.variant != variant:
            run, variant = prediction.run, prediction.variant
            column = grid.column(run, variant)
            if len(grid.columns) > MOST_CELLS:
                raise _too_many_runs(path, number)
        if prediction.error is not None:
            grid.failures.append((index, (run, variant), prediction.error))
            continue
        if column[0][index] is not None:
            raise _repeated(path, number, prediction)
        text, side = prediction.prediction, sides[index]
        for rule, read in readers:
            column[rule][index] = read(text, side)
        grid.read += 1
        grid.empty += not text or text.isspace()
        if prediction.finish_reason is not None or prediction.model is not None:
            _note_circumstances(grid, prediction)
    if not number:
        raise MedzhError("holds no predictions", file=path, advice="check that generation ran")


def _note_circumstances(grid: _Grid, prediction: Prediction) -> None:
    grid.truncated += prediction.finish_reason == "length"
    grid.refused += prediction.finish_reason == "content_filter"
    if prediction.model is not None:
        grid.models.add(prediction.model)


def _too_many_runs(path: Path, number: int) -> MedzhError:
    return MedzhError(
        f"more than {MOST_CELLS} runs and variants",
        file=path,
        line=number,
        field="run",
        expected="the number of a run, from 0, not of a line",
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


def _unknown_ids(grid: _Grid, ids: Sequence[str]) -> MedzhError:
    path, number = grid.unknown_place or (None, None)
    named = ", ".join(shown(identifier) for identifier in grid.unknown)
    more = ", …" if grid.unknown_count > NAMED else ""
    return MedzhError(
        f"{grid.unknown_count} predictions have an id that the data lack ({named}{more})",
        file=path,
        line=number,
        field="id",
        expected=f"one such as {ids[0]}",
        found=grid.unknown[0],
        advice="check that --data is the build whose prompts were sent",
    )


def _failures(grid: _Grid, ids: Sequence[str]) -> list[str]:
    """Name the failed requests that no other line made up for, whatever the order of the lines."""
    return sorted(
        f"{ids[index]}: {printable(' '.join(reason.split())[:REASON_LENGTH])}"
        for index, cell, reason in grid.failures
        if grid.columns[cell][0][index] is None
    )


def _by_rule(grid: _Grid, runs: tuple[int, ...], variants: tuple[int, ...]) -> dict[str, AnswerTable]:
    """Give each rule its table; a cell that no prediction named is all missing."""
    for run in runs:
        for variant in variants:
            grid.column(run, variant)
    return {
        rule.name: AnswerTable(runs, variants, {cell: column[position] for cell, column in grid.columns.items()})
        for position, rule in enumerate(grid.rules)
    }


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
