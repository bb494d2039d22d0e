"""Ranges of a large file, each read by itself, and what was read put together again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.files.input_file import InputFile
from medzh_score.messages.errors import MedzhError
from medzh_score.predictions.alignment import fill
from medzh_score.predictions.one_model import spelled
from medzh_score.predictions.part import Part, PartOfCell
from medzh_score.predictions.readers import native
from medzh_score.prompts.ids import MOST_RUNS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from medzh_score.files.ranges import Range
    from medzh_score.predictions.alignment import Aligned


def read_part(came: Aligned, path: Path, where: Range) -> Part | None:
    """Read a range of native lines into fresh tables; None where anything is wrong, which the whole file will say."""
    try:
        with InputFile(path) as file:
            fill(came, path, native.blocks(file, where))
    except MedzhError:
        return None
    return None if came.unknown_count else _part_of(came)


def _part_of(came: Aligned) -> Part:
    cells = {}
    for cell, forms in came.forms.items():
        every = np.frombuffer(forms, np.uint8)
        records = np.flatnonzero(every).astype(np.min_scalar_type(len(every)))
        numbers = {name: table.columns[cell].by_record[records] for name, table in came.tables.items()}
        cells[cell] = PartOfCell(records, every[records], numbers)
    named = came.named
    return Part(
        cells,
        {
            name: [(one.value, one.why, one.note, one.clear) for one in table.different]
            for name, table in came.tables.items()
        },
        came.ways,
        came.failed,
        None if named.model is None or named.place is None else (named.model, named.place[1]),
        came.read,
        came.empty,
        came.truncated,
        came.filtered,
        came.too_long,
    )


def put_together(came: Aligned, path: Path, parts: Iterable[Part | None]) -> bool:
    """Put parts into fresh tables, in their order; not where they do not fit, which reading the whole file will say."""
    return all(part is not None and _put(came, path, part) for part in parts)


def _put(came: Aligned, path: Path, part: Part) -> bool:
    return _model_fits(came, path, part) and _ways_fit(came, part) and _answers_fit(came, path, part)


def _model_fits(came: Aligned, path: Path, part: Part) -> bool:
    if part.model is None:
        return True
    model, line = part.model
    if came.named.model is not None:
        return spelled(model) == spelled(came.named.model)
    came.named.take(model, path, line)
    return True


def _ways_fit(came: Aligned, part: Part) -> bool:
    return all(came.ways.setdefault(family, way) == way for family, way in part.ways.items())


def _answers_fit(came: Aligned, path: Path, part: Part) -> bool:
    numbers = {
        name: np.array([0, *map(came.tables[name].numbering.__getitem__, answers)], np.int32)
        for name, answers in part.answers.items()
    }
    for cell, of in part.cells.items():
        forms = np.frombuffer(came.open(cell), np.uint8)
        if forms[of.records].any():
            return False
        forms[of.records] = of.forms
        came.held.setdefault(path, set()).add(cell[0])
        for name, table in came.tables.items():
            table.columns[cell].put(of.records, numbers[name][of.numbers[name]])
    came.failed += part.failed
    came.read += part.read
    came.empty += part.empty
    came.truncated += part.truncated
    came.filtered += part.filtered
    came.too_long += part.too_long
    return len(came.runs) <= MOST_RUNS
