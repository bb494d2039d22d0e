"""Where a suite stands: what was sent, what came back, what was scored, what can be done next and what it costs."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.config import Table
from medzh_score.benchmark.registry import find_config
from medzh_score.suites.progress import all_progress
from medzh_score.suites.prompts import characters_of
from medzh_score.suites.responses import FIRST, SHARED
from medzh_score.suites.scoring import unit_inputs, unread_where_done

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from medzh_score.suites.plan import Plan
    from medzh_score.suites.progress import TaskProgress
    from medzh_score.suites.responses import TaskKey

COLUMNS = (
    *("model", "config", "round", "by", "asked"),
    *("sent", "back", "missing", "failed", "cut off", "unread", "scored"),
)


@dataclass(frozen=True)
class StatusRow:
    """One place: how many prompts were sent, came back, lack, failed or were cut off, and what is left to be paid for.

    ``unasked`` are the models about whose answers, as they are now, no prompts are written. ``unread`` is known where
    the model was scored; ``scored`` is None of rounds, which have no result of their own. ``brought`` is set where a
    result was, without its answers: nothing lacks. ``arriving`` is set while the answers of a server stand in a file
    that only asking again closes.
    """

    place: TaskKey
    unasked: Collection[str]
    arriving: bool
    sent: int
    back: int
    missing: int
    failed: int
    cut_off: int
    characters: int
    unread: int | None
    scored: bool | None
    brought: bool = False

    @property
    def lacks(self) -> bool:
        """Whether something has to be done here."""
        return bool(self.missing or self.unasked) or self.arriving or self.scored is False


@dataclass(frozen=True)
class Status:
    """All places, and the commands that go on."""

    rows: tuple[StatusRow, ...]
    next_steps: tuple[str, ...]

    @property
    def lacks(self) -> bool:
        """Whether anything lacks."""
        return any(row.lacks for row in self.rows)

    def table(self) -> Table:
        """Lay the places out."""
        cells = [
            (
                "all" if row.place.model == SHARED else row.place.model,
                row.place.config,
                row.place.round,
                row.place.judge or "itself",
                "no" if row.unasked else "yes",
                row.sent,
                row.back,
                row.missing,
                row.failed,
                row.cut_off,
                row.unread,
                None if row.scored is None else "brought" if row.brought else "yes" if row.scored else "no",
            )
            for row in self.rows
        ]
        return Table("Suite", COLUMNS, tuple(cells))

    def as_dict(self) -> dict[str, Any]:
        """Give it as plain mappings."""
        rows = [dict(zip(COLUMNS, row, strict=True)) for row in self.table().rows]
        left = [{"missing_characters": row.characters} for row in self.rows]
        return {
            "rows": [{**row, **more} for row, more in zip(rows, left, strict=True)],
            "next": list(self.next_steps),
            "lacks": self.lacks,
        }


def status_of(suite: Path, plan: Plan) -> Status:
    """Look at everything, one place after the other."""
    rows = [_row(standing) for standing in all_progress(suite, plan)]
    held = not_ready(plan, rows)
    rows = [row if row.brought or row.place.round != FIRST else _scored(suite, plan, row, held) for row in rows]
    return Status(tuple(rows), tuple(_next_steps(suite, plan, rows)))


def not_ready(plan: Plan, rows: Sequence[StatusRow]) -> set[tuple[str, str]]:
    """List the models and configs of which something is to be asked or to come back before they can be scored."""
    found = set()
    for row in rows:
        mine = [model.label for model in plan.models] if row.place.model == SHARED else [row.place.model]
        found |= {(model, row.place.config) for model in mine if row.missing or row.arriving or model in row.unasked}
    return found


def _row(standing: TaskProgress) -> StatusRow:
    left = standing.left
    return StatusRow(
        standing.place,
        standing.unasked,
        standing.is_arriving,
        len(standing.sent),
        standing.back,
        len(left),
        standing.failed,
        standing.cut_off,
        sum(map(characters_of, standing.lines_left())) if left else 0,
        unread=standing.imported_result.coverage.unread if standing.imported_result else None,
        scored=True if standing.imported_result else None,
        brought=standing.imported_result is not None,
    )


def _scored(suite: Path, plan: Plan, row: StatusRow, held: Collection[tuple[str, str]]) -> StatusRow:
    """Look whether a model is scored on a config of which nothing lacks."""
    model, config = row.place.model, row.place.config
    unread = None if (model, config) in held else unread_where_done(unit_inputs(suite, plan, model, config))
    return replace(row, unread=unread, scored=unread is not None)


def _next_steps(suite: Path, plan: Plan, rows: Sequence[StatusRow]) -> list[str]:
    """Name the commands that bring the suite on, in their order."""
    folder = shlex.quote(str(suite))
    models = [row for row in rows if not _is_for_people(row.place)]
    people = [row for row in rows if _is_for_people(row.place)]
    steps = []
    texts = {model.label for model in plan.models if model.form == "text"}
    for form, asked in (
        ("", [row for row in models if row.place.judge or row.place.model not in texts]),
        (" --to text", [row for row in models if not row.place.judge and row.place.model in texts]),
    ):
        if any(row.missing or row.unasked for row in asked):
            calls, characters = sum(row.missing for row in asked), sum(row.characters for row in asked)
            steps.append(
                f"medzh-score suite prompts {folder}{form}"
                f"  # {calls:,} calls, {characters:,} characters{_to_write(asked)}"
            )
    if any(row.missing or row.unasked for row in people):
        lines = sum(row.missing for row in people)
        steps.append(f"medzh-score suite prompts {folder} --to sheet  # {lines:,} rows{_to_write(people)}")
    if any(row.missing for row in rows):
        steps.append(f"medzh-score suite add {folder} FILE…")
    arriving = dict.fromkeys(row.place.judge or row.place.model for row in rows if row.arriving)
    steps += [
        f"medzh-score suite ask {folder} --model {shlex.quote(label)} --base-url URL  # goes on, and closes"
        for label in arriving
    ]
    held = not_ready(plan, rows)
    ready = [row for row in rows if row.scored is False and (row.place.model, row.place.config) not in held]
    if ready:
        steps.append(f"medzh-score suite score {folder}  # {len(ready):,} of {len(plan.models) * len(plan.configs):,}")
    if not steps:
        steps.append(f"medzh-score summary {folder}")
    return steps


def _is_for_people(place: TaskKey) -> bool:
    """Say whether a round is answered on a sheet alone."""
    rounds = find_config(place.config).every_round
    return any(one.name == place.round and one.model is None for one in rounds)


def _to_write(rows: Sequence[StatusRow]) -> str:
    unasked = sum(bool(row.unasked) for row in rows)
    return f", {unasked:,} rounds to write" if unasked else ""
