"""What was read from predictions files: answers by rule, and an account of the files."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.config import Answer
    from medzh_score.variants import Variants

Cell = tuple[int, int]  # run, variant


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
        tallies = [Counter(column) for column in self.columns.values()]
        return sum(
            count for tally in tallies for answer, count in tally.items() if answer is not None and answer.value is None
        )

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
    truncated, refused : int
        With a prediction that the file marks as cut off at the length limit, or as filtered or refused.
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
    read, empty, truncated, refused : int
        As in `Coverage`.
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
    refused: int
    failures: list[str]
    models: list[str]
    asked: str
    variants: tuple[tuple[Variants, tuple[int, ...]], ...]

    def coverage(self, rule: str) -> Coverage:
        """Count how the predictions cover what was asked.

        Parameters
        ----------
        rule : str
            Whose unanswered predictions are counted.
        """
        table = self.tables[rule]
        expected = int(table.due.sum()) * len(table.runs)
        return Coverage(
            expected, self.read, expected - self.read, self.empty, table.unanswered, self.truncated, self.refused
        )
