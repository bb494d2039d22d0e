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
    "empty": _("no text remains"),
    "too long": _("the text is too long"),
    "unfinished thinking": _("the reasoning is unfinished, so the text has no answer"),
    "refusal": _("the text only declines to answer"),
    "contradiction": _("the text contains contradictory answers"),
    "correction": _("the answer is retracted later in the text"),
    "hedge": _("the text is uncertain about its answer"),
    "undecided": _("the text states that it cannot be decided, or that the statement is only partly true"),
    "either": _("the text only repeats the alternatives, or names several of them"),
    "unclear": _("the end of the names cannot be determined"),
    "denied": _("the candidate answer is negated"),
    "supposed": _("the candidate answer is only a supposition"),
    "asked": _("the candidate answer is part of a question"),
    "example": _("the candidate answer is an example of the format"),
    "somebody else's": _("the candidate answer is the view of another person"),
    "no such option": _("the question has no option with this letter"),
    "not given": _("the text answers other questions of the group, but not this one"),
    "nothing": _("the text contains no answer that the rule recognizes"),
}
ANSWERS = {
    "whole text": _("the answer is the whole text, unchanged"),
    "own text": _("the answer is the text without the reasoning and without the text after the model's own answer"),
    "cut text": _("the text is too long; its beginning is used as the answer"),
    "letters": _("the text contains only option letters"),
    "several": _("the text chooses several options, but the question requires one"),
    "alone": _("the text or a line contains only the answer"),
    "opening": _("the text begins with the answer"),
    "answer": _("an answer label such as 答案： precedes the answer"),
    "choice": _("a word that expresses a choice, such as 故选, precedes the answer"),
    "is": _("a sentence states the answer"),
    "corrected": _("the text corrects itself to this answer"),
    "bracket at the end": _("the answer is in brackets at the end"),
    "holds": _("the option is judged correct (or incorrect, if the question requires this)"),
    "each": _("the options are judged one by one"),
    "listed": _("the answer is in a list"),
    "text": _("the answer is the text of an option"),
    "texts": _("the answer is the texts of several options"),
    "all": _("the text refers to all options"),
    "in order": _("the answers are in the order of the questions"),
    "verdict field": _("a labeled field contains the answer"),
    "verdict labelled": _("a label precedes the verdict"),
    "verdict alone": _("a sentence contains only the verdict"),
    "verdict at the beginning": _("the text begins with the verdict"),
    "nod at the beginning": _("the text begins with a short reply such as 是的"),
    "statement judged": _("a clause judges the statement"),
    "statement of a kind": _("the text states which kind of statement this is"),
    "own question answered": _("the verdict answers a question in the text"),
    "verdict after a turn": _("the verdict follows a connective such as 因此"),
    "statement repeated": _("the verdict follows the repeated statement"),
    "verdict corrected": _("the text corrects itself to this verdict"),
    "yes or no field": _("a labeled field contains the answer"),
    "yes or no labelled": _("a label precedes the answer"),
    "yes or no at the beginning": _("the text begins with yes or no"),
    "yes or no in a line": _("a sentence contains only yes or no"),
    "question answered": _("yes or no follows the question that it answers"),
    "misinformation stated": _("a clause states whether the answer contains misinformation"),
    "answer judged": _("a clause judges the answer"),
    "answer explained": _("yes or no is followed by its meaning"),
    "yes or no corrected": _("the text corrects itself to yes or no"),
    "nod": _("the text gives a short reply to the user"),
    "first sentence": _("the first sentence states a possibility or a negation"),
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
    unparsed: bool = False
    matches: str | None = None
    first: int | None = None

    @property
    def by_answer(self) -> bool:
        """Whether the chosen rule must read a text before it is known whether it is wanted."""
        return self.unparsed or self.matches is not None


@dataclass(frozen=True)
class RuleReading:
    """What one rule read; without ``why`` the wording says it itself, and spans are None where no place can be said."""

    rule: str
    value: str | None
    wording: str
    reason: str
    spans: tuple[Span, ...] | None
    unambiguous: bool = False


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
    if wanted.matches is not None and not explained:
        _refuse_unknown_wording(files, asked, chosen, wanted.matches, read)
    return explained


def _members(ids: Sequence[str], asked: dict[str, Query], records: Records) -> frozenset[int]:
    places = {record["id"]: place for place, record in enumerate(records.rows)}
    found: set[int] = set()
    for identifier in ids:
        if identifier not in asked and identifier not in places:
            expected = _("an id such as {next}", next=records.rows[0]["id"])
            raise MedzhError(_("the id is not in the data"), field="--id", expected=expected, found=identifier)
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
        if (found[part].value is None or not wanted.unparsed) and wanted.matches in {None, found[part].reason}
    ]


