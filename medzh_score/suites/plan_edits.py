"""Whether first answers were asked for as the plan has it now: it may be edited until a model answered."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from medzh_score.prompts.writing import encoded
from medzh_score.suites.asked_so_far import keys_asked
from medzh_score.suites.first_prompts import asked_apart, asked_otherwise, files_of, first_file, first_prompts
from medzh_score.suites.kept import part_of
from medzh_score.suites.ledger import digest_of_file
from medzh_score.suites.places import FIRST, Place

if TYPE_CHECKING:
    from pathlib import Path

    from medzh_score.suites.first_prompts import FirstPrompts
    from medzh_score.suites.plan import Asked, Model, Plan


def refuse_edits(suite: Path, plan: Plan) -> None:
    """Refuse a plan by which models would be asked otherwise than they were when they answered."""
    for asked in plan.configs:
        if answered := [model for model in plan.models if _has_answers(suite, asked, model)]:
            _refuse_edits_of(suite, plan, asked, answered)


def _has_answers(suite: Path, asked: Asked, model: Model) -> bool:
    answers = Place(asked.config, FIRST, model.label).answers(suite)
    return answers.exists() or part_of(answers).exists()


def _refuse_edits_of(suite: Path, plan: Plan, asked: Asked, answered: list[Model]) -> None:
    prompts = first_prompts(plan, asked)
    now: dict[Path, str] = {}
    for path, apart in files_of(suite, answered, asked.config).items():
        digest = hashlib.sha256()
        for line in prompts.lines(apart):
            digest.update(encoded(line))
        now[path] = digest.hexdigest()
    others: dict[Path, list[str]] = {}
    for model in answered:
        path = file_asked(suite, model, asked.config)
        if path.exists() and digest_of_file(path) != now[first_file(suite, model, asked.config)]:
            others.setdefault(path, []).append(model.label)
    for path, labels in others.items():
        raise asked_otherwise(path, labels)


def file_asked(suite: Path, model: Model, config: str) -> Path:
    """Name the file by which a model was asked so far: one of its own, or else that of all."""
    own = Place(config, FIRST, model.label).prompts(suite)
    return own if own.exists() else Place(config, FIRST).prompts(suite)


def is_asked_as_planned(suite: Path, model: Model, prompts: FirstPrompts) -> bool:
    """Say whether the prompts of a model are there and those of the plan: all keys, and the first as it is worded."""
    path = first_file(suite, model, prompts.config.name)
    if path != file_asked(suite, model, prompts.config.name) or not path.exists():
        return False
    with path.open("rb") as stream:
        first = stream.readline()
    line = next(prompts.lines(model if asked_apart(model) else None), None)
    return first == (encoded(line) if line else b"") and keys_asked(path) == prompts.keys
