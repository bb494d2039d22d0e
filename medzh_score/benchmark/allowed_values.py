"""A column of a sheet that holds a number in a range, such as a score from 0 to 1."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

# Digits and a point: no sign, exponent, percent or comma, of which each rater would mean another thing.
NUMBER = re.compile(r"(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,18})?|\.[0-9]{1,18}")
_WIDE = str.maketrans("０１２３４５６７８９．", "0123456789.")


@dataclass(frozen=True, slots=True)
class Between:
    """The numbers that a column may hold.

    Attributes
    ----------
    low, high : int
        Both ends belong to the range.
    """

    low: int
    high: int

    def read(self, written: str) -> str | None:
        """Read a number that a person or a judge wrote.

        Parameters
        ----------
        written : str
            Full-width digits and points are those of half width.

        Returns
        -------
        str or None
            The number in its shortest decimal form, so that equal ones are equal texts; None where this is no number
            in plain decimal notation, or one outside the range. ``75%`` is none: whether ``1%`` means one percent or
            one must not be guessed.

        Examples
        --------
        >>> [Between(0, 1).read(text) for text in ("0.750", ".75", "１", "75%", "1.5")]
        ['0.75', '0.75', '1', None, None]
        """
        plain = written.translate(_WIDE)
        if not NUMBER.fullmatch(plain):
            return None
        number = Decimal(plain)
        if not self.low <= number <= self.high:
            return None
        shortest = f"{number:f}"
        return shortest.rstrip("0").removesuffix(".") if "." in shortest else shortest

    def __str__(self) -> str:
        """Say what is expected."""
        return f"a number from {self.low} to {self.high}, such as {self.low} or .5"


Allowed = tuple[str, ...] | Between


def expected(allowed: Allowed) -> str:
    """Say what a column may hold, for messages; no values are any text.

    Examples
    --------
    >>> expected(("yes", "no")), expected(())
    ('yes or no', 'a text')
    """
    return str(allowed) if isinstance(allowed, Between) else " or ".join(allowed) or "a text"