def _part(  # noqa: PLR0913, PLR0917 - a prediction, and the rules that read it
    record: Record, prediction: Prediction, asked: Query, part: int, rules: Sequence[Rule], read: ReadIn
) -> ExplainedRecord:
    readings = []
    for rule in rules if prediction.error is None else ():
        found = read(rule, prediction.prediction, asked.context, prediction.variant)[part]
        # An answer was read somewhere: no place is one that cannot be said.
        spans, answer = found.spans or (() if found.value is None else None), answered(found)
        reason = meaning(rule, answer.reason, answered=answer.value is not None)
        readings.append(RuleReading(rule.name, answer.value, answer.reason, reason, spans, answer.unambiguous))
    return ExplainedRecord(record["id"], str(record["answer"]), tuple(readings))


def _refuse_absent(
    wanted: ExplainFilter, explained: Sequence[ExplainedPrediction], asked: dict[str, Query], records: Records
) -> None:
    came = {part.id for one in explained for part in one.parts} | {one.place.id for one in explained}
    parts = {name: {records.rows[member]["id"] for member in of.members} for name, of in asked.items()}
    absent = [name for name in wanted.ids if name not in came and not came & parts.get(name, set())]
    if absent:
        named = ", ".join(absent[:NAMED]) + (", …" if len(absent) > NAMED else "")
        advice = _("run medzh-score check to list the missing predictions")
        raise MedzhError(
            _nobody_has(run=None if wanted.run is None else wanted.run + 1, variant=wanted.variant),
            field="--id",
            found=named,
            advice=advice,
        )


def _refuse_unknown_wording(
    files: PredictionFiles, asked: dict[str, Query], chosen: Rule, name: str, read: ReadIn
) -> None:
    from difflib import get_close_matches

    if name in NO_ANSWER or name in ANSWERS:
        return
    decided = {
        one.reason
        for _unused, prediction, of in _lines(files, asked, ExplainFilter())
        if prediction.error is None
        for one in read(chosen, prediction.prediction, of.context, prediction.variant)
    }
    if name not in decided:
        problem = _(
            "rule {chosen_name} has no such pattern, or the pattern matches no prediction", chosen_name=chosen.name
        )
        nearest = ", ".join(get_close_matches(name, {*decided, *NO_ANSWER, *ANSWERS}, 1, 0))
        advice = _("see the matched patterns in pattern_counts of the report")
        raise MedzhError(problem, field="--pattern", expected=nearest, found=name, advice=advice)


def _nobody_has(**of: int | None) -> str:
    if of["run"] is None:
        none = of["variant"] is None
        return (
            _("no prediction has this id") if none else _("no prediction with option order {variant} has this id", **of)
        )
    if of["variant"] is None:
        return _("no prediction of run {run} has this id", **of)
    return _("no prediction of run {run} with option order {variant} has this id", **of)


def takes_whole_texts(matches: Sequence[WordingCount]) -> bool:
    """Say whether all answers are whole texts."""
    answered = {one.wording for one in matches if one.answered}
    return bool(answered) and answered <= WHOLE_TEXTS


def tells_clear(rule: str, matches: Sequence[WordingCount]) -> bool:
    """Say whether a rule tells which of its answers are clear: ours does, where it reads them from texts."""
    return rule == DEFAULT_RULE and not takes_whole_texts(matches)
