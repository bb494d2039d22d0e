"""What came back, put in its places: by its ids which round of which config, by its names whose."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.io.atomic import locked, write_bytes
from medzh_score.io.jsonl import decoded, decoded_lines, numbered_lines, without_constants
from medzh_score.io.open_input import InputFile
from medzh_score.io.paths import LIKELY, in_natural_order, matching
from medzh_score.prompting.ids import key_text
from medzh_score.prompting.positions import orders_of_stages, sent_order
from medzh_score.prompting.write import ROLES
from medzh_score.readers.align import spelled
from medzh_score.readers.files import PredictionFiles
from medzh_score.readers.stored_questions import AskedQuestions
from medzh_score.suites.outbox import CHAT, TEXT
from medzh_score.suites.progress import sent_ids, stage_tasks_of
from medzh_score.suites.prompts import first_file
from medzh_score.suites.responses import (
    FIRST,
    LOCK,
    SHARED,
    is_filled_sheet,
    kept_answers,
    kept_rows,
    key_in,
    key_of,
    merged,
    places_of_sheet,
    rows_as_answers,
    write_kept,
)
from medzh_score.ui.errors import NAMED, MedzhError, printable
from medzh_score.ui.i18n import _, _n, joined
from medzh_score.ui.privacy import Worded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from medzh_score.prompting.ids import AnswerKey
    from medzh_score.prompting.positions import Position, SentOrder
    from medzh_score.readers.prediction import Prediction
    from medzh_score.suites.plan import Judge, Model, Plan
    from medzh_score.suites.progress import SentIds
    from medzh_score.suites.responses import TaskKey


Lines = list[tuple[int, "Prediction"]]


@dataclass(frozen=True)
class ImportOptions:
    """How files are added: whose they are where the user says so, how they are read, whether they replace answers."""

    model: str | None = None
    reader: str | None = None
    replace: bool = False


class ImportCounts(NamedTuple):
    """What a file gave to a task."""

    place: TaskKey
    new: int
    same: int
    replaced: int


@dataclass(frozen=True)
class ImportedFile:
    """What a file gave, and what of it was left out: answers of a model to what only others were asked so far."""

    path: Path
    taken: Sequence[ImportCounts]
    left_out: Mapping[TaskKey, Sequence[AnswerKey]]


@dataclass
class _LinesByTask:
    """A file's lines by task, keys that only other models were asked, and ids that this suite asks nowhere."""

    reader: str = ""
    lines: dict[TaskKey, Lines] = field(default_factory=dict)
    left_out: dict[TaskKey, list[AnswerKey]] = field(default_factory=dict)
    foreign: dict[AnswerKey, int] = field(default_factory=dict)


_Pending = list[tuple[ImportCounts, "Callable[[], None]"]]  # what a file gives to a task, and what writes it


def add_files(suite: Path, plan: Plan, files: Sequence[Path], adding: ImportOptions) -> Iterator[ImportedFile]:
    """Add files to the tasks that they answer, each whole or not at all, and say of each at once what it gave."""
    with locked(suite / LOCK, suite, _("wait until the other process ends")):
        known = sent_ids(suite, plan)
        for path in files:
            came = _of_sheet if is_filled_sheet(path, plan) else _of_lines
            pending, left_out = came(suite, plan, path, adding, known)
            for counts, write in pending:
                if counts.new or counts.replaced or not counts.place.answers(suite).exists():
                    write()
            yield ImportedFile(path, [counts for counts, _unused in pending], left_out)


def _of_lines(
    suite: Path, plan: Plan, path: Path, adding: ImportOptions, known: SentIds
) -> tuple[_Pending, Mapping[TaskKey, Sequence[AnswerKey]]]:
    found = _sorted(suite, plan, path, adding, known)
    _check_prompts(suite, plan, path, found.reader, found.lines)
    pending: _Pending = []
    for place, lines in found.lines.items():
        file = place.answers(suite)
        one = merged(path, kept_answers(file), lines, replace=adding.replace)
        pending.append((ImportCounts(place, one.new, one.same, one.replaced), partial(write_kept, file, one.answers)))
    return pending, found.left_out


def _of_sheet(
    suite: Path, plan: Plan, path: Path, adding: ImportOptions, known: SentIds
) -> tuple[_Pending, Mapping[TaskKey, Sequence[AnswerKey]]]:
    """Keep a filled sheet as it is: of what it judges, the scorer takes what each model's answers are."""
    pending: _Pending = []
    for asked, annotator in places_of_sheet(path, plan, known.later).items():
        label = _judge_labels(plan, asked.config, asked.stage).label_of(annotator, adding.model, path, 1)
        place = asked._replace(judge=label)
        one = merged(path, kept_rows(suite, place), rows_as_answers(path, place), replace=adding.replace)
        write = partial(_keep_sheet, path, place.next_sheet(suite)) if one.new or one.replaced else _nothing
        pending.append((ImportCounts(place, one.new, one.same, one.replaced), write))
    return pending, {}


