"""Which ids a suite asks about: by them a line that comes back is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.benchmark.registry import find_config
from medzh_score.data.records import load_records
from medzh_score.files.lines import decoded, numbered_lines
from medzh_score.suites.places import FIRST, Place

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.suites.plan import Plan


@dataclass(frozen=True)
class SentIds:
    """Of first prompts the config by id; of later rounds every place at which an id was asked about."""

    first: Mapping[str, str]
    later: Mapping[str, Sequence[Place]]

    def places(self, identifier: str) -> Sequence[Place]:
        """Name where an id is asked about; nowhere where it is not this suite's."""
        if identifier in self.first:
            return (Place(self.first[identifier], FIRST),)
        return self.later.get(identifier, ())


def sent_ids(suite: Path, plan: Plan) -> SentIds:
    """List the ids of all that a suite asks."""
    first: dict[str, str] = {}
    later: dict[str, list[Place]] = {}
    for asked in plan.configs:
        config = find_config(asked.config)
        records = load_records(plan.data, config.name).rows
        first |= {one.id: config.name for one in config.asked(records, config.layout(records))}
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
        decoder = msgspec.json.Decoder(dict[str, Any])
        for number, raw in numbered_lines(path):
            yield decoded(decoder, raw, path, number)["id"]
