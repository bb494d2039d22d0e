"""The first answers that a later round can ask about: of one model in its runs, or of several models together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.config import rule_of
from medzh_score.extraction.length import beginning
from medzh_score.messages.errors import MedzhError
from medzh_score.predictions.reading_answers import collect
from medzh_score.prompts.codes import code_of
from medzh_score.rounds.drawn import pool_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.judgements import Key
    from medzh_score.benchmark.layout import Layout, Record
    from medzh_score.benchmark.rounds import Round
    from medzh_score.predictions.readers.several import PredictionFiles


# From the ids of records to the texts of their predictions, by id and run, in all runs; what did not come is not there.
TextsOf = Callable[[Collection[str]], Mapping["Key", str]]
ByRun = Mapping[int, "Sequence[str]"]


def read_once(texts_of: TextsOf) -> TextsOf:
    """Keep the texts that were read for whoever asks about the same records again."""
    asked, found = set[str](), dict["Key", str]()

    def texts(ids: Collection[str]) -> Mapping[Key, str]:
        if not asked.issuperset(ids):
            asked.update(ids)
            found.update(texts_of(asked))
        return found

    return texts


@dataclass(frozen=True)
class Items:
    """The items that rounds ask about, and how the first answers to them are read; None where they are not needed.

    ``came_of`` gives the texts as they came, with reasoning, of which the codes of older labels were made.
    """

    records: Sequence[Record]
    layout: Layout
    texts_of: TextsOf | None = None
    came_of: TextsOf | None = None

    def answered(self, texts: Callable[..., Mapping[Key, str]]) -> Items:
        """Give the items with the texts of their predictions, which are read once."""
        return replace(self, texts_of=read_once(texts), came_of=read_once(partial(texts, with_reasoning=True)))

    @property
    def ids(self) -> list[str]:
        """Those of the records, in their order."""
        return [record["id"] for record in self.records]

    @cached_property
    def members(self) -> Mapping[str, Sequence[Record]]:
        """The records of each item."""
        members = zip(self.layout.items, self.layout.members.tolist(), strict=True)
        return {item: [self.records[one] for one in ones] for item, ones in members}

    def answers(self, items: Collection[str]) -> dict[str, ByRun]:
        """Give the texts that answer items, by run, in the order of each item's members.

        A member that was not answered in a run in which another one was has an empty text; of one that runs on it is as
        much as counts.
        """
        ids = {item: [one["id"] for one in members] for item, members in self.members.items() if item in items}
        if not ids or self.texts_of is None:
            return {}
        texts = self.texts_of({name for names in ids.values() for name in names})
        runs = sorted({run for _, run in texts})
        return {
            item: {
                run: [beginning(texts.get((name, run), "")) for name in names]
                for run in runs
                if any((name, run) in texts for name in names)
            }
            for item, names in ids.items()
        }

    def codes(self, later: Round, items: Collection[str]) -> dict[str, Mapping[int, str]]:
        """Make the codes of all that a round can be about, by item and run, which is 0 of records."""
        if later.about == "answers":
            answers = self.answers(items)
            return {
                item: {run: code_of(later.name, texts) for run, texts in answers.get(item, {}).items()}
                for item in items
            }
        shown = {item: later.context(self.members[item], ()) for item in items if item in self.members}
        return {item: {0: code_of(later.name, list(fields.values()))} for item, fields in shown.items()}

    def codes_by_older(self, later: Round, items: Collection[str]) -> dict[tuple[str, str], str]:
        """Give the codes of answers by item and the code of the whole text with its reasoning."""
        if later.about != "answers" or self.came_of is None:
            return {}
        mine, older = self.codes(later, items), replace(self, texts_of=self.came_of).codes(later, items)
        return {(item, code): mine[item][run] for item, runs in older.items() for run, code in runs.items()}


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
    by_set, layout = [_tables(config, items, files, after.rule) for files in after.sets], items.layout
    tables = [by_rule[0] for by_rule in by_set]
    pool = np.concatenate([pool_of(later, layout, table) for table in tables], axis=1)
    # What any rule finds to judge is asked about; what is drawn from right or wrong answers follows one rule.
    asking = by_set if later.pool is None else [by_rule[:1] for by_rule in by_set]
    found = [np.logical_or.reduce([later.eligible(layout, one) for one in by_rule]) for by_rule in asking]
    eligible = np.concatenate(found, axis=1)
    if not after.beside:
        return FirstAnswers(tables[0].runs, pool, eligible, items.answered(after.files.texts))
    numbers = _numbers([table.runs for table in tables])
    items = items.answered(partial(texts_of_several, after.sets, numbers))
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


def _tables(config: Config, items: Items, files: PredictionFiles, name: str | None) -> list[AnswerTable]:
    """Read the answers by a rule; by all, the primary one first, where none is named."""
    rules = config.rules if name is None else [rule_of(config, name)]
    return [*collect(items.ids, config.asked(items.records, items.layout), rules, files).tables.values()]


def _numbers(runs: Sequence[Sequence[int]]) -> dict[tuple[int, int], int]:
    """Count the runs of several models on from one to the next, by model and run."""
    every = [(model, run) for model, mine in enumerate(runs) for run in mine]
    return {one: number for number, one in enumerate(every)}


def texts_of_several(
    sets: Sequence[PredictionFiles],
    numbers: Mapping[tuple[int, int], int],
    ids: Collection[str],
    *,
    with_reasoning: bool = False,
) -> dict[Key, str]:
    """Read the texts of several models."""
    return {
        (name, numbers[model, run]): text
        for model, files in enumerate(sets)
        for (name, run), text in files.texts(ids, with_reasoning=with_reasoning).items()
    }
