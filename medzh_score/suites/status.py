"""The status of a suite: counts of sent, received and scored tasks, the next commands and their cost."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.config import Table
from medzh_score.benchmark.registry import find_config
from medzh_score.render.lines import BOLD, LINES, Line, command_lines, folded
from medzh_score.render.tables import as_text
from medzh_score.suites.progress import all_progress
from medzh_score.suites.prompts import characters_of
from medzh_score.suites.responses import FIRST, SHARED
from medzh_score.suites.scoring import unit_inputs, unparsed_where_done
from medzh_score.ui.i18n import _, _n, pgettext, translated

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from medzh_score.suites.plan import Plan
    from medzh_score.suites.progress import TaskProgress
    from medzh_score.suites.responses import TaskKey

# Of columns that JSON names otherwise.
HEADS = {
    "asked": pgettext("heads", "prompts"),
    "back": "received",
    "cut off": "truncated",
}
OMITTED = ("failed", "truncated")  # columns of the screen, if nothing failed or was truncated
COLUMNS = (
    *("model", "config", "stage", "by", "asked"),
    *("sent", "back", "missing", _("failed"), "cut off", "unparsed", "scored"),
)


@dataclass(frozen=True)
class StatusRow:
    """A task: how far it is, how many characters of prompts are left to be paid for, and whether it is scored.

    ``unparsed`` is known where the model was scored; ``scored`` is None of rounds, which have no result of their own.
    """

    task: TaskProgress
    characters: int
    unparsed: int | None
    scored: bool | None

    @property
    def lacks(self) -> bool:
        """Whether something has to be asked, come back or be scored."""
        return self.waits or self.scored is False

    @property
    def waits(self) -> bool:
        """Whether something has to be asked or to come back."""
        return not self.task.is_whole

    @property
    def step(self) -> str:
        """What has to be done next."""
        if self.task.unasked:
            return "write prompts"
        return "add responses" if self.task.left else "score"

    def cells(self) -> tuple[str | int | None, ...]:
        """Lay it out."""
        task, place = self.task, self.task.place
        scored = "brought" if task.imported_result else "yes" if self.scored else "no"
        return (
            "all" if place.model == SHARED else place.model,
            place.config,
            place.stage,
            place.judge or "itself",
            "no" if task.unasked else "yes",
            len(task.sent),
            task.back,
            len(task.left),
            task.failed,
            task.cut_off,
            self.unparsed,
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
        heads = tuple(HEADS.get(column, column) for column in COLUMNS)
        return Table("Suite", heads, tuple(row.cells() for row in self.rows))

    def screen(self, suite: str, width: int) -> list[Line]:
        """Show the unfinished tasks in a table, those with most to do first, and the finished ones in one line."""
        unfinished = sorted(
            (row for row in self.rows if row.lacks), key=lambda row: (-len(row.task.left), -row.characters)
        )
        finished = len(self.rows) - len(unfinished)
        counts = {"suite": suite, "finished": finished, "tasks": len(self.rows)}
        head = folded([_("Suite {suite}: {finished} of {tasks} tasks are complete", **counts)], width, BOLD, indent="")
        last = [Line(translated(_("Next:")), BOLD)]
        last += [Line(f"  {one}") for step in self.next_steps for one in command_lines(translated(step), width - 2)]
        room = LINES - len(head) - len(last) - 4
        shown = unfinished if len(unfinished) <= room else unfinished[: room - 1]
        table = [Line(line) for line in _unfinished_table(shown, width)[: room + 2]]
        if len(shown) < len(unfinished):
            table.append(
                Line(
                    " "
                    + translated(
                        _n(
                            "{n} more unfinished task: see --full",
                            "{n} more unfinished tasks: see --full",
                            len(unfinished) - len(shown),
                        )
                    )
                )
            )
        parts = [part for part in (head, table, last) if part]
        return [line for part in parts for line in (Line(""), *part)][1:]

    def as_dict(self) -> dict[str, Any]:
        """Give it as plain mappings."""
        rows = [
            {**dict(zip(COLUMNS, row.cells(), strict=True)), "missing_characters": row.characters} for row in self.rows
        ]
        return {"rows": rows, "next": list(self.next_steps), "lacks": self.lacks}


def _unfinished_table(rows: Sequence[StatusRow], width: int) -> list[str]:
    """Draw the tasks without a title; columns that are 0 in every row are omitted."""
    if not rows:
        return []
    heads = ("model", "config", "stage", "sent", "received", "failed", "truncated", "next step")
    cells = [
        (
            "all" if row.task.place.model == SHARED else row.task.place.model,
            row.task.place.config,
            row.task.place.stage,
            len(row.task.sent),
            row.task.back,
            row.task.failed,
            row.task.cut_off,
            pgettext("column next step", row.step),
        )
        for row in rows
    ]
    kept = [place for place, head in enumerate(heads) if head not in OMITTED or any(row[place] for row in cells)]
    table = Table(
        "", tuple(heads[place] for place in kept), tuple(tuple(row[place] for place in kept) for row in cells)
    )
    return as_text(table, width=width).strip("\n").splitlines()


def status_of(suite: Path, plan: Plan) -> Status:
    """Look at everything, one task after the other."""
    tasks = list(all_progress(suite, plan))
    held = _not_ready(plan, tasks)
    rows = []
    for task in tasks:
        (config, name, model, _unused), brought = task.place, task.imported_result
        unparsed, scored = (brought.coverage.unparsed, True) if brought else (None, None)
        if name == FIRST and not brought:
            ready = (model, config) not in held
            unparsed = unparsed_where_done(unit_inputs(suite, plan, model, config)) if ready else None
            scored = unparsed is not None
        rows.append(StatusRow(task, sum(map(characters_of, task.lines_left())), unparsed, scored))
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
            values = {"folder": folder, "form": form, "calls": calls, "characters": characters}
            steps.append(
                _(
                    "medzh-score suite prompts {folder}{form}  # {calls:,} calls, {characters:,} characters; "
                    "tasks without prompts: {unasked:,}",
                    **values,
                    unasked=unasked,
                )
                if (unasked := _unasked(asked))
                else _(
                    "medzh-score suite prompts {folder}{form}  # {calls:,} calls, {characters:,} characters", **values
                )
            )
    if any(row.waits for row in people):
        lines = sum(len(row.task.left) for row in people)
        values = {"folder": folder, "lines": lines}
        steps.append(
            _(
                "medzh-score suite prompts {folder} --to csv  # {lines:,} rows; tasks without prompts: {unasked:,}",
                **values,
                unasked=unasked,
            )
            if (unasked := _unasked(people))
            else _("medzh-score suite prompts {folder} --to csv  # {lines:,} rows", **values)
        )
    if any(row.task.left for row in rows):
        steps.append(f"medzh-score suite add {folder} FILE…")
    ready = [row for row in rows if row.scored is False and (row.task.place.model, row.task.place.config) not in held]
    if ready:
        steps.append(
            _(
                "medzh-score suite score {folder}  # {n_ready:,} of {n_models:,} ready",
                folder=folder,
                n_ready=len(ready),
                n_models=len(plan.models) * len(plan.configs),
            )
        )
    if not steps:
        steps.append(f"medzh-score summary {folder}")
    return steps


def _unasked(rows: Sequence[StatusRow]) -> int:
    """Count the tasks whose prompts are not written yet, or not about all answers."""
    return sum(bool(row.task.unasked) for row in rows)


def _is_for_people(place: TaskKey) -> bool:
    """Say whether a round is answered on a sheet alone."""
    stages = find_config(place.config).every_stage
    return any(one.name == place.stage and one.model is None for one in stages)
