"""The prompts of first answers, as a plan has them: one file a config, and one for each model that is asked apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.choices import pick
from medzh_score.benchmark.registry import find_config
from medzh_score.data.records import load_records
from medzh_score.files.writing import open_for_writing
from medzh_score.prompts.prompt_choices import asking_of, train_records, variants_asked
from medzh_score.prompts.writing import SYSTEM, encoded, prompt_lines
from medzh_score.suites.places import FIRST, SHARED, Place

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from medzh_score.benchmark.asking import Asker, Asking
    from medzh_score.benchmark.config import Config
    from medzh_score.prompts.writing import Chosen
    from medzh_score.suites.plan import Asked, Model, Plan


@dataclass(frozen=True)
class Written:
    """A prompts file that was written: how many calls, and how many characters they hold."""

    path: Path
    calls: int
    characters: int


@dataclass(frozen=True)
class FirstPrompts:
    """How a config asks for first answers."""

    config: Config
    asker: Asker
    asking: Asking
    chosen: Chosen
    runs: int

    def lines(self, model: Model | None = None) -> Iterator[dict[str, Any]]:
        """Make the prompts, as a model is asked that is asked apart."""
        form = model.form if model else "chat"
        lines = prompt_lines(
            self.asker, self.asking, self.config.decoding, chosen=self.chosen, form=form, runs=self.runs
        )
        return map(partial(as_asked, model), lines)


def as_asked(model: Model | None, line: dict[str, Any]) -> dict[str, Any]:
    """Give a prompt as a model is asked it: with settings and a system prompt of its own, where it has any."""
    if model is None:
        return line
    if model.system is not None:
        line["messages"] = [{"role": SYSTEM, "content": model.system}, *line["messages"]]
    return {**line, "decoding": {**line["decoding"], **model.decoding}}


def first_prompts(plan: Plan, asked: Asked) -> FirstPrompts:
    """Settle how a config of a plan is asked."""
    config = find_config(asked.config)
    records = load_records(plan.data, config.name)
    asking = asking_of(
        config,
        pick("configs.prompt", config.prompts, asked.prompt),
        lambda: train_records(config.name, plan.data),
        shots=asked.shots,
        icl=asked.icl,
        tokens=asked.tokens,
    )
    asker = config.asker(records.rows, asking)
    return FirstPrompts(config, asker, asking, variants_asked(asker, asked.variants, asked.seed), asked.runs)


def asked_apart(model: Model) -> bool:
    """Say whether a model is asked otherwise than most are, and so has prompts of its own."""
    return model.form != "chat" or model.system is not None or bool(model.decoding)


def first_file(suite: Path, model: Model, config: str) -> Path:
    """Name the file with the prompts of a model's first answers."""
    return Place(config, FIRST, model.label if asked_apart(model) else SHARED).prompts(suite)


def write_first_prompts(suite: Path, plan: Plan, asked: Asked) -> Iterator[Written]:
    """Write the prompts of a config, for all models and for each that is asked apart."""
    prompts = first_prompts(plan, asked)
    files: dict[Path, Model | None] = {}
    for model in plan.models:
        files.setdefault(first_file(suite, model, asked.config), model if asked_apart(model) else None)
    for path, apart in files.items():
        yield _write(path, prompts.lines(apart))


def _write(path: Path, lines: Iterator[dict[str, Any]]) -> Written:
    path.parent.mkdir(parents=True, exist_ok=True)
    calls = characters = 0
    with open_for_writing(path) as stream:
        for line in lines:
            stream.write(encoded(line))
            calls += 1
            characters += characters_of(line)
    return Written(path, calls, characters)


def characters_of(line: dict[str, Any]) -> int:
    """Count the characters that a prompt sends."""
    return sum(len(message["content"]) for message in line["messages"]) if "messages" in line else len(line["text"])
