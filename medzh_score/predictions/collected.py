"""What was read from predictions files: answers by rule, and an account of the files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.benchmark.answer_table import REFUSAL, SECOND_READING, AnswerTable, Cell
from medzh_score.extraction.length import CUT, TOO_LONG
from medzh_score.messages.errors import NAMED, MedzhError, shown
from medzh_score.messages.privacy import Name, quotable
from medzh_score.prompts.codes import HIGHEST_RUN, MOST_RUNS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from medzh_score.benchmark.variants import Variants
    from medzh_score.files.input_file import Input
    from medzh_score.predictions.readers.prediction import Prediction


@dataclass(frozen=True)
class Place:
    """A prediction in its file, of which the name stands here; lines count from 1."""

    id: str
    run: int
    variant: int
    file: str
    line: int


def too_many_runs(path: Path, number: int) -> MedzhError:
    """Refuse numbers of lines that were taken for runs."""
    return MedzhError(
        f"more than {MOST_RUNS} runs",
        file=path,
        line=number,
        field="run",
        expected="the number of a run, from 0, not of a line",
    )


def no_such_run(path: Path, number: int, prediction: Prediction) -> MedzhError:
    """Refuse what is no number of a run, such as an id."""
    expected = f"a whole number from 0 to {HIGHEST_RUN}"
    return MedzhError(
        "is no number of a run", file=path, line=number, field="run", expected=expected, found=prediction.run
    )


def no_such_variant(path: Path, number: int, prediction: Prediction, numbers: Collection[int]) -> MedzhError:
    """Refuse a variant in which something cannot be asked."""
    listed = sorted(numbers)
    known = ", ".join(map(str, listed)) if listed != list(range(len(listed))) else f"0 to {listed[-1]}"
    advice = "a variant is numbered by the rank of its permutation, as medzh-score prompts writes it"
    if len(listed) == 1:
        known, advice = "0", 'number repeated answers with "run"'
    return MedzhError(
        f"{shown(prediction.id)} has no such variant",
        file=path,
        line=number,
        field="variant",
        expected=known,
        found=prediction.variant,
        advice=advice,
    )


def repeated(path: Path, number: int, prediction: Prediction) -> MedzhError:
    """Refuse a second answer under the same key."""
    return MedzhError(
        "the same prediction twice",
        file=path,
        line=number,
        field="id",
        expected="each id once for a run and variant",
        found=Name(f"{quotable(prediction.id)} run {prediction.run} variant {prediction.variant}"),
        advice='number repeated answers with "run", or give one file a run with --file-per-run',
    )


def both_ways(path: Path, number: int, identifier: str, family: str, ways: tuple[str, str]) -> MedzhError:
    """Refuse a group that is answered as a whole and in its parts."""
    return MedzhError(
        f"the group {quotable(family)} is answered as {ways[0]} and as {ways[1]}",
        file=path,
        line=number,
        field="id",
        expected="one of the two",
        found=identifier,
        advice="keep the lines of one prompt form",
    )


class UnknownIdsError(MedzhError):
    """Ids that the data lack; ``ids`` are the first of them."""

    ids: Sequence[str] = ()

    def advise(self, *, advice: str | None) -> None:
        """Take better advice, where there is some."""
        self.advice = advice or self.advice


def unknown_ids(count: int, first: Sequence[str], place: tuple[Path, int] | None, such_as: str) -> UnknownIdsError:
    """Refuse ids that the data lack."""
    path, number = place or (None, None)
    named = ", ".join(shown(identifier) for identifier in first)
    more = ", …" if count > NAMED else ""
    error = UnknownIdsError(
        problem=f"{count} predictions have an id that the data lack ({named}{more})",
        file=path,
        line=number,
        field="id",
        expected=f"one such as {such_as}",
        found=first[0],
        advice="check that --data is the build whose prompts were sent",
    )
    error.ids = first
    return error


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
        With a prediction of nothing but space, or of reasoning alone where that is removed.
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
