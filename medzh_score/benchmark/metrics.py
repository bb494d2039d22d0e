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
    """A formula over summed statistics."""

    name: str  # as the paper prints it
    summary: str  # one sentence: what it counts, of what
    # from an array whose last axis holds summed statistics to the metric, for any leading axes; nan where undefined
    formula: Formula
    denominator: int  # the column that says over how many items it is counted
    undefined_reason: str  # why it has no value where it has none
    # whether it is a difference of two metrics: it may be negative, and is 0 where every answer is right
    difference: bool = False
    # where it is a share, the column that counts the answers behind it: its formula is a `ratio`, to whose numerator
    # each item gives 0 or 1 in each run and variant, and 1 to the denominator where it counts (or the same weight to
    # both). None where it is none. It decides how its interval is made
    share: int | None = None
    # where it reads something else in a text than the rule's answer, the column that counts the texts in which it
    # found nothing; None where these are what the rule left unread
    unread: int | None = None
    direction: Direction | None = "higher"  # which is better; None where neither is
    # whether its denominator comes from the answers, as that of a precision does. Of such a metric what is missing
    # leaves the denominator, and removing a bad answer can raise it; in any other it stays there as the worst
    of_answers: bool = False
    # what open answers, unparsed or missing, leave open: from the statistics, shape (..., k), and how many answers of
    # each item are open, shape (...), to the columns that are others where the metric is least, and to those that are
    # where it is most. `of_open` makes the usual one. None where no bounds can be given; of a share whose denominator
    # does not come from the answers, where an open answer is wrong as it stands and may be right
    ends: Ends | None = None
    # what a report notes wherever the metric has a value, such as that a constant answer does well
    caution: str | None = None
    # the column that counts the items of which the caution does not hold: with any, it is not noted
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
