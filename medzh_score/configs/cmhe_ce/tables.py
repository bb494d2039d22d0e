"""CMHE-CE's tables: the paper's Table 4, and what became of the explanations and of the choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.tables import Table
from medzh_score.configs.cmhe_ce import statistics as metrics
from medzh_score.configs.cmhe_ce.words import CHANCE, CLASSES
from medzh_score.statistics.formulas.ratio import ratio

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.judgements import Judgements
    from medzh_score.benchmark.layout import Layout

CLASS = "class"  # the breakdown

EXPLANATIONS = {
    "came": metrics.EXPLAINED,
    "with text": metrics.WITH_TEXT,
    "decline": metrics.REFUSED,
    "never name it": metrics.UNNAMED,
    "leak": metrics.LEAKING,
}


def tables(
    layout: Layout, answers: AnswerTable, counts: NDArray[np.float64], judged: Mapping[str, Judgements]
) -> dict[str, Table]:
    """Make the paper's Table 4, and count explanations and choices by class.

    Parameters
    ----------
    layout, answers, counts, judged : as `Config.tables` takes them
        Questions by class, and their statistics.

    Returns
    -------
    dict of str to Table
        ``explanations``: of how many questions they came, hold a text, decline, never name the concept, and leak.
        Where the round ``choose`` came back also ``table_4``: concept-weighted accuracy in percent by class and over
        all concepts, a row a run; and ``choices``: how many are right, wrong, unreadable and lacking, the last also
        where no explanation came.
    """
    labels = np.asarray(layout.groups[CLASS])
    parts = {one.name: counts[labels == one.name].sum(axis=0) for one in CLASSES}
    known = {one.name: _concepts(layout.units, counts, labels == one.name) for one in CLASSES}
    made = {"explanations": _explanations(parts, known, answers.runs)}
    if metrics.CHOOSE in judged:
        made["table_4"] = _table_4(parts, counts.sum(axis=0), answers.runs)
        made["choices"] = _choices(parts, answers.runs)
    return made


def _concepts(units: NDArray[np.int64], counts: NDArray[np.float64], chosen: NDArray[np.bool_]) -> list[int]:
    """Count the concepts of some items in each run: these are what accuracy by concept is a mean over."""
    there = (counts[..., metrics.ITEMS] != 0) & chosen[:, np.newaxis]
    return [len(np.unique(units[run])) for run in there.T]


def _explanations(
    parts: Mapping[str, NDArray[np.float64]], known: Mapping[str, Sequence[int]], runs: Sequence[int]
) -> Table:
    columns = (metrics.ITEMS, *EXPLANATIONS.values())
    rows: list[tuple[str | int, ...]] = [
        (name, run, known[name][place], *(int(sums[place, column]) for column in columns))
        for name, sums in parts.items()
        for place, run in enumerate(runs)
    ]
    heads = ("class", "run", "concepts", "questions", *EXPLANATIONS)
    return Table("Explanations, before anything is chosen", heads, tuple(rows))


def _table_4(parts: Mapping[str, NDArray[np.float64]], total: NDArray[np.float64], runs: Sequence[int]) -> Table:
    shares = [ratio(metrics.SHARE_RIGHT, metrics.SHARE, 100.0)(sums) for sums in (*parts.values(), total)]
    rows = tuple((run, *(_cell(share[place]) for share in shares)) for place, run in enumerate(runs))
    title = (
        f"Accuracy by class, in percent, weighted by concepts, in the form of the paper's Table 4; chance {CHANCE:g}"
    )
    return Table(title, ("run", *(one.head for one in CLASSES), "All"), rows)


def _choices(parts: Mapping[str, NDArray[np.float64]], runs: Sequence[int]) -> Table:
    rows = [(name, run, *_counted(sums[place])) for name, sums in parts.items() for place, run in enumerate(runs)]
    return Table("Choices by class", ("class", "run", "right", "wrong", "unreadable", "lacking"), tuple(rows))


def _counted(sums: NDArray[np.float64]) -> tuple[int, int, int, int]:
    questions, right, chosen, unreadable = (
        int(sums[column]) for column in (metrics.QUESTIONS, metrics.RIGHT, metrics.CHOSEN, metrics.UNREADABLE)
    )
    return right, chosen - right, unreadable, questions - chosen - unreadable


def _cell(value: np.float64) -> float | None:
    return None if np.isnan(value) else float(value)
