"""What a rule read from a text, and from which of its characters."""

from __future__ import annotations

from typing import NamedTuple


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
    value : str or None
        The answer, or None: nothing was found, which is never a guess.
    rule : str
        The name of what found it, or that says why nothing was found: ``empty``, ``unclosed``, ``refusal``,
        ``contradiction``, ``hedge``, ``nothing`` …
    spans : tuple of Span
        From where it was read, in the order of the text; of a contradiction all sides of it; empty where there is
        nothing to show.
    """

    value: str | None
    rule: str
    spans: tuple[Span, ...] = ()
