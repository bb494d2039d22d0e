"""What a suite has asked and what came back of it, task by task."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.registry import find_config
from medzh_score.io.archive import SUMS
from medzh_score.io.jsonl import NO_JSON, decoded_lines
from medzh_score.prompting.ids import AnswerKey
from medzh_score.readers.prediction import Prediction
from medzh_score.results.folder import REPORT, digest_of, written_sums
from medzh_score.suites.plan import PLAN, Judge, read_lock, read_plan
from medzh_score.suites.prompts import asked_otherwise, first_file, first_prompts, planned_records
from medzh_score.suites.responses import (
    FIRST,
    JUDGED_BY,
    NUMBERED,
    SHARED,
    TaskKey,
    filled_rows,
    has_answers,
    kept_answers,
    key_in,
    result_of,
)
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _, _n
from medzh_score.ui.privacy import quotable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.suites.plan import Model, Plan, PlanLock


@dataclass(frozen=True)
class TaskProgress:
    """How far a task has come."""

    place: TaskKey
    prompts: Path
    parts: Mapping[str, Sequence[str]]  # of a group that may be answered by its records
    kept: Mapping[AnswerKey, Prediction]  # the responses by key
    unasked: frozenset[str]  # models about whose answers no prompts are written
    imported_result: ResultFacts | None = None  # a result that came from elsewhere in place of answers

    @cached_property
    def sent(self) -> Sequence[AnswerKey]:
        """The keys of all that is asked, in order."""
        return _keys_in(self.prompts, self.prompts.stat().st_mtime_ns) if self.prompts.exists() else ()

    def lines(self) -> Iterator[dict[str, Any]]:
        """Read what is asked."""
        return decoded_lines(self.prompts, msgspec.json.Decoder(dict[str, Any]))

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
        return not self.unasked and not self.left

    def lines_left(self) -> Iterator[dict[str, Any]]:
        """Give the prompts of what has not come back."""
        left = set(self.left)
        return (line for line in self.lines() if key_in(line) in left) if left else iter(())


class _KeyFields(msgspec.Struct):
    id: str
    run: int = 0
    variant: int = 0


@lru_cache(maxsize=4)
def _keys_in(path: Path, _changed: int) -> Sequence[AnswerKey]:
    decoder = msgspec.json.Decoder(_KeyFields)
    return tuple(AnswerKey(one.id, one.run, one.variant) for one in decoded_lines(path, decoder))


@dataclass(frozen=True)
class SentIds:
    """Of first prompts the config, runs and variants of each id; of later rounds every task in which an id is asked."""

    first: Mapping[str, tuple[str, int, Collection[int]]]
    later: Mapping[str, Sequence[TaskKey]]

    def places(self, key: AnswerKey) -> Sequence[TaskKey]:
        """Name where an answer was asked for; nowhere where it is not this suite's."""
        if (asked := self.first.get(key.id)) is not None:
            config, runs, variants = asked
            return (TaskKey(config, FIRST),) if key.run < runs and key.variant in variants else ()
        return () if key.run or key.variant else self.later.get(key.id, ())


def sent_ids(suite: Path, plan: Plan) -> SentIds:
    """List the ids of all that a suite asks."""
    first: dict[str, tuple[str, int, Collection[int]]] = {}
    later: dict[str, list[TaskKey]] = {}
    for asked in plan.configs:
        config = find_config(asked.config)
        records = planned_records(plan, config.name).rows
        chosen = first_prompts(plan, asked).chosen
        for one in config.queries(records, config.layout(records)):
            first[one.id] = config.name, asked.runs, chosen[one.part_of or one.id]
        for place in stage_tasks_of(plan, config):
            path = place.prompts(suite)
            for key in _keys_in(path, path.stat().st_mtime_ns) if path.exists() else ():
                later.setdefault(key.id, []).append(place)
    return SentIds(first, later)


def stage_tasks_of(plan: Plan, config: Config) -> Iterator[TaskKey]:
    """List where later rounds of a config ask: of each model, or once of all."""
    for later in config.every_stage:
        if later.about == "records" or later.blind:
            yield TaskKey(config.name, later.name)
        else:
            yield from (TaskKey(config.name, later.name, model.label) for model in plan.models)


class _Hash(msgspec.Struct):
    sha256: str


class _Unparsed(msgspec.Struct):
    unparsed: int


class ResultFacts(msgspec.Struct):
    """What a report says of what it was made of, as far as it tells whether it is still of what is there."""

    inputs: tuple[_Hash, ...]
    arguments: dict[str, Any]
    signature: dict[str, str]
    coverage: _Unparsed


def result_facts(folder: Path) -> ResultFacts | None:
    """Read what a result says of itself; None where there is none, or one that is not as it was saved."""
    try:
        if (folder / SUMS).read_bytes() != written_sums(folder).encode("ascii"):
            return None
        return msgspec.json.decode((folder / REPORT).read_bytes(), type=ResultFacts)
    except (OSError, *NO_JSON):
        return None


