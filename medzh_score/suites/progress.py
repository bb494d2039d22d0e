"""What a suite has asked and what came back of it, place by place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.registry import find_config
from medzh_score.io.archive import SUMS
from medzh_score.io.atomic import write_bytes
from medzh_score.io.jsonl import NO_JSON, decoded_lines
from medzh_score.prompting.ids import AnswerKey
from medzh_score.prompting.write import encoded
from medzh_score.readers.prediction import Prediction
from medzh_score.results.folder import REPORT, digest_of, written_sums
from medzh_score.suites.plan import read_plan
from medzh_score.suites.prompts import (
    asked_apart,
    asked_otherwise,
    files_of,
    first_file,
    first_prompts,
    planned_records,
)
from medzh_score.suites.responses import (
    BACKUP,
    FIRST,
    JUDGED_BY,
    NUMBERED,
    PART,
    SHARED,
    TaskKey,
    filled_rows,
    has_answers,
    kept_answers,
    part_of,
    result_of,
)
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.privacy import quotable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.suites.plan import Model, Plan
    from medzh_score.suites.prompts import FirstPrompts


@dataclass(frozen=True)
class TaskProgress:
    """How far a place has come."""

    place: TaskKey
    prompts: Path
    parts: Mapping[str, Sequence[str]]  # of a group that may be answered by its records
    kept: Mapping[AnswerKey, Prediction]  # the responses by key
    is_arriving: bool  # whether answers of a server stand in a file that is not closed
    unasked: frozenset[str]  # models about whose answers no prompts are written
    imported_result: ResultFacts | None = None  # a result that came from elsewhere in place of answers

    @cached_property
    def sent(self) -> Sequence[AnswerKey]:
        """The keys of all that is asked, in order."""
        return keys_asked(self.prompts) if self.prompts.exists() else ()

    def lines(self) -> Iterator[dict[str, Any]]:
        """Read what is asked, and refuse a line that asks nothing: people edit files."""
        sound = decoded_lines(self.prompts, msgspec.json.Decoder(AskedLine))
        lines = decoded_lines(self.prompts, msgspec.json.Decoder(dict[str, Any]))
        return (line for _, line in zip(sound, lines, strict=True))

    def is_back(self, key: AnswerKey) -> bool:
        """Say whether an answer came, or one to each part of a group."""
        if self._came(key):
            return True
        parts = self.parts.get(key.id, ())
        return bool(parts) and all(self._came(key._replace(id=part)) for part in parts)

    def _came(self, key: AnswerKey) -> bool:
        return (one := self.kept.get(key)) is not None and one.error is None

    @cached_property
    def left(self) -> list[AnswerKey]:
        """What has not come back so far, or failed."""
        return [] if self.imported_result else [key for key in self.sent if not self.is_back(key)]

    @property
    def back(self) -> int:
        """How many came back."""
        return 0 if self.imported_result else len(self.sent) - len(self.left)

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


def key_in(line: Mapping[str, Any]) -> AnswerKey:
    """Give the key of a prompt line."""
    return AnswerKey(line["id"], line.get("run", 0), line.get("variant", 0))


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


def keys_asked(path: Path) -> Sequence[AnswerKey]:
    """Read the keys of what is asked, which is a small part of its lines; once while the file is the same."""
    now = path.stat()
    return _keys_in(path, (now.st_ino, now.st_mtime_ns, now.st_size))


@lru_cache(maxsize=4)
def _keys_in(path: Path, _file: tuple[int, int, int]) -> Sequence[AnswerKey]:
    decoder = msgspec.json.Decoder(KeyFields)
    return tuple(AnswerKey(one.id, one.run, one.variant) for one in decoded_lines(path, decoder))


def progress_of(
    suite: Path, place: TaskKey, prompts: Path, parts: Mapping[str, Sequence[str]], unasked: frozenset[str]
) -> TaskProgress:
    """Look how far a place has come."""
    kept: dict[AnswerKey, Prediction] = {}
    values = list(_values(place)) if place.judge else []
    for sheet in place.sheets(suite):
        kept |= {AnswerKey(named, 0, 0): Prediction(named, "") for _, named, _ in filled_rows(sheet, values)}
    kept |= kept_answers(place.answers(suite))
    arriving = part_of(place.answers(suite)).exists()
    return TaskProgress(place, prompts, parts, kept, arriving, unasked)


def _values(place: TaskKey) -> Iterable[str]:
    """Name the columns of a round that are filled in."""
    return next(one.values for one in find_config(place.config).every_round if one.name == place.round)


@dataclass(frozen=True)
class FirstQuery:
    """In which runs and variants an id is asked for a first answer, of which config."""

    config: str
    runs: int
    variants: Collection[int]


@dataclass(frozen=True)
class SentIds:
    """Of first prompts how each id is asked; of later rounds every place at which an id was asked about."""

    first: Mapping[str, FirstQuery]
    later: Mapping[str, Sequence[TaskKey]]

    def places(self, key: AnswerKey) -> Sequence[TaskKey]:
        """Name where an answer was asked for; nowhere where it is not this suite's."""
        if (asked := self.first.get(key.id)) is not None:
            return (TaskKey(asked.config, FIRST),) if key.run < asked.runs and key.variant in asked.variants else ()
        return () if key.run or key.variant else self.later.get(key.id, ())


