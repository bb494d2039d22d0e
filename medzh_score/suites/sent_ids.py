"""Which ids a suite asks about: by them a line that comes back is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.benchmark.registry import find_config
from medzh_score.files.lines import decoded_lines
from medzh_score.suites.first_prompts import first_prompts, planned_records
from medzh_score.suites.places import FIRST, Place

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.prompts.codes import Key
    from medzh_score.suites.plan import Plan


@dataclass(frozen=True)
class FirstAsked:
    """In which runs and variants an id is asked for a first answer, of which config."""

    config: str
    runs: int
    variants: Collection[int]


@dataclass(frozen=True)
class SentIds:
    """Of first prompts how each id is asked; of later rounds every place at which an id was asked about."""

    first: Mapping[str, FirstAsked]
    later: Mapping[str, Sequence[Place]]

    def places(self, key: Key) -> Sequence[Place]:
        """Name where an answer was asked for; nowhere where it is not this suite's."""
        if (asked := self.first.get(key.id)) is not None:
            return (Place(asked.config, FIRST),) if key.run < asked.runs and key.variant in asked.variants else ()
        return () if key.run or key.variant else self.later.get(key.id, ())


def sent_ids(suite: Path, plan: Plan) -> SentIds:
    """List the ids of all that a suite asks."""
    first: dict[str, FirstAsked] = {}
    later: dict[str, list[Place]] = {}
    for asked in plan.configs:
        config = find_config(asked.config)
        records = planned_records(plan, config.name).rows
        chosen = first_prompts(plan, asked).chosen
        for one in config.asked(records, config.layout(records)):
            first[one.id] = FirstAsked(config.name, asked.runs, chosen[one.part_of or one.id])
        for place in later_places(plan, config):
            for identifier in ids_in(place.prompts(suite)):
                later.setdefault(identifier, []).append(place)
    return SentIds(first, later)


def later_places(plan: Plan, config: Config) -> Iterator[Place]:
    """List where later rounds of a config ask: of each model, or once of all."""
    for later in config.every_round:
        if later.about == "records" or later.blind:
            yield Place(config.name, later.name)
        else:
            yield from (Place(config.name, later.name, model.label) for model in plan.models)


def ids_in(path: Path) -> Iterator[str]:
    """Read the ids of a prompts file; none where nothing was asked so far."""
    if path.exists():
        for line in decoded_lines(path, msgspec.json.Decoder(dict[str, Any])):
            yield line["id"]
