"""What can be sent next, in the form in which it is sent: by who answers it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.registry import find_config
from medzh_score.io.atomic import folder_beside, locked, write_bytes
from medzh_score.io.jsonl import decoded_lines
from medzh_score.io.tables import as_named
from medzh_score.prompting.write import BATCH_LINES, EXTRA, as_requests, parts_of, write_batch
from medzh_score.readers.files import PredictionFiles
from medzh_score.results.folder import digest_of
from medzh_score.stages.binding import FirstAnswerFiles
from medzh_score.stages.write_tasks import NothingToAskError, stage_tasks, task_lines, task_sheet
from medzh_score.suites.progress import (
    all_progress,
    answered_by,
    answers_about,
    check_edits,
    differing_field,
    first_progress,
    key_in,
    models_about,
    round_sources,
    sources_now,
    stage_tasks_of,
    write_sources,
)
from medzh_score.suites.prompts import (
    as_asked,
    asked_otherwise,
    characters_of,
    planned_records,
    write_first_prompts,
    write_lines,
)
from medzh_score.suites.responses import LOCK, SHARED, kept_answers, replace_kept
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.progress import telling

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.stages import Stage
    from medzh_score.data.records import Records
    from medzh_score.stages.write_tasks import Tasks
    from medzh_score.suites.plan import Judge, Model, Plan
    from medzh_score.suites.progress import StageSources, TaskProgress
    from medzh_score.suites.responses import TaskKey


SHEETS = {"sheet": ".csv", "xlsx": ".xlsx"}  # what people fill in, and how its name ends
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
    with locked(suite / LOCK, suite, "wait until it ends"), folder_beside(outbox) as part:
        refuse_changed(suite)
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
        put_in_outbox(suite, part)
    labels = {other: dict.fromkeys(respondent_of(plan, one).label for one in rest) for other, rest in by_form.items()}
    return Outgoing(written, {other: names for other, names in labels.items() if names})


def left_for(suite: Path, plan: Plan, label: str) -> list[TaskProgress]:
    """List the places at which something is left to be asked of a model or a judge, whose prompts are written first."""
    with locked(suite / LOCK, suite, "wait until it ends"):
        asked = _write_prompts(suite, plan)
        left = [one for one in all_progress(suite, plan) if not one.is_whole]
    return [one for one in _of_models(left, asked) if respondent_of(plan, one).label == label]


def _write_prompts(suite: Path, plan: Plan) -> list[StageToSend]:
    """Write first prompts and what later rounds can ask now."""
    check_edits(suite, plan)
    asked: list[StageToSend] = []
    made = round_sources(suite)
    for one in plan.configs:
        for _ in write_first_prompts(suite, plan, one):
            pass
        for later in later_rounds(suite, plan, find_config(one.config)):
            write_later(suite, later, made.get(later.place))
            asked.append(later)
    write_sources(suite, ((later.place, later.sources) for later in asked))
    return asked


def _of_models(left: Sequence[TaskProgress], asked: Sequence[StageToSend]) -> list[TaskProgress]:
    """List the places at which models have something left to answer."""
    people = {one.place for one in asked if one.later.model is None}
    return [one for one in left if one.place._replace(judge="") not in people]


def respondent_of(plan: Plan, standing: TaskProgress) -> Model | Judge:
    """Find who answers at a place."""
    place = standing.place
    if place.judge:
        where = f"{place.config}/{place.round}"
        return next(one for one in plan.judges if one.round == where and one.label == place.judge)
    return plan.model(place.model)


def _form_of(standing: TaskProgress) -> str:
    """Say in which form a place is asked, whose prompts are alike."""
    return TEXT if TEXT in next(standing.lines()) else CHAT


def _to_models(outbox: Path, plan: Plan, left: Iterable[TaskProgress]) -> Iterator[ToSend]:
    """Write what is left to be asked of models, a file a place; who lacks all of the same prompts shares the file."""
    together: dict[tuple[Path, str], list[TaskProgress]] = {}
    for standing in left:
        whose = SHARED if len(standing.left) == len(standing.sent) else respondent_of(plan, standing).label
        together.setdefault((standing.prompts, whose), []).append(standing)
    for alike in together.values():
        place = alike[0].place
        labels = [respondent_of(plan, one).label for one in alike]
        about = f"--{place.model}" if place.judge else ""
        folder = labels[0] if len(labels) == 1 else SHARED
        path = outbox / folder / f"{place.config}--{place.round}{about}.jsonl"
        written = write_lines(path, alike[0].lines_left())
        yield ToSend(path, labels, written.calls, written.characters)


def _batches_of(outbox: Path, plan: Plan, left: Iterable[TaskProgress]) -> Iterator[ToSend]:
    """Write what is left to be asked of models for a batch, which names who is served: a file each."""
    by_label: dict[str, list[TaskProgress]] = {}
    for standing in left:
        by_label.setdefault(respondent_of(plan, standing).label, []).append(standing)
    for label, mine in by_label.items():
        yield from _batches(outbox / f"{label}.jsonl", label, respondent_of(plan, mine[0]).names[0], mine)


def _batches(path: Path, label: str, served: str, mine: Sequence[TaskProgress]) -> Iterator[ToSend]:
    """Write the requests to one served name, split as the interface asks for; what is equal is asked once."""
    requests: dict[str, dict[str, Any]] = {}
    characters: dict[str, int] = {}
    for standing in mine:
        for line in standing.lines_left():
            (request,) = as_requests([line], line["decoding"], served)
            request["body"] |= line.get(EXTRA, {})
            name = request["custom_id"]
            if requests.setdefault(name, request) != request:
                raise MedzhError(
                    f"two prompts to {label} have one id and are not alike",
                    field="custom_id",
                    found=name,
                    advice="plan these configs in suites of their own",
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
        due = {key.id for standing in left if standing.place._replace(judge="") == one.place for key in standing.left}
        questions = one.questions and replace(
            one.questions, tasks=tuple(task for task in one.questions.tasks if task.id in due)
        )
        if questions and questions.tasks:
            whose = "" if one.place.model == SHARED else f"--{one.place.model}"
            path = outbox / "sheets" / f"{one.place.config}--{one.later.name}{whose}{ending}"
            path.parent.mkdir(parents=True, exist_ok=True)
            content = task_sheet(questions)
            write_bytes(path, as_named(path.name, content, "--to sheet"))
            yield ToSend(path, [], len(questions.tasks), len(content.decode("utf-8-sig")))


def write_later(suite: Path, asking: StageToSend, made: StageSources | None) -> None:
    """Write what a round asks, and refuse what was answered and is asked otherwise; a round of nothing has no file.

    Answers to what is asked no more, for other answers took the place of those that it was about, are dropped.
    """
    path, lines = asking.place.prompts(suite), {key_in(line): line for line in asking.lines()}
    before = {key_in(line): line for line in _lines_in(path)}
    redrawn = made is not None and (made.sample, made.seed) != (asking.sources.sample, asking.sources.seed)
    kept = {one: kept_answers(one.answers(suite)) for one in asking.answered_by}
    for one, answers in kept.items():
        label = one.judge or one.model
        if redrawn and (answers or one.sheets(suite)):
            raise asked_otherwise(path, [label], "sample")
        for key in before.keys() & lines.keys() & answers.keys():
            if field := differing_field(before[key], lines[key]):
                raise asked_otherwise(path, [label], field)
    if asking.questions is None:
        path.unlink(missing_ok=True)
    else:
        write_lines(path, lines.values())
    for one, answers in kept.items():
        if not answers.keys() <= lines.keys():
            replace_kept(one.answers(suite), {key: line for key, line in answers.items() if key in lines})


def _lines_in(path: Path) -> list[dict[str, Any]]:
    return list(decoded_lines(path, msgspec.json.Decoder(dict[str, Any]))) if path.exists() else []


OUTBOX = "outbox"
WRITTEN = "outbox.jsonl"


class OutboxFile(msgspec.Struct, frozen=True):
    """A file of the outbox as it was written: its name there and its content."""

    name: str
    sha256: str


def refuse_changed(suite: Path) -> None:
    """Refuse to go on where a file is not any more what was written: somebody's work stands in it."""
    _refuse_others(suite, _written_before(suite))