def sent_ids(suite: Path, plan: Plan) -> SentIds:
    """List the ids of all that a suite asks."""
    first: dict[str, FirstQuery] = {}
    later: dict[str, list[TaskKey]] = {}
    for asked in plan.configs:
        config = find_config(asked.config)
        records = planned_records(plan, config.name).rows
        chosen = first_prompts(plan, asked).chosen
        for one in config.asked(records, config.layout(records)):
            first[one.id] = FirstQuery(config.name, asked.runs, chosen[one.part_of or one.id])
        for place in stage_tasks_of(plan, config):
            for identifier in ids_in(place.prompts(suite)):
                later.setdefault(identifier, []).append(place)
    return SentIds(first, later)


def stage_tasks_of(plan: Plan, config: Config) -> Iterator[TaskKey]:
    """List where later rounds of a config ask: of each model, or once of all."""
    for later in config.every_round:
        if later.about == "records" or later.blind:
            yield TaskKey(config.name, later.name)
        else:
            yield from (TaskKey(config.name, later.name, model.label) for model in plan.models)


def ids_in(path: Path) -> Iterator[str]:
    """Read the ids of a prompts file; none where nothing was asked so far."""
    if path.exists():
        for line in decoded_lines(path, msgspec.json.Decoder(dict[str, Any])):
            yield line["id"]


class ResultInput(msgspec.Struct):
    """A file that a report was made of."""

    sha256: str


class ResultCoverage(msgspec.Struct):
    """How many answers of a report are unread."""

    unread: int


class ResultFacts(msgspec.Struct):
    """What a report says of what it was made of, as far as it tells whether it is still of what is there."""

    inputs: tuple[ResultInput, ...]
    arguments: dict[str, Any]
    signature: dict[str, str]
    coverage: ResultCoverage


def result_facts(folder: Path) -> ResultFacts | None:
    """Read what a result says of itself; None where there is none, or one that is not as it was saved."""
    try:
        if (folder / SUMS).read_bytes() != written_sums(folder).encode("ascii"):
            return None
        return msgspec.json.decode((folder / REPORT).read_bytes(), type=ResultFacts)
    except (OSError, *NO_JSON):
        return None


def imported_result(suite: Path, model: str, config: str) -> ResultFacts | None:
    """Give a result that came from elsewhere, which stands for the answers: they lie where it was made."""
    return None if has_answers(suite, config, model) else result_facts(result_of(suite, model, config))


def suite_plan(suite: Path) -> Plan:
    """Read a suite's plan, and refuse one that does not name who answered, or that asks otherwise than was answered."""
    plan = read_plan(suite)
    models, configs = [one.label for one in plan.models], [one.config for one in plan.configs]
    for kind, shared in (("answers", [SHARED]), ("results", [])):
        for folder in _inside(suite / kind, "*/*"):
            _check_named("models", folder.parent.name, models, folder, shared)
            _check_named("configs", folder.name, configs, folder)
    judges = {f"{one.round}={one.label}" for one in plan.judges}
    for path in _inside(suite / "answers", "*/*/*"):
        stem = path.name.removesuffix(PART).removesuffix(BACKUP).removesuffix(".jsonl").removesuffix(".csv")
        name, _, label = stem.partition(NUMBERED)[0].partition(JUDGED_BY)
        if label:
            _check_named("judges", f"{path.parent.name}/{name}={label}", judges, path)
    for asked in plan.configs:
        for model in plan.models:
            if has_answers(suite, asked.config, model.label):
                _check_asked_alike(suite, asked.config, model)
    return plan


