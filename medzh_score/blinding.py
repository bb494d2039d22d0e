"""Rows that do not show which model's answer they hold: a code stands for the run, and knows the answer again."""

from __future__ import annotations

import hashlib

from medzh_score.misfits import MOST_RUNS

CODE = "code"
OF_RUN, OF_ANSWER = 8, 4  # letters
# A spreadsheet takes 12345678 for a number and 1234e567 for a larger one: a code has no digits, and spells no words.
_LETTERS = str.maketrans("0123456789abcdef", "bcdfghjkmnpqrstv")


def code_of(item: str, run: int, answer: str) -> str:
    """Write a run so that it says nothing to who reads it.

    Parameters
    ----------
    item : str
        The id of the item, so that the same run has another code in each.
    run : int
        From 0.
    answer : str
        The text that is rated, so that scores of another are noticed.

    Returns
    -------
    str
        Twelve letters: eight of a SHA-256 of item and run, four of one of the answer. It keeps people unaware, it
        keeps no secret.
    """
    return letters(f"blind:{item}:{run}", OF_RUN) + letters(f"answer:{answer}", OF_ANSWER)


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
    >>> run_of("care-mi-0123456789", code_of("care-mi-0123456789", 3, "会。"))
    3
    >>> run_of("care-mi-0123456789", "bbbbbbbbbbbb") is None
    True
    """
    if len(code) != OF_RUN + OF_ANSWER:
        return None
    wanted = code[:OF_RUN].lower()
    return next((run for run in range(MOST_RUNS) if letters(f"blind:{item}:{run}", OF_RUN) == wanted), None)


def is_of(code: str, answer: str) -> bool:
    """Tell whether a code was written for an answer.

    Parameters
    ----------
    code : str
        Of which `run_of` knows the run.
    answer : str
        The text.

    Examples
    --------
    >>> code = code_of("care-mi-0123456789", 3, "会。")
    >>> is_of(code, "会。"), is_of(code, "不会。")
    (True, False)
    """
    return code[OF_RUN:].lower() == letters(f"answer:{answer}", OF_ANSWER)


def letters(text: str, count: int) -> str:
    """Write the beginning of a text's SHA-256 in letters that no spreadsheet takes for anything else.

    Parameters
    ----------
    text : str
        Any.
    count : int
        How many letters, at most 64.

    Examples
    --------
    >>> letters("麻疹", 8) == letters("麻疹", 12)[:8]
    True
    """
    return hashlib.sha256(text.encode()).hexdigest()[:count].translate(_LETTERS)
