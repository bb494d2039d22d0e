"""The one kind of error that a user sees: what is wrong, where, and what to do about it."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from medzh_score.messages.catalogue import PACKAGES
from medzh_score.messages.privacy import Name, quotable, quotable_key, sayable, texts_are_withheld
from medzh_score.messages.spelling import closest

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

SHOWN_CHARACTERS = 80
NAMED = 5  # how many ids, files or the like a message names
# What would break a line, or act on the terminal that shows it.
# Control characters, and marks that turn the direction of what a terminal shows after them.
CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


class MedzhError(Exception):
    """Bad input, named so that its owner can mend it.

    The commands print it as one line and end with status 2.

    Parameters
    ----------
    problem : str
        What is wrong, in a few words.
    file : str, Path or zipfile.Path, optional
        The file in which it stands.
    line : int, optional
        Its line there, from 1.
    field : str, optional
        The field, column or JSON pointer.
    expected : str, optional
        What would have been right.
    found : object, optional
        What was there; shown shortened and with control characters escaped. Where a private config takes part, it is
        withheld unless it is a whole number or a `Name`, or what an option was given; so is all that another package's
        code says, but for a plain name as the field.
    advice : str, optional
        What to do.

    Examples
    --------
    >>> print(MedzhError("not a text", file="p.jsonl", line=3, field="id", expected="a string", found=7))
    p.jsonl:3: field id: not a text; expected a string; found 7
    """

    def __init__(  # noqa: PLR0913 - one optional part of the message each
        self,
        problem: str,
        *,
        file: str | Traversable | None = None,
        line: int | None = None,
        field: str | None = None,
        expected: str | None = None,
        found: object = None,
        advice: str | None = None,
    ) -> None:
        if texts_are_withheld():
            # Another package may put any text into its words.
            raiser = sys._getframe(1)  # noqa: SLF001 - nothing else says whose code it is
            if raiser.f_globals.get("__name__", "").partition(".")[0] not in PACKAGES:
                problem, field = quotable(problem), field and quotable_key(field)
                expected, advice = expected and quotable(expected), advice and quotable(advice)
            elif field is not None and field.startswith("--") and isinstance(found, str):
                found = Name(found)
        found = sayable(found)
        self.problem = problem
        self.file = None if file is None else str(file)
        self.line = line
        self.field = field
        self.expected = expected
        self.found = found
        self.advice = advice
        super().__init__(problem)

    def probably(self) -> str | None:
        """Give the name that was meant, where an option or an argument takes one of the names that were expected."""
        of_the_command = self.field is not None and (self.field.startswith("--") or self.field.isupper())
        if not (of_the_command and self.expected and isinstance(self.found, str)):
            return None
        names = re.split(r", | or ", self.expected)
        return closest(self.found, (name for name in names if " " not in name and not name.startswith(".")))

    def __str__(self) -> str:
        """Give the message as one line."""
        place = "" if self.file is None else self.file + (f":{self.line}" if self.line is not None else "") + ": "
        field = f"field {self.field}: " if self.field is not None else ""
        parts = [place + field + self.problem]
        if self.expected is not None:
            parts.append(f"expected {self.expected}")
        if self.found is not None:
            parts.append(f"found {shown(self.found)}")
        if self.advice is not None:
            parts.append(self.advice)
        if meant := self.probably():
            parts.append(f"did you mean {meant}?")
        return printable("; ".join(parts).replace("\n", " "))

    def alone(self) -> MedzhError:
        """Cut the error off from what it was raised from, whose messages and variables may hold texts."""
        self.__cause__ = self.__context__ = None
        return self.with_traceback(None)


def printable(text: str) -> str:
    r"""Escape control characters, marks of direction, line ends and what UTF-8 cannot say.

    Examples
    --------
    >>> printable("a\tb")
    'a\\tb'
    """
    # What Python calls printable holds none of them, which is found out sooner. Plain, even where it came as markup.
    return str(text) if text.isprintable() else CONTROLS.sub(lambda found: repr(found.group())[1:-1], text)


def shown(found: object) -> str:
    r"""Show a value of the user's in a message: quoted, escaped and shortened.

    Examples
    --------
    >>> shown("正确\n")
    "'正确\\n'"
    """
    text = repr(sayable(found))
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"
