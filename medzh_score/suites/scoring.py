"""A unit of scoring: one model on one config, of which everything came back; and whether it was done before."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence  # noqa: TC003 - msgspec looks the types of the fields up
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from medzh_score.benchmark.config import rule_of
from medzh_score.benchmark.registry import declared_config, find_config
from medzh_score.benchmark.rules import DEFAULT_RULE, signed_rule
from medzh_score.benchmark.stages import SECOND
from medzh_score.data.records import load_records
from medzh_score.extraction.whole_text import SIGNED
from medzh_score.io.atomic import clear_leftovers
from medzh_score.io.open_input import input_of
from medzh_score.results.folder import ITEMS, refuse_texts
from medzh_score.results.tables import TEXTS
from medzh_score.scoring.options import ScoringOptions
from medzh_score.scoring.options import stated as arguments_stated
from medzh_score.scoring.pipeline import score_with
from medzh_score.stages.sampling import StageSample, scored_by_a_sample
from medzh_score.suites.executors import ONE_AT_A_TIME
from medzh_score.suites.progress import imported_result, is_whole, later_places_of, result_facts
from medzh_score.suites.prompts import first_file
from medzh_score.suites.responses import FIRST, TaskKey, has_answers, result_of, results_of
from medzh_score.ui.errors import NAMED, MedzhError, problem_of
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import at_work
from medzh_score.ui.progress import telling
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from medzh_score.results.tables import Texts
    from medzh_score.suites.executors import WorkerPool
    from medzh_score.suites.plan import Plan
    from medzh_score.suites.progress import ResultFacts


class UnitInputs(msgspec.Struct, frozen=True):
    """All that scoring one model on one config needs."""

    model: str
    config: str
    data: str
    predictions: str
    prompts: tuple[str, ...]
    stages: Mapping[str, Sequence[str]]
    samples: Mapping[str, str]
    fallback_extractor: str | None
    result: str

    @property
    def options(self) -> ScoringOptions:
        """Say how it is scored."""
        return ScoringOptions(
            stages={name: [Path(one) for one in files] for name, files in self.stages.items()},
            prompts=[Path(name) for name in self.prompts],
            model=self.model,
            fallback_extractor=self.fallback_extractor,
            stage_sample=self.samples,
        )


def unit_inputs(suite: Path, plan: Plan, model: str, config_name: str) -> UnitInputs:
    """Put together what scoring a model on a config reads, as it lies there."""
    config, first = find_config(config_name), TaskKey(config_name, FIRST, model)
    stages: dict[str, list[str]] = {}
    later = later_places_of(suite, plan, config, model)
    for task in later:
        files = [*task.sheets(suite), task.answers(suite)]
        stages.setdefault(task.stage, []).extend(str(path) for path in files if path.exists())
    models = {one.name for one in config.every_stage if one.model is not None}
    samples: dict[str, str] = {}  # of rounds of which another sample was drawn than their own
    for one in scored_by_a_sample(config):
        judge = plan.judge(f"{config.name}/{one.name}")
        size = judge and (judge.sample or one.sampling.size)
        if judge and size and one.name in stages and (size, judge.seed) != (one.sampling.size, 0):
            samples[one.name] = str(StageSample(size, judge.seed))
    second = plan.judge(f"{config.name}/{SECOND}")
    return UnitInputs(
        model,
        config.name,
        plan.data,
        str(first.answers(suite)),
        (
            str(first_file(suite, plan.model(model), config.name)),
            *dict.fromkeys(str(task.prompts(suite)) for task in later if task.stage in models),
        ),
        stages,
        samples,
        second.label if second else None,
        str(result_of(suite, model, config.name)),
    )


def unparsed_where_done(work: UnitInputs) -> int | None:
    """Give how many answers of a result are unread; None where there is none, or one that would now be another."""
    stated = result_facts(Path(work.result))
    if stated is None or not _is_of_inputs(work, stated):
        return None
    try:
        signed = {"data": str(load_records(work.data, work.config).origin), "reasoning": "removed"}
    except (OSError, MedzhError):
        return None
    signed |= {"max_chars": SIGNED, "medzh_score": VERSION}
    signed["rule"] = signed_rule(rule_of(find_config(work.config), work.options.rule).name)
    same = {**stated.signature, **signed} == stated.signature
    same = same and stated.signature.get("responses") in {None, signed_rule(DEFAULT_RULE)}
    return stated.coverage.unparsed if same else None


def _is_of_inputs(work: UnitInputs, stated: ResultFacts) -> bool:
    names = [work.predictions, *work.prompts, *(name for names in work.stages.values() for name in names)]
    try:
        here = sorted(input_of(Path(name), "").sha256 for name in names)
    except (OSError, MedzhError):
        return False
    return sorted(one.sha256 for one in stated.inputs) == here and stated.arguments == arguments_stated(work.options)


def results_there(suite: Path, plan: Plan, config: str | None = None) -> dict[Path, str]:
    """List result folders with the labels of their models, and refuse those of other answers than are there.

    Results that were brought from elsewhere, without answers or prompts, stand for themselves.
    """
    found = results_of(suite, config)
    others = [f"{model} {folder.name}" for folder, model in found.items() if _is_of_others(suite, plan, folder, model)]
    if others:
        problem = _("some results are not from the current responses ({others})", others=", ".join(others[:NAMED]))
        advice = _(
            "score again: medzh-score suite score {suite}; for missing responses, see: medzh-score suite status "
            "{suite}",
            suite=suite,
        )
        raise MedzhError(problem, file=suite, advice=advice)
    return found


def _is_of_others(suite: Path, plan: Plan, folder: Path, label: str) -> bool:
    """Say whether a result is of other inputs; one that was damaged is named where it is read."""
    if not has_answers(suite, folder.name, label):
        return False
    work, stated = unit_inputs(suite, plan, label, folder.name), result_facts(folder)
    return stated is not None and Path(work.prompts[0]).exists() and not _is_of_inputs(work, stated)


Outcome = Literal["scored", "failed", "done before", "waits"]


@dataclass(frozen=True)
class UnitResult:
    """How a unit ended, and what is wrong with one that failed."""

    model: str
    config: str
    outcome: Outcome
    problem: MedzhError | None = None


@dataclass(frozen=True)
class Unit:
    """A model on a config, as it is sent to a worker."""

    suite: Path
    plan: Plan
    model: str
    config: str
    texts: Texts

    def score(self) -> UnitResult:
        """Score it, where everything came back and no result of the same inputs is there; nothing else stops."""
        with at_work(public=not declared_config(self.config).private):
            try:
                return UnitResult(self.model, self.config, self._outcome())
            except Exception as error:  # noqa: BLE001 - the rest goes on
                return self.failed(error)

    def _outcome(self) -> Outcome:
        if imported_result(self.suite, self.model, self.config):
            return "done before"
        if not is_whole(self.suite, self.plan, self.model, self.config):
            return "waits"
        work = unit_inputs(self.suite, self.plan, self.model, self.config)
        clear_leftovers(Path(work.result))
        if unparsed_where_done(work) is not None and _texts_in(Path(work.result)) == self.texts:
            return "done before"
        with telling(quiet=True):
            config = find_config(work.config)
            refuse_texts(config.name, self.texts, private=config.private)
            report = score_with(config, [Path(work.predictions)], work.data, work.options)
            report.save(Path(work.result), overwrite=True, include_text=self.texts)
        return "scored"

    def failed(self, error: Exception) -> UnitResult:
        """Say that it failed, in words that can be sent."""
        return UnitResult(self.model, self.config, "failed", problem_of(error))


def _texts_in(result: Path) -> str:
    from pyarrow import parquet

    found: bytes = parquet.read_metadata(result / ITEMS).metadata[TEXTS.encode("ascii")]
    return found.decode("ascii")


def score_here(unit: Unit, version: str) -> UnitResult:
    """Score a unit on a worker, which may have come later than others were asked their version."""
    if version != VERSION:
        raise MedzhError(
            _("a worker has a different medzh-score version: {version}", version=VERSION), expected=version
        )
    with ONE_AT_A_TIME:
        return unit.score()


def score_units(units: Sequence[Unit], workers: WorkerPool) -> Iterator[UnitResult]:
    """Score units as workers are free, and say how each ended.

    What was being scored when a worker died is scored again, each alone: the unit that kills is named, and no other is
    lost.
    """
    left, every_lost = deque(units), list[Unit]()
    while left:
        lost: list[Unit] = []
        with workers.begin(len(left)) as executor:
            yield from _scored(left, lost, executor, workers)
        every_lost += lost
    for unit in every_lost:
        with workers.begin(1) as executor:
            try:
                yield executor.submit(score_here, unit, VERSION).result()
            except workers.died:
                yield unit.failed(MedzhError(_("every worker process that scored this result died")))


def _scored(left: deque[Unit], lost: list[Unit], executor: Executor, workers: WorkerPool) -> Iterator[UnitResult]:
    """Score what is left, until a worker dies: then what was handed out is lost, or comes to its end."""
    running: dict[Future[UnitResult], Unit] = {}
    while running or (left and not lost):
        while left and not lost and len(running) < workers.most:
            unit = left.popleft()
            try:
                running[executor.submit(score_here, unit, VERSION)] = unit
            except workers.died:
                lost.append(unit)
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            unit = running.pop(future)
            try:
                done = future.result()
            except workers.died:
                lost.append(unit)
                continue
            except CancelledError:
                raise
            except Exception as error:  # noqa: BLE001 - what a worker could not even read; the rest goes on
                done = unit.failed(error)
            yield done


def units_of(suite: Path, plan: Plan, texts: Texts) -> list[Unit]:
    """List all that a plan asks for, be it there or not; workers may stand in other folders than this process."""
    data = Path(plan.data)
    if data.exists():
        plan = msgspec.structs.replace(plan, data=str(data.resolve()))
    return [
        Unit(suite.resolve(), plan, model.label, asked.config, texts) for asked in plan.configs for model in plan.models
    ]


def shard_of(units: Sequence[Unit], shard: str) -> Sequence[Unit]:
    """Take one of N parts, ``I/N`` with I from 1; the parts are of all that the plan asks, whatever is done of it."""
    number, _unused, of = shard.partition("/")
    if not (number.isascii() and number.isdigit() and of.isascii() and of.isdigit() and 1 <= int(number) <= int(of)):
        raise MedzhError(_("invalid shard"), field="--shard", expected=_("I/N, such as 1/4"), found=shard)
    return units[int(number) - 1 :: int(of)]
