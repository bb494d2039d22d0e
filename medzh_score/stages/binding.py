"""What stages are about, and labels bound to it: each names by a code in its id which texts it is of."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.config import rule_of
from medzh_score.benchmark.stages import Key
from medzh_score.extraction.whole_text import beginning, is_overlong
from medzh_score.prompting.ids import AnswerKey, check_code, code_of, judged_id
from medzh_score.readers.align import collect
from medzh_score.stages.sampling import pool_of
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.items import ItemIndex, Query, Record
    from medzh_score.benchmark.stages import Stage
    from medzh_score.readers.files import PredictionFiles

    Codes = Mapping[str, Mapping[int, str]]  # by item and run

# From the ids of records to the texts of their predictions, by id and run, in all runs; what did not come is not there.
TextsOf = Callable[[Collection[str]], Mapping[Key, str]]


@dataclass(frozen=True, slots=True)
class TaskRef:
    """A line that names what it is about: a label that came back, or a prompt that was sent; the code may be empty."""

    path: Path
    number: int
    key: AnswerKey
    code: str

    def row_error(
        self,
        problem: str,
        field: str | None = "id",
        *,
        expected: str | None = None,
        found: object = None,
        advice: str | None = None,
    ) -> MedzhError:
        """Make the error that the line is refused with."""
        return MedzhError(
            problem, file=self.path, line=self.number, field=field, expected=expected, found=found, advice=advice
        )


def bind(refs: Sequence[TaskRef], stage: Stage, codes: Codes | None) -> list[list[Key]]:
    """Find the items and runs that each line is about; no codes where the answers are not known.

    Of a blind stage those of all equal answers. A file that names texts of which none is there is refused.
    """
    bound = [_bound(ref, stage, codes) for ref in refs]
    foreign = next((ref for ref in refs if ref.code), None)
    if foreign is not None and codes is not None and not any(bound):
        item = AnswerKey(foreign.key.id)
        there = sorted({judged_id(item, code) for code in codes.get(item.id, {}).values()})
        raise foreign.row_error(
            _("the answer hash matches no answer in the predictions file"),
            expected=" or ".join(there) or _("an answer in the predictions file"),
            found=judged_id(item, foreign.code),
            advice=_("pass the predictions files from which this file was created"),
        )
    return bound


def _bound(ref: TaskRef, stage: Stage, codes: Codes | None) -> list[Key]:
    item, run, _unused = ref.key
    if not ref.code or codes is None:
        return [(item, run)]
    mine = codes.get(item, {})
    if stage.blind:
        return [(item, run) for run, code in mine.items() if code == ref.code]
    right = mine.get(run)
    if stage.about == "records" and ref.code != right:
        raise ref.row_error(
            _("the record is from a different build"),
            expected=judged_id(ref.key, right or ""),
            found=judged_id(ref.key, ref.code),
            advice=_("use --data to pass the build from which the prompts were written"),
        )
    check_code(ref.key, ref.code, right, ref.path, ref.number)
    return [(item, run)]


@dataclass(frozen=True)
class StageItems:
    """The items that stages are about, and how the first answers to them are read; None where they are not needed."""

    records: Sequence[Record]
    layout: ItemIndex
    texts_of: TextsOf | None = None
    whole: StageItems | None = None  # the same with the reasoning in texts, of which codes of older labels were made
    _texts: dict[Key, str] = field(default_factory=dict, compare=False)
    _read: set[str] = field(default_factory=set, compare=False)

    def answered(self, texts: Callable[..., Mapping[Key, str]]) -> StageItems:
        """Give the items with the texts of their predictions, each of which is read once."""
        whole = StageItems(self.records, self.layout, partial(texts, with_reasoning=True))
        return StageItems(self.records, self.layout, texts, whole)

    @property
    def ids(self) -> list[str]:
        """Those of the records, in their order."""
        return [record["id"] for record in self.records]

    @cached_property
    def members(self) -> Mapping[str, Sequence[Record]]:
        """The records of each item."""
        members = zip(self.layout.items, self.layout.members.tolist(), strict=True)
        return {item: [self.records[one] for one in ones] for item, ones in members}

    def answers(self, items: Collection[str]) -> dict[str, Mapping[int, Sequence[str]]]:
        """Give the texts that answer items, by run, in the order of each item's members.

        A member that was not answered in a run in which another one was has an empty text; of one that runs on it is as
        much as counts.
        """
        ids = {item: [one["id"] for one in members] for item, members in self.members.items() if item in items}
        if not ids or self.texts_of is None:
            return {}
        wanted = {name for names in ids.values() for name in names}
        if not self._read.issuperset(wanted):
            self._read.update(wanted)
            self._texts.update(self.texts_of(self._read))
        runs = sorted({run for _unused, run in self._texts})
        return {
            item: {
                run: [beginning(self._texts.get((name, run), "")) for name in names]
                for run in runs
                if any((name, run) in self._texts for name in names)
            }
            for item, names in ids.items()
        }

    def codes(self, stage: Stage, items: Collection[str]) -> Codes:
        """Make the codes of all that a stage can be about, by item and run, which is 0 of records."""
        if stage.about == "answers":
            answers = self.answers(items)
            return {
                item: {run: code_of(stage.name, texts) for run, texts in answers.get(item, {}).items()}
                for item in items
            }
        shown = {item: stage.context(self.members[item], ()) for item in items if item in self.members}
        return {item: {0: code_of(stage.name, list(fields.values()))} for item, fields in shown.items()}

    def codes_by_older(self, stage: Stage, items: Collection[str]) -> dict[tuple[str, str], str]:
        """Give the codes of answers by item and the code of the whole text with its reasoning."""
        if stage.about != "answers" or self.whole is None:
            return {}
        mine, older = self.codes(stage, items), self.whole.codes(stage, items)
        return {(item, code): mine[item][run] for item, runs in older.items() for run, code in runs.items()}


@dataclass(frozen=True)
class AvailableAnswers:
    """Predictions that a stage about single predictions can ask about; a group's answers several records."""

    ids: Sequence[str]
    asked: Sequence[Query]
    files: PredictionFiles

    @cached_property
    def alone(self) -> Mapping[str, Query]:
        """Each record as it is asked alone, by its id."""
        return {self.ids[one.members[0]]: one for one in self.asked if len(one.members) == 1}

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The index of each record, by its id."""
        return {name: place for place, name in enumerate(self.ids)}

    def with_text(self) -> dict[AnswerKey, Query]:
        """Find all that have a text, and none that runs on, each with what its prediction answers."""
        return {key: query for key, query, _unused in self._each()}

    def texts(self, keys: Iterable[AnswerKey]) -> dict[AnswerKey, str]:
        """Read the texts of some, whole: that of a group for each of its records; a blank one is none."""
        wanted = set(keys)
        return {key: text for key, _unused, text in self._each() if key in wanted}

    def _each(self) -> Iterator[tuple[AnswerKey, Query, str]]:
        asked = {one.id: one for one in self.asked}
        for line in replace(self.files, keep_reasoning=False).each():
            if line.prediction.strip() and not is_overlong(line.prediction):
                for member in asked[line.id].members:
                    yield AnswerKey(self.ids[member], line.run, line.variant), asked[line.id], line.prediction


@dataclass(frozen=True)
class FirstAnswerFiles:
    """The first answers that a stage asks about, and a set of each other model that a blind stage asks about, too."""

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
    items: StageItems
    models: int = 1


def first_answers(config: Config, items: StageItems, stage: Stage, after: FirstAnswerFiles | None) -> FirstAnswers:
    """Find what a stage about items can ask about."""
    if stage.about == "records":
        everything = np.ones((len(items.layout.items), 1), bool)
        return FirstAnswers((0,), everything, everything, items)
    if after is None:
        raise MedzhError(
            _("this option is required for stage {stage_name}", stage_name=stage.name),
            field="--predictions",
            expected=_("predictions files"),
        )
    refuse_several(stage, after)
    # What any rule finds to judge is asked about, the primary one first; what is drawn from right or wrong answers
    # follows one rule.
    rules = config.rules if after.rule is None else [rule_of(config, after.rule)]
    asked, layout = config.queries(items.records, items.layout), items.layout
    by_set = [[*collect(items.ids, asked, rules, files).tables.values()] for files in after.sets]
    pool = np.concatenate([pool_of(stage, layout, by_rule[0]) for by_rule in by_set], axis=1)
    asking = [by_rule[:1] for by_rule in by_set] if stage.sampling.eligible_only else by_set
    found = [np.logical_or.reduce([stage.eligible(layout, one) for one in by_rule]) for by_rule in asking]
    every = [(model, run) for model, by_rule in enumerate(by_set) for run in by_rule[0].runs]
    numbers = {one: number for number, one in enumerate(every)} if after.beside else {one: one[1] for one in every}

    def texts_of(ids: Collection[str], *, with_reasoning: bool = False) -> dict[Key, str]:
        return {
            (name, numbers[model, run]): text
            for model, files in enumerate(after.sets)
            for (name, run), text in files.texts(ids, with_reasoning=with_reasoning).items()
        }

    eligible = np.concatenate(found, axis=1)
    return FirstAnswers(tuple(numbers.values()), pool, eligible, items.answered(texts_of), len(after.sets))


def refuse_several(stage: Stage, after: FirstAnswerFiles) -> None:
    """Raise an error where answers of several models are given to a stage that is not blind."""
    if after.beside and not stage.blind:
        raise MedzhError(
            _("stage {stage_name} is not blinded and accepts only one model at a time", stage_name=stage.name),
            field="--predictions",
            expected=_("predictions files of one model"),
            advice=_("write one file per model"),
        )
