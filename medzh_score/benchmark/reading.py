"""What was read from a text, by what, and from which of its characters."""

from __future__ import annotations

from typing import NamedTuple

Value = str | float | tuple[str, ...] | None


class Span(NamedTuple):
    """Characters of the raw text, as Python counts them.

    Attributes
    ----------
    start, end : int
        From 0; the end is exclusive.
    """

    start: int
    end: int


class Reading(NamedTuple):
    """What was read.

    Attributes
    ----------
    value : str, float, tuple of str or None
        The answer, or None: it is unread, which is never a guess.
    why : str
        What decided, or why there is no answer: ``empty``, ``unfinished thinking``, ``refusal``, ``contradiction``,
        ``denied``, ``hedge``, ``supposed``, ``nothing`` …
    spans : tuple of Span
        From where it was read, in the order of the text; empty where there is nothing to show.
    clear : bool
        Whether the clause that commits holds known signs only and no sign of doubt stands elsewhere.
    note : str or None
        What else a config's own reading saw in the text that its statistics need.
    """

    value: Value
    why: str
    spans: tuple[Span, ...] = ()
    clear: bool = False
    note: str | None = None