def put_in_outbox(suite: Path, part: Path) -> None:
    """Move the files of a folder to the outbox, and take away what was written there before."""
    before = _written_before(suite)
    new = [
        OutboxFile(path.relative_to(part).as_posix(), digest_of(path))
        for path in sorted(part.rglob("*"))
        if path.is_file()
    ]
    _refuse_others(suite, [*before, *new])
    _write(suite, [*before, *new])  # so that a kill leaves no file that is then taken for somebody's work
    names = [one.name for one in new]
    for name in {one.name for one in before}.difference(names):
        (suite / OUTBOX / name).unlink(missing_ok=True)
    for name in names:
        target = suite / OUTBOX / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (part / name).replace(target)
    _write(suite, new)


def _written_before(suite: Path) -> list[OutboxFile]:
    path = suite / WRITTEN
    return list(decoded_lines(path, msgspec.json.Decoder(OutboxFile))) if path.exists() else []


def _write(suite: Path, written: Iterable[OutboxFile]) -> None:
    encoder = msgspec.json.Encoder()
    write_bytes(suite / WRITTEN, b"".join(encoder.encode(one) + b"\n" for one in written))


def _refuse_others(suite: Path, written: Iterable[OutboxFile]) -> None:
    """Refuse what stands under the name of a file that was or is to be written, and has another content."""
    digests: dict[str, set[str]] = {}
    for one in written:
        digests.setdefault(one.name, set()).add(one.sha256)
    for name, known in digests.items():
        path = suite / OUTBOX / name
        if path.exists() and not (path.is_file() and digest_of(path) in known):
            raise MedzhError(
                "is not as it was written to be sent, and would be lost",
                file=path,
                advice="move it out of the outbox; what is filled in or answered comes back by suite add",
            )


