"""A unit of scoring: one model on one config, of which everything came back; and whether it was done before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence  # noqa: TC003 - msgspec looks the types of the fields up
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from medzh_score.benchmark.about_predictions import SECOND
from medzh_score.benchmark.registry import find_config
from medzh_score.data.records import load_records
from medzh_score.files.input_file import input_of
from medzh_score.messages.errors import MedzhError
from medzh_score.report.results.folder import REPORT
from medzh_score.rounds.drawn import Sample
from medzh_score.suites.first_prompts import first_file
from medzh_score.suites.places import FIRST, Place, result_of
from medzh_score.suites.standings import later_places_of
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.suites.plan import Plan


class Work(msgspec.Struct, frozen=True):
    """All that scoring one model on one config needs: it is sent to workers as it is."""

    model: str
    config: str
    data: str
    predictions: str
    prompts: tuple[str, ...]
    rounds: Mapping[str, Sequence[str]]
    samples: Mapping[str, str]
    second_reader: str | None
    result: str

    @property
    def inputs(self) -> Iterator[Path]:
        """List the files that are read."""
        yield Path(self.predictions)
        yield from (Path(name) for name in self.prompts)
        yield from (Path(name) for names in self.rounds.values() for name in names)


class StatedInput(msgspec.Struct):
    """A file that a report was made of."""

    sha256: str


class StatedCoverage(msgspec.Struct):
    """How many answers of a report are unread."""

    unread: int


class StatedResult(msgspec.Struct):
    """What a report says of what it was made of, as far as it tells whether it is still of what is there."""

    inputs: tuple[StatedInput, ...]
    signature: dict[str, str]
    coverage: StatedCoverage
    second_reader: str | None = None


def work_of(suite: Path, plan: Plan, model: str, config_name: str) -> Work:
    """Put together what scoring a model on a config reads, as it lies there."""
    config, first = find_config(config_name), Place(config_name, FIRST, model)
    rounds: dict[str, list[str]] = {}
    later = later_places_of(suite, plan, config, model)
    for one in later:
        files = [*one.sheets(suite), one.answers(suite)]
        rounds.setdefault(one.round, []).extend(str(path) for path in files if path.exists())
    asked = {round_name: plan.judge(f"{config.name}/{round_name}") for round_name in rounds}
    models = {one.name for one in config.every_round if one.model is not None}
    second = asked.get(SECOND)
    return Work(
        model,
        config.name,
        plan.data,
        str(first.answers(suite)),
        (
            str(first_file(suite, plan.model(model), config.name)),
            *dict.fromkeys(str(one.prompts(suite)) for one in later if one.round in models),
        ),
        rounds,
        {name: str(Sample(one.sample, one.seed)) for name, one in asked.items() if one and one.sample is not None},
        second.label if second else None,
        str(result_of(suite, model, config.name)),
    )


def unread_where_done(work: Work) -> int | None:
    """Give how many answers of a result are unread; None where there is none, or one of other inputs."""
    path = Path(work.result) / REPORT
    try:
        stated = msgspec.json.decode(path.read_bytes(), type=StatedResult)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    try:
        here = sorted(input_of(one, "").sha256 for one in work.inputs)
        data = str(load_records(work.data, work.config).origin)
    except (OSError, MedzhError):
        return None
    same = (
        sorted(one.sha256 for one in stated.inputs) == here
        and stated.signature.get("data") == data
        and stated.signature.get("medzh_score") == VERSION
    )
    return stated.coverage.unread if same else None
