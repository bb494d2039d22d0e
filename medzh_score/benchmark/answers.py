"""The answers that a rule reads: of one prediction, and of all by record, run and variant, with counts."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.items import ItemIndex


SHARED = 64  # characters of an answer that many predictions may give
INT32 = "i"
FALLBACK = "fallback"  # why there is an answer, or none, if the fallback extractor gave it
WITHOUT = "without fallback"  # after the name of a rule: its answers before they were completed
REFUSAL = "refusal"  # why a text that declines, and says nothing else, has no answer
NONE, BARE, SENTENCE, SENTENCES, MARKUP, JSON, REASONING, EMPTY = range(8)
# In the order of their numbers; the first is that of what did not come.
FORMS = ("none", "bare", "one sentence", "sentences", "markup", "JSON", "reasoning before", "empty")
MOST_BARE = 12  # characters: a word or a letter, maybe announced


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """An extracted answer; made by `answer`, so that equal answers are the same object."""

    # the answer, or None: nothing was found, which is never a guess and stays in the denominator as not right
    value: str | None
    reason: str  # the name of what decided, or of why nothing was found
    note: str | None = None  # what else a config's rule saw in the text that its statistics need
    # whether what commits the text to the answer was understood whole, and nothing else casts doubt on it
    unambiguous: bool = False


Parts = tuple[str | None, str, str | None, bool]


class _AnswerCache(dict[Parts, Answer]):
    """Each `Answer` by its parts: a file has many answers and few different ones."""

    def __missing__(self, parts: Parts) -> Answer:
        """Make one, and keep it; a text that is an answer whole is no one else's."""
        made, value = Answer(*parts), parts[0]
        if value is not None and not isinstance(value, str):
            raise TypeError(f"a config's rule gave {value!r}, which is no text")
        if value is None or len(value) <= SHARED:
            self[parts] = made
        return made


ANSWERS = _AnswerCache()


def answer(value: str | None, reason: str, note: str | None = None, unambiguous: bool = False) -> Answer:  # noqa: FBT001, FBT002
    """Give the one `Answer` with these parts."""
    return ANSWERS[value, reason, note, unambiguous]


def answered(reading: Reading) -> Answer:
    """Keep what is scored of a reading whose values are texts: not where it was read."""
    value, reason, _, unambiguous, note = reading
    return ANSWERS[value, reason, note, unambiguous]  # type: ignore[index] # no text is refused there


Value = str | float | tuple[str, ...] | None


class Span(NamedTuple):
    """A range of characters of the original text."""

    start: int  # start and end: from 0; the end is exclusive
    end: int


class Reading(NamedTuple):
    """The result of an extraction."""

    value: Value  # the answer, or None: it is unread, which is never a guess
    # what decided, or why there is no answer: ``empty``, ``unfinished thinking``, ``refusal``, ``contradiction``,
    # ``denied``, ``hedge``, ``supposed``, ``nothing`` …
    reason: str
    # from where it was read, in the order of the text; empty where there is nothing to show
    spans: tuple[Span, ...] = ()
    unambiguous: bool = (
        False  # whether the clause that commits holds known signs only and no sign of doubt stands elsewhere
    )
    note: str | None = None  # what else a config's own reading saw in the text that its statistics need


def first_counted(
    items: int, words: Sequence[tuple[str, int]], otherwise: str | None = None
) -> Callable[[NDArray[np.float64]], str]:
    """Make a function that returns the outcome of an item in one run as a word.

    Parameters
    ----------
    items : int
        The column that counts items. If it is 0, the outcome is ``skipped``.
    words : sequence of (str, int)
        Outcomes with their columns: the first column that is not 0 determines the outcome.
    otherwise : str, optional
        The outcome if all of them are 0. Without it, that is an error of the config.

    Examples
    --------
    >>> import numpy as np
    >>> verdict = first_counted(0, [("right", 1)], "wrong")
    >>> [verdict(np.array(row)) for row in ([1, 1], [1, 0], [0, 0])]
    ['right', 'wrong', 'skipped']
    """

    def verdict(row: NDArray[np.float64]) -> str:
        if not row[items]:
            return "skipped"
        found = next((word for word, column in words if row[column]), otherwise)
        if found is None:
            raise ValueError(f"an item that counts has none of {[word for word, _ in words]}")
        return found

    return verdict


Cell = tuple[int, int]  # run, variant


class WordingCount(NamedTuple):
    """How often a wording, or a reason for none, decided an answer: each record of each run and variant once."""

    wording: str
    answered: bool
    answers: int


class FormCount(NamedTuple):
    """How predictions of one form were read, each record of each run and variant once: also unread, and clear."""

    form: str
    predictions: int
    unparsed: int
    unambiguous: int


