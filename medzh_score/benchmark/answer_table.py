"""The answers that one rule read, by record, run and variant."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from medzh_score.text.forms import FORMS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import Answer


Cell = tuple[int, int]  # run, variant
SECOND_READING = "second reading"  # why there is an answer, or none, where a second reader said so
REFUSAL = "refusal"  # why a text that declines, and says nothing else, has no answer


class WordingCount(NamedTuple):
    """How often a wording, or a reason for none, decided an answer: each record of each run and variant once."""

    wording: str
    answered: bool
    answers: int


class FormCount(NamedTuple):
    """How predictions of one form were read, each record of each run and variant once: also unread, and clear."""

    form: str
    predictions: int
    unread: int
    clear: int


@dataclass(frozen=True)
class _Numbered:
    """Answers as numbers from 1, 0 for none: few of the shared objects differ, and arrays count faster."""

    answers: tuple[Answer, ...]
    numbers: NDArray[np.int32]


@dataclass(frozen=True)
class AnswerTable:
    """The answers that one rule read; filled while predictions are read, and complete when it is known what was due.

    Attributes
    ----------
    columns : dict of (run, variant) to list of Answer or None
        For each run, in each variant, the answers in the order of the records; None where there is no prediction.
    due : array of bool, shape (records, variants)
        Whether a record was asked in a variant: in those that were seen of any record that has the same variants.
        Where it was, an answer of None is a missing prediction.
    forms : dict of (run, variant) to bytes
        For each the form of the prediction's text, a place in `FORMS`, in the order of the records.
    """

    columns: dict[Cell, list[Answer | None]]
    due: NDArray[np.bool_]
    forms: dict[Cell, bytearray] = field(default_factory=dict)

    @cached_property
    def runs(self) -> tuple[int, ...]:
        """Those seen, ascending."""
        return tuple(sorted({run for run, _ in self.columns}))

    @cached_property
    def variants(self) -> tuple[int, ...]:
        """Those that were asked, ascending."""
        return tuple(sorted({variant for _, variant in self.columns}))

    @cached_property
    def unread(self) -> int:
        """How many answers the rule did not find, in records; missing predictions aside."""
        return sum(one.answers for one in self.fired if not one.answered)

    @property
    def different(self) -> tuple[Answer, ...]:
        """The answers that differ."""
        return self._numbered.answers

    @property
    def numbers(self) -> NDArray[np.int32]:
        """For each record, run and variant the number of its answer among those that differ, from 1; 0 for none."""
        return self._numbered.numbers

    @cached_property
    def _numbered(self) -> _Numbered:
        found = defaultdict[Any, int](count().__next__)
        none = found[None]
        stacked = [
            [np.fromiter(map(found.__getitem__, self.columns[run, variant]), np.int32) for variant in self.variants]
            for run in self.runs
        ]
        return _Numbered(tuple(found)[none + 1 :], np.moveaxis(np.array(stacked), 2, 0))

    @cached_property
    def _counts(self) -> NDArray[np.int64]:
        """How often each of the different answers came in a text of each form, shape (answers, forms)."""
        numbered, size = self._numbered, len(FORMS)
        counts = np.zeros((1 + len(numbered.answers)) * size, np.int64)
        for place, run in enumerate(self.runs):
            forms = np.stack([np.frombuffer(self.forms[run, variant], np.uint8) for variant in self.variants], axis=1)
            counts += np.bincount((numbered.numbers[:, place] * size + forms).ravel(), minlength=len(counts))
        return counts.reshape(-1, size)[1:]

    @cached_property
    def by_form(self) -> tuple[FormCount, ...]:
        """How predictions of each form were read, in the order of `FORMS`."""
        kinds = [(True, one.value is None, one.clear) for one in self._numbered.answers]
        rows = self._counts.T @ np.array(kinds, np.int64).reshape(-1, 3)
        return tuple(FormCount(form, *row) for form, row in zip(FORMS, rows.tolist(), strict=True) if row[0])

    @cached_property
    def fired(self) -> tuple[WordingCount, ...]:
        """How often each wording decided, the most frequent first; those that say none after all others."""
        totals: Counter[tuple[bool, str]] = Counter()
        for answer, times in zip(self._numbered.answers, self._counts.sum(axis=1).tolist(), strict=True):
            totals[answer.value is None, answer.why] += times
        ordered = sorted(totals.items(), key=lambda one: (one[0][0], -one[1], one[0][1]))
        return tuple(WordingCount(wording, not none, times) for (none, wording), times in ordered)

    def equal(self, gold: Sequence[str], members: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell which answers are the gold, of however many that differ; a missing and an unread one are not.

        Parameters
        ----------
        gold : sequence of str
            The right answer of each item.
        members : array of int, shape (items,)
            The record that each item is about.

        Returns
        -------
        array of bool, shape (items, runs, variants)
        """
        places = {text: place for place, text in enumerate(dict.fromkeys(gold), start=1)}
        texts = np.array([0, *(places.get(one.value or "", 0) for one in self._numbered.answers)])
        right: NDArray[np.int64] = np.array([places[text] for text in gold])[:, np.newaxis, np.newaxis]
        found: NDArray[np.bool_] = texts[self._numbered.numbers[members]] == right
        return found

    def codes(self, code: Callable[[Answer], int]) -> NDArray[np.signedinteger[Any]]:
        """Turn answers into small numbers.

        Parameters
        ----------
        code : callable
            From an answer to its number; where there is no prediction it is 0.

        Returns
        -------
        array of int8, or of int64 where a number needs it, shape (records, runs, variants)
        """
        if code not in self._coded:
            wide = np.array([0, *map(code, self._numbered.answers)], np.int64)
            small = wide.astype(np.int8)
            found = (small if np.array_equal(small, wide) else wide)[self._numbered.numbers]
            found.setflags(write=False)
            self._coded[code] = found
        return self._coded[code]

    @cached_property
    def _coded(self) -> dict[Callable[[Answer], int], NDArray[np.signedinteger[Any]]]:
        """Numbers by what made them: statistics and tables ask for the same."""
        return {}

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """Which records lack a prediction in a run and a variant in which they were asked.

        Returns
        -------
        array of bool, shape (records, runs, variants)
        """
        lacking: NDArray[np.bool_] = self.due[:, np.newaxis] & (self._numbered.numbers == 0)
        return lacking
