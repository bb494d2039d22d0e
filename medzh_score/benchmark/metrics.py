"""What a config declares of a metric: a formula over summed statistics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    Formula = Callable[[NDArray[np.float64]], NDArray[np.float64]]


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
    of_units : bool
        Whether an item is right in it only where all items of its unit are, so that one answer decides over all.
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
    of_units: bool = False
    caution: str | None = None
    caution_unless: int | None = None
