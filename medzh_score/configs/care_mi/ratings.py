"""What raters and judges gave each answer of CARE-MI, and the score that it counts with (4.1, Appendix A.2)."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.config import Table
from medzh_score.stats.formulas import pearson
from medzh_score.text.fold import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.stages import Annotations, Key, Source


CORRECTNESS, INTERPRETABILITY = "correctness", "interpretability"
ASPECTS = (CORRECTNESS, INTERPRETABILITY)
# Table 7, lower edges: a score on an edge belongs to the band above it.
EDGES = {
    CORRECTNESS: (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)),
    INTERPRETABILITY: (Fraction(1, 4), Fraction(3, 4)),
}
# As the column rater names the meta-annotator of Appendix A.2, in any case: spreadsheets write Arbiter.
ARBITERS = frozenset({"arbiter", "仲裁", "仲裁者", "仲裁人", "仲裁员"})
DISPUTED = Fraction(1, 4)  # two raters differ by more than that
UNDECIDED = "disputes undecided"


@dataclass(frozen=True)
class Rated:
    """What one answer was given in one aspect, by name; the arbiter's score stands aside.

    ``lacking`` is how many other models scored answers, but not this one.
    """

    annotators: Mapping[str, Fraction]
    arbiter: Fraction | None
    judges: Mapping[str, Fraction]
    lacking: int = 0

    @property
    def by_people(self) -> Fraction | None:
        """The mean over raters; the arbiter's score where they dispute, or nobody else rated."""
        if self.arbiter is not None and (not self.annotators or self.disputed):
            return self.arbiter
        return mean(self.annotators.values())

    @property
    def by_all_people(self) -> Fraction | None:
        """The mean over all people, the arbiter among them."""
        more = () if self.arbiter is None else (self.arbiter,)
        return mean((*self.annotators.values(), *more))

    @property
    def by_judges(self) -> Fraction | None:
        """The mean over judge models, of which one that lacks a score counts as 0."""
        return mean((*self.judges.values(), *[Fraction(0)] * self.lacking)) if self.judges else None

    @property
    def disputed(self) -> bool:
        """Whether two raters differ by more than a quarter."""
        scores = self.annotators.values()
        return len(scores) > 1 and max(scores) - min(scores) > DISPUTED


def mean(scores: Iterable[Fraction]) -> Fraction | None:
    """Average exactly; None of nothing."""
    listed = tuple(scores)
    return sum(listed, Fraction(0)) / len(listed) if listed else None


def rated_in(judged: Annotations, aspect: str) -> dict[Key, Rated]:
    """Sort what came back in the round of an aspect by item and run."""
    by_key: dict[Key, list[tuple[Source, Fraction]]] = {}
    for source, mine in judged.sources.items():
        for key, said in mine.items():
            by_key.setdefault(key, []).append((source, Fraction(said[aspect])))
    models = sum(source.kind == "model" and bool(mine) for source, mine in judged.sources.items())
    return {key: _rated(given, models) for key, given in by_key.items()}


def signed_annotators(judged: Annotations, aspect: str) -> list[str]:
    """Name who judged, as it is signed.

    An arbiter speaks only where raters dispute, and that follows from the answers.
    """
    sources = zip(judged.annotators, judged.sources, strict=True)
    names = [name for name, source in sources if source.kind == "model" or not _is_arbiter(source.name)]
    open_ones = any(one.disputed and one.arbiter is None for one in rated_in(judged, aspect).values())
    return [*(names or judged.annotators), *([UNDECIDED] if open_ones else [])]


def _is_arbiter(name: str) -> bool:
    return fold(name).casefold() in ARBITERS


def _rated(given: Sequence[tuple[Source, Fraction]], models: int) -> Rated:
    people = {source.name: score for source, score in given if source.kind == "person"}
    arbiters = {name: score for name, score in people.items() if _is_arbiter(name)}
    judges = {source.name: score for source, score in given if source.kind == "model"}
    return Rated(
        {name: score for name, score in people.items() if name not in arbiters},
        mean(arbiters.values()),
        judges,
        models - len(judges),
    )


def band(score: Fraction | float, aspect: str) -> int:
    """Find the band of Table 7, from 0 for the lowest; an edge belongs to the upper band.

    Examples
    --------
    >>> [band(score, "correctness") for score in (0, 0.25, 0.5, 0.74, 1)]
    [0, 1, 2, 2, 3]
    >>> [band(score, "interpretability") for score in (0.24, 0.25, 0.5, 0.75)]
    [0, 1, 1, 2]
    """
    return bisect_right(EDGES[aspect], score)


def band_names(aspect: str) -> list[str]:
    """Name the bands of Table 7, from the lowest."""
    edges = [0.0, *map(float, EDGES[aspect]), 1.0]
    return [f"{low} - {high}" for low, high in pairwise(edges)]


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
    "the mean of the human annotators is 0.5",
)
TITLE = (
    "Judge models compared with ratings by people, in the layout of Table 6. Ratings of at least 0.5 count "
    "as correct. The Pearson correlation of a constant is shown as -. The baseline always predicts the "
    "majority verdict of the answers outside the test set"
)


@dataclass(frozen=True)
class JudgeComparison:
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


def quality(aspects: Mapping[str, JudgeComparison], splits: Mapping[str, Sequence[Split]]) -> Table:
    """Make the table of judges (CARE-MI, section 4.3, Table 6)."""
    rows: list[tuple[str | int | float | None, ...]] = []
    for aspect, scores in aspects.items():
        for split in splits[aspect]:
            if split.test.any():
                rows += [(aspect, split.name, *row) for row in _rows(scores, split)]
    return Table(TITLE, COLUMNS, tuple(rows))


def _rows(scores: JudgeComparison, split: Split) -> list[tuple[str | int | float | None, ...]]:
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
    """Tell what most answers are, right or wrong; as many of each are right."""
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