@dataclass(frozen=True)
class StageToSend:
    """A later round that can be asked: where, of whom, about what, and with which settings of the plan.

    ``questions`` is None where the answers give nothing to ask about.
    """

    place: TaskKey
    answered_by: Sequence[TaskKey]
    later: Stage
    sources: StageSources
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
                {"id": one.id, "round": self.later.name, "sheet": dict(one.context)} for one in self.questions.tasks
            )
        prompt = pick("judges.prompt", respondent.prompts, self.judge.prompt if self.judge else None)
        form = self.model.form if self.model else "chat"
        return map(partial(as_asked, self.model), task_lines(self.questions, respondent, prompt, form))


def later_rounds(suite: Path, plan: Plan, config: Config) -> Iterator[StageToSend]:
    """Put together what the later rounds of a config can ask now, of those that somebody answers."""
    records = planned_records(plan, config.name)
    labels = [model.label for model in plan.models]
    whole = [one.place.model for one in first_progress(suite, plan, config, labels) if one.is_whole]
    for place in stage_tasks_of(plan, config):
        later, by = pick("round", config.every_round, place.round), list(answered_by(plan, config, place))
        models = models_about(plan, config, place, whole)
        if not by or not models:
            continue
        sources = sources_now(suite, plan, place, models)
        about = answers_about(suite, place, models)
        questions = _questions(config, records, later, about, sources)
        model = plan.model(place.model) if later.of_same_model else None
        yield StageToSend(place, by, later, sources, questions, plan.judge(f"{config.name}/{later.name}"), model)


def _questions(
    config: Config, records: Records, later: Stage, about: Sequence[Path], sources: StageSources
) -> Tasks | None:
    """Give what a round asks about some answers; None where these give nothing to ask about."""
    if not all(path.exists() for path in about):
        return None
    sets = [PredictionFiles((path,)) for path in about]
    given = FirstAnswerFiles(sets[0], None, tuple(sets[1:])) if sets else None
    try:
        with telling(quiet=True):
            return stage_tasks(config, records, later, given, sample=sources.sample, seed=sources.seed)
    except NothingToAskError:
        return None
