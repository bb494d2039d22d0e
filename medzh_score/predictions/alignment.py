"""Predictions aligned with what was asked: each has its place, none comes twice, and every rule reads it there."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from medzh_score.benchmark.answer_table import AnswerTable
from medzh_score.benchmark.registry import config_names, declared_config
from medzh_score.data.checked_rows import laid_out
from medzh_score.data.hub import SHIPPED, is_hub_tag, place_of
from medzh_score.data.records import Records, load_records, read_manifest
from medzh_score.extraction.length import LONGEST, runs_on
from medzh_score.messages.errors import NAMED, MedzhError, printable
from medzh_score.messages.privacy import quotable
from medzh_score.predictions.collected import (
    Place,
    UnknownIdsError,
    both_ways,
    no_such_run,
    no_such_variant,
    repeated,
    too_many_runs,
)
from medzh_score.predictions.one_model import Named
from medzh_score.predictions.shuffled import read_by
from medzh_score.prompts.codes import HIGHEST_RUN, MOST_RUNS
from medzh_score.text.folding import EMPTY, form_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.answer_table import Cell
    from medzh_score.benchmark.layout import Asked
    from medzh_score.benchmark.rules import Rule
    from medzh_score.benchmark.variants import Variants
    from medzh_score.files.input_file import Input
    from medzh_score.predictions.readers.prediction import Prediction
    from medzh_score.predictions.readers.several import Batch


REASON_LENGTH = 200  # of what a failed request says


@dataclass
class Aligned:
    """What came: the answers in the table of each rule, the forms of the texts in all of them, and an account."""

    asked: Mapping[str, Asked]
    records: int
    rules: Sequence[Rule]
    forms: dict[Cell, bytearray] = field(default_factory=dict)
    tables: dict[str, AnswerTable] = field(init=False)
    runs: set[int] = field(default_factory=set)
    ways: dict[str, str] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    unknown_count: int = 0
    unknown_place: tuple[Path, int] | None = None
    failed: list[tuple[str, int, Cell, str]] = field(default_factory=list)
    named: Named = field(default_factory=Named)
    held: dict[Path, set[int]] = field(default_factory=dict)
    read: int = 0
    empty: int = 0
    truncated: int = 0
    filtered: list[tuple[Cell, int]] = field(default_factory=list)
    too_long: list[Place] = field(default_factory=list)
    inputs: list[Input] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Find the records that are asked alone and are part of no group: what most lines of most files are about."""
        nothing_due = np.zeros((self.records, 0), bool)
        self.tables = {rule.name: AnswerTable({}, nothing_due, self.forms) for rule in self.rules}
        self.readers = [(rule.name, partial(read_by, rule)) for rule in self.rules]
        groups = any(len(one.members) > 1 or one.part_of is not None for one in self.asked.values())
        self.alone = self.asked
        if groups:
            self.alone = {
                name: one for name, one in self.asked.items() if len(one.members) == 1 and one.part_of is None
            }

    def open(self, cell: Cell) -> bytearray:
        """Make place for the answers of a run and variant where there is none, and give their forms."""
        if cell not in self.forms:
            self.runs.add(cell[0])
            self.forms[cell] = bytearray(self.records)
            for table in self.tables.values():
                table.open(cell, self.records)
        return self.forms[cell]

    @property
    def asked_as(self) -> str:
        """How groups were answered: as a whole, by their records, or some so and some so; empty without groups."""
        ways = {"groups" if way == "a whole" else "records" for way in self.ways.values()}
        return " and ".join(sorted(ways))

    @property
    def files_are_runs(self) -> bool:
        """Whether there are several files, each with runs of its own."""
        return len(self.held) > 1 and sum(map(len, self.held.values())) == len(self.runs)

    @property
    def failures(self) -> list[str]:
        """The failed requests that no other line made up for, whatever the order of the lines."""
        return sorted(
            f"{quotable(identifier)}: {quotable(printable(' '.join(reason.split())[:REASON_LENGTH]))}"
            for identifier, record, cell, reason in self.failed
            if not self.forms[cell][record]
        )


def fill(came: Aligned, path: Path, batches: Iterable[Batch]) -> None:  # noqa: C901 - a call a line would cost too much
    """Read one file's answers into the tables; the loop that all of a file's lines go through."""
    alone_of, named, run, variant, read = came.alone.get, came.named.take, -1, -1, 0
    kind, forms, reading = None, bytearray(), list[Any]()
    opened: dict[Cell, tuple[Variants, bytearray, list[Any]]] = {}  # variants take turns from line to line
    lines = 0
    for numbers, predictions in batches:
        lines += len(numbers)
        for number, prediction in zip(numbers, predictions, strict=True):
            asked = alone_of(prediction.id)
            if asked is None:
                _place(came, path, number, prediction)
                continue
            record = asked.members[0]
            if prediction.variant != variant or prediction.run != run:
                run, variant = prediction.run, prediction.variant
                cell = opened.get((run, variant))
                if cell is None:
                    cell = opened[run, variant] = _opened(came, path, number, prediction, asked)
                kind, forms, reading = cell
            if asked.variants is not kind and variant not in asked.variants.numbers:
                raise no_such_variant(path, number, prediction, asked.variants.numbers)
            if prediction.error is not None:
                came.failed.append((prediction.id, record, (run, variant), prediction.error))
                continue
            if forms[record]:
                raise repeated(path, number, prediction)
            read += 1
            text = prediction.prediction
            forms[record] = form = form_of(text)
            for column, known, rule in reading:
                value, why, _, clear, note = rule(text, asked.side, variant)[0]
                column[record] = known[value, why, note, clear]
            if prediction.model is not None:
                named(prediction.model, path, number)
            if form == EMPTY or prediction.finish_reason is not None or len(text) > LONGEST:
                _note_circumstances(came, path, number, prediction, asked.members)
    came.read += read
    if not lines:
        raise MedzhError("holds no predictions", file=path, advice="check that generation ran")


