"""Names of diseases as a response writes them behind an announcement, one or several, or alone."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from medzh_score.extraction import diagnosis_wordings as wordings

Pair = tuple[int, int]
CLAUSES = re.compile("[，。；！？\\n,;!?：:、]")
MOST = 12  # names in a list
OPENED = re.compile(r"[（(\[][^）)\]]*\Z")  # a bracket that a full stop does not close
NEAR = 60  # characters in which the sentence ends of which the names are kept in mind
LONGEST = 40  # characters of a name that is not in Latin letters
LINE = 30  # characters of a line that may be nothing but a name
SHORTEST = 2
ENDS = "。.！!；; \n"
MORE = frozenset(" \n\t\r\u3000。.；;，,（([①②③④⑤⑥⑦⑧⑨⑩0123456789")  # what may stand before the next of a list
# Behind a name: with which something more may be said of it, and with which another name may follow.
_BLANK = "".join(filter(str.isspace, map(chr, range(0x3001))))
SAID = frozenset(_BLANK + "（(×✗✘❌的诊可依证很较不极也小低已排除均都暂尚待难未，,或还抑亦/vVoO")
GOES_ON = frozenset(_BLANK + "（([、和以及与并合，,同且伴患aAwW；;。.")
COMMAS = ("，", ",", "、")
SYMPTOM = 6  # characters of a symptom that may be all that is named: a longer one is a finding
HEADERS = frozenset("序编Nn疾诊病")  # with which the head of a table may begin
NUMBERS = frozenset("序编Nn")  # with which that of a table of numbers and names may begin
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
    if len(words) < SHORTEST:
        return False
    if words.isascii():
        return wordings.ENGLISH_DISEASE.search(words) is not None and not wordings.NO_NAME.search(words)
    if words[-1] not in wordings.LAST and not words[-1].isascii():
        return False
    return wordings.NO_NAME.search(words) is None and wordings.ENDING.search(words) is not None


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
    stop = text.find("。", start, start + NEAR) + 1
    if stop and not (listed and text[stop : stop + 1] in MORE):
        found = _in_sentence(text[start:stop], listed)
        if found is not None:
            if not found.places:
                return NONE
            places = tuple([(begin + start, end + start) for begin, end in found.places])
            return Names(places, found.open, found.end + start)
    return _names_from(text, start, listed=listed)


@lru_cache(maxsize=1 << 14)
def _in_sentence(rest: str, listed: bool) -> Names | None:  # noqa: FBT001 - a cache takes no keywords fast
    """Find the names at the beginning of the rest of a sentence, None where they may go on behind it."""
    if "\n" in rest or OPENED.search(rest) or (listed and wordings.NUMBER.match(rest)):
        return None
    return _names_from(rest, 0, listed=listed)


def _names_from(text: str, start: int, *, listed: bool) -> Names:
    numbered = listed and wordings.NUMBER.match(text, start) is not None
    place = name_at(text, _behind(wordings.ITEM if listed else wordings.SPACE, text, start))
    if place is None:
        return NONE
    if not numbered and _ends_there(text, place[1], listed=listed):
        return Names((place,), open=False, end=place[1])
    return _from(text, place, listed=listed, numbered=numbered)


def _from(text: str, place: Pair | None, *, listed: bool, numbered: bool) -> Names:
    """Find the names of a list from the first on."""
    firm: list[Pair] = []
    loose: list[Pair] = []  # only not excluded
    end = begin = kept = 0  # kept: names before the last comma
    while place is not None and len(firm) + len(loose) < MOST:
        end = _behind_copies(text, *place)
        behind = text[end : end + 1]
        if behind not in SAID:
            firm.append(place)
        elif not wordings.DENIED.match(text, end):
            (loose if wordings.OPEN.match(text, end) else firm).append(place)
            if other := _alternative(text, end):
                return Names((*firm, *loose, other), open=True, end=other[1])
        if behind in COMMAS:
            kept = len(firm)
        following = _next_item(text, end, numbered=numbered, listed=listed) if numbered or behind in GOES_ON else None
        begin = end if following is None else following
        place = None if following is None else name_at(text, following)
    if kept and kept < len(firm) and wordings.ALL_DENIED.match(text, begin):
        firm = firm[:kept]
    if not firm and not loose:
        return NONE
    places = tuple(firm or loose)
    rated = len(places) > 1 and any(wordings.RATED.match(text, last) for _, last in places)
    return Names(places, rated or not firm, end)


def _ends_there(text: str, end: int, *, listed: bool) -> bool:
    """Say of most names that nothing behind them belongs to them: a full stop, and then other words, or nothing."""
    behind = text[end : end + 1]
    if behind == "。":
        return not listed or text[end + 1 : end + 2] not in MORE
    return not behind


def _behind_copies(text: str, start: int, end: int) -> int:
    """Give where a name ends that is said over and over, the last time maybe in part."""
    if text[end : end + 1] != text[start]:
        return end
    name = text[start:end]
    while text.startswith(name, end):
        end += len(name)
    return len(text) if end > start + len(name) and name.startswith(text[end:]) else end


def _alternative(text: str, end: int) -> Pair | None:
    either = wordings.EITHER.match(text, end)
    return name_at(text, either.end()) if either else None


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
    begin = end - len(CLAUSES.split(text[max(0, end - LINE - LINE) : end])[-1])
    begin = _behind(wordings.NUMBER, text, begin)
    place = name_at(text, begin, end)
    return place if place and text[place[1] : end] in ("", "的") else None


@lru_cache(maxsize=1 << 12)
def _tells(words: str) -> bool:
    return wordings.NOT_ALONE.search(words) is not None


def name_below(text: str) -> Pair | None:
    r"""Find a name that is all of the last line, below one line that tells the symptoms or the case.

    Parameters
    ----------
    text : str
        Prepared.

    Examples
    --------
    >>> name_below("发热、咳嗽3天\n\n肺炎"), name_below("注意保暖，预防\n\n肺炎")
    ((9, 11), None)
    """
    start = text.rfind("\n") + 1
    above = text[:start].strip()
    if not above or "\n" in above or wordings.NO_CASE_LINE.search(above):
        return None
    place = name_at(text, start)
    if place is None or text[place[1] :].strip(ENDS) or is_symptom(text[slice(*place)]):
        return None
    first = name_at(above, 0)
    told = wordings.CASE_LINE.match(above) or (first and is_symptom(above[slice(*first)]))
    return place if told else None


@lru_cache(maxsize=1 << 12)
def is_symptom(words: str) -> bool:
    """Say whether a name is that of a symptom.

    Parameters
    ----------
    words : str
        A name.

    Examples
    --------
    >>> is_symptom("腹痛"), is_symptom("偏头痛")
    (True, False)
    """
    return wordings.SYMPTOMS.search(words) is not None


NONE = Names((), open=False, end=0)


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
    table = wordings.TABLE.match(text) if text[:1] in HEADERS else None
    rows = wordings.NUMBERED.match(text) if table is None and text[:1] in NUMBERS else None
    found = names_after(text, rows.end() if rows else table.end() if table else 0, listed=not table)
    if not found.places:
        return found
    if table and text[found.end : found.end + 1] == "：":
        return found
    rest = wordings.BEHIND_ALONE.match(text, found.end)
    ends = rest.end() if rest else found.end
    told = any(_tells(text[start:end]) for start, end in found.places)
    goes_on = wordings.GOES_ON.match(text, ends) or wordings.NEXT_NUMBER.match(text, ends)
    if told or not (goes_on or (len(text) <= BRIEF and text[ends] in "，,")):
        return Names((), open=False, end=0)
    first = text[slice(*found.places[0])]
    if is_symptom(first) and (len(found.places) > 1 or len(first) > SYMPTOM or text[ends:].strip(ENDS)):
        return Names((), open=False, end=0)
    return found


def name_at(text: str, start: int, end: int | None = None) -> Pair | None:
    """Find the name that begins at a place, white space and quotation marks aside.

    Parameters
    ----------
    text : str
        Prepared.
    start : int
        The place.
    end : int, optional
        Where the text ends; at its end when not given.

    Examples
    --------
    >>> name_at("这是肺炎的典型表现。", 2)
    (2, 4)
    """
    found = wordings.RUN.match(text, start) if end is None else wordings.RUN.match(text, start, end)
    if found is None:
        return None
    begin, ending = found.span("name")
    inside = _inside(text[begin:ending], text[ending : ending + 1] if end is None else "")
    return None if inside is None else (begin + inside[0], begin + inside[1])


@lru_cache(maxsize=1 << 14)
def _inside(run: str, following: str) -> Pair | None:
    """Find the name that a run of words begins with."""
    stop = wordings.BREAK.search(run + following)
    words = run[: stop.start()] if stop else run
    leading = wordings.LEADING.match(words)
    begin = leading.end() if leading else 0
    words = wordings.TRAILING.sub("", wordings.TRAILING.sub("", words[begin:])).rstrip()
    words = _once(words)
    if not is_name(words) or (len(words) > LONGEST and not words.isascii()):
        return None
    return begin, begin + len(words)


def _once(words: str) -> str:
    """Give the part that words repeat over and over, where they do."""
    found = wordings.REPEATED.fullmatch(words)
    return found["part"] if found and found["part"].startswith(found["rest"]) else words


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
    return _behind(wordings.ROW, text, line_end + 1) if _is_a_name_line(text, line_end + 1) else None


def _is_a_name_line(text: str, start: int) -> bool:
    following = text.find("\n", start)
    line = text[start : following if following >= 0 else len(text)].strip(" 。.；;")
    return len(line) <= LINE and is_name(line)


def _is_all_name(text: str, start: int) -> bool:
    """Tell whether a clause is nothing but a name."""
    segment = wordings.SEGMENT.match(text, start)
    words = segment[0].strip() if segment else ""
    return is_name(words) and wordings.NOT_ALONE.search(words) is None and name_at(text, start) is not None


def _behind(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.match(text, start)
    return found.end() if found else start
