"""What goes out in a stage: which items, or answers, are asked about, and what is shown of each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.prompts import FilledPrompt
from medzh_score.benchmark.rules import DEFAULT_RULE
from medzh_score.benchmark.stages import SECOND, Between
from medzh_score.benchmark.variants import draw_first
from medzh_score.data.records import laid_out
from medzh_score.io.sheets import GUIDE, Sheet, headed
from medzh_score.prompting.ids import CODE, AnswerKey, code_of, judged_id
from medzh_score.prompting.write import messages
from medzh_score.readers.align import collect
from medzh_score.readers.prediction import Shuffled
from medzh_score.stages.annotations import annotations_in, check_judged
from medzh_score.stages.binding import StageItems, first_answers, refuse_several
from medzh_score.stages.fallback import is_control, is_expected, reading_of
from medzh_score.stages.replies import NO_ANSWER, available_answers, our_rule, read_replies
from medzh_score.stages.sampling import StageSample, drawn_items, groups_of
from medzh_score.ui.errors import MedzhError, shown
from medzh_score.ui.i18n import _, joined, pgettext

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.answers import AnswerTable
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.items import Query, Record
    from medzh_score.benchmark.prompts import PromptTemplate
    from medzh_score.benchmark.rules import Reads
    from medzh_score.benchmark.stages import Allowed, Annotations, JudgeSpec, Key, Stage
    from medzh_score.data.records import Records
    from medzh_score.stages.binding import FirstAnswerFiles, FirstAnswers

CONTROLS = 10  # one row in so many is a control


class NothingToAskError(MedzhError):
    """No answer is such that a stage asks about it."""


@dataclass(frozen=True)
class Task:
    """What somebody is asked about: a record, or the answer to it in a run and variant; blind, the run is 0."""

    key: AnswerKey
    context: Mapping[str, str]
    code: str

    @property
    def id(self) -> str:
        """What is asked about, as the id of a prompt."""
        return judged_id(self.key, self.code)


@dataclass(frozen=True)
class Tasks:
    """What a stage asks now, of a blind stage shuffled; the notes say how many, and how many are answered."""

    stage: Stage
    tasks: tuple[Task, ...]
    columns: tuple[str, ...]
    notes: tuple[str, ...]


def stage_tasks(  # noqa: PLR0913 - the options of the command
    config: Config,
    records: Records,
    stage: Stage,
    after: FirstAnswerFiles | None = None,
    *,
    sample: int | None = None,
    seed: int = 0,
    answered: Sequence[Path] = (),
    include_ambiguous: bool = False,
) -> Tasks:
    """Choose what a stage asks about, without what is answered."""
    drawn = StageSample(stage.sampling.size if sample is None else sample, seed)
    if stage.keyed == "prediction":
        return _answer_tasks(config, records, stage, after, drawn, answered, include_ambiguous=include_ambiguous)
    return _item_tasks(config, records, stage, after, drawn, answered)


def _item_tasks(  # noqa: PLR0913, PLR0917 - the options of the command
    config: Config,
    records: Records,
    stage: Stage,
    after: FirstAnswerFiles | None,
    drawn: StageSample,
    answered: Sequence[Path],
) -> Tasks:
    layout = laid_out(config, records)
    first = first_answers(config, StageItems(records.rows, layout), stage, after)
    chosen = drawn_items(stage, layout, first.pool, drawn)
    known = _known(stage, answered, first, after)
    place = {item: index for index, item in enumerate(layout.items)}
    expected = [
        (item, run, column)
        for column, run in enumerate(first.runs)
        for item in chosen
        if first.pool[place[item], column]
    ]
    asked = [(item, run) for item, run, column in expected if first.eligible[place[item], column]]
    if not asked:
        problem = _("stage {stage_name} has no items to query", stage_name=stage.name)
        raise NothingToAskError(problem, file=None if after is None else after.files.paths[0])
    answered_keys = known.by_each if stage.many else known.values
    left = [key for key in asked if key not in answered_keys]
    if stage.blind:
        left = draw_first(left, lambda key: f"{key[0]}:{key[1]}", len(left), drawn.seed)
    members, texts = first.items.members, first.items.answers({item for item, _unused in left or asked[:1]})
    about = [(members[item], texts[item][run] if texts else ()) for item, run in left or asked[:1]]
    tasks = []
    for (item, run), (rows, answers) in zip(left or asked[:1], about, strict=True):
        context = stage.context(rows, answers)
        code = code_of(stage.name, list(context.values()) if stage.about == "records" else answers)
        tasks.append(Task(AnswerKey(item, 0 if stage.blind else run), context, code))
    columns, tasks = tuple(tasks[0].context), tasks[: len(left)]
    if stage.blind:  # equal answers are one, whoever gave them
        tasks = list({(one.key.id, one.code): one for one in tasks}.values())
    notes = [_asked_about(stage, asked, first, drawn)]
    if drawn.size is not None and stage.sampling.strata is not None:
        notes.append(_stratified(stage.sampling.strata, groups_of(layout, stage), chosen))
    if first.models > 1:
        notes.append(_("answers of {models:,} models; the output does not name the models", models=first.models))
    if len(tasks) < len(left):
        notes.append(_("equal answers are queried only once: {n_left:,} skipped", n_left=len(left) - len(tasks)))
    notes += _not_asked(stage, first, drawn, len(asked), len(expected))
    if answered:
        notes.append(_skipped(len(asked) - len(left), len(asked)))
    notes += stage.account(about[: len(left)])
    return Tasks(stage, tuple(tasks), columns, tuple(notes))


def _known(stage: Stage, answered: Sequence[Path], first: FirstAnswers, after: FirstAnswerFiles | None) -> Annotations:
    """Read what has come back so far; of several models only a code says whose answer was judged."""
    known = annotations_in(stage, answered, first.items)
    check_judged([stage], {stage.name: known}, first.runs)
    if known.unverified and after is not None and after.beside:
        raise MedzhError(
            _("the file does not identify the model of each answer"),
            field="--skip-answered",
            expected=_("ids with answer hashes, or a column answer_hash"),
            advice=_("write prompts for one model at a time"),
        )
    return known


def _asked_about(stage: Stage, asked: Sequence[Key], first: FirstAnswers, drawn: StageSample) -> str:
    """Say how many items of which runs are asked about, how they were drawn, and what is asked."""
    items, seed, runs = f"{len({item for item, _unused in asked}):,}", drawn.seed, {run for _unused, run in asked}
    all_items = drawn.size is None
    if stage.about != "answers" or first.models > 1:
        sampled = _("{items} items sampled with seed {seed}: {summary}", items=items, seed=seed, summary=stage.summary)
        return _("{items} items: {summary}", items=items, summary=stage.summary) if all_items else sampled
    if runs != {first.runs[0]}:
        sampled = _(
            "{items} items in {n_runs} runs sampled with seed {seed}: {summary}",
            items=items,
            n_runs=len(runs),
            seed=seed,
            summary=stage.summary,
        )
        return (
            _("{items} items in {n_runs} runs: {summary}", items=items, n_runs=len(runs), summary=stage.summary)
            if all_items
            else sampled
        )
    sampled = _(
        "{items} items of the first run sampled with seed {seed}: {summary}",
        items=items,
        seed=seed,
        summary=stage.summary,
    )
    return _("{items} items of the first run: {summary}", items=items, summary=stage.summary) if all_items else sampled


def _stratified(strata: str, groups: Mapping[str, str], chosen: Iterable[str]) -> str:
    """Say how many items of each group were drawn."""
    shares = Counter(dict.fromkeys(groups.values(), 0))
    shares.update(map(groups.__getitem__, chosen))
    least, most = min(shares.values()), max(shares.values())
    if least == most:
        return _("stratified sample: {most} items per {strata}", most=most, strata=strata)
    return _("stratified sample: {least} to {most} items per {strata}", least=least, most=most, strata=strata)


def _not_asked(stage: Stage, first: FirstAnswers, drawn: StageSample, asked: int, expected: int) -> Iterator[str]:
    """Say who may answer, what is not queried, and that a sample is not the default one."""
    if stage.of_same_model:
        yield _("only {answered_by} may answer these prompts", answered_by=stage.answered_by)
        if missed := first.eligible.size - asked:
            yield _("{missed:,} predictions are missing; no prompts are written for them", missed=missed)
    elif expected > asked:
        of_all = {"missing": expected - asked, "expected": expected}
        yield _("{missing:,} of {expected:,} expected answers are missing or have no content", **of_all)
    if drawn.size is not None and drawn != StageSample(stage.sampling.size) and stage.about == "answers":
        of = {"stage_name": stage.name, "drawn": drawn}
        yield _("the sample is not the default one: score with --stage-sample {stage_name}={drawn}", **of)


def _skipped(answered: int, asked: int) -> str:
    of = {"answered": answered, "asked": asked}
    return _("{answered:,} of {asked:,} are already answered and are skipped", **of)


def _answer_tasks(  # noqa: PLR0913, PLR0917 - the options of the command
    config: Config,
    records: Records,
    stage: Stage,
    after: FirstAnswerFiles | None,
    drawn: StageSample,
    answered: Sequence[Path],
    *,
    include_ambiguous: bool,
) -> Tasks:
    """Choose single predictions, in an order that tells nothing; none where nothing is due, or all is answered."""
    reads = config.reads
    assert reads is not None  # noqa: S101 - the stage is declared with it
    if after is None:
        expected = _("responses of stage {stage}", stage=reads.of.stage) if reads.of else _("predictions files")
        raise MedzhError(
            _("this option is required for stage {stage_name}", stage_name=stage.name),
            field="--predictions",
            expected=expected,
        )
    refuse_several(stage, after)
    layout = laid_out(config, records)
    asked = config.queries(records.rows, layout)
    available = available_answers(config, StageItems(records.rows, layout), asked, after.files, after.files.paths)
    if not available.files.paths:
        raise NothingToAskError(
            _("the file contains no responses for which prompts can be written"), file=after.files.paths[0]
        )
    read = [our_rule(config)] if stage.name == SECOND else []  # an audit is blind to what a rule says
    tables = collect(available.ids, available.asked, read, available.files).tables
    with_text = available.with_text()
    if stage.name == SECOND:
        chosen, note = _for_fallback(
            tables[DEFAULT_RULE], available.places, with_text, drawn.seed, include_ambiguous=include_ambiguous
        )
    else:
        chosen = draw_first(with_text, str, len(with_text) if drawn.size is None else drawn.size, drawn.seed)
        of = {"n_chosen": len(chosen), "n_with_text": len(with_text), "seed": drawn.seed, "summary": stage.summary}
        note = _("{n_chosen:,} of {n_with_text:,} non-empty responses sampled with seed {seed}: {summary}", **of)
    notes = [note]
    if reads.of is not None:  # whoever gives first answers by mistake should see it
        notes.append(_("the items are responses of stage {stage}", stage=reads.of.stage))
    known = read_replies(stage, answered, config, available)
    # In the order of the names that draw them, controls would all come first.
    mixed = draw_first(chosen, lambda key: f"order:{key}", len(chosen), drawn.seed)
    left = [key for key in mixed if key not in known.values]
    if answered:
        notes.append(_skipped(len(chosen) - len(left), len(chosen)))
    texts = available.texts(left)
    rows = dict(zip(available.ids, records.rows, strict=True))
    tasks = tuple(
        Task(
            key,
            answer_context(reads, rows[key.id], with_text[key], available.places[key.id], key.variant, texts[key]),
            code_of(stage.name, [texts[key]]),
        )
        for key in left
    )
    return Tasks(stage, tasks, ("question", "response", "choices"), tuple(notes))


def _for_fallback(
    table: AnswerTable,
    places: Mapping[str, int],
    keys: Iterable[AnswerKey],
    seed: int,
    *,
    include_ambiguous: bool,
) -> tuple[list[AnswerKey], str]:
    """Choose what a rule left unread and the controls beside it, and say how many."""
    readings = {key: found for key in keys if (found := reading_of(table, places, key)) is not None}
    uncertain = [key for key, found in readings.items() if is_expected(found, include_ambiguous=include_ambiguous)]
    able = [key for key, found in readings.items() if is_control(found, include_ambiguous=include_ambiguous)]
    controls = draw_first(able, str, -(-len(uncertain) // (CONTROLS - 1)), seed)
    note = _(
        "{n_expected:,} of {total} non-empty responses need fallback extraction; control items sampled "
        "with seed {seed}: {sampled}",
        n_expected=len(uncertain),
        total=f"{len(readings):,}",
        seed=seed,
        sampled=f"{len(controls):,}",
    )
    return uncertain + controls, note


def answer_context(  # noqa: PLR0913, PLR0917 - all that is shown of a prediction
    reads: Reads, record: Record, asked: Query, member: int, variant: int, text: str
) -> Mapping[str, str]:
    """Show a question, with its place where one text answers several, and the response; never the gold."""
    if isinstance(text, Shuffled):
        raise MedzhError(
            _("the options of {asked_id} were in a different order than in the record", asked_id=shown(asked.id)),
            expected=_("the option order of the record, which fallback extraction and audits show"),
            advice=_("query again with the prompts from medzh-score prompts, without shuffling the options"),
        )
    question = reads.question(record, asked, variant)
    if len(asked.members) > 1:
        place = asked.members.index(member) + 1
        question = f"（这段回答一次回答了 {len(asked.members)} 道题，这里只问其中的第 {place} 题。）\n{question}"
    return {"question": question, "response": text, "choices": f"{reads.choices}，或者“{NO_ANSWER}”"}


def task_lines(
    tasks: Tasks, respondent: JudgeSpec, prompt: PromptTemplate, form: str = "chat"
) -> Iterator[dict[str, Any]]:
    """Make the lines of a prompts file for a model."""
    for one in tasks.tasks:
        text = prompt.fill(**one.context)
        led = text + prompt.completion_prefix
        yield {
            "id": one.id,
            "stage": tasks.stage.name,
            **({"messages": messages(FilledPrompt((text,), led))} if form == "chat" else {"text": led}),
            "prompt": prompt.name,
            "shots": 0,
            "generation": dict(respondent.generation_kwargs),
        }


def task_cost(tasks: Tasks, prompt: PromptTemplate, lead: str = "") -> str:
    """Say how much a model would be asked, before anything is written or sent."""
    calls = len(tasks.tasks)
    characters = sum(len(prompt.fill(**one.context)) + len(lead) for one in tasks.tasks)
    if calls == 1:
        return _(
            "{stage_name}: 1 call, {characters:,} characters of prompts",
            stage_name=tasks.stage.name,
            characters=characters,
        )
    return _(
        "{stage_name}: {calls:,} calls, {characters:,} characters of prompts",
        stage_name=tasks.stage.name,
        calls=calls,
        characters=characters,
    )


def task_sheet(tasks: Tasks) -> Sheet:
    """Make the sheet of a stage, one row for each task.

    In a stage about single predictions the id says all; else the answer hash and, unless the stage is blinded, the run
    are columns of their own.
    """
    stage = tasks.stage
    by_id = stage.keyed == "prediction"
    run_column = ("run",) if stage.about == "answers" and not stage.blind else ()
    keys = ("id",) if by_id else ("id", *run_column, CODE)
    unshown = () if stage.model is None else stage.model.prompt_only
    columns = (*keys, *(name for name in tasks.columns if name not in unshown), *stage.values, "annotator")
    rows = tuple(
        {"id": one.id if by_id else one.key.id, "run": one.key.run, CODE: one.code, **one.context}
        for one in tasks.tasks
    )
    choices = {name: allowed for name, allowed in stage.values.items() if isinstance(allowed, tuple) and allowed}
    limits = {name: (one.low, one.high) for name, one in stage.values.items() if isinstance(one, Between)}
    allowed = [
        _("Values of the column {column}: {values}.", column=headed(name), values=values_of(one))
        for name, one in stage.values.items()
        if one
    ]
    return Sheet(columns, rows, (stage.summary, *allowed, *GUIDE), choices, limits)


def values_of(allowed: Allowed) -> str:
    """List the values of a column as the sheet offers them."""
    if isinstance(allowed, Between):
        return str(allowed)
    return joined([pgettext("sheet values", value) for value in allowed])
