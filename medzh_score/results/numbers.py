"""How numbers are printed: rounded half up, once, at the very end."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.ui.i18n import _, pgettext

if TYPE_CHECKING:
    from medzh_score.stats.values import Value


# By the unit of a metric: decimals, sign, the largest share, and a percentage point.
DECIMALS = {"percent": 2, "fraction": 3}
SIGN = {"percent": "%", "fraction": ""}
TOPS = {"percent": 100.0, "fraction": 1.0}
POINT = {"percent": 1.0, "fraction": 0.01}


class ValueCells(NamedTuple):
    """A metric on some items, as people read it."""

    value: str
    interval: str
    std: str
    n: int


def rounded(value: float, decimals: int) -> str:
    """Print a number with a fixed count of decimals, half rounded up.

    The shortest decimal that means the same float is rounded, so that 12.345 becomes 12.35.
    """
    text = str(Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP))
    return text.lstrip("-") if not text.strip("-0.") else text


def cell(value: str | float | None, decimals: int) -> str:
    """Print a cell of a table: texts and whole numbers as they are, other numbers rounded, None as a dash."""
    if value is None:
        return "-"
    return rounded(value, decimals) if isinstance(value, float) else str(value)


def cells_of(value: Value) -> ValueCells:
    """Print a metric on some items; where there is no standard deviation, of how many runs it would be."""
    decimals = DECIMALS[value.unit]
    shown = cell(value.value, decimals) + (SIGN[value.unit] if value.value is not None else "")
    interval = "-"
    if value.low is not None and value.high is not None:
        interval = _("{least} to {most}", least=rounded(value.low, decimals), most=rounded(value.high, decimals))
    few = "-" if value.value is None else pgettext("column std", "{runs_of} run", runs_of=runs_of(value))
    std = few if value.std is None else rounded(value.std, decimals)
    return ValueCells(shown, interval, std, value.n)


def runs_of(value: Value) -> int:
    """Count the runs in which a metric is defined: those that its value is the mean of."""
    return sum(part is not None for part in value.per_run)
