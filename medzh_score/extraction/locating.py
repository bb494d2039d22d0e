"""Changes to a text that keep where its characters stood, so that what was read can be shown in the raw text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.extraction.preparing import Located

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping

    from medzh_score.extraction.reading import Span


def untouched(text: str) -> Located:
    """Locate a raw text in itself.

    Parameters
    ----------
    text : str
        The text.
    """
    return Located(text, tuple(range(len(text))))


def part(located: Located, start: int, end: int) -> Located:
    """Keep a slice.

    Parameters
    ----------
    located : Located
        What is cut.
    start, end : int
        In its text, the end exclusive.
    """
    return Located(located.text[start:end], located.places[start:end])


def stripped(located: Located) -> Located:
    """Take off the white space at both ends.

    Parameters
    ----------
    located : Located
        What is cut.
    """
    kept = located.text.rstrip()
    return part(located, len(kept) - len(kept.lstrip()), len(kept))


def substituted(located: Located, pattern: re.Pattern[str], new: str | Callable[[re.Match[str]], str] = "") -> Located:
    r"""Do as `re.sub`.

    Parameters
    ----------
    located : Located
        What is changed.
    pattern : re.Pattern
        What goes.
    new : str or callable
        What stands instead, without escapes, or what gives it from the match. Where it is the beginning of the match,
        or as long, each of its characters keeps its place; else all stand where the match begins.

    Examples
    --------
    >>> import re
    >>> found = substituted(untouched("**正确**"), re.compile(r"\*"))
    >>> found.text, found.span(0, 2)
    ('正确', Span(start=2, end=4))
    """
    parts: list[str] = []
    places: list[int] = []
    last = 0
    for found in pattern.finditer(located.text):
        instead = new if isinstance(new, str) else new(found)
        own = located.places[found.start() : found.end()]
        kept = instead == found.group()[: len(instead)]
        parts += (located.text[last : found.start()], instead)
        places += located.places[last : found.start()]
        places += own[: len(instead)] if kept or len(instead) == len(own) else own[:1] * len(instead)
        last = found.end()
    return Located("".join([*parts, located.text[last:]]), (*places, *located.places[last:]))


def translated(located: Located, table: Mapping[int, int | str | None]) -> Located:
    """Do as `str.translate`; all that stands for a character has its place.

    Parameters
    ----------
    located : Located
        What is changed.
    table : mapping of int to int, str or None
        As `str.translate` takes it.
    """
    parts = [sign.translate(table) for sign in located.text]
    places = [place for place, new in zip(located.places, parts, strict=True) for _ in new]
    return Located("".join(parts), tuple(places))


def runs(located: Located) -> tuple[Span, ...]:
    """Give the spans of the raw text that are kept, without gaps between them as one.

    Parameters
    ----------
    located : Located
        Of which characters.
    """
    starts = [
        index
        for index, place in enumerate(located.places)
        if not index or place - located.places[index - 1] not in {0, 1}
    ]
    ends = [*starts[1:], len(located.places)]
    return tuple(located.span(start, end) for start, end in zip(starts, ends, strict=True) if end > start)