def imported_result(suite: Path, model: str, config: str) -> ResultFacts | None:
    """Give a result that came from elsewhere, which replaces the answers: these are where it was made."""
    return None if has_answers(suite, config, model) else result_facts(result_of(suite, model, config))


def suite_plan(suite: Path) -> Plan:
    """Read a suite's plan, and refuse one that does not name who answered, or that asks otherwise than was answered."""
    plan = read_plan(suite)
    models, configs = [one.label for one in plan.models], [one.config for one in plan.configs]
    for kind, shared in (("answers", [SHARED]), ("results", [])):
        for folder in _inside(suite / kind, "*/*"):
            _check_named("models", folder.parent.name, [*models, *shared], folder)
            _check_named("configs", folder.name, configs, folder)
    judges = {f"{one.stage}={one.label}" for one in plan.judges}
    for path in _inside(suite / "answers", "*/*/*"):
        name, _unused, label = path.stem.partition(NUMBERED)[0].partition(JUDGED_BY)
        if label:
            _check_named("judges", f"{path.parent.name}/{name}={label}", judges, path)
    if (lock := read_lock(suite)) is not None:
        _check_unchanged(suite, plan, lock.plan)
    return plan


def _inside(folder: Path, pattern: str) -> Iterator[Path]:
    """List what is there, without what is being written."""
    return (path for path in sorted(folder.glob(pattern)) if not path.name.startswith("."))


def _check_named(field: str, name: str, known: Collection[str], path: Path) -> None:
    if name not in known:
        raise MedzhError(
            _("the path contains a name that is not in the plan"),
            file=path,
            field=field,
            expected=", ".join(sorted(set(known) - {SHARED})) or "none",
            found=name,
            advice=_("undo the changes to the plan, or move the file out of the suite"),
        )


def _check_unchanged(suite: Path, plan: Plan, before: Plan) -> None:
    """Refuse a plan by which models or judges would be asked otherwise than they were when they answered."""
    configs, models = {one.config: one for one in before.configs}, {one.label: one for one in before.models}
    for asked in plan.configs:
        for model in plan.models:
            if has_answers(suite, asked.config, model.label):
                field = _changed(f"configs.{asked.config}", configs.get(asked.config), asked)
                field = field or _changed(f"models.{model.label}", models.get(model.label), model)
                if field:
                    raise asked_otherwise(suite / PLAN, [model.label], field)
    for judge in plan.judges:
        config, _unused, name = judge.stage.rpartition("/")
        field = _changed(f"judges.{judge.stage}", before.judge(judge.stage), judge)
        if field and [*suite.glob(f"answers/*/{config}/{name}{JUDGED_BY}*")]:
            raise asked_otherwise(suite / PLAN, [judge.label], field)


# How somebody is called, on which nothing that is asked depends.
NAMES = {"label", "served"}


def _changed(kind: str, before: msgspec.Struct | None, now: msgspec.Struct) -> str | None:
    """Name the first field on which prompts depend and that differs; None where none does, or nothing was asked."""
    names = [name for name in now.__struct_fields__ if name not in NAMES]
    differing = (f"{kind}.{name}" for name in names if before and getattr(before, name) != getattr(now, name))
    return next(differing, None)


def check_data(suite: Path, plan: Plan) -> None:
    """Refuse data that are not those by which models were asked when they answered."""
    lock = read_lock(suite)
    for asked in plan.configs if lock else ():
        answered = [one.label for one in plan.models if has_answers(suite, asked.config, one.label)]
        before = lock.data.get(asked.config) if lock else None
        if answered and before and before != str(planned_records(plan, asked.config).origin):
            raise asked_otherwise(suite / PLAN, answered, "data")


def _is_asked_as_planned(suite: Path, plan: Plan, model: Model, config: str) -> bool:
    """Say whether the prompts of a model are there, and were written by what the plan says now."""
    lock, asked = read_lock(suite), next(one for one in plan.configs if one.config == config)
    if not first_file(suite, model, config).exists():
        return False
    if lock is None:
        return True
    before = next((one for one in lock.plan.configs if one.config == config), None)
    known = next((one for one in lock.plan.models if one.label == model.label), None)
    return not (_changed("", before, asked) or _changed("", known, model))


def all_progress(suite: Path, plan: Plan) -> Iterator[TaskProgress]:
    """Look at all tasks in which something was or can be asked: by config, first answers before later rounds."""
    for asked in plan.configs:
        config = find_config(asked.config)
        first = list(first_progress(suite, plan, config, [model.label for model in plan.models]))
        yield from first
        answered = [one.place.model for one in first if one.is_whole and not one.imported_result]
        yield from _stage_progress(suite, plan, config, answered)


def is_whole(suite: Path, plan: Plan, model: str, config_name: str) -> bool:
    """Say whether everything came back that is to be asked of a model on a config."""
    config = find_config(config_name)
    first = next(first_progress(suite, plan, config, [model]))
    later = (one for one in _stage_progress(suite, plan, config, [model]) if one.place.model in {model, SHARED})
    return first.is_whole and all(one.is_whole for one in later)


