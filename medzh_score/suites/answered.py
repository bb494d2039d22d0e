"""What was answered or scored is not taken back by a plan that names it no more, or that asks otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError
from medzh_score.suites.first_prompts import asked_otherwise, first_file
from medzh_score.suites.kept import PART
from medzh_score.suites.places import FIRST, JUDGED_BY, NUMBERED, SHARED, Place
from medzh_score.suites.plan import read_plan

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from medzh_score.suites.plan import Model, Plan


def suite_plan(suite: Path) -> Plan:
    """Read a suite's plan, and refuse one that does not name who answered, or that asks otherwise than was answered."""
    plan = read_plan(suite)
    models, configs = [one.label for one in plan.models], [one.config for one in plan.configs]
    for kind, shared in (("answers", [SHARED]), ("results", [])):
        for folder in _inside(suite / kind, "*/*"):
            _check_named("models", folder.parent.name, models, folder, shared)
            _check_named("configs", folder.name, configs, folder)
    judges = {f"{one.round}={one.label}" for one in plan.judges}
    for path in _inside(suite / "answers", "*/*/*"):
        stem = path.name.removesuffix(PART).removesuffix(".jsonl").removesuffix(".csv")
        name, _, label = stem.partition(NUMBERED)[0].partition(JUDGED_BY)
        if label:
            _check_named("judges", f"{path.parent.name}/{name}={label}", judges, path)
    for asked in plan.configs:
        for model in plan.models:
            if Place(asked.config, FIRST, model.label).answers(suite).exists():
                _check_asked_alike(suite, asked.config, model)
    return plan


def _check_asked_alike(suite: Path, config: str, model: Model) -> None:
    """Refuse prompts of its own for a model that answered those of all, and the other way round."""
    own, of_all = Place(config, FIRST, model.label).prompts(suite), Place(config, FIRST).prompts(suite)
    now = first_file(suite, model, config)
    if own.exists() if now == of_all else of_all.exists() and not own.exists():
        raise asked_otherwise(now, [model.label])


def _inside(folder: Path, pattern: str) -> Iterator[Path]:
    """List what lies there, without what is being written."""
    return (path for path in sorted(folder.glob(pattern)) if not path.name.startswith("."))


def _check_named(field: str, name: str, known: Collection[str], path: Path, shared: Collection[str] = ()) -> None:
    if name not in known and name not in shared:
        raise MedzhError(
            "is there, and the plan does not name whose it is",
            file=path,
            field=field,
            expected=", ".join(sorted(known)) or "none",
            found=name,
            advice="undo what was edited in the plan, or move this out of the suite",
        )
