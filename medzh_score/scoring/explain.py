"""Single predictions, as every rule of a config reads them: the answer, where it was read, and why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from medzh_score.benchmark.answers import answered
from medzh_score.benchmark.config import rule_of
from medzh_score.benchmark.prompts import PromptSettings
from medzh_score.benchmark.registry import find_config
from medzh_score.benchmark.rules import DEFAULT_RULE
from medzh_score.data.records import laid_out, records_of
from medzh_score.extraction.whole_text import CUT
from medzh_score.prompting.positions import sent_order
from medzh_score.readers.align import PredictionPlace, read_by, read_in
from medzh_score.readers.stored_questions import AskedQuestions
from medzh_score.ui.errors import NAMED, MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from pathlib import Path

    from medzh_score.benchmark.answers import Reading, Span, WordingCount
    from medzh_score.benchmark.items import Query, Record
    from medzh_score.benchmark.rules import Rule
    from medzh_score.data.records import Records
    from medzh_score.readers.files import PredictionFiles
    from medzh_score.readers.prediction import Prediction

    ReadIn = Callable[[Rule, str, object, int], Sequence[Reading]]


NO_ANSWER = {
    "empty": _("nothing is left to read"),
    "too long": _("it runs on for longer than is read"),
    "unfinished thinking": _("thinking is never closed, so nothing is said to the reader"),
    "refusal": _("the text declines to answer, and says nothing else"),
    "contradiction": _("it says two things that cannot both be meant"),
    "correction": _("it takes back what it said"),
    "hedge": _("it leaves open what it says"),
    "undecided": _("it says itself that this cannot be decided, or holds in part"),
    "either": _("it names the choice itself, or one of several"),
    "unclear": _("where the names end cannot be told"),
    "denied": _("what would be the answer is denied"),
    "supposed": _("what would be the answer is only supposed"),
    "asked": _("what would be the answer is asked"),
    "example": _("what would be the answer is an example of the form"),
    "somebody else's": _("what would be the answer is the view of somebody else"),
    "no such option": _("the question has no option of that letter"),
    "not given": _("other parts of the group are answered, this one is not"),
    "nothing": _("it commits itself to nothing that the rule knows"),
}
ANSWERS = {
    "whole text": _("the whole text as it came is the answer"),
    "own text": _("the text without thinking, and without what follows the model's own answer, is the answer"),
    "cut text": _("the text runs on for longer than is read, and its beginning stands for the whole"),
    "letters": _("the text is letters and nothing else"),
    "several": _("it commits itself to several options where one was asked for"),
    "alone": _("it is all that is said, or all that a line says"),
    "opening": _("the text begins with it"),
    "answer": _("what announces an answer stands before it, as 答案："),
    "choice": _("a word that chooses stands before it, as 故选"),
    "is": _("a sentence says that the answer is this"),
    "corrected": _("it stands where the text corrects itself"),
    "bracket at the end": _("it stands in brackets at the end"),
    "holds": _("it is said to hold, or to fail where that is asked for"),
    "each": _("the options are judged one by one"),
    "listed": _("a list names it"),
    "text": _("an option's text stands as the answer"),
    "texts": _("options' texts stand as the answer"),
    "all": _("all options are meant"),
    "in order": _("answers stand in the order of the questions"),
    "verdict field": _("a field of that name says so"),
    "verdict labelled": _("what announces a verdict stands before it"),
    "verdict alone": _("the verdict is all that a sentence says"),
    "verdict at the beginning": _("the text begins with the verdict"),
    "nod at the beginning": _("the text begins with a nod, as 是的"),
    "statement judged": _("a clause judges the statement"),
    "statement of a kind": _("it says which kind of statement this is"),
    "own question answered": _("the verdict answers the text's own question"),
    "verdict after a turn": _("the verdict stands behind a turn, as 因此"),
    "statement repeated": _("the verdict stands behind the statement that it repeats"),
    "verdict corrected": _("the verdict stands where the text corrects itself"),
    "yes or no field": _("a field of that name says so"),
    "yes or no labelled": _("what announces an answer stands before it"),
    "yes or no at the beginning": _("the text begins with yes or no"),
    "yes or no in a line": _("yes or no is all that a sentence says"),
    "question answered": _("yes or no stands behind the question that it answers"),
    "misinformation stated": _("a clause says whether the answer has misinformation"),
    "answer judged": _("a clause judges the answer"),
    "answer explained": _("yes or no, and behind it what it means"),
    "yes or no corrected": _("yes or no stands where the text corrects itself"),
    "nod": _("it nods to whoever asked"),
    "first sentence": _("the first sentence says what can be or what is not"),
}


# By which rules the whole text is the answer: then nothing is unread but what is empty, or never stops thinking.
WHOLE_TEXTS = frozenset({"whole text", "own text", "for the judge", CUT})


def meaning(rule: Rule, name: str, *, answered: bool) -> str:
    """Say in a clause what a name of a rule means: the rule's own words first; empty for one that nobody declares."""
    return rule.meanings.get(name) or (ANSWERS if answered else NO_ANSWER).get(name, "")


