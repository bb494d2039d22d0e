"""What raters and judges gave each answer of CARE-MI, and the score that it counts with (4.1, Appendix A.2)."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from medzh_score.benchmark.judgements import Judgements, Key, Source

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

    raters: Mapping[str, Fraction]
    arbiter: Fraction | None
    judges: Mapping[str, Fraction]
    lacking: int = 0

    @property
    def by_people(self) -> Fraction | None:
        """The mean over raters; the arbiter's score where they dispute, or nobody else rated."""
        if self.arbiter is not None and (not self.raters or self.disputed):
            return self.arbiter
        return mean(self.raters.values())

    @property
    def by_all_people(self) -> Fraction | None:
        """The mean over all people, the arbiter among them."""
        more = () if self.arbiter is None else (self.arbiter,)
        return mean((*self.raters.values(), *more))

    @property
    def by_judges(self) -> Fraction | None:
        """The mean over judge models, of which one that lacks a score counts as 0."""
        return mean((*self.judges.values(), *[Fraction(0)] * self.lacking)) if self.judges else None

    @property
    def disputed(self) -> bool:
        """Whether two raters differ by more than a quarter."""
        scores = self.raters.values()
        return len(scores) > 1 and max(scores) - min(scores) > DISPUTED


def mean(scores: Iterable[Fraction]) -> Fraction | None:
    """Average exactly; None of nothing.

    Parameters
    ----------
    scores : iterable of Fraction
        To be averaged.
    """
    listed = tuple(scores)
    return sum(listed, Fraction(0)) / len(listed) if listed else None


def rated_in(judged: Judgements, aspect: str) -> dict[Key, Rated]:
    """Sort what came back in the round of an aspect by item and run.

    Parameters
    ----------
    judged : Judgements
        What came back: of a person from a sheet, of a model as a response.
    aspect : str
        The round, and its column.
    """
    by_key: dict[Key, list[tuple[Source, Fraction]]] = {}
    for source, mine in judged.sources.items():
        for key, said in mine.items():
            by_key.setdefault(key, []).append((source, Fraction(said[aspect])))
    models = sum(source.kind == "model" and bool(mine) for source, mine in judged.sources.items())
    return {key: _rated(given, models) for key, given in by_key.items()}


def signed_raters(judged: Judgements, aspect: str) -> list[str]:
    """Name who judged, as it is signed: an arbiter speaks only where raters dispute, and that follows from the answers.

    Parameters
    ----------
    judged : Judgements
        What came back in the round of the aspect.
    aspect : str
        The round, and its column.

    Returns
    -------
    list of str
        The names, those of arbiters aside unless nobody else rated; `UNDECIDED` where a dispute has no arbiter's score:
        there the mean over raters stands, which is another rule.
    """
    sources = zip(judged.raters, judged.sources, strict=True)
    names = [name for name, source in sources if source.kind == "model" or not _is_arbiter(source.name)]
    open_ones = any(one.disputed and one.arbiter is None for one in rated_in(judged, aspect).values())
    return [*(names or judged.raters), *([UNDECIDED] if open_ones else [])]


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

    Parameters
    ----------
    score : Fraction or float
        From 0 to 1.
    aspect : str
        Interpretability has three bands, correctness four.

    Examples
    --------
    >>> [band(score, "correctness") for score in (0, 0.25, 0.5, 0.74, 1)]
    [0, 1, 2, 2, 3]
    >>> [band(score, "interpretability") for score in (0.24, 0.25, 0.5, 0.75)]
    [0, 1, 1, 2]
    """
    return bisect_right(EDGES[aspect], score)


def band_names(aspect: str) -> list[str]:
    """Name the bands of Table 7, from the lowest.

    Parameters
    ----------
    aspect : str
        One of the two.

    Examples
    --------
    >>> band_names("interpretability")
    ['0.0 - 0.25', '0.25 - 0.75', '0.75 - 1.0']
    """
    edges = [0.0, *map(float, EDGES[aspect]), 1.0]
    return [f"{low} - {high}" for low, high in pairwise(edges)]
