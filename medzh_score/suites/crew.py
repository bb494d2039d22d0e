"""Tasks done by workers: a unit that is divided comes back in parts, and these are put together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from medzh_score.suites.scoring import Divided, Done, Joining, Reading, Unit, failed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    from medzh_score.predictions.part import Part

    Task = Unit | Reading | Joining
    Outcome = Done | Divided | Part | None


@dataclass(frozen=True)
class Lost:
    """Why no worker gave back what became of a task."""

    problem: Exception


class Crew(Protocol):
    """Workers that take tasks and give back what became of each; of those that wait, the last given comes first."""

    def give(self, task: Task) -> None:
        """Take a task."""

    def next(self) -> tuple[Task, Outcome | Lost]:
        """Wait for a task to end."""


@dataclass
class Alone:
    """The process that is there, which does one task after another."""

    waiting: list[Task] = field(default_factory=list)

    def give(self, task: Task) -> None:
        """Take a task."""
        self.waiting.append(task)

    def next(self) -> tuple[Task, Outcome | Lost]:
        """Do the last of them."""
        task = self.waiting.pop()
        return task, task.do()


def score_units(units: Sequence[Unit], crew: AbstractContextManager[Crew]) -> Iterator[Done]:
    """Score units as workers are free, and say how each ended."""
    if not units:
        return
    with crew as workers:
        for unit in reversed(units):
            workers.give(unit)
        came: dict[tuple[str, str], dict[int, Part | None]] = {}
        left = len(units)
        while left:
            task, outcome = workers.next()
            if isinstance(task, Reading):
                # Of a range that its worker did not survive there is no part: then the file is read whole.
                parts = came.setdefault((task.unit.model, task.unit.config), {})
                parts[task.place] = None if isinstance(outcome, Lost | Done | Divided) else outcome
                if len(parts) == len(task.divided.ranges):
                    workers.give(Joining(task.divided, [parts[place] for place in sorted(parts)]))
                    parts.clear()
            elif isinstance(outcome, Divided):
                for place in reversed(range(len(outcome.ranges))):
                    workers.give(Reading(outcome, place))
            elif isinstance(outcome, Done | Lost):
                left -= 1
                yield outcome if isinstance(outcome, Done) else failed(task.unit, outcome.problem)
