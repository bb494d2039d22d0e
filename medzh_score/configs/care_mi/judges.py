"""How well judge models, and the lexical proxy, stand for people's scores of CARE-MI (section 4.3, Table 6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.tables import Table
from medzh_score.statistics.formulas.ratio import pearson

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

THRESHOLD = 0.5  # from here on an answer is right
SAME = 1e-12  # a difference of two similarities that is none
MEAN_OF_JUDGES = "mean of judge models"
PROXY = "proxy-chrF (no judge)"
COLUMNS = (
    "aspect",
    "tested on",
    "judge",
    "answers",
    "Pearson",
    "accuracy",
    "accuracy (> 0.5)",
    "people's mean is 0.5",
)
TITLE = (
    "Judges against people's scores, in the form of Table 6: a score from 0.5 on is right (Pearson of a constant is "
    "-). The baseline always says what most answers that are not tested on are"
)


@dataclass(frozen=True)
class Comparison:
    """Scores of the same answers by people and by those who stand for them; nan where a judge did not score.

    ``by_judges`` is the mean over those who scored. It must be exact: a mean of floats that should be one half may fall
    below it, and means that should be equal may differ. ``proxy`` says how much nearer an answer is to the true than to
    the false statement, from -1 to 1; None where it stands for nothing.
    """

    people: NDArray[np.float64]
    judges: Mapping[str, NDArray[np.float64]]
    by_judges: NDArray[np.float64]
    proxy: NDArray[np.float64] | None


@dataclass(frozen=True)
class Split:
    """Answers on which judges are tested; a baseline learns from the others."""

    name: str
    test: NDArray[np.bool_]


def quality(aspects: Mapping[str, Comparison], splits: Mapping[str, Sequence[Split]]) -> Table:
    """Make the table of judges.

    Parameters
    ----------
    aspects : mapping of str to Comparison
        For each aspect the scores.
    splits : mapping of str to sequence of Split
        For each aspect what is tested on.

    Returns
    -------
    Table
        For each aspect and split the baseline, where there is anything to learn from, each judge over the answers that
        it scored, their mean where there are several, and the proxy where there is one.

    References
    ----------
    CARE-MI, section 4.3, Table 6.
    """
    rows: list[tuple[str | int | float | None, ...]] = []
    for aspect, scores in aspects.items():
        for split in splits[aspect]:
            if split.test.any():
                rows += [(aspect, split.name, *row) for row in _rows(scores, split)]
    return Table(TITLE, COLUMNS, tuple(rows))


def _rows(scores: Comparison, split: Split) -> list[tuple[str | int | float | None, ...]]:
    test = split.test
    rows = []
    label = majority(scores.people[~test].tolist())
    if label is not None:
        always = np.full(int(test.sum()), float(label))
        rows.append(_row(f"baseline (always {'right' if label else 'wrong'})", always, scores.people[test], always > 0))
    several = ((MEAN_OF_JUDGES, scores.by_judges),) if len(scores.judges) > 1 else ()
    for name, judge in (*scores.judges.items(), *several):
        there = test & ~np.isnan(judge)
        if there.any():
            rows.append(_row(name, judge[there], scores.people[there], judge[there] > THRESHOLD))
    if scores.proxy is not None:
        proxy = scores.proxy[test]  # its threshold is 0: nearer to the true statement, or not
        rows.append(_row(PROXY, proxy, scores.people[test], proxy > SAME, at_least=proxy > SAME))
    return rows


def majority(labels: Iterable[float]) -> bool | None:
    """Tell what most answers are, right or wrong; as many of each are right.

    Parameters
    ----------
    labels : iterable of float
        Scores from 0 to 1.

    Returns
    -------
    bool or None
        Whether most are right; None where there are none.

    Examples
    --------
    >>> majority([0.9, 0.5, 0.2]), majority([])
    (True, None)
    """
    right = [label >= THRESHOLD for label in labels]
    return None if not right else 2 * sum(right) >= len(right)


def _row(
    name: str,
    judge: NDArray[np.float64],
    people: NDArray[np.float64],
    above: NDArray[np.bool_],
    *,
    at_least: NDArray[np.bool_] | None = None,
) -> tuple[str | int | float | None, ...]:
    said = judge >= THRESHOLD if at_least is None else at_least
    return (
        name,
        len(people),
        pearson(judge, people),
        float((said == (people >= THRESHOLD)).mean()),
        float((above == (people > THRESHOLD)).mean()),
        int((people == THRESHOLD).sum()),
    )
