"""A plan may be edited until a model answered: then it may name more, and asks what was answered as it did."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.files.json_text import NO_JSON
from medzh_score.messages.errors import MedzhError
from medzh_score.prompts.writing import encoded
from medzh_score.suites.asked_so_far import keys_asked
from medzh_score.suites.first_prompts import asked_apart, asked_otherwise, files_of, first_file, first_prompts
from medzh_score.suites.kept import BACKUP, PART, has_answers
from medzh_score.suites.places import FIRST, JUDGED_BY, NUMBERED, SHARED, Place
from medzh_score.suites.plan import read_plan

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from medzh_score.suites.first_prompts import FirstPrompts
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
        stem = path.name.removesuffix(PART).removesuffix(BACKUP).removesuffix(".jsonl").removesuffix(".csv")
        name, _, label = stem.partition(NUMBERED)[0].partition(JUDGED_BY)
        if label:
            _check_named("judges", f"{path.parent.name}/{name}={label}", judges, path)
    for asked in plan.configs:
        for model in plan.models:
            if has_answers(suite, asked.config, model.label):
                _check_asked_alike(suite, asked.config, model)
    return plan


def _check_asked_alike(suite: Path, config: str, model: Model) -> None:
    """Refuse prompts of its own for a model that answered those of all, and the other way round."""
    own, of_all = Place(config, FIRST, model.label).prompts(suite), Place(config, FIRST).prompts(suite)
    now = first_file(suite, model, config)
    if own.exists() if now == of_all else of_all.exists() and not own.exists():
        raise asked_otherwise(now, [model.label], f"models.{model.label}")


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


def check_edits(suite: Path, plan: Plan) -> None:
    """Refuse a plan by which models would be asked otherwise than they were when they answered."""
    for asked in plan.configs:
        answered = [model for model in plan.models if has_answers(suite, asked.config, model.label)]
        prompts = first_prompts(plan, asked) if answered else None
        for path, apart in files_of(suite, answered, asked.config).items():
            if prompts and path.exists() and (field := _changed(path, prompts.lines(apart))):
                others = [one.label for one in answered if first_file(suite, one, asked.config) == path]
                raise asked_otherwise(path, others, field)


def _changed(path: Path, lines: Iterable[Mapping[str, Any]]) -> str | None:
    """Name a field in which prompts differ from those of a file; None where none does."""
    with path.open("rb") as stream:
        for before, line in zip_longest(stream, lines):
            if before != (line and encoded(line)):
                try:
                    there = msgspec.json.decode(before or b"{}", type=dict[str, Any])
                except NO_JSON:
                    return "id"
                return differing_field(there, msgspec.json.decode(encoded(line or {}))) or "id"
    return None


def differing_field(one: Mapping[str, Any], other: Mapping[str, Any]) -> str | None:
    """Name the first field in which two prompts differ."""
    return next((name for name in [*other, *one] if one.get(name) != other.get(name)), None)


def is_asked_as_planned(suite: Path, model: Model, prompts: FirstPrompts) -> bool:
    """Say whether the prompts of a model are there and those of the plan: all keys, and the first as it is worded."""
    path = first_file(suite, model, prompts.config.name)
    if not path.exists():
        return False
    with path.open("rb") as stream:
        first = stream.readline()
    line = next(prompts.lines(model if asked_apart(model) else None), None)
    return first == (encoded(line) if line else b"") and keys_asked(path) == prompts.keys