class Numbering(dict[Parts, int]):
    """The answers that differ, each with a number from 1, by their parts; 0 is none."""

    def __init__(self) -> None:
        """Begin with none."""
        super().__init__()
        self.different: list[Answer | None] = [None]
        self._coded: dict[Callable[[Answer], int], NDArray[np.signedinteger[Any]]] = {}

    def __missing__(self, parts: Parts) -> int:
        """Give an answer its number; a text that is an answer whole is kept by that alone."""
        number = len(self.different)
        self.different.append(ANSWERS[parts])
        if parts in ANSWERS:
            self[parts] = number
        return number

    def codes(self, code: Callable[[Answer], int]) -> NDArray[np.signedinteger[Any]]:
        """Give the code of each answer by its number, 0 for none; statistics and tables ask for the same."""
        known = self._coded.get(code)
        if known is None or len(known) != len(self.different):
            wide = np.array([0 if one is None else code(one) for one in self.different], np.int64)
            small = wide.astype(np.int8)
            known = self._coded[code] = small if np.array_equal(small, wide) else wide
        return known


@dataclass(eq=False, slots=True)
class AnswerColumn:
    """The answers of a run in a variant, as numbers."""

    numbers: array[int]
    numbering: Numbering

    def __setitem__(self, record: int, number: int) -> None:
        """Put the number of an answer for a record."""
        self.numbers[record] = number

    @property
    def by_record(self) -> NDArray[Any]:
        """The numbers as they are held, 0 where there is no prediction."""
        return np.asarray(self.numbers)

    def __getitem__(self, record: int) -> Answer | None:
        """Give the answer for a record, None where there is no prediction."""
        return self.numbering.different[self.numbers[record]]

    def __iter__(self) -> Iterator[Answer | None]:
        """Go through the answers."""
        return map(self.numbering.different.__getitem__, self.numbers)


