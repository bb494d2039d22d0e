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
from medzh_score.prompting.positions import orders_of_rounds, sent_order
from medzh_score.prompting.write import ROLES
from medzh_score.readers.align import spelled
from medzh_score.readers.files import PredictionFiles
from medzh_score.readers.stored_questions import AskedQuestions
from medzh_score.suites.outbox import CHAT, TEXT
from medzh_score.suites.progress import key_in, sent_ids, stage_tasks_of
from medzh_score.suites.prompts import first_file
from medzh_score.suites.responses import (
    FIRST,
    LOCK,
    SHARED,
    is_filled_sheet,
    kept_answers,
    kept_rows,
    key_of,
    merged,
    places_of_sheet,
    replace_kept,
    rows_as_answers,
    write_kept,
)
from medzh_score.ui.errors import NAMED, MedzhError, printable, shown
from medzh_score.ui.privacy import quotable

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
class ImportCounts:
    """What a file gave to a place."""

    place: TaskKey
    new: int
    same: int
    replaced: int


@dataclass(frozen=True)
class ImportOptions:
    """A file that is added: whose it is where the user says so, how it is read, and whether it may replace answers."""

    model: str | None = None
    reader: str | None = None
    replace: bool = False


@dataclass(frozen=True)
class ImportedFile:
    """What a file gave, and what of it was left out: answers of a model to what only others were asked so far."""

    path: Path
    taken: Sequence[ImportCounts]
    left_out: Mapping[TaskKey, Sequence[AnswerKey]]


@dataclass(frozen=True)
class PendingImport:
    """What a file is to give to a place, and what puts it there, where anything of it is new."""

    taken: ImportCounts
    write: Callable[[], None]


@dataclass
class LinesByTask:
    """A file's lines by place, keys that only other models were asked, and ids that this suite asks nowhere."""

    reader: str = ""
    lines: dict[TaskKey, Lines] = field(default_factory=dict)
    left_out: dict[TaskKey, list[AnswerKey]] = field(default_factory=dict)
    foreign: dict[AnswerKey, int] = field(default_factory=dict)


def add_files(suite: Path, plan: Plan, files: Sequence[Path], adding: ImportOptions) -> Iterator[ImportedFile]:
    """Put files in their places, each whole or not at all, and say of each at once what it gave."""
    with locked(suite / LOCK, suite, "wait until it ends"):
        known = sent_ids(suite, plan)
        for path in files:
            came = _of_sheet if is_filled_sheet(path, plan) else _of_lines
            coming, left_out = came(suite, plan, path, adding, known)
            for one in coming:
                one.write()
            yield ImportedFile(path, [one.taken for one in coming], left_out)


def _of_lines(
    suite: Path, plan: Plan, path: Path, adding: ImportOptions, known: SentIds
) -> tuple[list[PendingImport], Mapping[TaskKey, Sequence[AnswerKey]]]:
    found = _sorted(suite, plan, path, adding, known)
    refuse_other_prompts(suite, plan, path, found.reader, found.lines)
    coming = []
    for place, lines in found.lines.items():
        file = place.answers(suite)
        one = merged(path, kept_answers(file), lines, replace=adding.replace)
        is_news = one.new or one.replaced or not file.exists()
        write = partial(replace_kept if one.replaced else write_kept, file, one.answers) if is_news else _nothing
        coming.append(PendingImport(ImportCounts(place, one.new, one.same, one.replaced), write))
    return coming, found.left_out


def _of_sheet(
    suite: Path, plan: Plan, path: Path, adding: ImportOptions, known: SentIds
) -> tuple[list[PendingImport], Mapping[TaskKey, Sequence[AnswerKey]]]:
    """Keep a filled sheet as it is: of what it judges, the scorer takes what each model's answers are."""
    coming = []
    for asked, rater in places_of_sheet(path, plan, known.later).items():
        label = judge_labels(plan, asked.config, asked.round).label_of(rater, adding.model, path, 1)
        place = asked._replace(judge=label)
        one = merged(path, kept_rows(suite, place), rows_as_answers(path, place), replace=adding.replace)
        write = partial(_keep_sheet, path, place.next_sheet(suite)) if one.new or one.replaced else _nothing
        coming.append(PendingImport(ImportCounts(place, one.new, one.same, one.replaced), write))
    return coming, {}


