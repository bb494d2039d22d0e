"""Of which answers the prompts of each later round were made: where there are others now, they are to be made again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.registry import find_config
from medzh_score.files.lines import decoded_lines
from medzh_score.files.writing import write_bytes
from medzh_score.suites.ledger import digest_of_file
from medzh_score.suites.places import FIRST, Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from medzh_score.suites.plan import Plan

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
        model: digest_of_file(path) if path.exists() else None
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
