"""What each case of CMHE-DD contributes, and micro precision, recall and F1 at three levels of ICD-10 (section 3.2)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.metrics import Metric, of_open
from medzh_score.configs.cmhe_dd.reading import NONE, SEPARATOR
from medzh_score.terminology.icd10 import LEVELS, icd10
from medzh_score.terminology.icd_codes import category_of, normal_code
from medzh_score.ui.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import Answer, AnswerTable
    from medzh_score.benchmark.items import ItemIndex
    from medzh_score.benchmark.metrics import Columns, Ends
    from medzh_score.benchmark.stages import Annotations

    Formula = Callable[[NDArray[np.float64]], NDArray[np.float64]]


GOLD = "codes"  # the texts of the layout, and the name of the round
EXAM = "exam"  # the fact of the layout
FOR_JUDGE = "for the judge"  # why of an answer that the round gives its codes

# The columns of the statistics: a case; that it counts; that it says any code; its categories, of which ICD-10 has not
# all; that a judge's codes were used. Then at each level what is said and right, said, and right: of all cases, and of
# those from the examination.
CASES, COUNTED, CODED, SAID_CODES, UNKNOWN, JUDGED = range(6)
FIRST, PARTS = 6, 3
HITS, SAID, RIGHT = range(PARTS)
OF_EXAM = FIRST + PARTS * len(LEVELS)
WIDTH = OF_EXAM + PARTS * len(LEVELS)

UNDEFINED = "no case counts: the codes of rule judge come from the round codes"
BOTH_PARTS = "it needs cases of both parts, chat and exam, that count"
BETWEEN = re.compile(r"[；;，,、\s]+")


def _column(level: int, part: int, first: int = FIRST) -> int:
    return first + PARTS * level + part


def _hits_of(level: int, whole: int) -> Formula:
    """Make precision, of what is said, or recall, of what is right."""

    def formula(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        hits, of, right = (sums[..., _column(level, part)] for part in (HITS, whole, RIGHT))
        return np.where(right > 0, 100.0 * hits / np.maximum(of, 1), np.nan)

    return formula


def _f1(hits: NDArray[np.float64], said: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(right > 0, 200.0 * hits / np.maximum(said + right, 1), np.nan)


def _f1_of(level: int) -> Formula:
    def formula(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return _f1(*(sums[..., _column(level, part)] for part in range(PARTS)))

    return formula


def _gap(level: int) -> Formula:
    def formula(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        exam = [sums[..., _column(level, part, OF_EXAM)] for part in range(PARTS)]
        chat = [sums[..., _column(level, part)] - of_exam for part, of_exam in enumerate(exam)]
        return _f1(*exam) - _f1(*chat)

    return formula


def _ends_of_gap(level: int) -> Ends:
    """Let open cases of the examination say what is wrong, and those of chats what is right; or the reverse."""

    def ends(rows: NDArray[np.float64], left_open: NDArray[np.float64]) -> tuple[Columns, Columns]:
        def add(part: int, first: int, more: NDArray[np.float64]) -> Columns:
            return {(column := _column(level, part, first)): rows[..., column] + left_open * more}

        right, of_exam = (rows[..., _column(level, RIGHT, first)] for first in (FIRST, OF_EXAM))
        said = {**add(SAID, FIRST, right), **add(SAID, OF_EXAM, of_exam)}
        return (
            {**said, **add(HITS, FIRST, right - of_exam)},
            {**said, **add(HITS, FIRST, of_exam), **add(HITS, OF_EXAM, of_exam)},
        )

    return ends


def _at(level: int, name: str) -> tuple[Metric, ...]:
    where = f"at level {level} ({name})"
    hits, said, right = (_column(level, part) for part in range(PARTS))
    # An open answer says as many labels as are right: at the least all of them wrong, at the most all right.
    ends = of_open({said: right}, {said: right, hits: right})
    return (
        Metric(
            f"P-level-{level}",
            f"labels that are right, of those said, {where}, micro",
            _hits_of(level, SAID),
            COUNTED,
            UNDEFINED,
            of_answers=True,  # the labels that are said
            ends=ends,
        ),
        Metric(
            f"R-level-{level}",
            f"right labels that are said, of all right ones, {where}, micro",
            _hits_of(level, RIGHT),
            COUNTED,
            UNDEFINED,
            ends=ends,
        ),
        Metric(
            f"F1-level-{level}",
            f"harmonic mean of P-level-{level} and R-level-{level}",
            _f1_of(level),
            COUNTED,
            UNDEFINED,
            of_answers=True,  # half of it
            ends=ends,
        ),
    )


GAPS = tuple(
    Metric(
        f"gap-level-{level}",
        f"F1-level-{level} of the examination cases minus that of the chat cases: what the noise of dialogues costs",
        _gap(level),
        COUNTED,
        BOTH_PARTS,
        difference=True,
        direction=None,
        of_answers=True,
        ends=_ends_of_gap(level),
    )
    for level in range(len(LEVELS))
)
METRICS = (*(metric for level, name in enumerate(LEVELS) for metric in _at(level, name)), *GAPS)
HEADLINE = f"F1-level-{len(LEVELS) - 1}"
SHOWN = tuple(metric.name for metric in METRICS if metric.name.startswith(("F1", "gap")))
ITEM_METRICS = tuple(metric.name for metric in METRICS if metric.name.startswith("F1"))


def statistics(layout: ItemIndex, answers: AnswerTable, judged: Mapping[str, Annotations]) -> NDArray[np.float64]:
    """Count, for each case and run, what the metrics sum.

    Parameters
    ----------
    layout, answers, judged : as `Config.statistics` takes them
        Cases, with their codes as texts and whether they are from the examination as a fact; answers hold their codes,
        or wait for those of a judge: only the rule ``judge`` looks at the round ``codes``. All that was due there
        counts: an answer that says nothing names no disease, and so does one that did not come or lacks a readable
        judgement: neither is there where missing is an error.

    Returns
    -------
    array of float, shape (cases, runs, k)
        At each level labels are sets: what is equal after truncation counts once a case. A case that says nothing
        contributes its right labels alone.

    References
    ----------
    CMHE, section 3.2 and Figure 5.
    """
    shape = len(layout.items), len(answers.runs)
    counts = np.zeros((*shape, WIDTH))
    counts[..., CASES] = 1
    said, counts[..., COUNTED], counts[..., JUDGED] = predicted_codes(layout, answers, judged)
    flat = counts.reshape(-1, WIDTH)
    cells = len(flat)
    here, gold = labels_of(said), labels_of([codes for codes in layout.item_texts[GOLD] for _ in answers.runs])
    for level in range(len(LEVELS)):
        mine, right = here.at(level), gold.at(level)
        hits = np.intersect1d(mine, right, assume_unique=True)
        for part, keys in zip((HITS, SAID, RIGHT), (hits, mine, right), strict=True):
            flat[:, _column(level, part)] = counted(keys, cells)
    flat[:, SAID_CODES] = flat[:, _column(len(LEVELS) - 1, SAID)]
    unknown = type(here)(here.cells[~here.known], here.categories[~here.known])
    flat[:, UNKNOWN] = counted(unknown.at(len(LEVELS) - 1), cells)
    flat[:, CODED] = flat[:, SAID_CODES] > 0
    counts[..., FIRST:] *= counts[..., COUNTED, np.newaxis]
    exam = layout.item_values[EXAM].astype(np.float64)[:, np.newaxis, np.newaxis]
    counts[..., OF_EXAM:] = counts[..., FIRST:OF_EXAM] * exam
    return counts


def predicted_codes(
    layout: ItemIndex, answers: AnswerTable, judged: Mapping[str, Annotations]
) -> tuple[list[tuple[str, ...]], NDArray[np.bool_], NDArray[np.bool_]]:
    """Find the codes that each case is given.

    Parameters
    ----------
    layout, answers, judged : as `Config.statistics` takes them
        Cases, answers of one rule, and the round ``codes``.

    Returns
    -------
    tuple of (list of tuple of str, array of bool, array of bool)
        The codes of each cell, run after run of each case; then, of shape (cases, runs), which of them count and which
        of them a judge gave.

    Raises
    ------
    MedzhError
        With file and line, if a sheet holds what is no code.
    """
    rows = [[answers.columns[run, answers.variants[0]][member] for run in answers.runs] for (member,) in layout.members]
    waits = np.array([[answer is not None and answer.why == FOR_JUDGE for answer in row] for row in rows], bool)
    if not waits.any():
        everything = np.ones(waits.shape, bool)
        return [_own(answer) for row in rows for answer in row], everything, ~everything
    found = judged.get(GOLD)
    if found is None:
        return [()] * waits.size, np.zeros(waits.shape, bool), np.zeros(waits.shape, bool)
    keys = [[(item, run) for run in answers.runs] for item in layout.items]
    due = found.due_in(*waits.shape)
    read = waits & due & np.array([[key in found.values for key in row] for row in keys], bool)
    codes = [
        _judged(found, key) if is_read else ()
        for row, reads in zip(keys, read, strict=True)
        for key, is_read in zip(row, reads, strict=True)
    ]
    return codes, due, read


def _own(answer: Answer | None) -> tuple[str, ...]:
    return () if answer is None or answer.value is None else tuple(answer.value.split(SEPARATOR))


def _judged(found: Annotations, key: tuple[str, int]) -> tuple[str, ...]:
    text = found.values[key][GOLD]
    codes = codes_in_cell(text)
    if codes is None:
        file, line = found.places.get(key, (None, None))
        expected = f"codes of ICD-10 between {SEPARATOR}, or {NONE}"
        raise MedzhError("is no code", file=file, line=line, field=GOLD, expected=expected, found=text)
    return codes


@lru_cache(maxsize=1 << 16)  # several rules and tables ask about the same
def codes_in_cell(text: str) -> tuple[str, ...] | None:
    """Take the codes of a filled cell apart.

    Parameters
    ----------
    text : str
        Codes between ``；`` or other marks, or ``无``.

    Returns
    -------
    tuple of str or None
        In their normal form; None where any of them is no code.

    Examples
    --------
    >>> codes_in_cell("j30.401；I10"), codes_in_cell("无"), codes_in_cell("鼻炎") is None
    (('J30.401', 'I10'), (), True)
    """
    if text.strip() == NONE:
        return ()
    codes = [normal_code(part) for part in BETWEEN.split(text) if part]
    return None if None in codes or not codes else tuple(code for code in codes if code)


def verdict(row: NDArray[np.float64]) -> str:
    """Say in a word what became of a case in one run.

    Parameters
    ----------
    row : array, shape (k,)
        Its statistics.

    Returns
    -------
    str
        ``right`` where its categories are those of the gold; else the finest level at which any label is right
        (``category``, ``block``, ``chapter``), ``wrong`` where none is, ``nothing`` where it says no code, ``not
        coded`` where the judge gave none, ``skipped`` where it was dropped.
    """
    if not row[CASES]:
        return "skipped"
    if not row[COUNTED]:
        return "not coded"
    if not row[CODED]:
        return "nothing"
    finest = len(LEVELS) - 1
    hits, said, right = (row[_column(finest, part)] for part in range(PARTS))
    if hits == said == right:
        return "right"
    return next((LEVELS[level] for level in reversed(range(len(LEVELS))) if row[_column(level, HITS)]), "wrong")


LABELS = 1 << 20  # more than there are labels at any level, unknown ones among them


@dataclass(frozen=True)
class CaseLabels:
    """Codes of cells, once for each time that a cell has one, in arrays of int of shape (codes,).

    A category is its place in the terminology; from the size of it on where ICD-10 has no such category.
    """

    cells: NDArray[np.int64]
    categories: NDArray[np.int64]

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which of them ICD-10 has."""
        known: NDArray[np.bool_] = self.categories < _levels().shape[1]
        return known

    def at(self, level: int) -> NDArray[np.int64]:
        """Truncate them to a level, each label once a cell.

        Parameters
        ----------
        level : int
            0, 1 or 2.

        Returns
        -------
        array of int
            Ascending; each is ``cell * LABELS + label``. What ICD-10 does not have keeps a label of its own, which
            nothing else has.
        """
        table = _levels()[level]
        inside = np.minimum(self.categories, len(table) - 1)
        labels = np.where(self.known, table[inside], self.categories)
        return np.unique(self.cells * LABELS + labels)


