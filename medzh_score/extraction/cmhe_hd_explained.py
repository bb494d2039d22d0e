"""Where CMHE-HD's ``strict-1`` read its verdict."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.extraction import cmhe_hd_strict as strict
from medzh_score.extraction.cmhe_hd_cues import PRAISED, SPARED
from medzh_score.extraction.cmhe_hd_statements import clauses
from medzh_score.extraction.locating import stripped, substituted, translated
from medzh_score.extraction.preparation_places import locate_prepared
from medzh_score.extraction.reading import Reading

if TYPE_CHECKING:
    from medzh_score.extraction.preparing import Located
    from medzh_score.extraction.reading import Span

INFORMATION = re.compile("資信")


def explain(text: str, side: object) -> Reading:
    """Say where a verdict was read.

    Parameters
    ----------
    text : str
        The response, untouched.
    side : object
        Not looked at.

    Returns
    -------
    Reading
        As `cmhe_hd_strict.read` gives it: with the words, or the clause of a statement; of a contradiction with all
        words of a verdict. Without a place where the whole says it.

    Examples
    --------
    >>> explain("<think>…</think>答案：**否**", None)
    Reading(value='No', rule='marker', spans=(Span(start=21, end=22),))
    """
    found = strict.read(text, side)
    located = locate_prepared(text)
    return Reading(found.value, found.rule, () if located is None else _spans(_left(located), found.value, found.rule))


def _left(located: Located) -> Located:
    """Follow the text through what the rule takes off before it looks for a verdict."""
    located = substituted(translated(located, strict.SIMPLE), INFORMATION, "信息")
    located = substituted(located, PRAISED, lambda found: found[1])
    return stripped(substituted(substituted(located, SPARED), strict.ECHO))


def _spans(located: Located, value: str | None, rule: str) -> tuple[Span, ...]:
    text = located.text
    found = strict.verdicts(text)
    if rule == "statement":
        said = [part for part in clauses(text) if strict.said_by(part) == value]
        start = text.find(said[0]) if said else -1
        return () if start < 0 else (located.span(start, start + len(said[0])),)
    if not found or rule in {"either", strict.NOTHING.rule}:
        return ()
    places = {one.span(strict.group_of(one)) for one in found}
    if rule == strict.CONTRADICTION.rule:
        places |= {one.span() for one in strict.ALONE.finditer(text)}
    return tuple(located.span(*place) for place in sorted(places))