@dataclass(frozen=True)
class ExplainFilter:
    """Which predictions are explained: those that fit all that is said here; None and empty stand for any."""

    ids: tuple[str, ...] = ()
    run: int | None = None
    variant: int | None = None
    unread: bool = False
    fired: str | None = None
    first: int | None = None

    @property
    def by_answer(self) -> bool:
        """Whether the chosen rule must read a text before it is known whether it is wanted."""
        return self.unread or self.fired is not None


@dataclass(frozen=True)
class RuleReading:
    """What one rule read; without ``why`` the wording says it itself, and spans are None where no place can be said."""

    rule: str
    value: str | None
    wording: str
    why: str
    spans: tuple[Span, ...] | None
    clear: bool = False


@dataclass(frozen=True)
class ExplainedRecord:
    """A record that a prediction answers, as every rule reads it, the chosen one first."""

    id: str
    gold: str
    told: tuple[RuleReading, ...]


@dataclass(frozen=True)
class ExplainedPrediction:
    """A prediction, explained: beside the default prompt, without examples, and why it failed if it did."""

    place: PredictionPlace
    asked: str
    text: str
    failed: str | None
    parts: tuple[ExplainedRecord, ...]


def explain(
    config: str, files: PredictionFiles, data: str | Path | Records, wanted: ExplainFilter, rule: str | None = None
) -> list[ExplainedPrediction]:
    """Explain predictions."""
    found = find_config(config)
    chosen = rule_of(found, rule)
    rules = (chosen, *(one for one in found.rules if one is not chosen))
    records = records_of(found, data)
    files = replace(files, order=sent_order(found, data), questions=AskedQuestions(found, data))
    asked = {one.id: one for one in found.queries(records.rows, laid_out(found, records))}
    members = _members(wanted.ids, asked, records)
    asker = found.prompting.builder(records.rows, PromptSettings(found.prompting.templates[0]))
    explained: list[ExplainedPrediction] = []
    read, files = read_by if files.keep_reasoning else read_in, replace(files, keep_reasoning=True)
    for place, prediction, one in _lines(files, asked, wanted):
        if len(explained) == wanted.first:
            break
        parts = _parts(prediction, one, members, wanted, chosen, read)
        if parts:
            told = tuple(_part(records.rows[one.members[part]], prediction, one, part, rules, read) for part in parts)
            question = asker.ask(place.id, place.variant).turns[-1]
            explained.append(ExplainedPrediction(place, question, prediction.prediction, prediction.error, told))
    if not wanted.by_answer and len(explained) != wanted.first:
        _refuse_absent(wanted, explained, asked, records)
    if wanted.fired is not None and not explained:
        _refuse_unknown_wording(files, asked, chosen, wanted.fired, read)
    return explained


def _members(ids: Sequence[str], asked: dict[str, Query], records: Records) -> frozenset[int]:
    places = {record["id"]: place for place, record in enumerate(records.rows)}
    found: set[int] = set()
    for identifier in ids:
        if identifier not in asked and identifier not in places:
            expected = _("one such as {next}", next=records.rows[0]["id"])
            raise MedzhError(_("the data have no such id"), field="--id", expected=expected, found=identifier)
        found |= set(asked[identifier].members) if identifier in asked else {places[identifier]}
    return frozenset(found if ids else range(len(records.rows)))


