"""Names of diseases as a response writes them behind an announcement, one or several, or alone."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.extraction import diagnosis_wordings as wordings
from medzh_score.extraction.cmhe_dd_context import DISEASE

if TYPE_CHECKING:
    import re

Pair = tuple[int, int]
MOST = 12  # names in a list
LINE = 30  # characters of a line that may be nothing but a name
SHORTEST = 2
ENDS = "。.！!；; \n"
COMMAS = ("，", ",", "、")
BRIEF = 60  # characters of a text that may go on behind a name and a comma


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


@lru_cache(maxsize=1 << 14)
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
    if words.isascii():
        return wordings.ENGLISH_DISEASE.search(words) is not None
    return DISEASE.search(words) is not None or wordings.MORE_DISEASES.search(words) is not None


def names_after(text: str, start: int, *, listed: bool = False) -> Names:
    """Find the names that stand from a place on, as a list or alone.

    Parameters
    ----------
    text : str
        Prepared.
    start : int
        Where an announcement ends.
    listed : bool
        Whether items may be parted by semicolons: behind a label, or in a text of nothing but names.

    Examples
    --------
    >>> names_after("诊断：1. 肺炎 2. 糖尿病。", 3, listed=True).places
    ((6, 8), (12, 15))
    """
    firm: list[Pair] = []
    loose: list[Pair] = []  # only not excluded
    end = start
    numbered = listed and wordings.NUMBER.match(text, start) is not None
    begin: int | None = _behind(wordings.ITEM if listed else wordings.SPACE, text, start)
    kept = 0  # names before the last comma
    while begin is not None and len(firm) + len(loose) < MOST:
        place = _name_at(text, begin)
        if place is None:
            break
        end = place[1]
        if not wordings.DENIED.match(text, end):
            (loose if wordings.OPEN.match(text, end) else firm).append(place)
            other = _alternative(text, end)
            if other:
                return Names((*firm, *loose, other), open=True, end=other[1])
        if text[end : end + 1] in COMMAS:
            kept = len(firm)
        begin = _next_item(text, end, numbered=numbered, listed=listed)
    if kept and kept < len(firm) and wordings.ALL_DENIED.match(text, begin if begin is not None else end):
        firm = firm[:kept]
    return Names(tuple(firm or loose), not firm and bool(loose), end)


def _alternative(text: str, end: int) -> Pair | None:
    either = wordings.EITHER.match(text, end)
    return _name_at(text, either.end()) if either else None


def name_before(text: str, end: int) -> Pair | None:
    """Find the name that ends at a place, in its clause.

    Parameters
    ----------
    text : str
        Prepared.
    end : int
        Where what is said of it begins.

    Examples
    --------
    >>> name_before("听诊有湿啰音，肺炎可能性大", 9)
    (7, 9)
    """
    begin = max(text.rfind(stop, 0, end) for stop in "，。；！？\n,;!?：:、") + 1
    place = _name_at(text[:end], begin)
    return place if place and text[place[1] : end] in ("", "的") else None


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
    found = names_after(text, 0, listed=True)
    if not found.places:
        return found
    rest = wordings.BEHIND_ALONE.match(text, found.end)
    ends = rest.end() if rest else found.end
    told = any(wordings.NOT_ALONE.search(text, *place) for place in found.places)
    goes_on = wordings.GOES_ON.match(text, ends) or wordings.NEXT_NUMBER.match(text, ends)
    if told or not (goes_on or (len(text) <= BRIEF and text[ends] in "，,")):
        return Names((), open=False, end=0)
    more = text[ends:].strip(ENDS)
    if more and all(wordings.SYMPTOMS.search(text[slice(*place)]) for place in found.places):
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


def _next_item(text: str, end: int, *, numbered: bool, listed: bool) -> int | None:
    """Find where the next name of a list begins: behind a joining word, or as the next item or line."""
    joined = wordings.JOINS.match(text, end) or (listed and wordings.SEMICOLON.match(text, end))
    if joined:
        return _behind(wordings.ITEM, text, joined.end())
    comma = wordings.COMMA.match(text, end)
    if comma and not listed and wordings.AND_ALSO.match(text, comma.end()):
        return _behind(wordings.AND_ALSO, text, comma.end())
    if comma and listed and not numbered:
        return comma.end() if _is_all_name(text, comma.end()) else None
    line_end = text.find("\n", end)
    if numbered:
        number = wordings.NEXT_NUMBER.match(text, end)
        number = number or (wordings.NUMBER.match(text, line_end + 1) if line_end >= 0 else None)
        return number.end() if number else None
    if not listed or line_end < 0 or text[end:line_end].strip(" 。.；;，,"):
        return None
    return line_end + 1 if _is_a_name_line(text, line_end + 1) else None


def _is_a_name_line(text: str, start: int) -> bool:
    following = text.find("\n", start)
    line = text[start : following if following >= 0 else len(text)].strip(" 。.；;")
    return len(line) <= LINE and is_name(line)


def _is_all_name(text: str, start: int) -> bool:
    """Tell whether a clause is nothing but a name."""
    segment = wordings.SEGMENT.match(text, start)
    words = segment[0].strip() if segment else ""
    return is_name(words) and wordings.NOT_ALONE.search(words) is None and _name_at(text, start) is not None


def _behind(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.match(text, start)
    return found.end() if found else start
