"""Names of diseases as a response writes them behind an announcement, one or several, or alone."""

from __future__ import annotations

from typing import NamedTuple

from medzh_score.extraction import diagnosis_wordings as wordings
from medzh_score.extraction.cmhe_dd_context import DISEASE

Pair = tuple[int, int]
MOST = 12  # names in a list
LINE = 30  # characters of a line that may be nothing but a name
SHORTEST = 2
ENDS = "。.！!；;\n"


class Names(NamedTuple):
    """Where names stand, whether they are left open, and where they end.

    Attributes
    ----------
    places : tuple of (int, int)
        From left to right.
    open : bool
        Whether they are alternatives, or only not excluded.
    end : int
        Behind the last, with what belongs to it.
    """

    places: tuple[Pair, ...]
    open: bool
    end: int


def is_name(words: str) -> bool:
    """Say whether words look like the name of a disease.

    Parameters
    ----------
    words : str
        Without stops.

    Examples
    --------
    >>> is_name("急性阑尾炎"), is_name("acute appendicitis"), is_name("进一步检查"), is_name("多喝水")
    (True, True, False, False)
    """
    if len(words) < SHORTEST or wordings.NO_NAME.search(words):
        return False
    return (wordings.ENGLISH_DISEASE if words.isascii() else DISEASE).search(words) is not None


def names_after(text: str, start: int) -> Names:
    """Find the names that stand from a place on, as a list or alone.

    Parameters
    ----------
    text : str
        Prepared.
    start : int
        Where an announcement ends.

    Examples
    --------
    >>> names_after("诊断：1. 肺炎 2. 糖尿病。", 3).places
    ((6, 8), (12, 15))
    """
    places: list[Pair] = []
    left_open = False
    end = start
    numbered = wordings.NUMBER.match(text, start) is not None
    begin = _behind(wordings.ITEM, text, start)
    while len(places) < MOST:
        place = _name_at(text, begin)
        if place is None:
            break
        end = place[1]
        if wordings.DENIED.match(text, end):
            begin = _next_item(text, end, numbered=numbered)
            if begin is None:
                break
            continue
        places.append(place)
        left_open = left_open or wordings.OPEN.match(text, end) is not None
        either = wordings.EITHER.match(text, end)
        if either and _name_at(text, either.end()):
            return Names((*places, _name_at(text, either.end()) or place), open=True, end=either.end())
        following = _next_item(text, end, numbered=numbered)
        if following is None:
            break
        begin = following
    return Names(tuple(places), left_open, end)


def names_alone(text: str) -> Names:
    """Find the names of a text that is, or begins with a sentence that is, nothing but names.

    Parameters
    ----------
    text : str
        Prepared.

    Returns
    -------
    Names
        Without places where it is anything else.
    """
    found = names_after(text, 0)
    if not found.places:
        return found
    rest = wordings.BEHIND_ALONE.match(text, found.end)
    ends = rest.end() if rest else found.end
    told = any(wordings.NOT_ALONE.search(text, *place) for place in found.places)
    if told or (ends < len(text) and text[ends] not in ENDS):
        return Names((), open=False, end=0)
    return found


def _name_at(text: str, start: int) -> Pair | None:
    found = wordings.NAME.match(text, start)
    if found is None:
        return None
    words = found["name"]
    begin = found.start("name")
    leading = wordings.LEADING.match(words)
    if leading:
        begin += leading.end()
    words = text[begin : found.end("name")]
    words = wordings.TRAILING.sub("", wordings.TRAILING.sub("", words)).rstrip()
    return (begin, begin + len(words)) if is_name(words) else None


def _next_item(text: str, end: int, *, numbered: bool) -> int | None:
    """Find where the next name of a list begins: behind a joining word, or as the next item or line."""
    joined = wordings.JOINS.match(text, end)
    if joined:
        return _behind(wordings.ITEM, text, joined.end())
    if numbered:
        line = text.find("\n", end)
        found = wordings.NEXT_NUMBER.match(text, end) or (wordings.NUMBER.match(text, line + 1) if line >= 0 else None)
        return found.end() if found else None
    line_end = text.find("\n", end)
    if line_end < 0 or text[end:line_end].strip(" 。.；;，,"):
        return None
    start = line_end + 1
    following = text.find("\n", start)
    line = text[start : following if following >= 0 else len(text)].strip(" 。.；;")
    return start if len(line) <= LINE and is_name(line) else None


def _behind(pattern: object, text: str, start: int) -> int:
    found = pattern.match(text, start)  # type: ignore[attr-defined]
    return found.end() if found else start
