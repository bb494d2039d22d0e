"""How numbers are printed: rounded half up, once, at the very end."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.ui.i18n import pgettext

if TYPE_CHECKING:
    from medzh_score.stats.values import Value


# By the unit of a metric: decimals, sign, the largest share, and a percentage point.
DECIMALS = {"percent": 2, "fraction": 3}
SIGN = {"percent": "%", "fraction": ""}
TOPS = {"percent": 100.0, "fraction": 1.0}
POINT = {"percent": 1.0, "fraction": 0.01}
TENS = {"percent": 0, "fraction": 2}  # the power of ten from a unit to percent
PERCENT_DECIMALS = 1  # on screens and pages
MISSING = "–"  # a value that is not available


class ValueCells(NamedTuple):
    """A metric on some items, as people read it."""

    value: str
    interval: str
    std: str
    n: int


def rounded(value: float, decimals: int, tens: int = 0) -> str:
    """Print a number with a fixed count of decimals, half rounded up, after it is multiplied by a power of ten.

    The shortest decimal that means the same float is rounded, so that 12.345 becomes 12.35.
    """
    scaled = Decimal(repr(float(value))).scaleb(tens)
    text = str(scaled.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP))
    return text.lstrip("-") if not text.strip("-0.") else text


def percent(value: float | None, unit: str, decimals: int = PERCENT_DECIMALS) -> str:
    """Print a value, or a difference of values, in percent without the sign; None as a dash.

    >>> percent(0.4218, "fraction"), percent(42.18, "percent"), percent(None, "percent")
    ('42.2', '42.2', '–')
    """
    return MISSING if value is None else rounded(value, decimals, TENS[unit])


def interval_text(low: float | None, high: float | None, unit: str, decimals: int = PERCENT_DECIMALS) -> str:
    """Print an interval in percent.

    >>> interval_text(0.3511, 0.4886, "fraction")
    '[35.1, 48.9]'
    """
    return (
        MISSING if low is None or high is None else f"[{percent(low, unit, decimals)}, {percent(high, unit, decimals)}]"
    )


def cell(value: str | float | None, decimals: int) -> str:
    """Print a cell of a table: texts and whole numbers as they are, other numbers rounded, None as a dash."""
    if value is None:
        return "-"
    return rounded(value, decimals) if isinstance(value, float) else str(value)


def cells_of(value: Value) -> ValueCells:
    """Print a metric on some items, in percent; without a standard deviation, the number of runs."""
    shown = percent(value.value, value.unit) + ("%" if value.value is not None else "")
    interval = interval_text(value.low, value.high, value.unit)
    std = percent(value.std, value.unit)
    if value.std is None and value.value is not None:
        std = pgettext("column std", "– ({n} run)", n=runs_of(value))
    return ValueCells(shown, interval, std, value.n)


def runs_of(value: Value) -> int:
    """Count the runs in which a metric is defined: those that its value is the mean of."""
    return sum(part is not None for part in value.per_run)
