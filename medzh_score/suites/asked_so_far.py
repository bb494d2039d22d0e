"""What a suite has asked and what came back of it, place by place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.benchmark.registry import find_config
from medzh_score.files.archives import SUMS
from medzh_score.files.json_text import NO_JSON
from medzh_score.files.lines import decoded_lines
from medzh_score.predictions.readers.prediction import Prediction
from medzh_score.prompts.codes import Key
from medzh_score.report.results.folder import REPORT, written_sums
from medzh_score.suites.first_prompts import first_prompts, planned_records
from medzh_score.suites.kept import filled_rows, has_answers, kept_answers, part_of
from medzh_score.suites.places import FIRST, Place, result_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.suites.plan import Plan


@dataclass(frozen=True)
class Standing:
    """How far a place has come."""

    place: Place
    prompts: Path
    parts: Mapping[str, Sequence[str]]  # of a group that may be answered by its records
    kept: Mapping[Key, Prediction]  # the responses by key
    is_arriving: bool  # whether answers of a server stand in a file that is not closed
    unasked: frozenset[str]  # models about whose answers no prompts are written
    brought: StatedResult | None = None  # a result that came from elsewhere in place of answers

    @cached_property
    def sent(self) -> Sequence[Key]:
        """The keys of all that is asked, in order."""
        return keys_asked(self.prompts) if self.prompts.exists() else ()

    def lines(self) -> Iterator[dict[str, Any]]:
        """Read what is asked, and refuse a line that asks nothing: people edit files."""
        sound = decoded_lines(self.prompts, msgspec.json.Decoder(AskedLine))
        lines = decoded_lines(self.prompts, msgspec.json.Decoder(dict[str, Any]))
        return (line for _, line in zip(sound, lines, strict=True))

    def is_back(self, key: Key) -> bool:
        """Say whether an answer came, or one to each part of a group."""
        if self._came(key):
            return True
        parts = self.parts.get(key.id, ())
        return bool(parts) and all(self._came(key._replace(id=part)) for part in parts)

    def _came(self, key: Key) -> bool:
        return (one := self.kept.get(key)) is not None and one.error is None

    @cached_property
    def left(self) -> list[Key]:
        """What has not come back so far, or failed."""
        return [] if self.brought else [key for key in self.sent if not self.is_back(key)]

    @property
    def back(self) -> int:
        """How many came back."""
        return 0 if self.brought else len(self.sent) - len(self.left)

    @property
    def failed(self) -> int:
        """How many requests failed and were not made up for."""
        return sum((one := self.kept.get(key)) is not None and one.error is not None for key in self.left)

    @property
    def cut_off(self) -> int:
        """How many answers ended at the limit of their length."""
        return sum(one.error is None and one.is_cut_off for one in self.kept.values())

    @property
    def is_whole(self) -> bool:
        """Whether everything that is to be asked came back."""
        return not self.unasked and not self.left and not self.is_arriving

    def lines_left(self) -> Iterator[dict[str, Any]]:
        """Give the prompts of what has not come back."""
        left = set(self.left)
        return (line for line in self.lines() if key_in(line) in left)


def key_in(line: Mapping[str, Any]) -> Key:
    """Give the key of a prompt line."""
    return Key(line["id"], line.get("run", 0), line.get("variant", 0))


class KeyFields(msgspec.Struct):
    """What of a prompt line, or of an answer, is its key."""

    id: str
    run: int = 0
    variant: int = 0


class Message(msgspec.Struct):
    """A turn of a prompt."""

    role: str
    content: str


class AskedLine(KeyFields, kw_only=True):
    """A prompt line, which asks in one of three forms."""

    decoding: dict[str, Any] = {}
    messages: list[Message] | None = None
    text: str | None = None
    sheet: dict[str, str] | None = None

    def __post_init__(self) -> None:
        """Refuse a line that has none of them."""
        if self.messages is None and self.text is None and self.sheet is None:
            raise ValueError("lacks messages, text and sheet: one of them is asked")


def keys_asked(path: Path) -> Sequence[Key]:
    """Read the keys of what is asked, which is a small part of its lines; once while the file is the same."""
    now = path.stat()
    return _keys_in(path, (now.st_ino, now.st_mtime_ns, now.st_size))


@lru_cache(maxsize=4)
def _keys_in(path: Path, _file: tuple[int, int, int]) -> Sequence[Key]:
    decoder = msgspec.json.Decoder(KeyFields)
    return tuple(Key(one.id, one.run, one.variant) for one in decoded_lines(path, decoder))


def standing_of(
    suite: Path, place: Place, prompts: Path, parts: Mapping[str, Sequence[str]], unasked: frozenset[str]
) -> Standing:
    """Look how far a place has come."""
    kept: dict[Key, Prediction] = {}
    values = list(_values(place)) if place.judge else []
    for sheet in place.sheets(suite):
        kept |= {Key(named, 0, 0): Prediction(named, "") for _, named, _ in filled_rows(sheet, values)}
    kept |= kept_answers(place.answers(suite))
    arriving = part_of(place.answers(suite)).exists()
    return Standing(place, prompts, parts, kept, arriving, unasked)


def _values(place: Place) -> Iterable[str]:
    """Name the columns of a round that are filled in."""
    return next(one.values for one in find_config(place.config).every_round if one.name == place.round)


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


class StatedInput(msgspec.Struct):
    """A file that a report was made of."""

    sha256: str


class StatedCoverage(msgspec.Struct):
    """How many answers of a report are unread."""

    unread: int


class StatedResult(msgspec.Struct):
    """What a report says of what it was made of, as far as it tells whether it is still of what is there."""

    inputs: tuple[StatedInput, ...]
    arguments: dict[str, Any]
    signature: dict[str, str]
    coverage: StatedCoverage


def stated_in(folder: Path) -> StatedResult | None:
    """Read what a result says of itself; None where there is none, or one that is not as it was saved."""
    try:
        if (folder / SUMS).read_bytes() != written_sums(folder).encode("ascii"):
            return None
        return msgspec.json.decode((folder / REPORT).read_bytes(), type=StatedResult)
    except (OSError, *NO_JSON):
        return None


def brought(suite: Path, model: str, config: str) -> StatedResult | None:
    """Give a result that came from elsewhere, which stands for the answers: they lie where it was made."""
    return None if has_answers(suite, config, model) else stated_in(result_of(suite, model, config))