def first_progress(suite: Path, plan: Plan, config: Config, labels: Sequence[str]) -> Iterator[TaskProgress]:
    """Look at the first answers of some models; who is asked otherwise than the plan has it is not asked so far."""
    records = planned_records(plan, config.name).rows
    parts: dict[str, list[str]] = {}  # the records of each group that may be asked one by one
    for one in config.queries(records, config.layout(records)):
        if one.part_of is not None:
            parts.setdefault(one.part_of, []).append(one.id)
    for model in map(plan.model, labels):
        came = imported_result(suite, model.label, config.name)
        is_asked = came or _is_asked_as_planned(suite, plan, model, config.name)
        place = TaskKey(config.name, FIRST, model.label)
        unasked = frozenset(() if is_asked else {model.label})
        kept = kept_answers(place.answers(suite))
        found = TaskProgress(place, first_file(suite, model, config.name), parts, kept, unasked, came)
        if kept and not unasked:
            _check_asked(suite, found)
        yield found


def _check_asked(suite: Path, found: TaskProgress) -> None:
    """Refuse answers that no prompt asks for: they are of another suite."""
    others = found.kept.keys() - set(found.sent)
    others -= {key._replace(id=part) for key in (found.sent if others else ()) for part in found.parts.get(key.id, ())}
    if others:
        raise MedzhError(
            _n(
                "{n} id is not from prompts of this suite ({named})",
                "{n} ids are not from prompts of this suite ({named})",
                len(others),
                named=quotable(min(others)),
            ),
            file=found.place.answers(suite),
            advice=_("undo the changes to the plan, or move the file out of the suite"),
        )


def _stage_progress(suite: Path, plan: Plan, config: Config, models: Sequence[str]) -> Iterator[TaskProgress]:
    """Look at the later rounds that can ask about some models, whose first answers are whole, or asked before."""
    lock = read_lock(suite)
    for place in stage_tasks_of(plan, config):
        about = models_about(plan, config, place, models)
        if place.prompts(suite).exists() or about:
            unasked = _models_to_ask(suite, plan, place, about, lock)
            for one in answered_by(plan, config, place):
                kept = {
                    key: Prediction(key.id, "") for sheet in one.sheets(suite) for key in _keys_in_sheet(sheet, one)
                }
                kept |= kept_answers(one.answers(suite))
                yield TaskProgress(one, one.prompts(suite), {}, kept, unasked)


def _keys_in_sheet(sheet: Path, place: TaskKey) -> Iterator[AnswerKey]:
    values = pick("stage", find_config(place.config).every_stage, place.stage).values
    return (AnswerKey(named) for _line, named, _values in filled_rows(sheet, list(values)))


def models_about(plan: Plan, config: Config, place: TaskKey, models: Sequence[str]) -> list[str]:
    """List those of some models about which a round asks; about records it asks for all."""
    if pick("stage", config.every_stage, place.stage).about == "records":
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


def answered_by(plan: Plan, config: Config, place: TaskKey) -> Iterator[TaskKey]:
    """Name a task once for each who answers it: the model itself, or all judges that the plan names."""
    if pick("stage", config.every_stage, place.stage).of_same_model:
        yield place
    for judge in plan.judges:
        if judge.stage == f"{config.name}/{place.stage}":
            yield place._replace(judge=judge.label)


def answers_about(suite: Path, place: TaskKey, models: Sequence[str]) -> dict[str, Path]:
    """Name by model the files of what a round asks about: first answers, or those of the round that decides."""
    config = find_config(place.config)
    later = pick("stage", config.every_stage, place.stage)
    if later.about == "records":
        return {}
    of = config.reads.of if later.keyed == "prediction" and config.reads else None
    return {model: TaskKey(config.name, of.stage if of else FIRST, model).answers(suite) for model in models}


def sources_of(suite: Path, place: TaskKey, models: Sequence[str]) -> dict[str, str]:
    """Give by model the SHA-256 of what a round asks about; nothing of what is not there."""
    about = answers_about(suite, place, models)
    return {model: digest_of(path) for model, path in about.items() if path.exists()}


def _models_to_ask(
    suite: Path, plan: Plan, place: TaskKey, models: Sequence[str], lock: PlanLock | None
) -> frozenset[str]:
    """List the models about which a round is to be asked first, or anew: their answers were others, or none."""
    made, name = lock.sources.get(str(place)) if lock else None, f"{place.config}/{place.stage}"
    judge, before = plan.judge(name), lock.plan.judge(name) if lock else None
    if made is None or (judge and _changed("", before or Judge(stage=name, label=""), judge)):
        return frozenset(models)
    now, asked = sources_of(suite, place, models), answers_about(suite, place, models)
    return frozenset(one for one in asked if now.get(one) != made.get(one))
