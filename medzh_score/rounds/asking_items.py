"""What goes out in a later round: which items, or answers to them, are asked about, and what is shown of each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.asking import Question
from medzh_score.benchmark.draws import draw_first
from medzh_score.data.checked_rows import laid_out
from medzh_score.files.sheets import sheet_bytes
from medzh_score.messages.errors import MedzhError
from medzh_score.prompts.codes import CODE, code_of, judged_id
from medzh_score.prompts.codes import Key as Prediction
from medzh_score.prompts.writing import messages
from medzh_score.rounds.drawn import Sample, drawn_items, groups_of
from medzh_score.rounds.first_answers import Items, first_answers
from medzh_score.rounds.reading_items import check_judged, judgements_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.asking import Prompt
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.judgements import Judgements, Key
    from medzh_score.benchmark.rounds import About, Respondent, Round
    from medzh_score.data.records import Records
    from medzh_score.rounds.first_answers import FirstAnswerFiles, FirstAnswers


class NothingToAskError(MedzhError):
    """No answer is such that a round asks about it."""


@dataclass(frozen=True)
class Shown:
    """What somebody is asked about: an item, or the answer to it in a run; of a record, and blind, run 0."""

    id: str
    run: int
    context: Mapping[str, str]
    code: str

    @property
    def named(self) -> str:
        """What is asked about, as the id of a prompt."""
        return judged_id(Prediction(self.id, self.run), self.code)


@dataclass(frozen=True)
class Questions:
    """What a later round asks now, of a blind round shuffled; the notes say how many, and how many are answered."""

    later: Round
    shown: tuple[Shown, ...]
    columns: tuple[str, ...]
    notes: tuple[str, ...]


def item_questions(  # noqa: PLR0913 - the options of the command
    config: Config,
    records: Records,
    later: Round,
    after: FirstAnswerFiles | None = None,
    *,
    sample: int | None = None,
    seed: int = 0,
    answered: Sequence[Path] = (),
) -> Questions:
    """Choose what a later round asks about."""
    layout = laid_out(config, records)
    first = first_answers(config, Items(records.rows, layout), later, after)
    size = later.sample if sample is None else sample
    groups, drawn = groups_of(layout, later), drawn_items(later, layout, first.pool, Sample(size, seed))
    known = _known(later, answered, first, after)
    place = {item: index for index, item in enumerate(layout.items)}
    due = [
        (item, run, column)
        for column, run in enumerate(first.runs)
        for item in drawn
        if first.pool[place[item], column]
    ]
    asked = [(item, run) for item, run, column in due if first.eligible[place[item], column]]
    if not asked:
        problem = f"nothing can be asked about in round {later.name}"
        raise NothingToAskError(problem, file=None if after is None else after.files.paths[0])
    answered_keys = known.by_each if later.many else known.values
    left = [key for key in asked if key not in answered_keys]
    if later.blind:
        left = draw_first(left, lambda key: f"{key[0]}:{key[1]}", len(left), seed)
    about = _about(first.items, left or asked[:1])
    shown = [_shown(later, key, one) for key, one in about.items()]
    columns, shown = tuple(shown[0].context), shown[: len(left)]
    if later.blind:  # equal answers are one, whoever gave them
        shown = list({(one.id, one.code): one for one in shown}.values())
    shares = Counter(dict.fromkeys(groups.values(), 0))
    shares.update(map(groups.__getitem__, drawn))
    notes = _described(later, asked, first, None if size is None else seed, shares)
    if first.models > 1:
        notes.append(f"answers of {first.models:,} models: nothing that is written says which")
    if len(shown) < len(left):
        notes.append(f"equal answers are asked about once: {len(left) - len(shown):,} left out")
    if later.of_same_model:
        notes.append(f"to be answered by {later.answered_by}, no other")
        missed = first.eligible.size - len(asked)
        notes += [f"{missed:,} first answers did not come and are not asked about"] if missed else []
    elif len(due) > len(asked):
        notes.append(f"{len(due) - len(asked):,} of {len(due):,} answers that are due did not come or say nothing")
    if size is not None and (size, seed) != (later.sample, 0) and later.about == "answers":
        notes.append(f"drawn otherwise than by default: score with --round-sample {later.name}={Sample(size, seed)}")
    if answered:
        notes.append(f"{len(asked) - len(left):,} of {len(asked):,} are answered and left out")
    notes += later.account(list(about.values())[: len(left)])
    return Questions(later, tuple(shown), columns, tuple(notes))


def _known(later: Round, answered: Sequence[Path], first: FirstAnswers, after: FirstAnswerFiles | None) -> Judgements:
    """Read what has come back so far; of several models only a code says whose answer was judged."""
    known = judgements_in(later, answered, first.items)
    check_judged([later], {later.name: known}, first.runs)
    if known.unverified and after is not None and after.beside:
        raise MedzhError(
            "does not say which model's answers it judges",
            field="--answered",
            expected="ids or a column with the codes that were written",
            advice="ask about one model at a time",
        )
    return known


def _about(items: Items, keys: Sequence[Key]) -> dict[Key, About]:
    """Give the records and the texts that each question is about; no texts where it is about records."""
    texts = items.answers({item for item, _ in keys})
    return {(item, run): (items.members[item], texts[item][run] if texts else ()) for item, run in keys}


def _shown(later: Round, key: Key, about: About) -> Shown:
    """Show what is asked about, under the code of the raw texts or, of a record, of what is shown."""
    (item, run), (_, texts), context = key, about, later.context(*about)
    code = code_of(later.name, list(context.values()) if later.about == "records" else texts)
    return Shown(item, 0 if later.blind else run, context, code)


def _described(
    later: Round, asked: Sequence[Key], first: FirstAnswers, seed: int | None, shares: Mapping[str, int]
) -> list[str]:
    """Say how many items of which runs are asked about, how they were drawn, and what is asked."""
    items = f"{len({item for item, _ in asked}):,}"
    notes = [_asked_about(later, items, _seen(later, asked, first), seed)]
    if seed is not None and later.strata is not None:
        least, most = min(shares.values()), max(shares.values())
        evenly = f"drawn evenly: {most} of each {later.strata}"
        notes.append(evenly if least == most else f"drawn evenly: {least} to {most} of each {later.strata}")
    return notes


def _seen(later: Round, asked: Sequence[Key], first: FirstAnswers) -> int | None:
    """Count the runs that are asked about: None where no run of one model is meant, 0 where it is the first alone."""
    if later.about != "answers" or first.models > 1:
        return None
    seen = {run for _, run in asked}
    return 0 if seen == {first.runs[0]} else len(seen)


def _asked_about(later: Round, items: str, seen: int | None, seed: int | None) -> str:
    if seen is None:
        drawn = f"{items} items drawn with seed {seed}: {later.summary}"
        return f"{items} items: {later.summary}" if seed is None else drawn
    if seen:
        drawn = f"{items} items in {seen} runs drawn with seed {seed}: {later.summary}"
        return f"{items} items in {seen} runs: {later.summary}" if seed is None else drawn
    drawn = f"{items} items of the first run drawn with seed {seed}: {later.summary}"
    return f"{items} items of the first run: {later.summary}" if seed is None else drawn


def round_lines(
    questions: Questions, respondent: Respondent, prompt: Prompt, form: str = "chat"
) -> Iterator[dict[str, Any]]:
    """Make the lines of a prompts file for a model."""
    for shown in questions.shown:
        text = prompt.fill(**shown.context)
        led = text + prompt.lead
        yield {
            "id": shown.named,
            "round": questions.later.name,
            **({"messages": messages(Question((text,), led))} if form == "chat" else {"text": led}),
            "prompt": prompt.name,
            "shots": 0,
            "decoding": dict(respondent.decoding),
        }


def round_cost(questions: Questions, prompt: Prompt, lead: str = "") -> str:
    """Say how much a model would be asked, before anything is written or sent."""
    calls = len(questions.shown)
    characters = sum(len(prompt.fill(**shown.context)) + len(lead) for shown in questions.shown)
    if calls == 1:
        return f"{questions.later.name}: 1 call, {characters:,} characters of prompts"
    return f"{questions.later.name}: {calls:,} calls, {characters:,} characters of prompts"


def round_sheet(questions: Questions) -> bytes:
    """Make the sheet of a later round, a row for each question.

    The id says all in a round about single predictions; else code and, where the round is not blind, run stand beside.
    """
    later = questions.later
    alone = later.keyed == "prediction"
    runs = ("run",) if later.about == "answers" and not later.blind else ()
    keys = ("id",) if alone else ("id", *runs, CODE)
    columns = (*keys, *(name for name in questions.columns if name not in later.unshown))
    rows = (
        {"id": shown.named if alone else shown.id, "run": shown.run, CODE: shown.code, **shown.context}
        for shown in questions.shown
    )
    shown_only = ({name: row[name] for name in columns} for row in rows)
    return sheet_bytes((*columns, *later.values, "rater"), shown_only)
