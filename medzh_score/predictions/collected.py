"""What was read from predictions files: answers by rule, and an account of the files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from medzh_score.benchmark.variants import Variants
    from medzh_score.files.input_file import Input
    from medzh_score.predictions.errors import Place
from medzh_score.benchmark.answer_table import REFUSAL, SECOND_READING, AnswerTable, Cell
from medzh_score.extraction.length import CUT, TOO_LONG


@dataclass(frozen=True)
class Coverage:
    """How the predictions cover what was asked, in records.

    Attributes
    ----------
    expected : int
        Records times runs seen times the variants seen that a record can have.
    read : int
        Those of which a prediction came. A prediction for a group of three records counts three times here and below.
    missing : int
        Those of which none came, failed requests among them.
    empty : int
        With a prediction of nothing but space.
    unread : int
        With a prediction in which the chosen rule found no answer, empty ones among them.
    clear : int
        With a prediction whose answer the chosen rule read and is clear: what commits to it was understood whole.
    second_reading : int
        With a prediction that a second reader read, be it as none.
    truncated : int
        With a prediction that the file marks as cut off at the length limit.
    refused : int
        With a prediction that the file marks as filtered, or that the chosen rule read as ``refusal``; once where both.
    too_long : int
        With a prediction that runs on for longer than is read: left unread, or cut where the whole text counts.
    """

    expected: int
    read: int
    missing: int
    empty: int
    unread: int
    clear: int
    second_reading: int
    truncated: int
    refused: int
    too_long: int


@dataclass(frozen=True)
class Collected:
    """Answers of all rules, and an account of the files that they were read from.

    What counts is in records. ``filtered`` holds cell and record of each prediction that its file marks so;
    ``failures`` the requests that no other line made up for; ``unnamed`` the files that name no model where each has
    runs of its own; ``too_long`` the lines whose predictions run on; ``asked`` is ``records``, ``groups``, both joined
    by ``and``, or empty where there are no groups; ``variants_stated`` says that the user or the prompts file names the
    variants, which otherwise are those of the predictions.
    """

    tables: dict[str, AnswerTable]
    inputs: list[Input]
    read: int
    empty: int
    truncated: int
    filtered: Collection[tuple[Cell, int]]
    too_long: Sequence[Place]
    failures: list[str]
    model: str | None
    unnamed: list[str]
    asked: str
    variants: tuple[tuple[Variants, tuple[int, ...]], ...]
    variants_stated: bool

    def coverage(self, rule: str) -> Coverage:
        """Count how the predictions cover what was asked."""
        table = self.tables[rule]
        expected = int(table.due.sum()) * len(table.runs)
        declined = _decided(table, REFUSAL)
        marked = [table.columns[cell][member] for cell, member in self.filtered]
        refused = declined + sum(answer is not None and answer.why != REFUSAL for answer in marked)
        return Coverage(
            expected,
            self.read,
            expected - self.read,
            self.empty,
            table.unread,
            sum(one.clear for one in table.by_form),
            _decided(table, SECOND_READING),
            self.truncated,
            refused,
            _decided(table, TOO_LONG.why, CUT),
        )


def _decided(table: AnswerTable, *whys: str) -> int:
    return sum(one.answers for one in table.fired if one.wording in whys)
