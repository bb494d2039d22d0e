"""From what a user wishes to a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.registry import find_config
from medzh_score.messages.errors import MedzhError
from medzh_score.suites.plan import Judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.benchmark.config import Config
    from medzh_score.suites.plan import Plan

TIGHT = 1024  # new tokens in which a model that reasons first does not come to its answer


def judges_of(given: Sequence[str], configs: Sequence[str]) -> tuple[Judge, ...]:
    """Take ``[CONFIG/]ROUND=NAME`` apart; a round without a config is that of every config that has it."""
    found = []
    for text in given:
        where, _, label = text.partition("=")
        config, _, name = where.rpartition("/")
        if not (name and label):
            raise MedzhError("is no judge", field="--judge", expected="ROUND=NAME or CONFIG/ROUND=NAME", found=text)
        having = [one for one in ([config] if config else configs) if name in _judged(find_config(one))]
        if not having:
            known = sorted({f"{one}/{later}" for one in configs for later in _judged(find_config(one))})
            raise MedzhError(
                "no config of the plan has such a round for a judge",
                field="--judge",
                expected=", ".join(known) or "none",
                found=text,
            )
        found += [Judge(round=f"{one}/{name}", label=label) for one in having]
    return tuple(found)


def prompts_of(given: Sequence[str], configs: Sequence[str]) -> dict[str, str]:
    """Take ``[CONFIG=]NAME`` apart; a name without a config is for all that have such a prompt."""
    found: dict[str, str] = {}
    for text in given:
        config, _, name = text.rpartition("=")
        wanted = [config] if config else configs
        having = [one for one in wanted if name in {prompt.name for prompt in find_config(one).prompts}]
        if not having or (config and config not in configs):
            known = sorted({f"{one}={prompt.name}" for one in configs for prompt in find_config(one).prompts})
            problem = "no config of the plan has such a prompt"
            raise MedzhError(problem, field="--prompt", expected=", ".join(known), found=text)
        found |= dict.fromkeys(having, name)
    return found


def _judged(config: Config) -> list[str]:
    """Name the rounds of a config that somebody else than the model answers."""
    return [later.name for later in config.every_round if not later.of_same_model]


def notes_on_plan(plan: Plan) -> list[str]:
    """Say what a plan may lack: settings, room for models that reason, and rounds that nobody was named for."""
    notes = [
        f"{model.label}: is not sent {', '.join(model.unsent)}, which the papers' settings name: the signature says so"
        for model in plan.models
        if model.unsent
    ]
    for asked in plan.configs:
        config = find_config(asked.config)
        room = config.decoding.get("max_new_tokens")
        tight = ", ".join(model.label for model in plan.models if "max_new_tokens" not in model.decoding)
        if room is not None and room < TIGHT and tight:
            notes.append(
                f"{config.name}: the paper's settings give {int(room)} new tokens, in which a model that reasons "
                f"before it answers does not finish: set decoding for it in the plan ({tight})"
            )
        named = {one.round.partition("/")[2] for one in plan.judges if one.round.partition("/")[0] == config.name}
        lacking = [one.name for one in config.rounds if not one.of_same_model and one.name not in named]
        notes += [f"{config.name}: nobody is named for round {name}: --judge {name}=NAME" for name in lacking]
    return notes