@cache
def _levels() -> NDArray[np.int64]:
    """Give a number to the label of each category at each level, shape (3, categories)."""
    places = icd10().places.values()
    rows = []
    for level in range(len(LEVELS)):
        numbers: dict[str, int] = {}
        rows.append([numbers.setdefault(place.at(level), len(numbers)) for place in places])
    return np.array(rows, np.int64)


@cache
def _numbers() -> dict[str, int]:
    return {category: number for number, category in enumerate(icd10().places)}


def labels_of(cells: Sequence[Iterable[str]]) -> CaseLabels:
    """Turn the codes of many cells into numbers.

    Parameters
    ----------
    cells : sequence of iterables of str
        The codes of each, in their normal form.

    Returns
    -------
    Labels
        In the order of the cells. What ICD-10 does not have is numbered here, from the first such code on, and means
        nothing beside the labels of another call: gold codes are all known.
    """
    known = _numbers()
    unknown: dict[str, int] = {}
    flat: list[int] = []
    sizes = np.zeros(len(cells), np.int64)
    for cell, codes in enumerate(cells):
        before = len(flat)
        for code in codes:
            category = category_of(code)
            number = known.get(category)
            flat.append(len(known) + unknown.setdefault(category, len(unknown)) if number is None else number)
        sizes[cell] = len(flat) - before
    return CaseLabels(np.repeat(np.arange(len(cells)), sizes), np.array(flat, np.int64))


def counted(keys: NDArray[np.int64], cells: int) -> NDArray[np.float64]:
    """Count the labels of each cell.

    Parameters
    ----------
    keys : array of int
        From `Labels.at`.
    cells : int
        How many cells there are.

    Returns
    -------
    array of float, shape (cells,)
    """
    return np.bincount(keys // LABELS, minlength=cells).astype(np.float64)
