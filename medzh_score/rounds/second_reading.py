"""Second readings complete the rule's answers; controls say how far the second reader can be trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from medzh_score.benchmark.about_predictions import SECOND
from medzh_score.benchmark.answer_table import answer_table
from medzh_score.prompts.codes import Key
from medzh_score.rounds.reading_predictions import is_control, is_due
from medzh_score.statistics.formulas.binomial import exact_interval
from medzh_score.text.folding import EMPTY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.answers import Answer
    from medzh_score.benchmark.second_readers import Reads
    from medzh_score.rounds.binding import Predictions
    from medzh_score.rounds.reading_predictions import Replies, Said

WITHOUT = "without second readings"


class Policy(NamedTuple):
    """Who reads again, as the user says it, and whether also what was read without being clear."""

    reader: str
    unclear: bool


class Controls(msgspec.Struct, frozen=True):
    """How often a second reader agrees with the rule on what the rule reads clearly."""

    of: int
    agreeing: int

    @property
    def interval(self) -> tuple[float, float] | None:
        """In which the share of agreement lies, from 0 to 1: the exact 95 % interval; None without controls."""
        return exact_interval(self.agreeing, self.of) if self.of else None


class SecondReading(msgspec.Struct, frozen=True):
    """What second readings made of what a rule left unread; only what is read counts, the rest stays as it was."""

    reader: str
    unclear: bool
    due: int
    read: int
    answered: int
    unreadable: int
    missing: int
    controls: Controls

    def as_dict(self) -> dict[str, Any]:
        """Give it as it stands in a report."""
        low, high = self.controls.interval or (None, None)
        found: dict[str, Any] = msgspec.to_builtins(self)
        found["controls"] |= {"low": low, "high": high}
        return found

    def notes(self, replies: Replies, models: Sequence[str]) -> Iterator[str]:
        """Say what came back, how far it agrees with the rule, and whether a model read its own answers."""
        yield (
            f"Round {SECOND}: {self.due} due, {self.read} read ({self.answered} with an answer), "
            f"{self.unreadable} unreadable, {self.missing} missing{replies.how}."
        )
        if self.controls.interval is not None:
            low, high = (f"{100 * end:.1f}" for end in self.controls.interval)
            yield (
                f"On {self.controls.agreeing} of {self.controls.of} controls the second reader says what the rule says "
                f"(95 % interval {low} to {high} %)."
            )
        yield from own_readers(SECOND, [*replies.names, self.reader], models)


def own_readers(round_name: str, names: Sequence[str], models: Sequence[str]) -> Iterator[str]:
    """Caution where answers were read by the very model that gave them."""
    own = {model.casefold() for model in models}
    for name in dict.fromkeys(name for name in names if name.casefold() in own):
        yield f"Caution: round {round_name} was answered by {name}, the model whose answers are read."


def reading_of(table: AnswerTable, places: Mapping[str, int], key: Key) -> Answer | None:
    """Give what a rule read of a prediction."""
    return table.columns[key.run, key.variant][places[key.id]]


def completed(
    table: AnswerTable, at_hand: Predictions, replies: Replies, reads: Reads, policy: Policy
) -> tuple[AnswerTable, SecondReading]:
    """Put second readings in the place of what is due, account for them, and compare controls."""
    values, places = replies.values, at_hand.places
    found = dict(_readings(table, at_hand.ids))
    due = [key for key, one in found.items() if is_due(one, unclear=policy.unclear)]
    columns = {cell: list(column) for cell, column in table.columns.items()}
    for key in due:
        if key in values:
            columns[key.run, key.variant][places[key.id]] = values[key].answer
    controls = [(found[key], said) for key, said in values.items() if is_control(found[key], unclear=policy.unclear)]
    missing = sum(not replies.came_back(key) for key in due)
    read = [values[key] for key in due if key in values]
    account = SecondReading(
        reader=policy.reader,
        unclear=policy.unclear,
        due=len(due),
        read=len(read),
        answered=sum(said.value is not None for said in read),
        unreadable=len(due) - len(read) - missing,
        missing=missing,
        controls=Controls(len(controls), sum(agrees(rule, said, reads) for rule, said in controls)),
    )
    return answer_table(columns, table.due, table.forms), account


def _readings(table: AnswerTable, ids: Sequence[str]) -> Iterator[tuple[Key, Answer]]:
    """Go through what a rule read of texts that are not blank."""
    for (run, variant), answers in table.columns.items():
        for name, one, form in zip(ids, answers, table.forms[run, variant], strict=True):
            if one is not None and form != EMPTY:
                yield Key(name, run, variant), one


def agrees(found: Answer, said: Said, reads: Reads) -> bool:
    """Say whether a reader finds the answer that the rule finds, or none as it does."""
    if found.value is None or said.value is None:
        return found.value is said.value
    return reads.same(found.value, said.value)