def _check_asked_alike(suite: Path, config: str, model: Model) -> None:
    """Refuse prompts of its own for a model that answered those of all, and the other way round."""
    own, of_all = TaskKey(config, FIRST, model.label).prompts(suite), TaskKey(config, FIRST).prompts(suite)
    now = first_file(suite, model, config)
    if own.exists() if now == of_all else of_all.exists() and not own.exists():
        raise asked_otherwise(now, [model.label], f"models.{model.label}")


def _inside(folder: Path, pattern: str) -> Iterator[Path]:
    """List what lies there, without what is being written."""
    return (path for path in sorted(folder.glob(pattern)) if not path.name.startswith("."))


def _check_named(field: str, name: str, known: Collection[str], path: Path, shared: Collection[str] = ()) -> None:
    if name not in known and name not in shared:
        raise MedzhError(
            "is there, and the plan does not name whose it is",
            file=path,
            field=field,
            expected=", ".join(sorted(known)) or "none",
            found=name,
            advice="undo what was edited in the plan, or move this out of the suite",
        )


def check_edits(suite: Path, plan: Plan) -> None:
    """Refuse a plan by which models would be asked otherwise than they were when they answered."""
    for asked in plan.configs:
        answered = [model for model in plan.models if has_answers(suite, asked.config, model.label)]
        prompts = first_prompts(plan, asked) if answered else None
        for path, apart in files_of(suite, answered, asked.config).items():
            if prompts and path.exists() and (field := _changed(path, prompts.lines(apart))):
                others = [one.label for one in answered if first_file(suite, one, asked.config) == path]
                raise asked_otherwise(path, others, field)


def _changed(path: Path, lines: Iterable[Mapping[str, Any]]) -> str | None:
    """Name a field in which prompts differ from those of a file; None where none does."""
    with path.open("rb") as stream:
        for before, line in zip_longest(stream, lines):
            if before != (line and encoded(line)):
                try:
                    there = msgspec.json.decode(before or b"{}", type=dict[str, Any])
                except NO_JSON:
                    return "id"
                return differing_field(there, msgspec.json.decode(encoded(line or {}))) or "id"
    return None


def differing_field(one: Mapping[str, Any], other: Mapping[str, Any]) -> str | None:
    """Name the first field in which two prompts differ."""
    return next((name for name in [*other, *one] if one.get(name) != other.get(name)), None)


def is_asked_as_planned(suite: Path, model: Model, prompts: FirstPrompts) -> bool:
    """Say whether the prompts of a model are there and those of the plan: all keys, and the first as it is worded."""
    path = first_file(suite, model, prompts.config.name)
    if not path.exists():
        return False
    with path.open("rb") as stream:
        first = stream.readline()
    line = next(prompts.lines(model if asked_apart(model) else None), None)
    return first == (encoded(line) if line else b"") and keys_asked(path) == prompts.keys


def all_progress(suite: Path, plan: Plan) -> Iterator[TaskProgress]:
    """Look at all places where something was or can be asked: by config, first answers before later rounds."""
    for asked in plan.configs:
        config = find_config(asked.config)
        first = list(first_progress(suite, plan, config, [model.label for model in plan.models]))
        yield from first
        yield from stage_progress(suite, plan, config, _answered(first))


def _answered(first: Sequence[TaskProgress]) -> list[str]:
    return [one.place.model for one in first if one.is_whole and not one.imported_result]


def is_whole(suite: Path, plan: Plan, model: str, config_name: str) -> bool:
    """Say whether everything came back that is to be asked of a model on a config."""
    config = find_config(config_name)
    first = next(first_progress(suite, plan, config, [model]))
    later = (one for one in stage_progress(suite, plan, config, [model]) if one.place.model in {model, SHARED})
    return first.is_whole and all(one.is_whole for one in later)


def first_progress(suite: Path, plan: Plan, config: Config, labels: Sequence[str]) -> Iterator[TaskProgress]:
    """Look at the first answers of some models; who is asked otherwise than the plan has it is not asked so far."""
    parts = parts_of(plan, config)
    prompts = first_prompts(plan, next(one for one in plan.configs if one.config == config.name))
    for model in map(plan.model, labels):
        came = imported_result(suite, model.label, config.name)
        unasked = frozenset(() if came or is_asked_as_planned(suite, model, prompts) else {model.label})
        place = TaskKey(config.name, FIRST, model.label)
        found = replace(
            progress_of(suite, place, first_file(suite, model, config.name), parts, unasked), imported_result=came
        )
        if found.kept and not unasked:
            _refuse_unasked(suite, found)
        yield found


