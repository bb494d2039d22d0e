"""How far everything that a suite asks has come, place by place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.registry import find_config
from medzh_score.data.records import load_records
from medzh_score.suites.asked_so_far import standing_of
from medzh_score.suites.first_prompts import first_file
from medzh_score.suites.places import FIRST, SHARED, Place
from medzh_score.suites.sent_ids import later_places

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.suites.asked_so_far import Standing
    from medzh_score.suites.plan import Plan


def standings(suite: Path, plan: Plan) -> Iterator[Standing]:
    """Look at all places of which prompts are written: by config, first answers before later rounds."""
    for asked in plan.configs:
        config = find_config(asked.config)
        yield from first_standings(suite, plan, config)
        for place in later_places(plan, config):
            if place.prompts(suite).exists():
                yield from (standing_of(suite, one, one.prompts(suite), {}) for one in answered_by(plan, config, place))


def later_places_of(suite: Path, plan: Plan, config: Config, model: str) -> list[Place]:
    """List the later rounds that were asked of a model, or of all, with each who answers them."""
    return [
        one
        for place in later_places(plan, config)
        if place.model in {model, SHARED} and place.prompts(suite).exists()
        for one in answered_by(plan, config, place)
    ]


def is_whole(suite: Path, plan: Plan, model: str, config_name: str) -> bool:
    """Say whether everything came back that was asked of a model on a config."""
    config = find_config(config_name)
    prompts = first_file(suite, plan.model(model), config_name)
    first = standing_of(suite, Place(config_name, FIRST, model), prompts, parts_of(plan, config))
    later = later_places_of(suite, plan, config, model)
    return first.is_whole and all(standing_of(suite, one, one.prompts(suite), {}).is_whole for one in later)


def first_standings(suite: Path, plan: Plan, config: Config) -> Iterator[Standing]:
    """Look at the first answers of each model."""
    parts = parts_of(plan, config)
    for model in plan.models:
        place = Place(config.name, FIRST, model.label)
        yield standing_of(suite, place, first_file(suite, model, config.name), parts)


def parts_of(plan: Plan, config: Config) -> Mapping[str, Sequence[str]]:
    """List the records of each group that may be asked one by one."""
    records = load_records(plan.data, config.name).rows
    found: dict[str, list[str]] = {}
    for one in config.asked(records, config.layout(records)):
        if one.part_of is not None:
            found.setdefault(one.part_of, []).append(one.id)
    return found


def answered_by(plan: Plan, config: Config, place: Place) -> Iterator[Place]:
    """Name a place once for each who answers it: the model itself, or all judges that the plan names."""
    if next(one for one in config.every_round if one.name == place.round).of_same_model:
        yield place
    for judge in plan.judges:
        if judge.round == f"{config.name}/{place.round}":
            yield place._replace(judge=judge.label)
