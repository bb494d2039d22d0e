"""What the sentences of a prepared text say of the statement that was judged, each sentence for itself."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.extraction.corrections import last_correction
from medzh_score.extraction.sentences import sentence, sentence_start, with_label
from medzh_score.extraction.verdict_supposed import MAY_SUPPOSE, counted_as
from medzh_score.extraction.verdict_wordings import ENGLISH, LEADING, MAY_SAY, NEEDS, WEAK, WORDINGS
from medzh_score.extraction.verdict_words import CORRECT, INCORRECT, said, value_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.extraction.wording import Wording

OPENINGS = WORDINGS[:2]
_ANSWERED = next(wording for wording in WORDINGS if wording.name == "question answered")
_VERDICT_ALONE, _AT_THE_END = (
    next(wording for wording in WORDINGS if wording.name == name) for name in ("verdict alone", "verdict at the end")
)
# Both stand before an end; the one where a sentence begins, the other where a clause follows another.
_ENDS = re.compile(r"[。！!；;\n.]|[^，,]\Z")
_BEGINS = re.compile(r"[。！!？?；;\n].|[.:]\s", re.DOTALL)
_FOLLOWS = re.compile("[，,：:].", re.DOTALL)
_OTHERS = tuple(wording for wording in WORDINGS[2:] if wording is not _ANSWERED)
_CHINESE = tuple(wording for wording in _OTHERS if "English" not in wording.name and wording.name != "it is so that")
_ENGLISH = tuple(wording for wording in _OTHERS if wording.name in ENGLISH)
_BITS = {name: 1 << number for number, name in enumerate(NEEDS)}
_NEEDED_BY = {
    sign: sum(_BITS[name] for name, signs in NEEDS.items() if sign in signs) for sign in "".join(NEEDS.values())
}
_LATIN = re.compile("[A-Za-z]{2}")
_HAN = re.compile("[\u4e00-\u9fff]")
_LOOKED_BACK = 400
_BOTH = {CORRECT, INCORRECT}
_LABEL = re.compile(r"[：:】\]]\s*\Z")
STOPS = "。！!？?；;\n"
ENDING = re.compile(r"[，,。！!？?；;\n]|\.(?=\s)")
BEFORE_CLAUSE = re.compile(r".*(?:[，,。！!？?；;\n]|\.(?=\s))", re.DOTALL)
BEFORE_SENTENCE = re.compile(r".*(?:[。！!？?；;\n]|\.(?=\s))", re.DOTALL)
# A clause that may lead to the verdict of the next one.
_LEADING = re.compile(rf"\s*(?:但是?|而|不过|然而|{LEADING})[，,]", re.IGNORECASE)

# A word of a verdict, or of what announces one: without any no wording but an opening can match. The rarest sign of
# each comes first, so that most of a text is passed over.
SIGN = re.compile(
    r"误(?<=[错有无]误)|确(?<=[正准]确)|对(?=的)|对(?<=[不法是为：: “”]对)|错|实(?<=[属真不]实)|立(?<=成立)"
    r"|真(?<=[为是]真)|假(?<=[为是]假)"
    r"|答(?=案)|判(?=断)|论(?<=结论)|更(?=正)|修(?=正)|符(?=合)|符(?<=不符)|致(?<=一致)|据(?<=[依根]据)|意(?<=同意)"
    r"|同(?<=[赞认]同)"
    r"|谣(?=言)|误(?=[解区])|站(?=不住)|吻(?=合)|True|true|TRUE|False|false|FALSE|orrect|CORRECT|rong\b|WRONG|ight\b"
    r"|ccurate|nswer|rrors? "
    r"|ANSWER|erdict|nclusion|ssessment"
)
# What follows a verdict and shows that its words are a choice that is offered: 正确（或错误）.
OFFERED = re.compile(
    r"[\s“”\"'）)】]*(?:[/、]|[（(]部分|或者?|还是|与否|和|or\b)"
    r"|,?\s+(?:in part\b|to (?:some|a certain) (?:extent|degree)|in some\b|only\b|if\b|when\b|under\b|for some\b)",
    re.IGNORECASE,
)
MARKS = re.compile('[”"」『’]')
_QUOTED = re.compile(
    r"[“”][^“”\n]{1,200}”|\"[^\"\n]{1,200}\"|「[^「」\n]{1,200}」|『[^『』\n]{1,200}』|‘[^‘’\n]{1,200}’"
)
_OPTIONS = re.compile(
    r"A\s*[.、．:：)）]?\s*[^\s.。，,；;、]{1,9}[\s，,；;、/]*B\s*[.、．:：)）]?\s*(?:不?正确|错误|不?对|错|真|假|True|False)",
    re.IGNORECASE,
)
_BARE = re.compile(
    r".(?:是|这个?|该|此|说法)*(?:不|不是|不完全|完全)?(?:正确|错误|对|错|属实|准确|是|否|真|假|true|false|correct"
    r"|incorrect|yes|no|right|wrong)的?[。.]?.",
    re.IGNORECASE,
)


class Said(NamedTuple):
    """A place where a text says something of a verdict.

    Attributes
    ----------
    value : str
        ``correct``, ``incorrect``, or what `verdict_words.said` gives beside them.
    rule : str
        The wording.
    start, end : int
        Where the words stand.
    """

    value: str
    rule: str
    start: int
    end: int


def said_in(text: str, opening: Said | None = None) -> list[Said]:
    """Find what a text says of the statement, in order.

    Parameters
    ----------
    text : str
        Prepared.
    opening : Said or None
        The verdict that opens the text, if one does.

    Returns
    -------
    list of Said
        The opening and all that is said after it, up to the first contradiction that nothing takes back. What is
        supposed, asked, quoted from the task, or said of something else is left out.

    Examples
    --------
    >>> said_in("链霉素可用于炭疽。所以该说法正确。")
    [Said(value='correct', rule='statement judged', start=14, end=16)]
    """
    said = masked(text)
    has_lines = "\n" in said
    places = [] if opening is None else [opening]
    start = 0 if opening is None else opening.end
    firm = _firm(places)
    settled = True  # by a contradiction, unless something is taken back: looked for where it matters
    sign = SIGN.search(said, start)
    while sign is not None:
        place = sign.start()
        begin, ending = _clause_start(said, place, start), ENDING.search(said, place)
        low, done = begin, ending.end() if ending else len(said)
        while low > start and said[low - 1] in "，,":
            before = _clause_start(said, low - 1, start)
            if not leads(said[before:low]):
                break
            low = before
        window = said[low and low - 1 : done]
        if not is_alone(window) or (has_lines and is_below_label(said, low)):
            low, done = sentence(said, begin)
            low = max(with_label(said, low), start)
            window = said[low and low - 1 : done]
        found = in_window(window, low > 0)
        if found:
            number = len(places)
            _count(said, found, low and low - 1, begin, places)
            firm |= _firm(places[number:])
            if settled and firm >= _BOTH:
                settled = last_correction(text) == 0
                if settled:
                    return places
        sign = SIGN.search(said, max(done, sign.end()))
    if "？" in said or "?" in said:
        places += _answers(said, start)
        places.sort(key=_end)
    return places


def _firm(places: list[Said]) -> set[str]:
    return {place.value for place in places if place.rule not in WEAK}


def _clause_start(text: str, place: int, start: int) -> int:
    before = BEFORE_CLAUSE.match(text, max(start, place - _LOOKED_BACK), place)
    return before.end() if before else max(start, place - _LOOKED_BACK)


def _count(text: str, found: tuple[Said, ...], shift: int, begin: int, places: list[Said]) -> None:
    """Add to the places what was found in a window, as it counts after what stands before it in its sentence."""
    low = begin
    if begin and text[begin - 1] not in STOPS:
        opened = BEFORE_SENTENCE.match(text, max(0, begin - _LOOKED_BACK), begin)
        low = opened.end() if opened else max(0, begin - _LOOKED_BACK)
    for value, rule, first, last in found:
        if last + shift <= begin:
            continue
        if MAY_SUPPOSE.search(text, low, first + shift) is None:
            places.append(Said(value, rule, first + shift, last + shift))
        elif counted := counted_as(text[low : first + shift], value, rule):
            places.append(Said(*counted, first + shift, last + shift))


def is_below_label(text: str, place: int) -> bool:
    r"""Say whether what begins at a place stands below a label, which may say what it is.

    Parameters
    ----------
    text : str
        Masked.
    place : int
        In it.

    Examples
    --------
    >>> is_below_label("答案：\n正确", 4), is_below_label("原因。\n正确", 4)
    (True, False)
    """
    return _LABEL.search(text, max(0, place - 12), place) is not None


def _end(place: Said) -> int:
    return place.end


@lru_cache(maxsize=1 << 14)
def leads(clause: str) -> bool:
    """Say whether a clause may lead to the verdict of the next one.

    Parameters
    ----------
    clause : str
        With the comma that ends it.

    Examples
    --------
    >>> leads("因此，"), leads("链霉素可用于炭疽，")
    (True, False)
    """
    return _LEADING.fullmatch(clause) is not None


@lru_cache(maxsize=1 << 14)
def is_alone(window: str) -> bool:
    """Say whether a clause can be read without the others of its sentence: one with English in it cannot.

    Parameters
    ----------
    window : str
        The clause.

    Examples
    --------
    >>> is_alone("该说法正确。"), is_alone("that is correct.")
    (True, False)
    """
    return not _LATIN.search(window)


@lru_cache(maxsize=1 << 14)
def in_window(text: str, low: int) -> tuple[Said, ...]:
    """Find what a clause, or a sentence, says from a place on.

    Parameters
    ----------
    text : str
        Masked, with the character before it.
    low : int
        Where it begins.

    Returns
    -------
    tuple of Said
        In order, whatever stands before it in its sentence.

    Examples
    --------
    >>> in_window("。该说法正确。", 1)
    (Said(value='correct', rule='statement judged', start=4, end=6),)
    """
    sign = SIGN.search(text, low)
    if sign is None or not (MAY_SAY.search(text, low) or _LATIN.search(text, low)):
        return ()
    low = max(low, sign.start() - _LOOKED_BACK)
    places: dict[int, Said] = {}
    ends = _ENDS.search(text, low)
    begins = ends and (low == 0 or _BEGINS.search(text, low - 1))
    follows = ends and _FOLLOWS.search(text, low - 1 if low else 0)
    for wording in _wordings(text[low:]):
        if (wording is _VERDICT_ALONE and not begins) or (wording is _AT_THE_END and not follows):
            continue
        for met in wording.expression.finditer(text, low):
            value = value_in(met, wording.value)
            if value is not None and not OFFERED.match(text, met.end()):
                first, last = core(met)
                places.setdefault(last, Said(value, wording.name, first, last))
    return tuple(places[end] for end in sorted(places))


def _answers(text: str, start: int) -> list[Said]:
    """Find what answers the questions that a text asks itself."""
    places = []
    for met in _ANSWERED.expression.finditer(text, start):
        before = text[sentence_start(text, met.start()) : met.start()]
        if "问" in before or counted_as(before, CORRECT, _ANSWERED.name) != (CORRECT, _ANSWERED.name):
            continue
        group = "alone" if met["alone"] else "affirmed"
        value = value_of(met[group]) if met["alone"] else CORRECT if met["affirmed"] == "肯定" else INCORRECT
        places.append(Said(value, _ANSWERED.name, met.start(group), met.end(group)))
    return places


def _wordings(part: str) -> Sequence[Wording]:
    if not _HAN.search(part):
        return _ENGLISH
    needs = 0
    for sign in part:
        needs |= _NEEDED_BY.get(sign, 0)
    return _needing(needs, _LATIN.search(part) is not None)


@lru_cache(maxsize=1 << 10)
def _needing(signs: int, latin: bool) -> Sequence[Wording]:  # noqa: FBT001
    """Give the wordings that need none but these signs, each a bit."""
    wordings = _OTHERS if latin else _CHINESE
    return [wording for wording in wordings if (bit := _BITS.get(wording.name)) is None or bit & signs]


def value_in(met: re.Match[str], value: str | None) -> str | None:
    """Say what a match of a wording says: the value of the wording where it has one, else that of its words.

    Parameters
    ----------
    met : re.Match
        Of the wording's expression.
    value : str or None
        Of the wording.
    """
    if value is not None:
        return value
    groups = met.groupdict()
    return value_of(alone) if (alone := groups.get("alone")) else said(groups)


def core(met: re.Match[str]) -> tuple[int, int]:
    """Say where the words of the verdict stand, from what denies them on."""
    groups = met.groupdict()
    for last in ("alone", "word", "word_en"):
        if groups.get(last):
            start = met.start("slot_en" if last == "word_en" else "slot") if last != "alone" else met.start(last)
            gap = len(met.string[start : met.end(last)]) - len(met.string[start : met.end(last)].lstrip(" \n：:“\"'"))
            return start + gap, met.end(last)
    return met.start(), met.end()


def masked(text: str) -> str:
    """Put signs in the place of what is quoted, unless that is a verdict, and of options that are listed.

    Parameters
    ----------
    text : str
        Prepared.

    Returns
    -------
    str
        As long as the text.

    Examples
    --------
    >>> masked("“链霉素可用于炭疽”是错误的，不是“正确”。")
    '○○○○○○○○○○是错误的，不是“正确”。'
    """
    if "B" in text:
        text = _OPTIONS.sub(lambda listed: "○" * len(listed[0]), text)
    if not MARKS.search(text):
        return text
    return _QUOTED.sub(lambda quoted: quoted[0] if _BARE.fullmatch(quoted[0]) else "○" * len(quoted[0]), text)
