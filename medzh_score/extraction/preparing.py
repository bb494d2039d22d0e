"""What is taken off a response before the rules of the second version read it, and where in it the rest stood."""

from __future__ import annotations

from dataclasses import dataclass

from medzh_score.extraction.preparation import prepared
from medzh_score.extraction.reading import Span


def prepare(text: str) -> str | None:
    """Take off a response what is not said to the reader, or only dresses it.

    Parameters
    ----------
    text : str
        The response.

    Returns
    -------
    str or None
        Without white space around it; None where a thinking block is never closed.

    Examples
    --------
    >>> prepare("**正确**。")
    '正确。'
    """
    return prepared(text)


@dataclass(frozen=True)
class Located:
    """A prepared text that knows where its characters stood.

    Attributes
    ----------
    text : str
        As `prepare` gives it.
    places : tuple of int
        For each of its characters the place in the raw text.
    """

    text: str
    places: tuple[int, ...]

    def span(self, start: int, end: int) -> Span:
        """Give the span of the raw text from which characters of this one come.

        Parameters
        ----------
        start, end : int
            In this text, the end exclusive and after the start.
        """
        return Span(self.places[start], self.places[end - 1] + 1)