@dataclass(frozen=True)
class AnswerTable:
    """The answers of one rule, filled while predictions are read."""

    # for each run, in each variant, the answers in the order of the records; None where there is no prediction
    columns: dict[Cell, AnswerColumn]
    # shape (records, variants): whether a record was asked in a variant: in those that were seen of any record that
    # has the same variants. Where it was, an answer of None is a missing prediction
    expected: NDArray[np.bool_]
    # for each the form of the prediction's text, a place in `FORMS`, in the order of the records
    forms: dict[Cell, bytearray] = field(default_factory=dict)
    numbering: Numbering = field(default_factory=Numbering)  # of the answers in all columns

    def open(self, cell: Cell, records: int) -> None:
        """Add empty columns for a run and option order."""
        self.columns[cell] = AnswerColumn(array(INT32, [0]) * records, self.numbering)

    def by_run(self) -> Iterator[AnswerTable]:
        """Yield the answers of each run as a table, to save memory."""
        for run in self.runs:
            yield replace(self, columns={(run, variant): self.columns[run, variant] for variant in self.variants})

    def of_variant(self, variant: int) -> AnswerTable:
        """Return the answers for one option order."""
        columns = {(run, variant): self.columns[run, variant] for run in self.runs}
        return replace(self, columns=columns, expected=self.expected[:, [self.variants.index(variant)]])

    @cached_property
    def runs(self) -> tuple[int, ...]:
        """Those seen, ascending."""
        return tuple(sorted({run for run, _ in self.columns}))

    @cached_property
    def variants(self) -> tuple[int, ...]:
        """Those that were asked, ascending."""
        return tuple(sorted({variant for _, variant in self.columns}))

    @cached_property
    def unparsed(self) -> int:
        """How many answers the rule did not find, in records; missing predictions aside."""
        return sum(one.answers for one in self.matches if not one.answered)

    @cached_property
    def different(self) -> tuple[Answer, ...]:
        """The answers that differ."""
        return tuple(one for one in self.numbering.different if one is not None)

    def numbers_of(self, run: int) -> NDArray[np.int32]:
        """Return the number of each distinct answer by record and option order, from 1; 0 without an answer."""
        return np.stack([self.columns[run, one].by_record for one in self.variants], axis=1, dtype=np.int32)

    @cached_property
    def by_appearance(self) -> NDArray[np.int64]:
        """The numbers in the order in which they first stand by run, variant and record, 0 before all others."""
        found = [np.zeros(1, np.int64)]
        seen = np.zeros(1 + len(self.different), bool)
        seen[0] = True
        for run in self.runs:
            numbers = self.numbers_of(run).T.ravel()
            fresh, first = np.unique(numbers[~seen[numbers]], return_index=True)
            found.append(fresh[np.argsort(first)].astype(np.int64))
            seen[fresh] = True
        return np.concatenate(found)

    @cached_property
    def _counts(self) -> NDArray[np.int64]:
        """How often each of the different answers came in a text of each form, shape (answers, forms)."""
        size = len(FORMS)
        counts = np.zeros((1 + len(self.different)) * size, np.int64)
        for run in self.runs:
            forms = np.stack([np.frombuffer(self.forms[run, variant], np.uint8) for variant in self.variants], axis=1)
            counts += np.bincount((self.numbers_of(run) * size + forms).ravel(), minlength=len(counts))
        return counts.reshape(-1, size)[1:]

    @cached_property
    def by_form(self) -> tuple[FormCount, ...]:
        """How predictions of each form were read, in the order of `FORMS`."""
        kinds = [(True, one.value is None, one.unambiguous) for one in self.different]
        rows = self._counts.T @ np.array(kinds, np.int64).reshape(-1, 3)
        return tuple(FormCount(form, *row) for form, row in zip(FORMS, rows.tolist(), strict=True) if row[0])

    @cached_property
    def matches(self) -> tuple[WordingCount, ...]:
        """How often each wording decided, the most frequent first; those that say none after all others."""
        totals: Counter[tuple[bool, str]] = Counter()
        for answer, times in zip(self.different, self._counts.sum(axis=1).tolist(), strict=True):
            totals[answer.value is None, answer.reason] += times
        ordered = sorted(totals.items(), key=lambda one: (one[0][0], -one[1], one[0][1]))
        return tuple(WordingCount(wording, not none, times) for (none, wording), times in ordered)

    def equal(self, gold: Sequence[str], members: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which answers equal the gold answer; missing and unparsed ones do not."""
        places = {text: place for place, text in enumerate(dict.fromkeys(gold), start=1)}
        narrow = np.min_scalar_type(len(places))
        texts = np.array([0, *(places.get(one.value or "", 0) for one in self.different)], narrow)
        right = np.array([places[text] for text in gold], narrow)[:, np.newaxis, np.newaxis]
        found: NDArray[np.bool_] = self._of_runs(texts)[members] == right
        return found

    def codes(self, code: Callable[[Answer], int]) -> NDArray[np.signedinteger[Any]]:
        """Encode answers as small integers."""
        return self._of_runs(self.numbering.codes(code))

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Whether the prediction for a record, run and option order is missing."""
        lacking: NDArray[np.bool_] = self._of_runs(np.arange(len(self.numbering.different)) == 0)
        lacking &= self.expected[:, np.newaxis]
        return lacking

    def _of_runs(self, by_number: NDArray[Any]) -> NDArray[Any]:
        """Put for each number what stands for it, shape (records, runs, variants)."""
        found = np.empty((len(self.runs), len(self.variants), len(self.expected)), by_number.dtype)
        for place, run in enumerate(self.runs):
            found[place] = by_number[self.numbers_of(run).T]
        return np.moveaxis(found, 2, 0)


def answer_table(
    columns: Mapping[Cell, Iterable[Answer | None]], expected: NDArray[np.bool_], forms: dict[Cell, bytearray]
) -> AnswerTable:
    """Make a table of answers that are at hand."""
    made = AnswerTable({}, expected, forms)
    known = made.numbering
    for cell, answers in columns.items():
        numbers = (0 if one is None else known[one.value, one.reason, one.note, one.unambiguous] for one in answers)
        made.columns[cell] = AnswerColumn(array(INT32, numbers), known)
    return made


def incomplete(layout: ItemIndex, table: AnswerTable, stages: Iterable[NDArray[np.bool_]] = ()) -> NDArray[np.bool_]:
    """Find the items and runs whose unit lacks a prediction, or what was due in a later round."""
    by_run = [np.any(one.missing, axis=2) for one in table.by_run()]
    lacking: NDArray[np.bool_] = np.any(np.concatenate(by_run, axis=1)[layout.members], axis=1).T
    for later in stages:
        lacking = lacking | later.T
    units = np.zeros((len(table.runs), int(layout.clusters.max()) + 1), bool)
    for run, items in enumerate(lacking):
        units[run, layout.clusters[items]] = True
    return units[:, layout.clusters].T


def form_of(text: str) -> int:
    """Tell the form of a text; of several that it has, the one that a rule must take off first."""
    if "<" in text or "{" in text or "*" in text or "\\" in text or "`" in text or "#" in text:  # few texts
        marked = _marked(text)
        if marked is not None:
            return marked
    said = text.strip()
    if len(said) <= MOST_BARE:
        return BARE if said else EMPTY
    return SENTENCES if "。" in text[:-1] or "\n" in said else SENTENCE


def _marked(text: str) -> int | None:
    if "<" in text and ("think" in text or "<|channel|>" in text):
        return REASONING
    if "{" in text and text.lstrip(" \n`json")[:1] in {"{", "["}:
        return JSON
    if "**" in text or "<" in text or "\\" in text or "`" in text or "\n#" in text or text[:1] == "#":
        return MARKUP
    return None