def _keep_sheet(path: Path, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(file, path.read_bytes())


def _nothing() -> None:
    """Leave what is kept as it is."""


def _sorted(suite: Path, plan: Plan, path: Path, adding: ImportOptions, known: SentIds) -> LinesByTask:
    """Find the places of a file's lines."""
    files = PredictionFiles((path,), adding.reader, order=orders_of(suite, plan), keep_reasoning=True)
    models, judges = model_labels(plan), cache(lambda config, name: judge_labels(plan, config, name))
    found = LinesByTask()
    for opened in files.opened():
        found.reader = opened.reader
        for number, one in opened.lines:
            places = known.places(key := key_of(one))
            if not places:
                found.foreign.setdefault(key, number)
            homes: dict[TaskKey, bool] = {}
            for place in places:
                whose = judges(place.config, place.round) if _is_judged(place) else models
                home = _home(place, whose.label_of(one.model, adding.model, path, number))
                homes[home] = place.model == SHARED or _is_judged(place) or home in places
            for home in homes if not any(homes.values()) else ():
                found.left_out.setdefault(home, []).append(key)
            for home in (home for home, is_asked in homes.items() if is_asked):
                found.lines.setdefault(home, []).append((number, one))
    if found.foreign:
        raise _foreign(path, found.foreign, plan)
    if not found.lines and not found.left_out:
        raise MedzhError("holds no answers", file=path, advice="check that generation ran")
    return found


@cache
def _judged(config: str, name: str) -> bool:
    return not pick("round", find_config(config).every_round, name).of_same_model


def _is_judged(place: TaskKey) -> bool:
    """Say whether somebody else than the model answers a round."""
    return place.round != FIRST and _judged(place.config, place.round)


def _home(place: TaskKey, label: str) -> TaskKey:
    """Say where an answer to what was asked at a place belongs; a model's own rounds are its own."""
    return place._replace(judge=label) if _is_judged(place) else place._replace(model=label)


def _foreign(path: Path, foreign: Mapping[AnswerKey, int], plan: Plan) -> MedzhError:
    """Say of which ids nothing was asked, and whose they look like."""
    first = next(iter(foreign))
    named = ", ".join(shown(str(key)) for key in list(foreign)[:NAMED]) + (", …" if len(foreign) > NAMED else "")
    asked = {one.config for one in plan.configs}
    alike = [name for name in config_names() if name not in asked and first.id.startswith(f"{name}-")]
    return MedzhError(
        f"answers {len(foreign)} prompts that this suite did not send ({named})",
        file=path,
        line=foreign[first],
        field="id",
        found=str(first),
        advice=f"these look like ids of {max(alike, key=len)}, which the plan does not ask"
        if alike
        else "check that these are answers to the prompts of this suite",
    )


def orders_of(suite: Path, plan: Plan) -> SentOrder:
    """Give the orders of all prompts files of a suite; nothing is read before somebody asks for them."""

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
                    for one in orders_of_rounds(config, {place.round: [path]}).values():
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
                raise MedzhError("is not in the plan", field="--model", expected=", ".join(self.known), found=given)
            if labels and given not in labels:
                raise MedzhError(
                    f"names another system of the plan than --model {given}",
                    file=path,
                    line=number,
                    field="model",
                    expected=given,
                    found=printable(str(name)),
                    advice="leave out --model, or add the name to served of the system that is meant",
                )
            return given
        if name is None or not name.strip():
            if len(self.known) == 1:
                return self.known[0]
            raise MedzhError(
                "names nobody who answered",
                file=path,
                line=number,
                field="model",
                expected="one of the plan's names",
                advice=f"say whose answers these are: --model LABEL ({', '.join(self.known)})",
            )
        if len(labels) == 1:
            return labels[0]
        several = "is the name of several systems of the plan" if labels else "is no name of the plan"
        raise MedzhError(
            several,
            file=path,
            line=number,
            field="model",
            expected=", ".join(labels or self.known),
            found=printable(name),
            advice="say whose answers these are: --model LABEL"
            if labels
            else "say whose answers these are: --model LABEL; or add the name to served in the plan",
        )


def model_labels(plan: Plan) -> NamesOfSystems:
    """List the names of the models."""
    return _labels(plan.models)


def judge_labels(plan: Plan, config: str, round_name: str) -> NamesOfSystems:
    """List the names of those who answer a round."""
    return _labels([one for one in plan.judges if one.round == f"{config}/{round_name}"])


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
            raise MedzhError("there is no such file", file=path)
        yield path
        return
    names = [str(one) for one in path.rglob("*") if one.is_file() and _is_likely(one)]
    if not names:
        raise MedzhError("is a folder without files that can hold answers", file=path, expected=", ".join(LIKELY))
    yield from map(Path, in_natural_order(names))


def _is_likely(path: Path) -> bool:
    return Path(path.name.removesuffix(".gz")).suffix in LIKELY and not path.name.startswith(".")


class CarriedPrompt(NamedTuple):
    """What a user asks in a chat, or the text that a model goes on with; tools may strip either."""

    form: str
    turns: Sequence[str]


class Carried(msgspec.Struct):
    """The fields of a prompt line; ``text`` alone, and beside messages, may be anything."""

    messages: Any = None
    text: Any = None
    decoding: Any = None

    @property
    def prompt(self) -> CarriedPrompt | None:
        """What was asked; None where the line does not say it."""
        if self.messages is None:
            is_prompt = isinstance(self.text, str) and isinstance(self.decoding, dict)
            return CarriedPrompt(TEXT, [self.text.strip()]) if is_prompt else None
        messages = self.messages if isinstance(self.messages, list) else []
        asked = [one.get("content") for one in messages if isinstance(one, dict) and one.get("role") == ROLES[0]]
        texts = [one.strip() for one in asked if isinstance(one, str)]
        return CarriedPrompt(CHAT, texts) if texts and len(texts) == len(asked) else None


class CarriedSample(msgspec.Struct):
    """A line of lm-evaluation-harness, whose document is the prompt line."""

    doc: Carried

    @property
    def prompt(self) -> CarriedPrompt | None:
        """What the document says."""
        return self.doc.prompt


# By the name of the file's reader.
CARRIED: dict[str, msgspec.json.Decoder[Any]] = {
    "native": msgspec.json.Decoder(Carried),
    "lm-eval": msgspec.json.Decoder(CarriedSample),
}


def refuse_other_prompts(
    suite: Path, plan: Plan, path: Path, reader: str, came: Mapping[TaskKey, Sequence[tuple[int, Prediction]]]
) -> None:
    """Refuse a file whose lines carry other prompts than were sent: ids alone do not tell two plans of a config."""
    _refuse_other_questions(suite, plan, path, came)
    decoder = CARRIED.get(reader)
    if decoder is None:
        return
    sent_of = cache(_sent)
    places: dict[int, tuple[TaskKey, AnswerKey]] = {}
    with InputFile(path) as file:
        for number, raw in numbered_lines(file):
            carried: CarriedPrompt | None = decoded(decoder, without_constants(raw), file, number).prompt
            if carried is None:
                continue
            places = places or {at: (place, key_of(one)) for place, lines in came.items() for at, one in lines}
            if number not in places:
                continue
            place, key = places[number]
            is_first = place.round == FIRST
            prompts = first_file(suite, plan.model(place.model), place.config) if is_first else place.prompts(suite)
            sent = sent_of(prompts).get(key, carried)
            if sent.turns != carried.turns:
                if sent.form != carried.form:
                    raise _in_another_form(path, number, key, sent.form)
                raise _another_prompt(path, number, key, prompts)


def _refuse_other_questions(
    suite: Path, plan: Plan, path: Path, came: Mapping[TaskKey, Sequence[tuple[int, Prediction]]]
) -> None:
    """Refuse a file of a tool that says that something else was asked, such as our prompts in its own template."""
    for place, lines in came.items():
        if place.round != FIRST:
            continue
        prompts = first_file(suite, plan.model(place.model), place.config)
        questions = AskedQuestions(find_config(place.config), plan.data, [prompts])
        for number, one in lines:
            if not questions.fits(one):
                raise _another_prompt(path, number, key_of(one), prompts)


def _another_prompt(path: Path, number: int, key: AnswerKey, prompts: Path) -> MedzhError:
    return MedzhError(
        f"carries another prompt than this suite sent: it answers another plan ({quotable(key)})",
        file=path,
        line=number,
        expected=str(prompts),
        advice="add it to the suite that sent its prompts",
    )


def _in_another_form(path: Path, number: int, key: AnswerKey, form: str) -> MedzhError:
    return MedzhError(
        f"carries the prompt in another form than this suite sent ({quotable(key)})",
        file=path,
        line=number,
        expected=form,
        advice="models[…].form in the plan says in which form each is asked",
    )


def _sent(prompts: Path) -> Mapping[AnswerKey, CarriedPrompt]:
    """Read what was sent, where it was; what is answered by the parts of a group stands under no key."""
    lines = decoded_lines(prompts, msgspec.json.Decoder(dict[str, Any])) if prompts.exists() else iter(())
    carried = ((key_in(line), msgspec.convert(line, Carried).prompt) for line in lines)
    return {key: prompt for key, prompt in carried if prompt is not None}
