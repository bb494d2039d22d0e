"""What can be sent next, in the form in which it is sent: by who answers it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.registry import find_config
from medzh_score.io.atomic import folder_beside, locked, write_bytes
from medzh_score.io.jsonl import json_document
from medzh_score.io.sheets import as_csv_sheet, as_workbook
from medzh_score.prompting.write import BATCH_LINES, EXTRA, as_requests, parts_of, write_batch
from medzh_score.readers.files import PredictionFiles
from medzh_score.results.folder import digest_of
from medzh_score.stages.binding import FirstAnswerFiles
from medzh_score.stages.write_tasks import NothingToAskError, stage_tasks, task_lines, task_sheet
from medzh_score.suites.plan import PlanLock, read_lock, write_lock
from medzh_score.suites.progress import (
    all_progress,
    answered_by,
    answers_about,
    check_data,
    first_progress,
    models_about,
    sources_of,
    stage_tasks_of,
)
from medzh_score.suites.prompts import as_asked, characters_of, planned_records, write_first_prompts, write_lines
from medzh_score.suites.responses import LOCK, SHARED, kept_answers, key_in, write_kept
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.progress import telling

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.stages import Stage
    from medzh_score.data.records import Records
    from medzh_score.stages.write_tasks import Tasks
    from medzh_score.suites.plan import Judge, Model, Plan
    from medzh_score.suites.progress import TaskProgress
    from medzh_score.suites.prompts import WrittenPrompts
    from medzh_score.suites.responses import TaskKey


SHEETS = {"csv": ".csv", "xlsx": ".xlsx"}  # what people fill in, and how its name ends
CHAT, TEXT = "chat", "text"  # in which a model is asked; the second is the key of such a prompt, too
BATCH = "openai-batch"  # prompts in chat as requests


@dataclass(frozen=True)
class ToSend:
    """A file that can be sent, to whom it goes, and what it will cost for each; sheets are for anybody."""

    path: Path
    labels: Sequence[str]
    calls: int
    characters: int


@dataclass(frozen=True)
class Outgoing:
    """Files that were written, and of whom something is left that is asked in another form: which form, and who."""

    files: Sequence[ToSend]
    elsewhere: Mapping[str, Collection[str]]


def to_send(suite: Path, plan: Plan, form: str) -> Outgoing:
    """Write first prompts and later rounds as the plan has them, and of these what is left in the form asked for."""
    outbox = suite / OUTBOX
    with locked(suite / LOCK, suite, _("wait until the other process ends")), folder_beside(outbox) as part:
        _check_outbox(suite)
        asked = _write_prompts(suite, plan)
        left = [one for one in all_progress(suite, plan) if one.left]
        by_form: dict[str, list[TaskProgress]] = {CHAT: [], TEXT: []}
        for one in _of_models(left, asked):
            by_form[_form_of(one)].append(one)
        if form in SHEETS:
            files, by_form = _sheets(part, asked, left, SHEETS[form]), {}
        elif form == BATCH:
            files = _batches_of(part, plan, by_form.pop(CHAT))
        else:
            files = _to_models(part, plan, by_form.pop(form))
        written = [replace(one, path=outbox / one.path.relative_to(part)) for one in files]
        _put_in_outbox(suite, part)
    labels = {other: dict.fromkeys(_respondent_of(plan, one).label for one in rest) for other, rest in by_form.items()}
    return Outgoing(written, {other: names for other, names in labels.items() if names})


def left_for(suite: Path, plan: Plan, label: str) -> list[TaskProgress]:
    """List the places at which something is left to be asked of a model or a judge, whose prompts are written first."""
    with locked(suite / LOCK, suite, _("wait until the other process ends")):
        asked = _write_prompts(suite, plan)
        left = [one for one in all_progress(suite, plan) if one.left]
    return [one for one in _of_models(left, asked) if _respondent_of(plan, one).label == label]


def write_first(suite: Path, plan: Plan) -> list[WrittenPrompts]:
    """Write first prompts, and by what they were written."""
    check_data(suite, plan)
    written = [one for asked in plan.configs for one in write_first_prompts(suite, plan, asked)]
    lock = read_lock(suite)
    _lock(suite, plan, lock.sources if lock else {})
    return written


def _lock(suite: Path, plan: Plan, sources: dict[str, dict[str, str]]) -> None:
    data = {one.config: str(planned_records(plan, one.config).origin) for one in plan.configs}
    write_lock(suite, PlanLock(plan, data, sources))


def _write_prompts(suite: Path, plan: Plan) -> list[StageToSend]:
    """Write first prompts and what later rounds can ask now."""
    write_first(suite, plan)
    asked = [later for one in plan.configs for later in _later_stages(suite, plan, find_config(one.config))]
    for later in asked:
        _write_later(suite, later)
    _lock(suite, plan, {str(later.place): later.sources for later in asked})
    return asked


def _of_models(left: Sequence[TaskProgress], asked: Sequence[StageToSend]) -> list[TaskProgress]:
    """List the places at which models have something left to answer."""
    people = {one.place for one in asked if one.later.model is None}
    return [one for one in left if one.place._replace(judge="") not in people]


def _respondent_of(plan: Plan, task: TaskProgress) -> Model | Judge:
    place = task.place
    if place.judge:
        where = f"{place.config}/{place.stage}"
        return next(one for one in plan.judges if one.stage == where and one.label == place.judge)
    return plan.model(place.model)


def _form_of(task: TaskProgress) -> str:
    """Say in which form a place is asked, whose prompts are alike."""
    return TEXT if TEXT in next(task.lines()) else CHAT


def _to_models(outbox: Path, plan: Plan, left: Iterable[TaskProgress]) -> Iterator[ToSend]:
    """Write what is left to be asked of models, a file a place; who lacks all of the same prompts shares the file."""
    together: dict[tuple[Path, str], list[TaskProgress]] = {}
    for task in left:
        whose = SHARED if len(task.left) == len(task.sent) else _respondent_of(plan, task).label
        together.setdefault((task.prompts, whose), []).append(task)
    for alike in together.values():
        place = alike[0].place
        labels = [_respondent_of(plan, one).label for one in alike]
        about = f"--{place.model}" if place.judge else ""
        folder = labels[0] if len(labels) == 1 else SHARED
        path = outbox / folder / f"{place.config}--{place.stage}{about}.jsonl"
        written = write_lines(path, alike[0].lines_left())
        yield ToSend(path, labels, written.calls, written.characters)


def _batches_of(outbox: Path, plan: Plan, left: Iterable[TaskProgress]) -> Iterator[ToSend]:
    """Write what is left to be asked of models for a batch, which names who is served: a file each."""
    by_label: dict[str, list[TaskProgress]] = {}
    for task in left:
        by_label.setdefault(_respondent_of(plan, task).label, []).append(task)
    for label, mine in by_label.items():
        yield from _batches(outbox / f"{label}.jsonl", label, _respondent_of(plan, mine[0]).names[0], mine)


def _batches(path: Path, label: str, served: str, mine: Sequence[TaskProgress]) -> Iterator[ToSend]:
    """Write the requests to one served name, split as the interface asks for; what is equal is asked once."""
    requests: dict[str, dict[str, Any]] = {}
    characters: dict[str, int] = {}
    for task in mine:
        for line in task.lines_left():
            (request,) = as_requests([line], line["generation"], served)
            request["body"] |= line.get(EXTRA, {})
            name = request["custom_id"]
            if requests.setdefault(name, request) != request:
                raise MedzhError(
                    _("two different prompts to {label} have the same id", label=label),
                    field="custom_id",
                    found=name,
                    advice=_("plan these configs in separate suites"),
                )
            characters[name] = characters_of(line)
    path.parent.mkdir(parents=True, exist_ok=True)
    files = parts_of(path, len(requests))
    write_batch(files, requests.values())
    names = list(requests)
    for place, file in enumerate(files):
        part = names[place * BATCH_LINES : (place + 1) * BATCH_LINES]
        yield ToSend(file, [label], len(part), sum(characters[name] for name in part))


def _sheets(outbox: Path, asked: Sequence[StageToSend], left: Sequence[TaskProgress], ending: str) -> Iterator[ToSend]:
    """Write the sheets of rounds that people answer: the rows that one of them has not filled in."""
    for one in asked:
        expected = {key.id for task in left if task.place._replace(judge="") == one.place for key in task.left}
        questions = one.questions and replace(
            one.questions, tasks=tuple(task for task in one.questions.tasks if task.id in expected)
        )
        if questions and questions.tasks:
            whose = "" if one.place.model == SHARED else f"--{one.place.model}"
            path = outbox / "sheets" / f"{one.place.config}--{one.later.name}{whose}{ending}"
            path.parent.mkdir(parents=True, exist_ok=True)
            sheet = task_sheet(questions)
            content = as_csv_sheet(sheet, path.name)
            written = content if ending == SHEETS["csv"] else as_workbook(sheet, path.name, "--to csv")
            write_bytes(path, written)
            yield ToSend(path, [], len(questions.tasks), len(content.decode("utf-8-sig")))


def _write_later(suite: Path, asking: StageToSend) -> None:
    """Write what a round asks; a round of nothing has no file.

    Answers to what is asked no more, because other answers replaced those that it was about, are dropped.
    """
    path, keys = asking.place.prompts(suite), set()
    if asking.questions is None:
        path.unlink(missing_ok=True)
    else:
        lines = list(asking.lines())
        keys = set(map(key_in, lines))
        write_lines(path, lines)
    for file in (one.answers(suite) for one in asking.answered_by):
        kept = kept_answers(file)
        if not kept.keys() <= keys:
            write_kept(file, {key: line for key, line in kept.items() if key in keys})


OUTBOX = "outbox"


def _check_outbox(suite: Path, new: Mapping[str, str] | None = None) -> dict[str, list[str]]:
    """Refuse a file of the outbox that is not as it was, or is to be, written: somebody's work is in it.

    Gives for each name the hashes of what was written under it, or is to be.
    """
    path = suite / f"{OUTBOX}.json"
    known = msgspec.json.decode(path.read_bytes(), type=dict[str, list[str]]) if path.exists() else {}
    for name, digest in (new or {}).items():
        known.setdefault(name, []).append(digest)
    for name, hashes in known.items():
        file = suite / OUTBOX / name
        if file.exists() and not (file.is_file() and digest_of(file) in hashes):
            raise MedzhError(
                _("the file has changed since it was written, and the changes would be lost"),
                file=file,
                advice=_(
                    "move the file out of the outbox; add files with responses or filled-in rows with medzh-score "
                    "suite add"
                ),
            )
    return known


def _put_in_outbox(suite: Path, part: Path) -> None:
    new = {one.relative_to(part).as_posix(): digest_of(one) for one in sorted(part.rglob("*")) if one.is_file()}
    before, listed = _check_outbox(suite, new), suite / f"{OUTBOX}.json"
    write_bytes(listed, json_document(before))  # so that a kill leaves no file that is then taken for somebody's work
    for name in before.keys() - new.keys():
        (suite / OUTBOX / name).unlink(missing_ok=True)
    for name in new:
        target = suite / OUTBOX / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (part / name).replace(target)
    write_bytes(listed, json_document({name: [digest] for name, digest in new.items()}))


@dataclass(frozen=True)
class StageToSend:
    """A later round that can be asked: where, of whom, about what, and with which settings of the plan.

    ``questions`` is None where the answers give nothing to ask about.
    """

    place: TaskKey
    answered_by: Sequence[TaskKey]
    later: Stage
    sources: dict[str, str]
    questions: Tasks | None
    judge: Judge | None
    model: Model | None

    def lines(self) -> Iterator[dict[str, Any]]:
        """Make the prompts; of a round that only people answer, what their sheet shows."""
        if self.questions is None:
            return iter(())
        respondent = self.later.model
        if respondent is None:
            return (
                {"id": one.id, "stage": self.later.name, "table": dict(one.context)} for one in self.questions.tasks
            )
        prompt = pick("judges.prompt", respondent.prompts, self.judge.prompt if self.judge else None)
        form = self.model.form if self.model else "chat"
        return map(partial(as_asked, self.model), task_lines(self.questions, respondent, prompt, form))


def _later_stages(suite: Path, plan: Plan, config: Config) -> Iterator[StageToSend]:
    records = planned_records(plan, config.name)
    labels = [model.label for model in plan.models]
    whole = [one.place.model for one in first_progress(suite, plan, config, labels) if one.is_whole]
    for place in stage_tasks_of(plan, config):
        later, by = pick("stage", config.every_stage, place.stage), list(answered_by(plan, config, place))
        models = models_about(plan, config, place, whole)
        if not by or not models:
            continue
        judge = plan.judge(f"{config.name}/{later.name}")
        questions = _questions(config, records, later, answers_about(suite, place, models).values(), judge)
        model = plan.model(place.model) if later.of_same_model else None
        yield StageToSend(place, by, later, sources_of(suite, place, models), questions, judge, model)


def _questions(
    config: Config, records: Records, later: Stage, about: Collection[Path], judge: Judge | None
) -> Tasks | None:
    """Give what a round asks about some answers; None where these give nothing to ask about."""
    if not all(path.exists() for path in about):
        return None
    sets = [PredictionFiles((path,)) for path in about]
    given = FirstAnswerFiles(sets[0], None, tuple(sets[1:])) if sets else None
    try:
        with telling(quiet=True):
            return stage_tasks(
                config, records, later, given, sample=judge.sample if judge else None, seed=judge.seed if judge else 0
            )
    except NothingToAskError:
        return None