def _opened(
    came: Aligned, path: Path, number: int, prediction: Prediction, asked: Asked
) -> tuple[Variants, bytearray, list[Any]]:
    """Find where lines of a run and variant go, and the rules that read them; refuse what cannot be asked so."""
    if prediction.run > HIGHEST_RUN:
        raise no_such_run(path, number, prediction)
    if prediction.variant not in asked.variants.numbers:
        raise no_such_variant(path, number, prediction, asked.variants.numbers)
    cell = prediction.run, prediction.variant
    forms = came.open(cell)
    came.held.setdefault(path, set()).add(prediction.run)
    if len(came.runs) > MOST_RUNS:
        raise too_many_runs(path, number)
    columns = [(came.tables[name].columns[cell], rule) for name, rule in came.readers]
    return asked.variants, forms, [(column, column.numbering, rule) for column, rule in columns]


def _place(came: Aligned, path: Path, number: int, prediction: Prediction) -> None:
    """Read a line about a group or a part of one, or note that nobody asked for it."""
    asked = came.asked.get(prediction.id)
    if asked is None:
        _note_unknown(came, path, number, prediction.id)
        return
    cell, members = (prediction.run, prediction.variant), asked.members
    if prediction.variant not in asked.variants.numbers:
        raise no_such_variant(path, number, prediction, asked.variants.numbers)
    _note_way(came, path, number, asked)
    _, forms, reading = _opened(came, path, number, prediction, asked)
    if prediction.error is not None:
        came.failed.append((prediction.id, members[0], cell, prediction.error))
        return
    if any(forms[member] for member in members):
        raise repeated(path, number, prediction)
    for column, known, rule in reading:
        found = rule(prediction.prediction, asked.side, prediction.variant)
        for member, one in zip(members, found, strict=True):
            value, why, _, clear, note = one
            column[member] = known[value, why, note, clear]
    form = form_of(prediction.prediction)
    for member in members:
        forms[member] = form
    came.read += len(members)
    if prediction.model is not None:
        came.named.take(prediction.model, path, number)
    _note_circumstances(came, path, number, prediction, members)


def _note_circumstances(came: Aligned, path: Path, number: int, prediction: Prediction, members: Sequence[int]) -> None:
    cell = prediction.run, prediction.variant
    if came.forms[cell][members[0]] == EMPTY:
        came.empty += len(members)
    if runs_on(prediction.prediction):
        came.too_long.append(Place(prediction.id, *cell, path.name, number))
    came.truncated += len(members) * prediction.is_cut_off
    if prediction.is_filtered:
        came.filtered += [(cell, member) for member in members]


def _note_way(came: Aligned, path: Path, number: int, asked: Asked) -> None:
    """Remember whether a group is answered as a whole or in its parts, and refuse both."""
    family = asked.part_of if len(asked.members) == 1 and asked.part_of is not None else asked.id
    way = "a whole" if asked.id == family else "single records"
    known = came.ways.setdefault(family, way)
    if known != way:
        raise both_ways(path, number, asked.id, family, (known, way))


def _note_unknown(came: Aligned, path: Path, number: int, identifier: str) -> None:
    came.unknown_count += 1
    if came.unknown_place is None:
        came.unknown_place = (path, number)
    if len(came.unknown) < NAMED:
        came.unknown.append(identifier)


@contextmanager
def owners_named(data: str | Path | Records) -> Iterator[None]:
    """Let a refusal of unknown ids say whose they are, where one config of the build or of what ships has them."""
    try:
        yield
    except UnknownIdsError as error:
        ids, error.ids = error.ids, ()  # which may be texts
        error.advise(advice=_whose(ids, data))
        raise


def _whose(ids: Sequence[str], data: str | Path | Records) -> str | None:
    # What a tag's other configs hold would have to be downloaded for it.
    local = None if isinstance(data, Records) or data in SHIPPED or is_hub_tag(data) else data
    if local is not None and (config := _owner(ids, local)):
        return f"these are {config}'s"
    for name in SHIPPED:
        if config := _owner(ids, name):
            return f"these are {config}'s of --data {name}"
    return None


def _owner(ids: Sequence[str], data: str | Path) -> str | None:
    """Name the one config that has all of these ids; what cannot be read is passed over, another error is at hand."""
    found = [config for config in _configs(data) if set(ids) <= _ids_of(config, data)]
    return found[0] if len(found) == 1 else None


def _configs(data: str | Path) -> Sequence[str]:
    if data in SHIPPED:
        return config_names()
    try:
        built = read_manifest(place_of(data).folder)["configs"]
    except MedzhError:
        return ()
    return [config for config in config_names() if config in built]


def _ids_of(config: str, data: str | Path) -> set[str]:
    """Give all ids that predictions may repeat, those of groups among them."""
    try:
        found = declared_config(config)
        if found.private:  # of which nothing is told where another is at work
            return set()
        records = load_records(data, config, columns=list(found.columns))
        return {one.id for one in found.asked(records.rows, laid_out(found, records))}
    except MedzhError:
        return set()
