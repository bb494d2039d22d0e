"""Second readings complete the rule's answers; controls say how far the second reader can be trusted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from medzh_score.benchmark.answers import EMPTY, WITHOUT, answer_table
from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.stages import SECOND
from medzh_score.extraction.whole_text import TOO_LONG
from medzh_score.prompting.ids import AnswerKey
from medzh_score.prompting.positions import no_order
from medzh_score.readers.align import collect
from medzh_score.stats.intervals import exact_interval

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.answers import Answer, AnswerTable
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.rules import Reads, Rule
    from medzh_score.benchmark.stages import Annotations
    from medzh_score.prompting.positions import SentOrder
    from medzh_score.readers.align import AlignedAnswers
    from medzh_score.stages.binding import AvailableAnswers
    from medzh_score.stages.replies import ReadAnswer, Replies


class Policy(NamedTuple):
    """Who reads again, as the user says it, and whether also what was read without being clear."""

    reader: str
    include_ambiguous: bool


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
    include_ambiguous: bool
    expected: int
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


@dataclass(frozen=True)
class CompletedAnswers:
    """Answers with what came back about single predictions.

    Second readings stand in the answers of our rule and, where they are of its responses, in what was judged; the same
    without them stands beside. ``about`` is what the stages are about: the first answers, or responses.
    """

    collected: AlignedAnswers
    judged: Mapping[str, Mapping[str, Annotations]]
    about: AlignedAnswers
    replies: Mapping[str, Replies]
    second: SecondReading | None = None


def complete_answers(  # noqa: PLR0913, PLR0917 - what was asked for, and all that came
    config: Config,
    rule: Rule,
    files: Mapping[str, Sequence[Path]],
    policy: Policy | None,
    collected: AlignedAnswers,
    judged: Mapping[str, Annotations],
    available: AvailableAnswers,
    orders: Mapping[str, SentOrder],
) -> CompletedAnswers:
    """Read what came back about single predictions, and complete the answers of our rule by it."""
    from medzh_score.stages.replies import Replies, read_replies, refuse_none, restated

    of = config.reads.of if config.reads else None
    about = collected
    if of is not None and (files or policy):
        refuse_none(config, available)
        about = collect(available.ids, available.asked, [of.rule], available.files)
    replies = {
        name: read_replies(
            pick("--stage", config.every_stage, name), paths, config, available, orders.get(name, no_order)
        )
        for name, paths in files.items()
    }
    by_rule = dict.fromkeys(collected.tables, judged)
    if policy is None or config.reads is None:
        return CompletedAnswers(collected, by_rule, about, replies)
    table = about.tables[rule.name]
    read, account = completed(table, available, replies.get(SECOND, Replies()), config.reads, policy)
    without = f"{rule.name} {WITHOUT}"
    about = replace(about, tables={**about.tables, rule.name: read, without: table})
    by_rule[without] = judged
    if of is None:
        return CompletedAnswers(about, by_rule, about, replies, account)
    (column,) = pick("--stage", config.stages, of.stage).values
    again = restated(judged[of.stage], read, available.ids, column, policy.reader)
    by_rule[rule.name] = {**judged, of.stage: again}
    tables = {**collected.tables, without: collected.tables[rule.name]}
    return CompletedAnswers(replace(collected, tables=tables), by_rule, about, replies, account)


def completed(
    table: AnswerTable, available: AvailableAnswers, replies: Replies, reads: Reads, policy: Policy
) -> tuple[AnswerTable, SecondReading]:
    """Put second readings in the place of what is due, account for them, and compare controls."""
    values, places = replies.values, available.places
    found = {
        AnswerKey(name, run, variant): one
        for (run, variant), answers in table.columns.items()
        for name, one, form in zip(available.ids, answers, table.forms[run, variant], strict=True)
        if one is not None and form != EMPTY
    }
    expected = [key for key, one in found.items() if is_expected(one, include_ambiguous=policy.include_ambiguous)]
    columns = {cell: list(column) for cell, column in table.columns.items()}
    for key in expected:
        if key in values:
            columns[key.run, key.variant][places[key.id]] = values[key].answer
    controls = [
        (found[key], said)
        for key, said in values.items()
        if is_control(found[key], include_ambiguous=policy.include_ambiguous)
    ]
    missing = sum(not replies.came_back(key) for key in expected)
    read = [values[key] for key in expected if key in values]
    account = SecondReading(
        reader=policy.reader,
        include_ambiguous=policy.include_ambiguous,
        expected=len(expected),
        read=len(read),
        answered=sum(said.value is not None for said in read),
        unreadable=len(expected) - len(read) - missing,
        missing=missing,
        controls=Controls(len(controls), sum(agrees(rule, said, reads) for rule, said in controls)),
    )
    return answer_table(columns, table.expected, table.forms), account


def reading_of(table: AnswerTable, places: Mapping[str, int], key: AnswerKey) -> Answer | None:
    """Give what a rule read of a prediction."""
    return table.columns[key.run, key.variant][places[key.id]]


def agrees(found: Answer, said: ReadAnswer, reads: Reads) -> bool:
    """Say whether a reader finds the answer that the rule finds, or none as it does."""
    if found.value is None or said.value is None:
        return found.value is said.value
    return reads.same(found.value, said.value)


NOTHING_TO_READ = frozenset({"empty", TOO_LONG.reason})
FOUND_NONE = frozenset({"refusal", "unfinished thinking"})  # it was understood that there is no answer


def is_expected(found: Answer, *, include_ambiguous: bool) -> bool:
    """Say whether a rule's reading goes out to a second reader."""
    if found.value is None:
        return found.reason not in FOUND_NONE and found.reason not in NOTHING_TO_READ
    return include_ambiguous and not found.unambiguous


def is_control(found: Answer, *, include_ambiguous: bool) -> bool:
    """Say whether a rule's reading can test a second reader: an answer, or a stated reason for none."""
    return not is_expected(found, include_ambiguous=include_ambiguous) and found.reason not in NOTHING_TO_READ
