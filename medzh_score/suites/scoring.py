"""Scoring what is whole and not yet scored: the tasks of which each is done by one worker, and how a unit ended."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from medzh_score.benchmark.registry import find_config
from medzh_score.files.input_file import InputFile
from medzh_score.files.ranges import Range, ranges_of
from medzh_score.files.whole_folders import clear_leftovers
from medzh_score.messages.errors import MedzhError
from medzh_score.messages.problems import problem_of
from medzh_score.messages.progress import telling
from medzh_score.predictions.readers.several import PredictionFiles
from medzh_score.report.private import refuse_texts
from medzh_score.report.scoring import score_with
from medzh_score.report.steps.reading import read_range
from medzh_score.suites.standings import is_whole
from medzh_score.suites.stated_results import brought
from medzh_score.suites.work import texts_held, unread_where_done, work_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.predictions.part import Part
    from medzh_score.report.results.basis import Texts
    from medzh_score.suites.plan import Plan
    from medzh_score.suites.work import Work

Outcome = Literal["scored", "failed", "done before", "waits"]
LARGE = 1_000_000  # lines of a file that is divided
SHORTEST = 20  # bytes of a line: a file that can have no more lines is not counted
PARTS = 8  # of as many lines as are large: so many workers read it


@dataclass(frozen=True)
class Done:
    """How a unit ended, and what is wrong with one that failed."""

    model: str
    config: str
    outcome: Outcome
    problem: MedzhError | None = None


@dataclass(frozen=True)
class Unit:
    """A model on a config, as it is sent to a worker; with ``large`` a file of more lines is divided."""

    suite: Path
    plan: Plan
    model: str
    config: str
    texts: Texts
    large: int | None = None

    @property
    def unit(self) -> Unit:
        """Itself, as of all tasks."""
        return self

    def do(self) -> Done | Divided:
        """Score it, where everything came back and no result of the same inputs is there."""
        try:
            if brought(self.suite, self.plan, self.model, self.config):
                return Done(self.model, self.config, "done before")
            if not is_whole(self.suite, self.plan, self.model, self.config):
                return Done(self.model, self.config, "waits")
            work = work_of(self.suite, self.plan, self.model, self.config)
            clear_leftovers(Path(work.result))
            if unread_where_done(work) is not None and texts_held(work) == self.texts:
                return Done(self.model, self.config, "done before")
            path = Path(work.predictions)
            if self.large is not None and (found := ranges_where_large(path, self.large)):
                return Divided(self, work, tuple(found))
        except Exception as error:  # noqa: BLE001 - the rest goes on
            return failed(self, error)
        return score_work(self, work, ())


@dataclass(frozen=True)
class Divided:
    """A unit whose predictions are to be read by ranges."""

    unit: Unit
    work: Work
    ranges: Sequence[Range]


@dataclass(frozen=True)
class Reading:
    """A range of a unit's predictions, as it is sent to a worker."""

    divided: Divided
    place: int

    @property
    def unit(self) -> Unit:
        """Whose range it is."""
        return self.divided.unit

    def do(self) -> Part | None:
        """Read it; None where anything is wrong, which reading the whole file will name."""
        work = self.divided.work
        try:
            with telling(quiet=True):
                config = find_config(work.config)
                return read_range(config, Path(work.predictions), work.data, self.divided.ranges[self.place])
        except (MedzhError, OSError):
            return None


@dataclass(frozen=True)
class Joining:
    """The parts of a unit, as they are sent to the worker that scores it."""

    divided: Divided
    parts: Sequence[Part | None]

    @property
    def unit(self) -> Unit:
        """Whose parts they are."""
        return self.divided.unit

    def do(self) -> Done:
        """Score it."""
        return score_work(self.unit, self.divided.work, self.parts)


def score_work(unit: Unit, work: Work, parts: Sequence[Part | None]) -> Done:
    """Score a model on a config and write its result folder; what is wrong with it stops nothing else."""
    try:
        with telling(quiet=True):
            predictions = PredictionFiles((Path(work.predictions),), parts=parts)
            config = find_config(work.config)
            refuse_texts(config.name, unit.texts, private=config.private)
            report = score_with(config, predictions, work.data, work.options)
            report.save(Path(work.result), overwrite=True, texts=unit.texts)
    except Exception as error:  # noqa: BLE001 - the rest goes on
        return failed(unit, error)
    return Done(unit.model, unit.config, "scored")


def failed(unit: Unit, error: Exception) -> Done:
    """Say that a unit failed, in words that can be sent."""
    return Done(unit.model, unit.config, "failed", problem_of(error))


def ranges_where_large(path: Path, large: int) -> list[Range]:
    """Divide a file that has more lines than are large; all others are one range, or none is looked for."""
    if path.stat().st_size <= large * SHORTEST:
        return []
    try:
        with InputFile(path) as file:
            found = list(ranges_of(file.text(), max(1, large // PARTS), path))
    except MedzhError:  # which reading the whole file will say
        return []
    return found if found and found[-1].line > large else []


def units_of(suite: Path, plan: Plan, texts: Texts, large: int | None = None) -> list[Unit]:
    """List all that a plan asks for, be it there or not; workers may stand in other folders than this process."""
    data = Path(plan.data)
    if data.exists():
        plan = _with_data(plan, str(data.resolve()))
    return [
        Unit(suite.resolve(), plan, model.label, asked.config, texts, large)
        for asked in plan.configs
        for model in plan.models
    ]


def _with_data(plan: Plan, data: str) -> Plan:
    import msgspec

    return msgspec.structs.replace(plan, data=data)
