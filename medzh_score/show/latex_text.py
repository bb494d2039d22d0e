r"""Text for LaTeX: nothing in it is a command, and nothing runs together."""

from __future__ import annotations

import re

from medzh_score.messages.errors import printable

SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\texttt{\char34}",  # of typewriters in every encoding; \textquotedbl is in few
    "±": r"$\pm$",
    "†": r"\textdagger{}",
    "≈": r"$\approx$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "…": r"\ldots{}",
    "–": "--",
    "[": "{[}",  # at the beginning of a row these two would be an argument of the end of the row before
    "*": "{*}",
}
LIGATURES = re.compile(r"([-–`'!?,])(?=[-–`'!?,])")  # two of these become one character


def latex_escaped(text: str) -> str:
    r"""Escape what LaTeX would read as a command, and let nothing run together.

    Examples
    --------
    >>> latex_escaped("a--b_50 %"), latex_escaped("[x] ≈")
    ('a-{}-b\\_50 \\%', '{[}x] $\\approx$')
    """
    parts = LIGATURES.sub("\\1\0", printable(text)).split("\0")
    return "{}".join("".join(SPECIAL.get(character, character) for character in part) for part in parts)
