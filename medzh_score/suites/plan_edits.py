"""Whether first answers were asked for as the plan has it now: it may be edited until a model answered."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from medzh_score.prompts.writing import encoded
from medzh_score.suites.answered import has_answers
from medzh_score.suites.asked_so_far import keys_asked
from medzh_score.suites.first_prompts import asked_apart, asked_otherwise, files_of, first_file, first_prompts
from medzh_score.suites.ledger import digest_of_file

if TYPE_CHECKING:
    from pathlib import Path

    from medzh_score.suites.first_prompts import FirstPrompts
    from medzh_score.suites.plan import Model, Plan


def refuse_edits(suite: Path, plan: Plan) -> None:
    """Refuse a plan by which models would be asked otherwise than they were when they answered."""
    for asked in plan.configs:
        answered = [model for model in plan.models if has_answers(suite, asked.config, model)]
        prompts = first_prompts(plan, asked) if answered else None
        for path, apart in files_of(suite, answered, asked.config).items():
            if prompts and path.exists() and digest_of_file(path) != _digest(prompts, apart):
                others = [one.label for one in answered if first_file(suite, one, asked.config) == path]
                raise asked_otherwise(path, others)


def _digest(prompts: FirstPrompts, apart: Model | None) -> str:
    digest = hashlib.sha256()
    for line in prompts.lines(apart):
        digest.update(encoded(line))
    return digest.hexdigest()


def is_asked_as_planned(suite: Path, model: Model, prompts: FirstPrompts) -> bool:
    """Say whether the prompts of a model are there and those of the plan: all keys, and the first as it is worded."""
    path = first_file(suite, model, prompts.config.name)
    if not path.exists():
        return False
    with path.open("rb") as stream:
        first = stream.readline()
    line = next(prompts.lines(model if asked_apart(model) else None), None)
    return first == (encoded(line) if line else b"") and keys_asked(path) == prompts.keys
