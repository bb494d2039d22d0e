"""What each case of CMHE-DD contributes, and micro precision, recall and F1 at three levels of ICD-10 (section 3.2)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from medzh_score.benchmark.metrics import Columns, Gap, Metric, block, of_open
from medzh_score.configs.cmhe_dd.reading import NONE, SEPARATOR
from medzh_score.terminology.icd10 import LEVELS, icd10
from medzh_score.terminology.icd_codes import category_of, normal_code
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import Answer, AnswerTable
    from medzh_score.benchmark.items import ItemIndex
    from medzh_score.benchmark.metrics import Changed, Ends
    from medzh_score.benchmark.stages import Annotations

    Formula = Callable[[NDArray[np.float64]], NDArray[np.float64]]


GOLD = "codes"  # the texts of the layout, and the name of the round
EXAM = "exam"  # the fact of the layout
FOR_JUDGE = "for the judge"  # why of an answer that the round gives its codes

PARTS = 3
HITS, SAID, RIGHT = range(PARTS)


class CaseColumns(Columns):
    """What is counted of a case: also at each level what is said and right, said, and right."""

    cases: int
    counted: int
    coded: int  # it says any code
    said_codes: int  # its categories
    unknown: int  # those that ICD-10 does not have
    judged: int  # a judge's codes were used
    all: slice = block(PARTS * len(LEVELS))
    exam: slice = block(PARTS * len(LEVELS))  # of cases from the examination


C = CaseColumns


FIRST, OF_EXAM = C.all.start, C.exam.start
UNDEFINED = _("no case has been counted, because rule `judge` needs annotations of stage `codes`")
BOTH_PARTS = _("requires counted cases of both parts, chat and exam")
LEVEL_NAMES = (_("level 0 (chapter)"), _("level 1 (block)"), _("level 2 (category)"))  # of `LEVELS`
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


def _gap(level: int) -> Gap:
    def exam(sums: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        return [sums[..., _column(level, part, OF_EXAM)] for part in range(PARTS)]

    def chat(sums: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        return [sums[..., _column(level, part)] - of_exam for part, of_exam in enumerate(exam(sums))]

    return Gap(lambda sums: _f1(*exam(sums)), lambda sums: _f1(*chat(sums)))


def _ends_of_gap(level: int) -> Ends:
    """Let open cases of the examination say what is wrong, and those of chats what is right; or the reverse."""

    def ends(rows: NDArray[np.float64], left_open: NDArray[np.float64]) -> tuple[Changed, Changed]:
        def add(part: int, first: int, more: NDArray[np.float64]) -> Changed:
            return {(column := _column(level, part, first)): rows[..., column] + left_open * more}

        right, of_exam = (rows[..., _column(level, RIGHT, first)] for first in (FIRST, OF_EXAM))
        said = {**add(SAID, FIRST, right), **add(SAID, OF_EXAM, of_exam)}
        return (
            {**said, **add(HITS, FIRST, right - of_exam)},
            {**said, **add(HITS, FIRST, of_exam), **add(HITS, OF_EXAM, of_exam)},
        )

    return ends


def _at(level: int) -> tuple[Metric, ...]:
    hits, said, right = (_column(level, part) for part in range(PARTS))
    # An open answer says as many labels as are right: at the least all of them wrong, at the most all right.
    ends = of_open({said: right}, {said: right, hits: right})
    return (
        Metric(
            f"P-level-{level}",
            _("Share of predicted codes that are correct at {level}, micro-averaged", level=LEVEL_NAMES[level]),
            _hits_of(level, SAID),
            C.counted,
            UNDEFINED,
            of_answers=True,  # the labels that are said
            ends=ends,
        ),
        Metric(
            f"R-level-{level}",
            _("Share of correct codes that are predicted at {level}, micro-averaged", level=LEVEL_NAMES[level]),
            _hits_of(level, RIGHT),
            C.counted,
            UNDEFINED,
            ends=ends,
        ),
        Metric(
            f"F1-level-{level}",
            _("Harmonic mean of P-level-{level} and R-level-{level}", level=level),
            _f1_of(level),
            C.counted,
            UNDEFINED,
            of_answers=True,  # half of it
            ends=ends,
        ),
    )


GAPS = tuple(
    Metric(
        f"gap-level-{level}",
        _(
            "F1-level-{level} of the exam cases minus F1-level-{level} of the chat cases: the loss caused by the "
            "noise of dialogues",
            level=level,
        ),
        _gap(level),
        C.counted,
        BOTH_PARTS,
        direction=None,
        of_answers=True,
        ends=_ends_of_gap(level),
    )
    for level in range(len(LEVELS))
)
METRICS = (*(metric for level in range(len(LEVELS)) for metric in _at(level)), *GAPS)
PRIMARY = f"F1-level-{len(LEVELS) - 1}"
SUMMARY = tuple(metric.name for metric in METRICS if metric.name.startswith(("F1", "gap")))
ITEM_METRICS = tuple(metric.name for metric in METRICS if metric.name.startswith("F1"))


def statistics(layout: ItemIndex, answers: AnswerTable, judged: Mapping[str, Annotations]) -> NDArray[np.float64]:
    """Count, for each case and run, what the metrics sum (CMHE, section 3.2 and Figure 5).

    At each level labels are sets: what is equal after truncation counts once a case. Only the rule ``judge`` looks at
    the stage ``codes``. All that was expected there counts: an answer that says nothing, one that did not come and one
    that lacks a readable judgement contribute their right labels alone.
    """
    counts = C.zeros(layout, answers)
    counts[..., C.cases] = 1
    said, counts[..., C.counted], counts[..., C.judged] = predicted_codes(layout, answers, judged)
    gold = [labels_of(codes) for codes in layout.item_texts[GOLD] for _unused in answers.runs]
    for row, codes, right in zip(counts.reshape(-1, C.width), said, gold, strict=True):
        mine = labels_of(codes)
        row[C.said_codes], row[C.coded] = len(mine.levels[-1]), bool(codes)
        row[C.unknown] = mine.unknown
        row[C.all] = [
            len(part)
            for one, other in zip(mine.levels, right.levels, strict=True)
            for part in (one & other, one, other)
        ]
    counts[..., C.all] *= counts[..., C.counted, np.newaxis]
    exam = layout.item_values[EXAM].astype(np.float64)[:, np.newaxis, np.newaxis]
    counts[..., C.exam] = counts[..., C.all] * exam
    return counts


def predicted_codes(
    layout: ItemIndex, answers: AnswerTable, judged: Mapping[str, Annotations]
) -> tuple[list[tuple[str, ...]], NDArray[np.bool_], NDArray[np.bool_]]:
    """Find the codes that each case is given."""
    rows = [[answers.columns[run, answers.variants[0]][member] for run in answers.runs] for (member,) in layout.members]
    waits = np.array([[answer is not None and answer.reason == FOR_JUDGE for answer in row] for row in rows], bool)
    if not waits.any():
        everything = np.ones(waits.shape, bool)
        return [_own(answer) for row in rows for answer in row], everything, ~everything
    found = judged.get(GOLD)
    if found is None:
        return [()] * waits.size, np.zeros(waits.shape, bool), np.zeros(waits.shape, bool)
    keys = [[(item, run) for run in answers.runs] for item in layout.items]
    expected = found.expected_in(*waits.shape)
    read = waits & expected & np.array([[key in found.values for key in row] for row in keys], bool)
    codes = [
        _judged(found, key) if is_read else ()
        for row, reads in zip(keys, read, strict=True)
        for key, is_read in zip(row, reads, strict=True)
    ]
    return codes, expected, read


def _own(answer: Answer | None) -> tuple[str, ...]:
    return () if answer is None or answer.value is None else tuple(answer.value.split(SEPARATOR))


def _judged(found: Annotations, key: tuple[str, int]) -> tuple[str, ...]:
    text = found.values[key][GOLD]
    codes = codes_in_cell(text)
    if codes is None:
        file, line = found.places.get(key, (None, None))
        expected = _("ICD-10 codes separated by {separator}, or {value}", separator=SEPARATOR, value=NONE)
        raise MedzhError(_("invalid ICD-10 codes"), file=file, line=line, field=GOLD, expected=expected, found=text)
    return codes


@lru_cache(maxsize=1 << 16)  # several rules and tables ask about the same
def codes_in_cell(text: str) -> tuple[str, ...] | None:
    """Take the codes of a filled cell apart.

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
    """Say in a word what became of a case in one run."""
    if not row[C.cases]:
        return "skipped"
    if not row[C.counted]:
        return "not coded"
    if not row[C.coded]:
        return "nothing"
    finest = len(LEVELS) - 1
    hits, said, right = (row[_column(finest, part)] for part in range(PARTS))
    if hits == said == right:
        return "right"
    return next((LEVELS[level] for level in reversed(range(len(LEVELS))) if row[_column(level, HITS)]), "wrong")


class CaseLabels(NamedTuple):
    """The labels of some codes at each level, each once; and how many categories ICD-10 does not have."""

    levels: tuple[frozenset[str], ...]
    unknown: int


@lru_cache(maxsize=1 << 16)
def labels_of(codes: tuple[str, ...]) -> CaseLabels:
    """Truncate codes; what ICD-10 does not have keeps a label of its own at each level."""
    places = {category: icd10().place(category) for category in map(category_of, codes)}
    levels = tuple(
        frozenset(f"? {category}" if place is None else place.at(level) for category, place in places.items())
        for level in range(len(LEVELS))
    )
    return CaseLabels(levels, sum(place is None for place in places.values()))
