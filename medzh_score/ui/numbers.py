"""How numbers are printed: rounded half up, once, at the very end."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

# By the unit of a metric: decimals, the largest share, and a percentage point.
DECIMALS = {"percent": 2, "fraction": 3}
TOPS = {"percent": 100.0, "fraction": 1.0}
POINT = {"percent": 1.0, "fraction": 0.01}
TENS = {"percent": 0, "fraction": 2}  # the power of ten from a unit to percent
PERCENT_DECIMALS = 1  # on screens and pages
PAPER_DECIMALS = {"percent": 1, "fraction": 3}  # of tables in the unit of the config: fractions have three
MISSING = "–"  # a value that is not available


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


def share_text(count: float, of: float) -> str:
    """Print a part of a whole in percent without the sign; a dash if there is nothing.

    >>> share_text(1, 8), share_text(0, 0)
    ('12.5', '–')
    """
    return rounded(100 * count / of, PERCENT_DECIMALS) if of else MISSING


def interval_text(low: float | None, high: float | None, unit: str, decimals: int = PERCENT_DECIMALS) -> str:
    """Print an interval in percent.

    >>> interval_text(0.3511, 0.4886, "fraction")
    '[35.1, 48.9]'
    """
    return (
        MISSING if low is None or high is None else f"[{percent(low, unit, decimals)}, {percent(high, unit, decimals)}]"
    )


def cell(value: str | float | None, decimals: int) -> str:
    """Print a cell of a table: texts as they are, counts with separators, other numbers rounded, None as a dash."""
    if value is None:
        return "-"
    return value if isinstance(value, str) else rounded(value, decimals) if isinstance(value, float) else f"{value:,}"
