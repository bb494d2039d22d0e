"""What stands in the cells of a comparison's tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.report.numbers import rounded

if TYPE_CHECKING:
    from medzh_score.statistics.comparison.found import Difference

P_DECIMALS = 4
SMALLEST_P = 10**-P_DECIMALS
UNREAD_DECIMALS = 2
NONE = "-"
INTERVAL = "95% interval"
BESIDE = (INTERVAL, "p", "corrected p", "won/lost/tied", "would find", "bounds")  # what says more of a difference
DAGGER = "†"
EXPLAINED = "† depends on unread answers"  # in a figure
ARROWS = {"higher": "↑", "lower": "↓", None: ""}


def number(value: float | None, decimals: int) -> str:
    """Write a number."""
    return NONE if value is None else rounded(value, decimals)


def span(low: float | None, high: float | None, decimals: int) -> str:
    """Write an interval.

    Examples
    --------
    >>> span(10, 14.005, 2), span(None, None, 2)
    ('10.00 to 14.01', '-')
    """
    return NONE if low is None or high is None else f"{rounded(low, decimals)} to {rounded(high, decimals)}"


def p_value(p: float | None) -> str:
    """Write a p value; one that rounding would make 0 is smaller than something.

    Examples
    --------
    >>> p_value(0.03125), p_value(0.00002), p_value(None)
    ('0.0313', '<0.0001', '-')
    """
    if p is None:
        return NONE
    return rounded(p, P_DECIMALS) if p >= SMALLEST_P else f"<{rounded(SMALLEST_P, P_DECIMALS)}"


def outcomes(difference: Difference) -> str:
    """Write in how many units a system is better, worse and equal."""
    counted = (difference.won, difference.lost, difference.tied)
    return NONE if difference.won is None else "/".join(map(str, counted))


def difference_cells(one: Difference, decimals: int) -> tuple[str, ...]:
    """Write a difference, with a dagger where unread answers may turn its sign, and all that is known of it."""
    dagger = DAGGER if one.depends_on_unread else ""
    bounds = NONE if one.bounds is None else span(one.bounds.low, one.bounds.high, decimals)
    return (
        number(one.value, decimals) + dagger,
        span(one.low, one.high, decimals),
        p_value(one.p),
        p_value(one.corrected),
        outcomes(one),
        number(one.detectable, decimals),
        bounds,
    )
