"""Where a suite stands: what was sent, what came back, what was scored, what can be done next and what it costs."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.config import Table
from medzh_score.benchmark.registry import find_config
from medzh_score.suites.progress import all_progress
from medzh_score.suites.prompts import characters_of
from medzh_score.suites.responses import FIRST, SHARED
from medzh_score.suites.scoring import unit_inputs, unread_where_done
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from medzh_score.suites.plan import Plan
    from medzh_score.suites.progress import TaskProgress
    from medzh_score.suites.responses import TaskKey

COLUMNS = (
    *("model", "config", "round", "by", "asked"),
    *("sent", "back", "missing", _("failed"), "cut off", "unread", "scored"),
)


@dataclass(frozen=True)
class StatusRow:
    """A task: how far it is, how many characters of prompts are left to be paid for, and whether it is scored.

    ``unread`` is known where the model was scored; ``scored`` is None of rounds, which have no result of their own.
    """

    task: TaskProgress
    characters: int
    unread: int | None
    scored: bool | None

    @property
    def lacks(self) -> bool:
        """Whether something has to be asked, come back or be scored."""
        return self.waits or self.scored is False

    @property
    def waits(self) -> bool:
        """Whether something has to be asked or to come back."""
        return not self.task.is_whole

    def cells(self) -> tuple[str | int | None, ...]:
        """Lay it out."""
        task, place = self.task, self.task.place
        scored = "brought" if task.imported_result else "yes" if self.scored else "no"
        return (
            "all" if place.model == SHARED else place.model,
            place.config,
            place.round,
            place.judge or "itself",
            "no" if task.unasked else "yes",
            len(task.sent),
            task.back,
            len(task.left),
            task.failed,
            task.cut_off,
            self.unread,
            None if self.scored is None else scored,
        )


@dataclass(frozen=True)
class Status:
    """All tasks, and the commands that go on."""

    rows: tuple[StatusRow, ...]
    next_steps: tuple[str, ...]

    @property
    def lacks(self) -> bool:
        """Whether anything lacks."""
        return any(row.lacks for row in self.rows)

    def table(self) -> Table:
        """Lay the tasks out."""
        return Table("Suite", COLUMNS, tuple(row.cells() for row in self.rows))

    def as_dict(self) -> dict[str, Any]:
        """Give it as plain mappings."""
        rows = [
            {**dict(zip(COLUMNS, row.cells(), strict=True)), "missing_characters": row.characters} for row in self.rows
        ]
        return {"rows": rows, "next": list(self.next_steps), "lacks": self.lacks}


def status_of(suite: Path, plan: Plan) -> Status:
    """Look at everything, one task after the other."""
    tasks = list(all_progress(suite, plan))
    held = _not_ready(plan, tasks)
    rows = []
    for task in tasks:
        (config, name, model, _unused), brought = task.place, task.imported_result
        unread, scored = (brought.coverage.unread, True) if brought else (None, None)
        if name == FIRST and not brought:
            ready = (model, config) not in held
            unread = unread_where_done(unit_inputs(suite, plan, model, config)) if ready else None
            scored = unread is not None
        rows.append(StatusRow(task, sum(map(characters_of, task.lines_left())), unread, scored))
    return Status(tuple(rows), tuple(_next_steps(suite, plan, rows, held)))


def _not_ready(plan: Plan, tasks: Sequence[TaskProgress]) -> set[tuple[str, str]]:
    """List the models and configs of which something is to be asked or to come back before they can be scored."""
    found = set()
    for task in tasks:
        mine = [model.label for model in plan.models] if task.place.model == SHARED else [task.place.model]
        found |= {(model, task.place.config) for model in mine if task.left or model in task.unasked}
    return found


def _next_steps(suite: Path, plan: Plan, rows: Sequence[StatusRow], held: Collection[tuple[str, str]]) -> list[str]:
    """Name the commands that bring the suite on, in their order."""
    folder = shlex.quote(str(suite))
    models = [row for row in rows if not _is_for_people(row.task.place)]
    people = [row for row in rows if _is_for_people(row.task.place)]
    steps = []
    texts = {model.label for model in plan.models if model.form == "text"}
    for form, asked in (
        ("", [row for row in models if row.task.place.judge or row.task.place.model not in texts]),
        (" --to text", [row for row in models if not row.task.place.judge and row.task.place.model in texts]),
    ):
        if any(row.waits for row in asked):
            calls, characters = sum(len(row.task.left) for row in asked), sum(row.characters for row in asked)
            steps.append(
                f"medzh-score suite prompts {folder}{form}"
                f"  # {calls:,} calls, {characters:,} characters{_to_write(asked)}"
            )
    if any(row.waits for row in people):
        lines = sum(len(row.task.left) for row in people)
        steps.append(f"medzh-score suite prompts {folder} --to sheet  # {lines:,} rows{_to_write(people)}")
    if any(row.task.left for row in rows):
        steps.append(f"medzh-score suite add {folder} FILE…")
    ready = [row for row in rows if row.scored is False and (row.task.place.model, row.task.place.config) not in held]
    if ready:
        steps.append(
            _(
                "medzh-score suite score {folder}  # {n_ready:,} of {n_models:,}",
                folder=folder,
                n_ready=len(ready),
                n_models=len(plan.models) * len(plan.configs),
            )
        )
    if not steps:
        steps.append(f"medzh-score summary {folder}")
    return steps


def _is_for_people(place: TaskKey) -> bool:
    """Say whether a round is answered on a sheet alone."""
    rounds = find_config(place.config).every_stage
    return any(one.name == place.round and one.model is None for one in rounds)


def _to_write(rows: Sequence[StatusRow]) -> str:
    unasked = sum(bool(row.task.unasked) for row in rows)
    return f", {unasked:,} rounds to write" if unasked else ""