def _refuse_unasked(suite: Path, standing: TaskProgress) -> None:
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


def stage_progress(suite: Path, plan: Plan, config: Config, models: Sequence[str]) -> Iterator[TaskProgress]:
    """Look at the later rounds that can ask about some models, whose first answers are whole, or asked before."""
    made = round_sources(suite)
    for place in stage_tasks_of(plan, config):
        about = models_about(plan, config, place, models)
        if place.prompts(suite).exists() or about:
            unasked = models_to_ask(made.get(place), sources_now(suite, plan, place, about), about)
            for one in answered_by(plan, config, place):
                yield progress_of(suite, one, one.prompts(suite), {}, unasked)


def models_about(plan: Plan, config: Config, place: TaskKey, models: Sequence[str]) -> list[str]:
    """List those of some models about which a round asks; about records it asks for all."""
    if pick("round", config.every_round, place.round).about == "records":
        return [model.label for model in plan.models]
    return [model for model in models if place.model in {model, SHARED}]


def later_places_of(suite: Path, plan: Plan, config: Config, model: str) -> list[TaskKey]:
    """List the later rounds that were asked of a model, or of all, with each who answers them."""
    return [
        one
        for place in stage_tasks_of(plan, config)
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


def answered_by(plan: Plan, config: Config, place: TaskKey) -> Iterator[TaskKey]:
    """Name a place once for each who answers it: the model itself, or all judges that the plan names."""
    if next(one for one in config.every_round if one.name == place.round).of_same_model:
        yield place
    for judge in plan.judges:
        if judge.round == f"{config.name}/{place.round}":
            yield place._replace(judge=judge.label)


SOURCES = "sources.jsonl"


class StageSources(msgspec.Struct, frozen=True):
    """With which sample a round was drawn, and by model the SHA-256 of what it asked about; None where that lacked."""

    sample: int | None
    seed: int
    answers: dict[str, str | None]


class StageSourcesLine(msgspec.Struct, frozen=True):
    """The sources of a round as they are kept."""

    config: str
    round: str
    model: str
    sources: StageSources


def round_sources(suite: Path) -> dict[TaskKey, StageSources]:
    """Read of what the prompts of later rounds were made; a round that is not here was not asked so far."""
    path = suite / SOURCES
    if not path.exists():
        return {}
    lines = decoded_lines(path, msgspec.json.Decoder(StageSourcesLine))
    return {TaskKey(one.config, one.round, one.model): one.sources for one in lines}


def write_sources(suite: Path, made: Iterable[tuple[TaskKey, StageSources]]) -> None:
    """Write of what the prompts of all later rounds are made."""
    encoder = msgspec.json.Encoder()
    lines = [StageSourcesLine(place.config, place.round, place.model, sources) for place, sources in made]
    write_bytes(suite / SOURCES, b"".join(encoder.encode(one) + b"\n" for one in lines))


def sources_now(suite: Path, plan: Plan, place: TaskKey, models: Sequence[str]) -> StageSources:
    """Look of what the prompts of a round would be made now, as far as they are about some models."""
    judge = plan.judge(f"{place.config}/{place.round}")
    digests = {
        model: digest_of(path) if path.exists() else None
        for model in models
        for path in answers_about(suite, place, [model])
    }
    return StageSources(judge.sample if judge else None, judge.seed if judge else 0, digests)


def answers_about(suite: Path, place: TaskKey, models: Sequence[str]) -> list[Path]:
    """Name the files of what a round asks about: first answers, or those of the round that decides."""
    config = find_config(place.config)
    later = pick("round", config.every_round, place.round)
    if later.about == "records":
        return []
    of = config.reads.of if later.keyed == "prediction" and config.reads else None
    return [TaskKey(config.name, of.round if of else FIRST, model).answers(suite) for model in models]


def models_to_ask(made: StageSources | None, now: StageSources, models: Sequence[str]) -> frozenset[str]:
    """List the models about which a round is to be asked first, or anew: their answers were others, or none."""
    if made is None or (made.sample, made.seed) != (now.sample, now.seed):
        return frozenset(models)
    return frozenset(
        model for model, digest in now.answers.items() if model not in made.answers or made.answers[model] != digest
    )
