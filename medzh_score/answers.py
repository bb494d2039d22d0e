"""What was read from predictions files: answers by rule, and an account of the files."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.config import Answer
    from medzh_score.variants import Variants

Cell = tuple[int, int]  # run, variant
REFUSAL = "refusal"  # the rule by which a text that declines, and says nothing else, has no answer


class Fired(NamedTuple):
    """How often a wording, or a reason for none, decided an answer.

    Attributes
    ----------
    wording : str
        As `Answer` names its rule.
    answered : bool
        Whether there was an answer.
    answers : int
        How many, each record of each run and variant once.
    """

    wording: str
    answered: bool
    answers: int


@dataclass(frozen=True)
class Changed:
    """How the answers of a rule differ from those of the rule that it replaces.

    Attributes
    ----------
    old, new : str
        The rules.
    of : int
        Predictions that were read, each record of each run and variant once.
    gained, lost, other : int
        Those in which only the new rule finds an answer, only the old one, or both another.
    """

    old: str
    new: str
    of: int
    gained: int
    lost: int
    other: int

    @property
    def changed(self) -> int:
        """All that differ."""
        return self.gained + self.lost + self.other

    def as_dict(self) -> dict[str, str | int]:
        """Give it as it stands in a report: ``from``, ``to``, ``of``, ``changed``, ``gained``, ``lost``, ``other``."""
        return {
            "from": self.old,
            "to": self.new,
            "of": self.of,
            "changed": self.changed,
            "gained": self.gained,
            "lost": self.lost,
            "other": self.other,
        }


@dataclass(frozen=True)
class AnswerTable:
    """The answers that one rule read.

    Attributes
    ----------
    runs, variants : tuple of int
        Those seen, ascending.
    columns : mapping of (run, variant) to list of Answer or None
        For each the answers in the order of the records; None where there is no prediction.
    due : array of bool, shape (records, variants)
        Whether a record was asked in a variant: in those that were seen of any record that has the same variants.
        Where it was, an answer of None is a missing prediction.
    """

    runs: tuple[int, ...]
    variants: tuple[int, ...]
    columns: Mapping[Cell, Sequence[Answer | None]]
    due: NDArray[np.bool_]

    @cached_property
    def unanswered(self) -> int:
        """How many answers the rule did not find, in records; missing predictions aside."""
        return sum(one.answers for one in self.fired if not one.answered)

    @cached_property
    def fired(self) -> tuple[Fired, ...]:
        """How often each wording decided, the most frequent first; those that say none after all others."""
        totals: Counter[tuple[bool, str]] = Counter()
        for column in self.columns.values():
            for answer, count in Counter(column).items():  # answers are shared objects: there are few different ones
                if answer is not None:
                    totals[answer.value is None, answer.rule] += count
        ordered = sorted(totals.items(), key=lambda one: (one[0][0], -one[1], one[0][1]))
        return tuple(Fired(wording, not none, count) for (none, wording), count in ordered)

    def codes(self, code: Callable[[Answer], int]) -> NDArray[np.int8]:
        """Turn answers into small numbers.

        Parameters
        ----------
        code : callable
            From an answer to its number; where there is no prediction it is 0.

        Returns
        -------
        array of int8, shape (records, runs, variants)
        """
        known: dict[Answer | None, int] = {None: 0}
        for column in self.columns.values():
            for answer in set(column) - known.keys():
                known[answer] = code(answer)  # type: ignore[arg-type] # None is known
        stacked = [
            [np.fromiter(map(known.__getitem__, self.columns[run, variant]), np.int8) for variant in self.variants]
            for run in self.runs
        ]
        return np.moveaxis(np.array(stacked), 2, 0)

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """Which records lack a prediction in a run and a variant in which they were asked.

        Returns
        -------
        array of bool, shape (records, runs, variants)
        """
        present = [
            [[answer is not None for answer in self.columns[run, variant]] for variant in self.variants]
            for run in self.runs
        ]
        lacking: NDArray[np.bool_] = self.due[:, np.newaxis] & ~np.moveaxis(np.array(present, bool), 2, 0)
        return lacking


@dataclass(frozen=True)
class Input:
    """A file that was read: its name, SHA-256 and reader."""

    name: str
    sha256: str
    reader: str


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
    unanswered : int
        With a prediction in which the chosen rule found no answer, empty ones among them.
    truncated : int
        With a prediction that the file marks as cut off at the length limit.
    refused : int
        With a prediction that the file marks as filtered, or that the chosen rule read as ``refusal``; once where both.
    """

    expected: int
    read: int
    missing: int
    empty: int
    unanswered: int
    truncated: int
    refused: int


@dataclass(frozen=True)
class Collected:
    """Answers of all rules, and an account of the files that they were read from.

    Attributes
    ----------
    tables : dict of str to AnswerTable
        By rule.
    inputs : list of Input
        The files.
    read, empty, truncated : int
        As in `Coverage`.
    filtered : collection of (Cell, int)
        The predictions that their file marks as filtered: run and variant, and the place of the record.
    failures : list of str
        Failed requests that no other line made up for, with their reasons.
    models : list of str
        Who answered.
    asked : {"", "records", "groups", "groups and records"}
        Whether what can be prompted as a group was asked as a whole or by its records; empty where there are no groups.
    variants : tuple of (Variants, tuple of int)
        For records that have the same variants those in which they were asked, ascending.
    """

    tables: dict[str, AnswerTable]
    inputs: list[Input]
    read: int
    empty: int
    truncated: int
    filtered: Collection[tuple[Cell, int]]
    failures: list[str]
    models: list[str]
    asked: str
    variants: tuple[tuple[Variants, tuple[int, ...]], ...]

    def coverage(self, rule: str) -> Coverage:
        """Count how the predictions cover what was asked.

        Parameters
        ----------
        rule : str
            Whose unanswered predictions, and whose refusals, are counted.
        """
        table = self.tables[rule]
        expected = int(table.due.sum()) * len(table.runs)
        declined = sum(one.answers for one in table.fired if one.wording == REFUSAL)
        marked = [table.columns[cell][member] for cell, member in self.filtered]
        refused = declined + sum(answer is not None and answer.rule != REFUSAL for answer in marked)
        return Coverage(
            expected, self.read, expected - self.read, self.empty, table.unanswered, self.truncated, refused
        )

    def changed(self, old: str, new: str) -> Changed:
        """Count the answers that a rule reads otherwise than the one that it replaces.

        Parameters
        ----------
        old, new : str
            The rules.
        """
        pairs: Counter[tuple[Answer | None, Answer | None]] = Counter()
        for cell, column in self.tables[new].columns.items():
            pairs.update(zip(self.tables[old].columns[cell], column, strict=True))
        kinds: Counter[str] = Counter()
        for (before, after), count in pairs.items():
            if before is not None and after is not None and before.value != after.value:
                kinds["gained" if before.value is None else "lost" if after.value is None else "other"] += count
        return Changed(old, new, self.read, kinds["gained"], kinds["lost"], kinds["other"])
