"""Tables of CMHE-DD beside its metrics: how much was coded, what is no code, and the chapters of Figure 6."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from medzh_score.benchmark.tables import Table
from medzh_score.configs.cmhe_dd.statistics import (
    CASES,
    CODED,
    COUNTED,
    GOLD,
    JUDGED,
    SAID_CODES,
    UNKNOWN,
    predicted_codes,
)
from medzh_score.messages.errors import printable
from medzh_score.terminology.icd10 import figure_chapter, figure_chapters, icd10
from medzh_score.terminology.icd_codes import category_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.judgements import Judgements
    from medzh_score.benchmark.layout import Layout

CHAPTERS = "chapters"
NO_CHAPTER = "none"


def tables(
    layout: Layout, answers: AnswerTable, counts: NDArray[np.float64], judged: Mapping[str, Judgements]
) -> dict[str, Table]:
    """Count how texts became codes, and categories by chapter.

    Parameters
    ----------
    layout, answers, counts, judged : as `Config.tables` takes them
        Cases, with their codes as texts, their statistics, and the round ``codes``.

    Returns
    -------
    dict of str to Table
        ``coding`` (how many cases have codes), ``unknown`` (each code that is no category of ICD-10, where there is
        any) and ``chapters`` (categories by the chapters of Figure 6, which itself counts diseases: those that are
        right, and beside them those that were said, on one base).

    References
    ----------
    CMHE, Figure 6.
    """
    said = predicted_codes(layout, answers, judged)[0]
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
    rows = tuple((run, *(int(sums[place, column]) for column in columns)) for place, run in enumerate(answers.runs))
    heads = ("run", "cases", "that count", "with codes", "categories", "no category of ICD-10", "by a judge")
    return Table("How texts became codes", heads, rows)


def _chapters(layout: Layout, said: Iterable[tuple[str, ...]]) -> Table:
    """Count categories by chapter on one base: each once a case, and what is said once a case and run."""
    right = _by_chapter(layout.texts[GOLD])
    mine = _by_chapter(said)
    titles = {**figure_chapters(), NO_CHAPTER: "No category of ICD-10"}
    rows = tuple(
        (name, title, right[name], _percent(right, name), mine[name], _percent(mine, name))
        for name, title in titles.items()
    )
    heads = ("chapter", "title", "right", "percent", "said", "said percent")
    title = (
        "Categories by chapter of ICD-10, eye and ear as one (as Figure 6): "
        "the right ones, each once a case, and those said, each once a case and run"
    )
    return Table(title, heads, rows)


def _percent(counts: Counter[str], name: str) -> float | None:
    """Give the share of a chapter; of nothing there is none."""
    return 100 * counts[name] / counts.total() if counts else None


def _by_chapter(cells: Iterable[tuple[str, ...]]) -> Counter[str]:
    return Counter(_chapter(category) for codes in cells for category in set(map(category_of, codes)))


def _chapter(code: str) -> str:
    place = icd10().place(code)
    return NO_CHAPTER if place is None else figure_chapter(place.chapter)
