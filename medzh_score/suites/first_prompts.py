"""The prompts of first answers, as a plan has them: one file a config, and one for each model that is asked apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.registry import find_config
from medzh_score.data.records import BUILD_ADVICE, load_records
from medzh_score.files.writing import open_for_writing
from medzh_score.messages.errors import NAMED, MedzhError
from medzh_score.prompts.codes import Key
from medzh_score.prompts.prompt_choices import asking_of, train_records, variants_asked
from medzh_score.prompts.writing import EXTRA, SYSTEM, encoded, numbered, prompt_lines
from medzh_score.suites.places import FIRST, SHARED, Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from medzh_score.benchmark.asking import Asker, Asking
    from medzh_score.benchmark.config import Config
    from medzh_score.data.records import Records
    from medzh_score.prompts.writing import Chosen
    from medzh_score.suites.plan import Asked, Model, Plan

WIDE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
# An estimate: tokenizers of recent models make about three tokens of four Chinese characters, and one of four others.
TOKENS_A_WIDE, TOKENS_A_NARROW = 0.75, 0.25


@dataclass(frozen=True)
class Written:
    """A prompts file that was written: how many calls, and how many characters and, about, tokens they hold."""

    path: Path
    calls: int
    characters: int
    tokens: int


@dataclass(frozen=True)
class FirstPrompts:
    """How a config asks for first answers."""

    config: Config
    asker: Asker
    asking: Asking
    chosen: Chosen
    runs: int

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        """The keys of all that is asked, in order."""
        return tuple(Key(*one) for one in numbered(self.chosen, self.runs))

    def lines(self, model: Model | None = None) -> Iterator[dict[str, Any]]:
        """Make the prompts, as a model is asked that is asked apart."""
        form = model.form if model else "chat"
        lines = prompt_lines(
            self.asker, self.asking, self.config.decoding, chosen=self.chosen, form=form, runs=self.runs
        )
        return map(partial(as_asked, model), lines)


def as_asked(model: Model | None, line: dict[str, Any]) -> dict[str, Any]:
    """Give a prompt as a model is asked it: with settings, a system prompt and a body of its own, where it has any."""
    if model is None:
        return line
    if model.system is not None:
        line["messages"] = [{"role": SYSTEM, "content": model.system}, *line["messages"]]
    settings = {name: value for name, value in line["decoding"].items() if name not in model.unsent}
    line = {**line, "decoding": {**settings, **model.decoding}}
    return {**line, EXTRA: model.extra_body} if model.extra_body else line


def first_prompts(plan: Plan, asked: Asked) -> FirstPrompts:
    """Settle how a config of a plan is asked."""
    config = find_config(asked.config)
    records = planned_records(plan, config.name)
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
    own = model.decoding or model.unsent or model.extra_body
    return model.form != "chat" or model.system is not None or bool(own)


def first_file(suite: Path, model: Model, config: str) -> Path:
    """Name the file with the prompts of a model's first answers."""
    return Place(config, FIRST, model.label if asked_apart(model) else SHARED).prompts(suite)


def write_first_prompts(suite: Path, plan: Plan, asked: Asked) -> Iterator[Written]:
    """Write the prompts of a config, for all models and for each that is asked apart; no other has a file of its own.

    So the file of its own, or else that of all, is the one by which a model was asked.
    """
    prompts = first_prompts(plan, asked)
    for path, apart in files_of(suite, plan.models, asked.config).items():
        yield write_lines(path, prompts.lines(apart))
    for model in plan.models:
        if not asked_apart(model):  # what was answered by it is refused where the plan is read
            Place(asked.config, FIRST, model.label).prompts(suite).unlink(missing_ok=True)


def files_of(suite: Path, models: Iterable[Model], config: str) -> dict[Path, Model | None]:
    """Name the files with the prompts of some models, and of each the model that is asked apart."""
    return {first_file(suite, model, config): model if asked_apart(model) else None for model in models}


def write_lines(path: Path, lines: Iterable[dict[str, Any]]) -> Written:
    """Write prompts, and count what they hold."""
    path.parent.mkdir(parents=True, exist_ok=True)
    calls = characters = wide = 0
    with open_for_writing(path) as stream:
        for line in lines:
            content, texts = encoded(line), texts_of(line)
            stream.write(content)
            calls += 1
            characters += sum(map(len, texts))
            wide += sum(len(WIDE.findall(text)) for text in texts)
    return Written(path, calls, characters, round(wide * TOKENS_A_WIDE + (characters - wide) * TOKENS_A_NARROW))


def asked_otherwise(path: Path, answered: Sequence[str], field: str) -> MedzhError:
    """Say that what was answered is not asked any more as it was, and what of it differs."""
    return MedzhError(
        f"was answered by {', '.join(answered[:NAMED])}, and the plan or the data now ask otherwise",
        file=path,
        field=field,
        advice="undo what was edited in the plan, or begin another suite",
    )


def texts_of(line: dict[str, Any]) -> list[str]:
    """List the texts that a prompt sends, or that a sheet shows."""
    if "messages" in line:
        return [message["content"] for message in line["messages"]]
    return list(line["sheet"].values()) if "sheet" in line else [line["text"]]


def characters_of(line: dict[str, Any]) -> int:
    """Count the characters that a prompt sends, or that a sheet shows."""
    return sum(map(len, texts_of(line)))


ADVICE = "build it: medzh-build build CONFIG; or say where it lies: data in plan.toml (medzh-score suite plan --data)"


def planned_records(plan: Plan, config: str) -> Records:
    """Load the records of a config; where there are none, say where the plan names them."""
    try:
        return load_records(plan.data, config)
    except MedzhError as error:
        if error.advice != BUILD_ADVICE:
            raise
        raise MedzhError(error.problem, file=error.file, expected=error.expected, advice=ADVICE) from error