def _keep_sheet(path: Path, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(file, path.read_bytes())


def _nothing() -> None:
    pass


def _sorted(suite: Path, plan: Plan, path: Path, adding: ImportOptions, known: SentIds) -> _LinesByTask:
    """Find the tasks of a file's lines."""
    files = PredictionFiles((path,), adding.reader, order=_orders_of(suite, plan), keep_reasoning=True)
    models, judges = _labels(plan.models), cache(lambda config, name: _judge_labels(plan, config, name))
    found = _LinesByTask()
    for opened in files.opened():
        found.reader = opened.reader
        for number, one in opened.lines:
            places = known.places(key := key_of(one))
            if not places:
                found.foreign.setdefault(key, number)
            homes = {}
            for place in places:
                names, part = models, "model"
                if place.stage != FIRST and _judged(place.config, place.stage):
                    names, part = judges(place.config, place.stage), "judge"
                home = place._replace(**{part: names.label_of(one.model, adding.model, path, number)})
                # Whether it was asked there: a model's own rounds are its own.
                homes[home] = place.model == SHARED or part == "judge" or home in places
            for home in homes if not any(homes.values()) else ():
                found.left_out.setdefault(home, []).append(key)
            for home in (home for home, is_asked in homes.items() if is_asked):
                found.lines.setdefault(home, []).append((number, one))
    if found.foreign:
        raise _foreign(path, found.foreign, plan)
    if not found.lines and not found.left_out:
        raise MedzhError(_("the file contains no responses"), file=path, advice=_("check that generation ran"))
    return found


@cache
def _judged(config: str, name: str) -> bool:
    return not pick("stage", find_config(config).every_stage, name).of_same_model


def _foreign(path: Path, foreign: Mapping[AnswerKey, int], plan: Plan) -> MedzhError:
    """Say of which ids nothing was asked, and whose they look like."""
    first = next(iter(foreign))
    named = joined([*map(key_text, list(foreign)[:NAMED]), *["…"][: len(foreign) > NAMED]])
    asked = {one.config for one in plan.configs}
    alike = [name for name in config_names() if name not in asked and first.id.startswith(f"{name}-")]
    return MedzhError(
        _n(
            "{n} id is not from prompts of this suite ({named})",
            "{n} ids are not from prompts of this suite ({named})",
            len(foreign),
            named=named,
        ),
        file=path,
        line=foreign[first],
        field="id",
        found=Worded(key_text(first)),
        advice=_("check the ids: they look like ids of {alike}, which is not in the plan", alike=max(alike, key=len))
        if alike
        else _("check that the file contains responses to the prompts of this suite"),
    )


def _orders_of(suite: Path, plan: Plan) -> SentOrder:

    @cache
    def order() -> Mapping[str, Sequence[Position]]:
        found: dict[str, Sequence[Position]] = {}
        for asked in plan.configs:
            config = find_config(asked.config)
            first = dict.fromkeys(first_file(suite, model, config.name) for model in plan.models)
            for path in first:
                found |= sent_order(config, plan.data, [path])()
            for place in stage_tasks_of(plan, config):
                path = place.prompts(suite)
                if path.exists():
                    for one in orders_of_stages(config, {place.stage: [path]}).values():
                        found |= {str(path): positions for positions in one().values()}
        return found

    return order


@dataclass(frozen=True)
class NamesOfSystems:
    """From each name under which answers come to the labels that bear it."""

    known: Sequence[str]
    by_name: Mapping[str, Sequence[str]]

    def label_of(self, name: str | None, given: str | None, path: Path, number: int) -> str:
        """Find whose a line is: the user's own word first, then the name in the line, then the only one there is."""
        labels = self.by_name.get(spelled(name), ()) if name is not None else ()
        if given is not None:
            if given not in self.known:
                raise MedzhError(
                    _("the name is not in the plan"), field="--model", expected=", ".join(self.known), found=given
                )
            if labels and given not in labels:
                raise MedzhError(
                    _("the system named in the line differs from --model {given}", given=given),
                    file=path,
                    line=number,
                    field="model",
                    expected=given,
                    found=printable(str(name)),
                    advice=_("omit --model, or add the name to `served` of the intended system in the plan"),
                )
            return given
        if name is None or not name.strip():
            if len(self.known) == 1:
                return self.known[0]
            raise MedzhError(
                _("the model name is missing"),
                file=path,
                line=number,
                field="model",
                expected=_("a name in the plan"),
                advice=_("specify the model: --model NAME ({known})", known=", ".join(self.known)),
            )
        if len(labels) == 1:
            return labels[0]
        several = _("several systems of the plan have this name") if labels else _("the name is not in the plan")
        raise MedzhError(
            several,
            file=path,
            line=number,
            field="model",
            expected=", ".join(labels or self.known),
            found=printable(name),
            advice=_("specify the model: --model NAME")
            if labels
            else _("specify the model: --model NAME; or add the name to `served` in the plan"),
        )


def _judge_labels(plan: Plan, config: str, stage_name: str) -> NamesOfSystems:
    return _labels([one for one in plan.judges if one.stage == f"{config}/{stage_name}"])


def _labels(named: Iterable[Model | Judge]) -> NamesOfSystems:
    by_name: dict[str, list[str]] = {}
    known = []
    for one in named:
        known.append(one.label)
        for name in dict.fromkeys(map(spelled, (one.label, *one.names))):
            by_name.setdefault(name, []).append(one.label)
    return NamesOfSystems(known, by_name)


def files_in(names: Sequence[str]) -> list[Path]:
    """List files in a stable order, each once; of a folder all below it that can hold answers."""
    return list(dict.fromkeys(file for name in names for one in matching(name) for file in _files(Path(one))))


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        if not path.exists():
            raise MedzhError(_("the file does not exist"), file=path)
        yield path
        return
    names = [str(one) for one in path.rglob("*") if one.is_file() and _is_likely(one)]
    if not names:
        raise MedzhError(_("the folder has no files of a supported type"), file=path, expected=", ".join(LIKELY))
    yield from map(Path, in_natural_order(names))


def _is_likely(path: Path) -> bool:
    return Path(path.name.removesuffix(".gz")).suffix in LIKELY and not path.name.startswith(".")


class _Prompt(NamedTuple):
    """What a user asks in a chat, or the text that a model goes on with; tools may strip either."""

    form: str
    turns: Sequence[str]


def _prompt_in(line: Mapping[str, Any]) -> _Prompt | None:
    """Find what a line says that was asked; None where it says nothing, or what may be something else."""
    messages, text = line.get("messages"), line.get("text")
    if messages is None:
        if isinstance(text, str) and isinstance(line.get("generation"), dict):
            return _Prompt(TEXT, [text.strip()])
        return None
    turns = [one for one in messages if isinstance(one, dict)] if isinstance(messages, list) else []
    asked = [one.get("content") for one in turns if one.get("role") == ROLES[0]]
    texts = [one.strip() for one in asked if isinstance(one, str)]
    return _Prompt(CHAT, texts) if texts and len(texts) == len(asked) else None


OBJECT = msgspec.json.Decoder(dict[str, Any])


def _check_prompts(suite: Path, plan: Plan, path: Path, reader: str, came: Mapping[TaskKey, Lines]) -> None:
    """Refuse a file whose lines carry other prompts than were sent: ids alone do not tell two plans of a config."""
    prompts = {
        place: first_file(suite, plan.model(place.model), place.config)
        if place.stage == FIRST
        else place.prompts(suite)
        for place in came
    }
    for place, lines in came.items():
        if place.stage == FIRST:  # what a tool says, such as our prompts in its own template
            questions = AskedQuestions(find_config(place.config), plan.data, [prompts[place]])
            for number, one in lines:
                if not questions.fits(one):
                    raise _another_prompt(path, number, key_of(one), prompts[place])
    if reader not in {"native", "lm-eval"}:  # which keep the prompt line, the second as its document
        return
    places = {number: (place, key_of(one)) for place, lines in came.items() for number, one in lines}
    sent_of = cache(_sent)
    with InputFile(path) as file:
        for number, raw in numbered_lines(file):
            line = decoded(OBJECT, without_constants(raw), file, number)
            carried = _prompt_in(line["doc"] if reader == "lm-eval" else line)
            if carried is None or number not in places:
                continue
            place, key = places[number]
            sent = sent_of(prompts[place]).get(key, carried)
            if sent.turns != carried.turns:
                if sent.form != carried.form:
                    raise MedzhError(
                        _("the prompt format differs from that of this suite ({key})", key=key_text(key)),
                        file=path,
                        line=number,
                        expected=sent.form,
                        advice=_("check models[…].form in the plan, which sets the prompt format of each model"),
                    )
                raise _another_prompt(path, number, key, prompts[place])


def _another_prompt(path: Path, number: int, key: AnswerKey, prompts: Path) -> MedzhError:
    return MedzhError(
        _("the prompt differs from the prompt of this suite and belongs to another plan ({key})", key=key_text(key)),
        file=path,
        line=number,
        expected=str(prompts),
        advice=_("add the file to the suite from which its prompts were written"),
    )


def _sent(prompts: Path) -> Mapping[AnswerKey, _Prompt]:
    """Read what was sent, where it was; what is answered by the parts of a group is under no key."""
    lines = decoded_lines(prompts, OBJECT) if prompts.exists() else iter(())
    carried = ((key_in(line), _prompt_in(line)) for line in lines)
    return {key: prompt for key, prompt in carried if prompt is not None}
