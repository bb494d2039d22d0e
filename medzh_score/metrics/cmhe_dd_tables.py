"""Tables of CMHE-DD beside its metrics: how much was coded, what is no code, and the chapters of Figure 6."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from medzh_score.errors import printable
from medzh_score.metrics.cmhe_dd import CASES, CODED, COUNTED, GOLD, JUDGED, SAID_CODES, UNKNOWN, said_codes
from medzh_score.table import Table
from medzh_score.terminology.icd10 import figure_chapter, figure_chapters, icd10
from medzh_score.terminology.icd_codes import category_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from medzh_score.answers import AnswerTable
    from medzh_score.config import Layout
    from medzh_score.sheets import Judgements

CHAPTERS = "chapters"
RULED_OUT = re.compile(r"ruled out (\d+)")


def tables(
    layout: Layout, answers: AnswerTable, counts: NDArray[np.float64], judged: Mapping[str, Judgements]
) -> dict[str, Table]:
    """Make the tables.

    Parameters
    ----------
    layout : Layout
        Cases, with their codes as texts.
    answers : AnswerTable
        Of one rule.
    counts : array, shape (cases, runs, k)
        Their statistics.
    judged : mapping of str to Judgements
        Of the round ``codes``.

    Returns
    -------
    dict of str to Table
        ``coding`` (how many cases have codes), ``unknown`` (each code that is no category of ICD-10, where there is
        any) and ``chapters`` (Figure 6: diseases of the data by chapter, and beside them what was said).

    References
    ----------
    CMHE, Figure 6.
    """
    said = said_codes(layout, answers, judged)[0]
    made = {"coding": _coding(answers, counts), CHAPTERS: _chapters(layout, said)}
    unknown = Counter(code for codes in said for code in codes if icd10().place(code) is None)
    if unknown:
        rows = tuple(
            (printable(code), times) for code, times in sorted(unknown.items(), key=lambda one: (-one[1], one[0]))
        )
        made["unknown"] = Table(
            "Codes that are no category of ICD-10: said, and right nowhere", ("code", "times"), rows
        )
    return made


def _coding(answers: AnswerTable, counts: NDArray[np.float64]) -> Table:
    sums = counts.sum(axis=0)
    columns = (CASES, COUNTED, CODED, SAID_CODES, UNKNOWN, JUDGED)
    rows = tuple(
        (run, *(int(sums[place, column]) for column in columns), _ruled_out(answers, run))
        for place, run in enumerate(answers.runs)
    )
    heads = (
        "run",
        "cases",
        "that count",
        "with codes",
        "categories",
        "no category of ICD-10",
        "by a judge",
        "ruled out",
    )
    return Table("How texts became codes", heads, rows)


def _ruled_out(answers: AnswerTable, run: int) -> int:
    notes = (answer.note for answer in answers.columns[run, answers.variants[0]] if answer is not None)
    return sum(int(found[1]) for note in notes if note and (found := RULED_OUT.fullmatch(note)))


def _chapters(layout: Layout, said: Iterable[tuple[str, ...]]) -> Table:
    """Count by chapter: every disease of the data, as the figure does, and every category that a case says."""
    gold = Counter(_chapter(code) for codes in layout.texts[GOLD] for code in codes)
    mine = Counter(_chapter(code) for codes in said for code in {category_of(code): code for code in codes}.values())
    del mine[""]
    totals = max(1, gold.total()), max(1, mine.total())
    rows = tuple(
        (numeral, title, gold[numeral], 100 * gold[numeral] / totals[0], mine[numeral], 100 * mine[numeral] / totals[1])
        for numeral, title in figure_chapters().items()
    )
    heads = ("chapter", "title", "diseases", "percent", "said", "said percent")
    return Table("Diseases by chapter of ICD-10, eye and ear as one (Figure 6), and what was said", heads, rows)


def _chapter(code: str) -> str:
    place = icd10().place(code)
    return "" if place is None else figure_chapter(place.chapter)
