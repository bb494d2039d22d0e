"""Whole numbers that a printed share can come from, found by search: shares round, half up, to three decimals."""

from __future__ import annotations

from fractions import Fraction


def thousandths(share):
    """Round half up to three decimals, exactly."""
    return (2000 * share.numerator + share.denominator) // (2 * share.denominator)


def counts(printed, whole):
    """Give all whole numbers of which a share is printed so."""
    wanted = int(Fraction(str(printed)) * 1000)
    return [part for part in range(whole + 1) if thousandths(Fraction(part, whole)) == wanted]


def count(printed, whole):
    """Give the one whole number that a printed share can come from."""
    (found,) = counts(printed, whole)
    return found
