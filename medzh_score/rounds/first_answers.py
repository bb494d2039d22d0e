"""The first answers that a later round can ask about: of one model in its runs, or of several models together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.config import rule_of
from medzh_score.messages.errors import MedzhError
from medzh_score.predictions.reading_answers import collect
from medzh_score.rounds.drawn import pool_of
from medzh_score.rounds.judged_texts import read_once

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.judgements import Key
    from medzh_score.benchmark.rounds import Round
    from medzh_score.predictions.readers.several import PredictionFiles
    from medzh_score.rounds.judged_texts import Items


@dataclass(frozen=True)
class FirstAnswerFiles:
    """The first answers, about which a round asks, and a set of each other model that a blind round asks about, too."""

    files: PredictionFiles
    rule: str | None = None
    beside: tuple[PredictionFiles, ...] = ()

    @property
    def sets(self) -> tuple[PredictionFiles, ...]:
        """All predictions, a set for each model."""
        return (self.files, *self.beside)


@dataclass(frozen=True)
class FirstAnswers:
    """Which answers there are to ask about.

    The arrays have the shape (items, runs); of several models the runs are counted on from one to the next.
    """

    runs: tuple[int, ...]
    pool: NDArray[np.bool_]
    eligible: NDArray[np.bool_]
    items: Items
    models: int = 1


def first_answers(config: Config, items: Items, later: Round, after: FirstAnswerFiles | None) -> FirstAnswers:
    """Say what a round about items can ask about."""
    if later.about == "records":
        everything = np.ones((len(items.layout.items), 1), bool)
        return FirstAnswers((0,), everything, everything, items)
    if after is None:
        raise MedzhError(f"is needed for round {later.name}", field="--after", expected="predictions files")
    refuse_several(later, after)
    tables, layout = [_table(config, items, files, after.rule) for files in after.sets], items.layout
    pool = np.concatenate([pool_of(later, layout, table) for table in tables], axis=1)
    eligible = np.concatenate([later.eligible(layout, table) for table in tables], axis=1)
    if not after.beside:
        return FirstAnswers(tables[0].runs, pool, eligible, replace(items, texts_of=read_once(after.files.texts)))
    numbers = _numbers([table.runs for table in tables])
    items = replace(items, texts_of=read_once(lambda ids: texts_of_several(after.sets, numbers, ids)))
    return FirstAnswers(tuple(numbers.values()), pool, eligible, items, len(after.sets))


def refuse_several(later: Round, after: FirstAnswerFiles) -> None:
    """Raise an error where answers of several models are given to a round that is not blind."""
    if after.beside and not later.blind:
        raise MedzhError(
            f"round {later.name} is not blind: it asks about one model at a time",
            field="--after",
            expected="predictions files of one model",
            advice="write a file for each model",
        )


def _table(config: Config, items: Items, files: PredictionFiles, name: str | None) -> AnswerTable:
    rule = rule_of(config, name)
    return collect(items.ids, config.asked(items.records, items.layout), [rule], files).tables[rule.name]


def _numbers(runs: Sequence[Sequence[int]]) -> dict[tuple[int, int], int]:
    """Count the runs of several models on from one to the next, by model and run."""
    every = [(model, run) for model, mine in enumerate(runs) for run in mine]
    return {one: number for number, one in enumerate(every)}


def texts_of_several(
    sets: Sequence[PredictionFiles], numbers: Mapping[tuple[int, int], int], ids: Collection[str]
) -> dict[Key, str]:
    """Read the texts of several models."""
    return {
        (name, numbers[model, run]): text
        for model, files in enumerate(sets)
        for (name, run), text in files.texts(ids).items()
    }
