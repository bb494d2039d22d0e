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
    "empty": "nothing is left to read",
    "too long": "it runs on for longer than is read",
    "unfinished thinking": "thinking is never closed, so nothing is said to the reader",
    "refusal": "the text declines to answer, and says nothing else",
    "contradiction": "it says two things that cannot both be meant",
    "correction": "it takes back what it said",
    "hedge": "it leaves open what it says",
    "undecided": "it says itself that this cannot be decided, or holds in part",
    "either": "it names the choice itself, or one of several",
    "unclear": "where the names end cannot be told",
    "denied": "what would be the answer is denied",
    "supposed": "what would be the answer is only supposed",
    "asked": "what would be the answer is asked",
    "example": "what would be the answer is an example of the form",
    "somebody else's": "what would be the answer is the view of somebody else",
    "no such option": "the question has no option of that letter",
    "not given": "other parts of the group are answered, this one is not",
    "nothing": "it commits itself to nothing that the rule knows",
}
ANSWERS = {
    "whole text": "the whole text as it came is the answer",
    "own text": "the text without thinking, and without what follows the model's own answer, is the answer",
    "cut text": "the text runs on for longer than is read, and its beginning stands for the whole",
    "letters": "the text is letters and nothing else",
    "several": "it commits itself to several options where one was asked for",
    "alone": "it is all that is said, or all that a line says",
    "opening": "the text begins with it",
    "answer": "what announces an answer stands before it, as 答案：",
    "choice": "a word that chooses stands before it, as 故选",
    "is": "a sentence says that the answer is this",
    "corrected": "it stands where the text corrects itself",
    "bracket at the end": "it stands in brackets at the end",
    "holds": "it is said to hold, or to fail where that is asked for",
    "each": "the options are judged one by one",
    "listed": "a list names it",
    "text": "an option's text stands as the answer",
    "texts": "options' texts stand as the answer",
    "all": "all options are meant",
    "in order": "answers stand in the order of the questions",
    "verdict field": "a field of that name says so",
    "verdict labelled": "what announces a verdict stands before it",
    "verdict alone": "the verdict is all that a sentence says",
    "verdict at the beginning": "the text begins with the verdict",
    "nod at the beginning": "the text begins with a nod, as 是的",
    "statement judged": "a clause judges the statement",
    "statement of a kind": "it says which kind of statement this is",
    "own question answered": "the verdict answers the text's own question",
    "verdict after a turn": "the verdict stands behind a turn, as 因此",
    "statement repeated": "the verdict stands behind the statement that it repeats",
    "verdict corrected": "the verdict stands where the text corrects itself",
    "yes or no field": "a field of that name says so",
    "yes or no labelled": "what announces an answer stands before it",
    "yes or no at the beginning": "the text begins with yes or no",
    "yes or no in a line": "yes or no is all that a sentence says",
    "question answered": "yes or no stands behind the question that it answers",
    "misinformation stated": "a clause says whether the answer has misinformation",
    "answer judged": "a clause judges the answer",
    "answer explained": "yes or no, and behind it what it means",
    "yes or no corrected": "yes or no stands where the text corrects itself",
    "nod": "it nods to whoever asked",
    "first sentence": "the first sentence says what can be or what is not",
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
    asked = {one.id: one for one in found.asked(records.rows, laid_out(found, records))}
    members = _members(wanted.ids, asked, records)
    asker = found.asker(records.rows, PromptSettings(found.prompts[0]))
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
            example = records.rows[0]["id"]
            raise MedzhError(
                "the data have no such id", field="--id", expected=f"one such as {example}", found=identifier
            )
        found |= set(asked[identifier].members) if identifier in asked else {places[identifier]}
    return frozenset(found if ids else range(len(records.rows)))


def _lines(
    files: PredictionFiles, asked: dict[str, Query], wanted: ExplainFilter
) -> Iterator[tuple[PredictionPlace, Prediction, Query]]:
    for opened in files.opened():
        for number, prediction in opened.lines:
            one = asked.get(prediction.id)
            if (
                one is None
                or wanted.run not in {None, prediction.run}
                or wanted.variant not in {None, prediction.variant}
            ):
                continue
            if prediction.variant in one.variants.numbers:
                yield (
                    PredictionPlace(prediction.id, prediction.run, prediction.variant, opened.path.name, number),
                    prediction,
                    one,
                )


def _parts(  # noqa: PLR0913, PLR0917 - a prediction, and what is wanted of it
    prediction: Prediction, asked: Query, members: Collection[int], wanted: ExplainFilter, chosen: Rule, read: ReadIn
) -> list[int]:
    parts = [part for part, member in enumerate(asked.members) if member in members]
    if not parts or not wanted.by_answer:
        return parts
    if prediction.error is not None:
        return []
    found = read(chosen, prediction.prediction, asked.side, prediction.variant)
    return [
        part
        for part in parts
        if (found[part].value is None or not wanted.unread) and wanted.fired in {None, found[part].why}
    ]


def _part(  # noqa: PLR0913, PLR0917 - a prediction, and the rules that read it
    record: Record, prediction: Prediction, asked: Query, part: int, rules: Sequence[Rule], read: ReadIn
) -> ExplainedRecord:
    text, variant, failed = prediction.prediction, prediction.variant, prediction.error is not None
    told = () if failed else tuple(_told(rule, read(rule, text, asked.side, variant)[part]) for rule in rules)
    return ExplainedRecord(record["id"], str(record["answer"]), told)


def _told(rule: Rule, found: Reading) -> RuleReading:
    # An answer was read somewhere: no place is one that cannot be said.
    spans = found.spans or (() if found.value is None else None)
    answer = answered(found)
    return RuleReading(
        rule.name,
        answer.value,
        answer.why,
        meaning(rule, answer.why, answered=answer.value is not None),
        spans,
        answer.clear,
    )


def _refuse_absent(
    wanted: ExplainFilter, explained: Sequence[ExplainedPrediction], asked: dict[str, Query], records: Records
) -> None:
    came = {part.id for one in explained for part in one.parts} | {one.place.id for one in explained}
    absent = [
        identifier
        for identifier in wanted.ids
        if identifier not in came
        and not (
            identifier in asked and any(records.rows[member]["id"] in came for member in asked[identifier].members)
        )
    ]
    if absent:
        named = ", ".join(absent[:NAMED]) + (", …" if len(absent) > NAMED else "")
        advice = "medzh-score check says which predictions are missing"
        raise MedzhError(_nobody_has(wanted.run, wanted.variant), field="--id", found=named, advice=advice)


def _refuse_unknown_wording(
    files: PredictionFiles, asked: dict[str, Query], chosen: Rule, name: str, read: ReadIn
) -> None:
    """Raise an error for a name that no rule's wording has and nothing here was decided by, with the nearest."""
    from difflib import get_close_matches

    if name in NO_ANSWER or name in ANSWERS:
        return
    decided = {
        one.why
        for _, prediction, of in _lines(files, asked, ExplainFilter())
        if prediction.error is None
        for one in read(chosen, prediction.prediction, of.side, prediction.variant)
    }
    if name not in decided:
        raise MedzhError(
            f"rule {chosen.name} knows no such wording, or none that decided a prediction here",
            field="--rule-fired",
            expected=", ".join(get_close_matches(name, {*decided, *NO_ANSWER, *ANSWERS}, 1, 0)),
            found=name,
            advice="reports name those that decided: fired",
        )


def _nobody_has(run: int | None, variant: int | None) -> str:
    if run is None and variant is None:
        return "no prediction has it"
    if variant is None:
        return f"no prediction of run {run} has it"
    if run is None:
        return f"no prediction of variant {variant} has it"
    return f"no prediction of run {run} and variant {variant} has it"


def takes_whole_texts(fired: Sequence[WordingCount]) -> bool:
    """Say whether all answers are whole texts."""
    answered = {one.wording for one in fired if one.answered}
    return bool(answered) and answered <= WHOLE_TEXTS


def tells_clear(rule: str, fired: Sequence[WordingCount]) -> bool:
    """Say whether a rule tells which of its answers are clear: ours does, where it reads them from texts."""
    return rule == DEFAULT_RULE and not takes_whole_texts(fired)
