"""What a config declares of a metric: a formula over summed statistics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Formula = Callable[[Numbers], Numbers]
    Columns = Mapping[int, Numbers]
    Ends = Callable[[Numbers, Numbers], tuple[Columns, Columns]]


Direction = Literal["higher", "lower"]


@dataclass(frozen=True)
class Metric:
    """A formula over summed statistics.

    Attributes
    ----------
    name : str
        As the paper prints it.
    summary : str
        One sentence: what it counts, of what.
    formula : callable
        From an array whose last axis holds summed statistics to the metric, for any leading axes; nan where
        undefined.
    denominator : int
        The column that says over how many items it is counted.
    undefined : str
        Why it has no value where it has none.
    difference : bool
        Whether it is a difference of two metrics: it may be negative, and is 0 where every answer is right.
    share : int or None
        Where it is a share, the column that counts the answers behind it: its formula is a `ratio`, to whose numerator
        each item gives 0 or 1 in each run and variant, and 1 to the denominator where it counts (or the same weight to
        both). None where it is none. It decides how its interval is made.
    unread : int or None
        Where it reads something else in a text than the rule's answer, the column that counts the texts in which it
        found nothing; None where these are what the rule left unread.
    direction : {"higher", "lower"} or None
        Which is better; None where neither is.
    of_answers : bool
        Whether its denominator comes from the answers, as that of a precision does. Of such a metric what is missing
        leaves the denominator, and removing a bad answer can raise it; in any other it stays there as the worst.
    ends : callable or None
        What open answers, unparsed or missing, leave open: from the statistics, shape (..., k), and how many answers of
        each item are open, shape (...), to the columns that are others where the metric is least, and to those that are
        where it is most. `of_open` makes the usual one. None where no bounds can be given; of a share whose denominator
        does not come from the answers, where an open answer is wrong as it stands and may be right.
    caution : str or None
        What a report notes wherever the metric has a value, such as that a constant answer does well.
    caution_unless : int or None
        The column that counts the items of which the caution does not hold: with any, it is not noted.
    """

    name: str
    summary: str
    formula: Formula
    denominator: int
    undefined: str
    difference: bool = False
    share: int | None = None
    unread: int | None = None
    direction: Direction | None = "higher"
    of_answers: bool = False
    ends: Ends | None = None
    caution: str | None = None
    caution_unless: int | None = None


def of_open(least: Mapping[int, int], most: Mapping[int, int]) -> Ends:
    """Make the ends of a metric that open answers add to.

    Parameters
    ----------
    least, most : mapping of int to int
        For each column that each open answer adds to, where the metric is least and where it is most, the column that
        says how much of it.

    Examples
    --------
    >>> import numpy as np
    >>> least, most = of_open({}, {0: 1})(np.array([[0.0, 2.0], [1.0, 2.0]]), np.array([1.0, 0.0]))
    >>> least, most[0].tolist()
    ({}, [2.0, 1.0])
    """

    def ends(rows: Numbers, left_open: Numbers) -> tuple[Columns, Columns]:
        low, high = (
            {column: rows[..., column] + left_open * rows[..., other] for column, other in end.items()}
            for end in (least, most)
        )
        return low, high

    return ends
