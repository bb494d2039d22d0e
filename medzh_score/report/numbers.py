"""How numbers are printed: rounded half up, once, at the very end."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal


def rounded(value: float, decimals: int) -> str:
    """Print a number with a fixed count of decimals, half rounded up.

    The shortest decimal that means the same float is rounded, so that 12.345 becomes 12.35.

    Examples
    --------
    >>> rounded(12.345, 2), rounded(0.5, 0), rounded(-0.001, 2)
    ('12.35', '1', '0.00')
    """
    text = str(Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP))
    return text.lstrip("-") if not text.strip("-0.") else text


def cell(value: str | float | None, decimals: int) -> str:
    """Print a cell of a table: texts and whole numbers as they are, other numbers rounded, None as a dash."""
    if value is None:
        return "-"
    return rounded(value, decimals) if isinstance(value, float) else str(value)
