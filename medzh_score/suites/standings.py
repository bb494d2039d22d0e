"""How far everything that a suite asks has come, place by place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.registry import find_config
from medzh_score.files.lines import decoded_lines
from medzh_score.files.writing import write_bytes
from medzh_score.messages.errors import MedzhError
from medzh_score.messages.privacy import quotable
from medzh_score.report.results.folder import digest_of
from medzh_score.suites.asked_so_far import brought, later_places, standing_of
from medzh_score.suites.first_prompts import first_file, first_prompts, planned_records
from medzh_score.suites.places import FIRST, SHARED, Place
from medzh_score.suites.plan_edits import is_asked_as_planned

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.suites.asked_so_far import Standing
    from medzh_score.suites.plan import Plan


def standings(suite: Path, plan: Plan) -> Iterator[Standing]:
    """Look at all places where something was or can be asked: by config, first answers before later rounds."""
    for asked in plan.configs:
        config = find_config(asked.config)
        first = list(first_standings(suite, plan, config, [model.label for model in plan.models]))
        yield from first
        yield from later_standings(suite, plan, config, _answered(first))


def _answered(first: Sequence[Standing]) -> list[str]:
    return [one.place.model for one in first if one.is_whole and not one.brought]


def is_whole(suite: Path, plan: Plan, model: str, config_name: str) -> bool:
    """Say whether everything came back that is to be asked of a model on a config."""
    config = find_config(config_name)
    first = next(first_standings(suite, plan, config, [model]))
    later = (one for one in later_standings(suite, plan, config, [model]) if one.place.model in {model, SHARED})
    return first.is_whole and all(one.is_whole for one in later)


def first_standings(suite: Path, plan: Plan, config: Config, labels: Sequence[str]) -> Iterator[Standing]:
    """Look at the first answers of some models; who is asked otherwise than the plan has it is not asked so far."""
    parts = parts_of(plan, config)
    prompts = first_prompts(plan, next(one for one in plan.configs if one.config == config.name))
    for model in map(plan.model, labels):
        came = brought(suite, model.label, config.name)
        unasked = frozenset(() if came or is_asked_as_planned(suite, model, prompts) else {model.label})
        place = Place(config.name, FIRST, model.label)
        found = replace(standing_of(suite, place, first_file(suite, model, config.name), parts, unasked), brought=came)
        if found.kept and not unasked:
            _refuse_unasked(suite, found)
        yield found


def _refuse_unasked(suite: Path, standing: Standing) -> None:
    """Refuse answers that no prompt asks for: they are of another suite, or of this plan before it was edited."""
    others = standing.kept.keys() - set(standing.sent)
    if others:
        others -= {key._replace(id=part) for key in standing.sent for part in standing.parts.get(key.id, ())}
    if others:
        raise MedzhError(
            f"answers {len(others)} prompts that this suite did not send ({quotable(min(others))})",
            file=standing.place.answers(suite),
            advice="undo what was edited in the plan, or move this out of the suite",
        )


def later_standings(suite: Path, plan: Plan, config: Config, models: Sequence[str]) -> Iterator[Standing]:
    """Look at the later rounds that can ask about some models, whose first answers are whole, or asked before."""
    made = round_sources(suite)
    for place in later_places(plan, config):
        about = models_about(plan, config, place, models)
        if place.prompts(suite).exists() or about:
            unasked = models_to_ask(made.get(place), sources_now(suite, plan, place, about), about)
            for one in answered_by(plan, config, place):
                yield standing_of(suite, one, one.prompts(suite), {}, unasked)


def models_about(plan: Plan, config: Config, place: Place, models: Sequence[str]) -> list[str]:
    """List those of some models about which a round asks; about records it asks for all."""
    if pick("round", config.every_round, place.round).about == "records":
        return [model.label for model in plan.models]
    return [model for model in models if place.model in {model, SHARED}]


def later_places_of(suite: Path, plan: Plan, config: Config, model: str) -> list[Place]:
    """List the later rounds that were asked of a model, or of all, with each who answers them."""
    return [
        one
        for place in later_places(plan, config)
        if place.model in {model, SHARED} and place.prompts(suite).exists()
        for one in answered_by(plan, config, place)
    ]


def parts_of(plan: Plan, config: Config) -> Mapping[str, Sequence[str]]:
    """List the records of each group that may be asked one by one."""
    records = planned_records(plan, config.name).rows
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


SOURCES = "sources.jsonl"


class Sources(msgspec.Struct, frozen=True):
    """With which sample a round was drawn, and by model the SHA-256 of what it asked about; None where that lacked."""

    sample: int | None
    seed: int
    answers: dict[str, str | None]


class Line(msgspec.Struct, frozen=True):
    """The sources of a round as they are kept."""

    config: str
    round: str
    model: str
    sources: Sources


def round_sources(suite: Path) -> dict[Place, Sources]:
    """Read of what the prompts of later rounds were made; a round that is not here was not asked so far."""
    path = suite / SOURCES
    if not path.exists():
        return {}
    lines = decoded_lines(path, msgspec.json.Decoder(Line))
    return {Place(one.config, one.round, one.model): one.sources for one in lines}


def write_sources(suite: Path, made: Iterable[tuple[Place, Sources]]) -> None:
    """Write of what the prompts of all later rounds are made."""
    encoder = msgspec.json.Encoder()
    lines = [Line(place.config, place.round, place.model, sources) for place, sources in made]
    write_bytes(suite / SOURCES, b"".join(encoder.encode(one) + b"\n" for one in lines))


def sources_now(suite: Path, plan: Plan, place: Place, models: Sequence[str]) -> Sources:
    """Look of what the prompts of a round would be made now, as far as they are about some models."""
    judge = plan.judge(f"{place.config}/{place.round}")
    digests = {
        model: digest_of(path) if path.exists() else None
        for model in models
        for path in answers_about(suite, place, [model])
    }
    return Sources(judge.sample if judge else None, judge.seed if judge else 0, digests)


def answers_about(suite: Path, place: Place, models: Sequence[str]) -> list[Path]:
    """Name the files of what a round asks about: first answers, or those of the round that decides."""
    config = find_config(place.config)
    later = pick("round", config.every_round, place.round)
    if later.about == "records":
        return []
    of = config.reads.of if later.keyed == "prediction" and config.reads else None
    return [Place(config.name, of.round if of else FIRST, model).answers(suite) for model in models]


def models_to_ask(made: Sources | None, now: Sources, models: Sequence[str]) -> frozenset[str]:
    """List the models about which a round is to be asked first, or anew: their answers were others, or none."""
    if made is None or (made.sample, made.seed) != (now.sample, now.seed):
        return frozenset(models)
    return frozenset(
        model for model, digest in now.answers.items() if model not in made.answers or made.answers[model] != digest
    )
