"""Rows that do not show which model's answer they hold: a code stands for the run."""

from __future__ import annotations

import hashlib

from medzh_score.collecting import MOST_RUNS

CODE = "code"
DIGITS = 8


def code_of(item: str, run: int) -> str:
    """Write a run so that it says nothing to who reads it.

    Parameters
    ----------
    item : str
        The id of the item, so that the same run has another code in each.
    run : int
        From 0.

    Returns
    -------
    str
        Eight hex digits of a SHA-256. It keeps people unaware, it keeps no secret.
    """
    return hashlib.sha256(f"blind:{item}:{run}".encode()).hexdigest()[:DIGITS]


def run_of(item: str, code: str) -> int | None:
    """Find the run that a code stands for.

    Parameters
    ----------
    item : str
        The id of the item.
    code : str
        As `code_of` writes it; case does not matter.

    Returns
    -------
    int or None
        None where it is no run's.

    Examples
    --------
    >>> run_of("care-mi-0123456789", code_of("care-mi-0123456789", 3))
    3
    >>> run_of("care-mi-0123456789", "00000000") is None
    True
    """
    wanted = code.lower()
    return next((run for run in range(MOST_RUNS) if code_of(item, run) == wanted), None)
