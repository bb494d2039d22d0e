"""What a config declares of a metric: a formula over summed statistics."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import get_annotations
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import AnswerTable
    from medzh_score.benchmark.items import ItemIndex

    Numbers = NDArray[np.float64]
    Formula = Callable[[Numbers], Numbers]
    Changed = Mapping[int, Numbers]  # other values of columns
    Ends = Callable[[Numbers, Numbers], tuple[Changed, Changed]]


class Columns:
    """The columns of a config's statistics: each name that a subclass annotates gets the next places.

    Examples
    --------
    >>> class WordColumns(Columns):
    ...     items: int
    ...     words: slice = block(3)
    >>> WordColumns.items, WordColumns.words, WordColumns.width
    (0, slice(1, 4, None), 4)
    """

    width: ClassVar[int] = 0

    def __init_subclass__(cls) -> None:
        """Give each column its place, those of a base first."""
        for name in get_annotations(cls):
            size = getattr(cls, name, None)
            setattr(cls, name, slice(cls.width, cls.width + size) if size else cls.width)
            cls.width += size or 1

    @classmethod
    def zeros(cls, layout: ItemIndex, answers: AnswerTable) -> Numbers:
        """Make statistics of nothing, shape (items, runs, columns)."""
        return np.zeros((len(layout.items), len(answers.runs), cls.width))


def block(size: int) -> Any:  # noqa: ANN401 - a slice, once its columns have places
    """Declare so many columns under one name."""
    return size


Direction = Literal["higher", "lower"]


@dataclass(frozen=True)
class Ratio:
    """The formula ``scale * numerator / denominator``; made by `ratio`, and by `share`."""

    numerator: int  # numerator and denominator: columns of the statistics
    denominator: int
    scale: float  # 100 for percent
    # of a share the column that counts the answers behind it; None where it is none
    answers: int | None = None
    # of a share that reads something else in a text than the rule's answer, the column that counts the texts in which
    # it found nothing; None where these are what the rule left unread
    unparsed: int | None = None

    def __call__(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Divide sums of shape (..., k); nan where the denominator is 0."""
        over = sums[..., self.denominator]
        defined = over != 0
        return np.where(defined, self.scale * sums[..., self.numerator] / np.where(defined, over, 1.0), np.nan)


@dataclass(frozen=True)
class Gap:
    """The formula ``one - other``: it may be negative, and is 0 where every answer is right."""

    one: Formula
    other: Formula

    def __call__(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Subtract what the formulas give."""
        return self.one(sums) - self.other(sums)


def ratio(numerator: int, denominator: int, scale: float = 1.0) -> Ratio:
    """Make the formula ``scale * numerator / denominator``.

    Parameters
    ----------
    numerator, denominator : int
        Columns of the statistics.
    scale : float
        100 for percent.

    Examples
    --------
    >>> ratio(0, 1, 100.0)(np.array([1.0, 4.0])).item()
    25.0
    """
    return Ratio(numerator, denominator, scale)


def share(
    numerator: int, denominator: int, scale: float = 1.0, *, answers: int | None = None, unparsed: int | None = None
) -> Ratio:
    """Make the formula of a share, which has a Wilson interval.

    In each run and option order an item adds 0 or 1 to the numerator and 1 to the denominator, or its weight to both.

    Parameters
    ----------
    numerator, denominator, scale
        As in `ratio`.
    answers : int, optional
        The column that counts the answers, if it is not the denominator.
    unparsed : int, optional
        The column of unparsed texts, if the metric does not use the answers of the rule.

    Examples
    --------
    >>> share(0, 1).answers
    1
    """
    return Ratio(numerator, denominator, scale, denominator if answers is None else answers, unparsed)


@dataclass(frozen=True)
class Metric:
    """A metric: a formula of summed statistics."""

    name: str  # as the paper prints it
    summary: str  # one sentence: what it counts, of what
    # from an array whose last axis holds summed statistics to the metric, for any leading axes; nan where undefined
    formula: Formula
    denominator: int  # the column that says over how many items it is counted
    undefined_reason: str  # why it has no value where it has none
    direction: Direction | None = "higher"  # which is better; None where neither is
    # whether its denominator comes from the answers, as that of a precision does. Of such a metric what is missing
    # leaves the denominator, and removing a bad answer can raise it; in any other it stays there as the worst
    of_answers: bool = False
    # what open answers, unparsed or missing, leave open: from the statistics, shape (..., k), and how many answers of
    # each item are open, shape (...), to the columns that are others where the metric is least, and to those that are
    # where it is most. `of_open` makes the usual one. None where no bounds can be given; of a share whose denominator
    # does not come from the answers, where an open answer is wrong as it stands and may be right
    ends: Ends | None = None

    @property
    def difference(self) -> bool:
        """Whether it is the difference of two metrics."""
        return isinstance(self.formula, Gap)

    @property
    def share(self) -> int | None:
        """For a share, the column that counts its answers, for the Wilson interval."""
        return self.formula.answers if isinstance(self.formula, Ratio) else None

    @property
    def unparsed(self) -> int | None:
        """For a share with its own extraction, the column of unparsed texts."""
        return self.formula.unparsed if isinstance(self.formula, Ratio) else None


def of_open(least: Mapping[int, int], most: Mapping[int, int]) -> Ends:
    """Make the ends of a metric that open answers add to."""

    def ends(rows: Numbers, left_open: Numbers) -> tuple[Changed, Changed]:
        low, high = (
            {column: rows[..., column] + left_open * rows[..., other] for column, other in end.items()}
            for end in (least, most)
        )
        return low, high

    return ends