def _lines(
    files: PredictionFiles, asked: dict[str, Query], wanted: ExplainFilter
) -> Iterator[tuple[PredictionPlace, Prediction, Query]]:
    for opened in files.opened():
        for number, prediction in opened.lines:
            one, run, variant = asked.get(prediction.id), prediction.run, prediction.variant
            fits = wanted.run in {None, run} and wanted.variant in {None, variant}
            if one is not None and fits and variant in one.variants.numbers:
                yield PredictionPlace(prediction.id, run, variant, opened.path.name, number), prediction, one


def _parts(  # noqa: PLR0913, PLR0917 - a prediction, and what is wanted of it
    prediction: Prediction, asked: Query, members: Collection[int], wanted: ExplainFilter, chosen: Rule, read: ReadIn
) -> list[int]:
    parts = [part for part, member in enumerate(asked.members) if member in members]
    if not parts or not wanted.by_answer:
        return parts
    if prediction.error is not None:
        return []
    found = read(chosen, prediction.prediction, asked.context, prediction.variant)
    return [
        part
        for part in parts
        if (found[part].value is None or not wanted.unread) and wanted.fired in {None, found[part].why}
    ]


def _part(  # noqa: PLR0913, PLR0917 - a prediction, and the rules that read it
    record: Record, prediction: Prediction, asked: Query, part: int, rules: Sequence[Rule], read: ReadIn
) -> ExplainedRecord:
    readings = []
    for rule in rules if prediction.error is None else ():
        found = read(rule, prediction.prediction, asked.context, prediction.variant)[part]
        # An answer was read somewhere: no place is one that cannot be said.
        spans, answer = found.spans or (() if found.value is None else None), answered(found)
        why = meaning(rule, answer.why, answered=answer.value is not None)
        readings.append(RuleReading(rule.name, answer.value, answer.why, why, spans, answer.clear))
    return ExplainedRecord(record["id"], str(record["answer"]), tuple(readings))


def _refuse_absent(
    wanted: ExplainFilter, explained: Sequence[ExplainedPrediction], asked: dict[str, Query], records: Records
) -> None:
    came = {part.id for one in explained for part in one.parts} | {one.place.id for one in explained}
    parts = {name: {records.rows[member]["id"] for member in of.members} for name, of in asked.items()}
    absent = [name for name in wanted.ids if name not in came and not came & parts.get(name, set())]
    if absent:
        named = ", ".join(absent[:NAMED]) + (", …" if len(absent) > NAMED else "")
        advice = _("medzh-score check says which predictions are missing")
        raise MedzhError(_nobody_has(run=wanted.run, variant=wanted.variant), field="--id", found=named, advice=advice)


def _refuse_unknown_wording(
    files: PredictionFiles, asked: dict[str, Query], chosen: Rule, name: str, read: ReadIn
) -> None:
    from difflib import get_close_matches

    if name in NO_ANSWER or name in ANSWERS:
        return
    decided = {
        one.why
        for _unused, prediction, of in _lines(files, asked, ExplainFilter())
        if prediction.error is None
        for one in read(chosen, prediction.prediction, of.context, prediction.variant)
    }
    if name not in decided:
        problem = _(
            "rule {chosen_name} knows no such wording, or none that decided a prediction here", chosen_name=chosen.name
        )
        nearest = ", ".join(get_close_matches(name, {*decided, *NO_ANSWER, *ANSWERS}, 1, 0))
        advice = _("reports name those that decided: fired")
        raise MedzhError(problem, field="--rule-fired", expected=nearest, found=name, advice=advice)


def _nobody_has(**of: int | None) -> str:
    if of["run"] is None:
        none = of["variant"] is None
        return _("no prediction has it") if none else _("no prediction of variant {variant} has it", **of)
    if of["variant"] is None:
        return _("no prediction of run {run} has it", **of)
    return _("no prediction of run {run} and variant {variant} has it", **of)


def takes_whole_texts(fired: Sequence[WordingCount]) -> bool:
    """Say whether all answers are whole texts."""
    answered = {one.wording for one in fired if one.answered}
    return bool(answered) and answered <= WHOLE_TEXTS


def tells_clear(rule: str, fired: Sequence[WordingCount]) -> bool:
    """Say whether a rule tells which of its answers are clear: ours does, where it reads them from texts."""
    return rule == DEFAULT_RULE and not takes_whole_texts(fired)
