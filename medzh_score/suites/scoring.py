"""Scoring what is whole and not yet scored: a unit for each model and config, and how each ended."""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from medzh_score.benchmark.registry import declared_config, find_config
from medzh_score.files.whole_folders import clear_leftovers
from medzh_score.messages.errors import MedzhError
from medzh_score.messages.privacy import at_work
from medzh_score.messages.problems import problem_of
from medzh_score.messages.progress import telling
from medzh_score.report.scoring import score_with
from medzh_score.report.withholding import refuse_texts
from medzh_score.suites.asked_so_far import brought
from medzh_score.suites.executors import ONE_AT_A_TIME, WorkerEnded
from medzh_score.suites.standings import is_whole
from medzh_score.suites.work import texts_held, unread_where_done, work_of
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Executor

    from medzh_score.report.results.columns import Texts
    from medzh_score.suites.executors import Workers
    from medzh_score.suites.plan import Plan

Outcome = Literal["scored", "failed", "done before", "waits"]


@dataclass(frozen=True)
class Done:
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

    def score(self) -> Done:
        """Score it, where everything came back and no result of the same inputs is there; nothing else stops."""
        with at_work(public=not declared_config(self.config).private):
            try:
                return Done(self.model, self.config, self._outcome())
            except Exception as error:  # noqa: BLE001 - the rest goes on
                return self.failed(error)

    def _outcome(self) -> Outcome:
        if brought(self.suite, self.model, self.config):
            return "done before"
        if not is_whole(self.suite, self.plan, self.model, self.config):
            return "waits"
        work = work_of(self.suite, self.plan, self.model, self.config)
        clear_leftovers(Path(work.result))
        if unread_where_done(work) is not None and texts_held(work) == self.texts:
            return "done before"
        with telling(quiet=True):
            config = find_config(work.config)
            refuse_texts(config.name, self.texts, private=config.private)
            report = score_with(config, [Path(work.predictions)], work.data, work.options)
            report.save(Path(work.result), overwrite=True, texts=self.texts)
        return "scored"

    def failed(self, error: Exception) -> Done:
        """Say that it failed, in words that can be sent."""
        return Done(self.model, self.config, "failed", problem_of(error))


def score_here(unit: Unit, version: str) -> Done:
    """Score a unit on a worker, which may have come later than others were asked their version."""
    if version != VERSION:
        raise MedzhError(f"a worker has another medzh-score: {VERSION}", expected=version)
    try:
        with ONE_AT_A_TIME:
            return unit.score()
    except WorkerEnded:  # which its pool would catch, and wait on
        os._exit(1)


def score_units(units: Sequence[Unit], workers: Workers) -> Iterator[Done]:
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
                yield unit.failed(MedzhError("each worker that scored it died"))


def _scored(left: deque[Unit], lost: list[Unit], executor: Executor, workers: Workers) -> Iterator[Done]:
    """Score what is left, until a worker dies: then what was handed out is lost, or comes to its end."""
    running: dict[Future[Done], Unit] = {}
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
    number, _, of = shard.partition("/")
    if not (number.isascii() and number.isdigit() and of.isascii() and of.isdigit() and 1 <= int(number) <= int(of)):
        raise MedzhError("is no part", field="--shard", expected="I/N, such as 1/4", found=shard)
    return units[int(number) - 1 :: int(of)]
