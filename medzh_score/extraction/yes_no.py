"""Yes or No to whether a doctor's answer misleads: what a whole response commits itself to, rule ``strict-2``.

Beside what ``strict-1`` of CMHE-HD reads: a statement that concludes a reasoning, a correction of oneself, a reason
that judges what the doctor says, and where in the text the answer stands.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.config import answer
from medzh_score.configs.cmhe_hd_words import NO, YES
from medzh_score.extraction import yes_no_wordings as wordings
from medzh_score.extraction.cmhe_hd_cues import NEGATION as NEGATED
from medzh_score.extraction.cmhe_hd_cues import PRAISED, SPARED
from medzh_score.extraction.cmhe_hd_support import ANNOUNCES, FIELD, LINE, SENTENCE, SPOKEN
from medzh_score.extraction.preparing import locate, prepare
from medzh_score.extraction.reading import Reading
from medzh_score.extraction.refusals import refused
from medzh_score.extraction.yes_no_parts import (
    CONTRAST,
    CORRECTION,
    DIALOGUE,
    ECHO,
    FALSE,
    HEDGE,
    LABEL,
    MARKER,
    NEGATION,
    PRAISE,
    QUESTION,
    RIGHTING,
    SPARING,
    STATEMENT,
    TRUE,
    UNSURE,
    YES_WORD,
    parted,
)
from medzh_score.extraction.yes_no_reasons import (
    EDGES,
    bears_out,
    denies,
    excepted,
    hedged,
    judged_before,
    stated,
    takes_back,
    unsure,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from medzh_score.config import Answer
    from medzh_score.extraction.yes_no_parts import Part

VALUES, WORDINGS = wordings.VALUES, wordings.WORDINGS
SHORT = 40  # characters: such responses come again and again
DOCTOR = re.compile(r"[\s*【\[]*(?:医生|医师)(?:的)?(?:回答|回复|答复)?[*】\]]*\s*[:：]")
LONGEST = 30  # characters in which a part can say nothing but the word
OPENING = ("【", "[", '"')
REPEATED = ("是", "否")
CLOSINGS = "。.！! \n])）】〕」』”\"'>"
LASTS = frozenset("".join((*VALUES, *(word.upper() for word in VALUES))))
SIGN = re.compile(r"[^\n]")
Pair = tuple[int, int]


class _Said(NamedTuple):
    """A commitment: where its word stands in the prepared text, by which wording, and what belongs to it."""

    start: int
    end: int
    value: str
    name: str
    word: str = ""
    whole: Pair = (0, 0)


class _Verdict(NamedTuple):
    value: str | None
    rule: str
    places: tuple[Pair, ...] = ()


class _Text(NamedTuple):
    text: str
    parts: list[Part]
    cues: int


def read(text: str, _side: object = None) -> Answer:
    r"""Read the verdict of a response.

    Parameters
    ----------
    text : str
        The response, untouched.
    _side : object
        Not looked at.

    Returns
    -------
    Answer
        ``Yes`` or ``No`` by the name of one of `WORDINGS`; None by the rule ``empty``, ``unclosed``, ``refusal``,
        ``either`` (the choice or the question itself), ``contradiction``, ``hedge``, ``unsupported`` (which may be said
        to the patient) or ``nothing``.

    Examples
    --------
    >>> read("**否**。医生的回答没有误导信息。").value, read("剂量过大。因此医生的回答包含误导信息。").value
    ('No', 'Yes')
    >>> read("答案：是。等等，应该是否。").value, read("是的，注意休息。").rule
    ('No', 'unsupported')
    """
    return _read_short(text) if len(text) <= SHORT else _read(text)


def explain(text: str, _side: object = None) -> Reading:
    """Read the verdict of a response, and say where it stands.

    Parameters
    ----------
    text : str
        The response, untouched.
    _side : object
        Not looked at.

    Examples
    --------
    >>> explain("**否**。").spans
    (Span(start=2, end=3),)
    """
    located = locate(text)
    if located is None:
        return Reading(None, "unclosed")
    found = _found(located.text, after_the_doctor=_is_doctor(text))
    return Reading(found.value, found.rule, tuple(located.span(*place) for place in found.places))


def _read(text: str) -> Answer:
    said = prepare(text)
    if said is None:
        return answer(None, "unclosed")
    found = _found(said, after_the_doctor=_is_doctor(text))
    return answer(found.value, found.rule)


_read_short = lru_cache(maxsize=1 << 14)(_read)


def _is_doctor(text: str) -> bool:
    """Tell whether a response begins as if it were the doctor's line of the dialogue, which preparation takes off."""
    return "医" in text[:8] and DOCTOR.match(text) is not None


def _found(text: str, *, after_the_doctor: bool = False) -> _Verdict:
    """Find the verdict of a prepared text."""
    if not text.strip():
        return _Verdict(None, "empty")
    if "’" in text:
        text = text.replace("’", "'")
    if "资信" in text or "资讯" in text:
        text = text.replace("资信", "信息").replace("资讯", "信息")
    own = _own_words(text)
    if not own.text.strip("。.!！ \n"):
        return _Verdict(None, "either")
    found = _verdict(own)
    if found.value and after_the_doctor and found.places[0][0] <= LONGEST and "\n" not in own.text[: found.places[0][1]]:
        return _Verdict(None, "unsupported", found.places)
    if found.value is None and refused(text):
        return _Verdict(None, "refusal")
    return found


def _own_words(text: str) -> _Text:
    """Blank what is repeated of the prompt, what a doctor is praised for saying, and risks that something lowers."""
    parts, cues = parted(text)
    left = text
    if cues & DIALOGUE:
        left = wordings.DIALOGUE.sub(_blank, left)
    if cues & SPARING and cues & FALSE:
        left = SPARED.sub(_blank, left)
    if cues & PRAISE and cues & TRUE:
        left = PRAISED.sub(_blank_behind, left)
    if cues & RIGHTING:
        left = wordings.PUT_RIGHT.sub(_blank, left)
    if cues & ECHO:
        left = wordings.ECHO.sub(_blank, left)
    return _Text(left, *(parted(left) if left != text else (parts, cues)))


def _blank(found: re.Match[str]) -> str:
    return SIGN.sub(" ", found[0])


def _blank_behind(found: re.Match[str]) -> str:
    return str(found[1]).ljust(len(found[0]))


def _verdict(own: _Text) -> _Verdict:
    said = list(_words_said(own))
    if own.cues & CORRECTION:
        last = _correction(own, said)
        if last is not None:
            start, said = last
            # What stood before is taken back.
            text = " " * start + own.text[start:]
            return _of_words(_Text(text, *parted(text)), said)
    return _of_words(own, said) if said else _of_statements(own)


def _words_said(own: _Text) -> Iterator[_Said]:
    """Find the words that answer: at the beginning, after a marker or a label, at the end."""
    text, cues = own.text, own.cues
    found = wordings.BEGINNING.expression.match(text)
    if found:
        yield _of(found, wordings.BEGINNING.name)
    elif text[:1] in REPEATED:
        found = wordings.REPEATED.expression.match(text)
        if found:
            yield _of(found, wordings.REPEATED.name)
    if text.rstrip(CLOSINGS)[-1:] in LASTS:
        found = wordings.LAST.expression.search(text, max(0, len(text) - 24))
        if found:
            yield _of(found, wordings.LAST.name)
    if cues & MARKER:
        yield from _marked(own)
    if cues & LABEL and (":" in text or "：" in text or "?" in text or "？" in text):
        for found in wordings.LABELLED.expression.finditer(text):
            yield _of(found, wordings.LABELLED.name)


def _marked(own: _Text) -> Iterator[_Said]:
    """Find what a marker announces: it begins with a part, with the sign before it, or with the part before."""
    text = own.text
    tried = -1
    before = 0
    for start, _, cues, _ in own.parts:
        if cues & MARKER:
            first = start - 1 if text[start - 1 : start] in OPENING else start
            for begin in (before, first):
                found = wordings.MARKED.expression.match(text, begin) if begin > tried else None
                if found:
                    yield _of(found, wordings.MARKED.name)
                    tried = found.end() - 1
                    break
            tried = max(tried, first)
        before = start


def _of(found: re.Match[str], name: str) -> _Said:
    group = next(group for group, word in found.groupdict().items() if word is not None)
    word = found[group].lower()
    value = wordings.BOOLEANS.get(word) or wordings.MARKED_VALUES[word]
    return _Said(*found.span(group), value, name, word, found.span())


def _correction(own: _Text, said: Sequence[_Said]) -> tuple[int, list[_Said]] | None:
    """Find where the response last corrects itself, and what it says from there on."""
    corrected = [
        _of(found, wordings.CORRECTED.name)
        for found in wordings.CORRECTED.expression.finditer(own.text)
        if own.text[: found.start()].strip()
    ]
    if corrected:
        start = corrected[-1].start
        return start, [corrected[-1], *(one for one in said if one.start > start)]
    starts = [found.end() for found in wordings.TAKES_BACK.finditer(own.text) if found.start()]
    later = [one for one in said if starts and one.start >= starts[-1] and one.name != wordings.BEGINNING.name]
    return (starts[-1], later) if later else None


def _of_words(own: _Text, said: Sequence[_Said]) -> _Verdict:
    """Read a text that has words which answer: all must agree, and nothing beside them may deny it."""
    text, cues = own.text, own.cues
    said = sorted(said)
    every = [*said, *_alone(own, said)]
    places = tuple(sorted({(one.start, one.end) for one in every}))
    if len({one.value for one in every}) > 1:
        return _Verdict(None, "contradiction", places)
    value = said[0].value
    if cues & QUESTION and any("?" in text[a:b] or "？" in text[a:b] for a, b in _between(text, said)):
        return _Verdict(None, "hedge", places)
    beside = list(_beside(own, said))
    if cues & (HEDGE | UNSURE) and (_is_unsure(text, beside) or any(_is_left_open(text, beside, one) for one in said)):
        return _Verdict(None, "hedge", places)
    against = [(start, end) for start, end, cue, _ in beside if denies(text[start:end], cue, value)]
    if against or (value == NO and cues & CONTRAST and excepted(text)):
        return _Verdict(None, "contradiction", (*places, *against))
    if not any(_stands_alone(text, beside, one) for one in said) and not bears_out(text, beside, value):
        return _Verdict(None, "unsupported", places)
    return _Verdict(value, said[0].name, tuple((one.start, one.end) for one in said))


def _alone(own: _Text, said: Sequence[_Said]) -> Iterator[_Said]:
    """Give the words that stand alone between stops, and every ``yes``, which is never an English noun."""
    text = own.text
    taken = {one.start for one in said}
    for part in own.parts:
        if part[1] - part[0] > 12:  # longer than any word with quotes and spaces  # noqa: PLR2004
            continue
        word = text[part[0] : part[1]].strip(EDGES).lower()
        value = VALUES.get(word)
        if value:
            start = part[0] + text[part[0] : part[1]].lower().find(word)
            if start not in taken:
                yield _Said(start, start + len(word), value, "alone", word)
    if own.cues & YES_WORD:
        for found in wordings.ANY_YES.finditer(text):
            if found.start() not in taken:
                yield _Said(*found.span(), YES, "alone", "yes")


def _beside(own: _Text, said: Sequence[_Said]) -> Iterator[Part]:
    """Give the parts of a text around its verdicts, with their cues."""
    for start, end, cues, closes in own.parts:
        for *_, (first, last) in said:
            if start < last and first < end:
                if first > start:
                    yield start, first, cues, False
                start = last
        if start < end:
            yield start, end, cues, closes


def _between(text: str, said: Sequence[_Said]) -> Iterator[Pair]:
    """Give what stands around the verdicts, with the marks that part it."""
    start = 0
    for *_, (first, last) in said:
        yield start, first
        start = last
    yield start, len(text)


def _is_unsure(text: str, parts: Iterable[Part]) -> bool:
    return any(cues & UNSURE and unsure(text[start:end]) for start, end, cues, _ in parts)


def _is_left_open(text: str, beside: Sequence[Part], one: _Said) -> bool:
    """Tell whether a word's sentence hedges; where nothing follows it there, the sentence after it."""
    last, told = one.whole[1], False
    for start, end, cues, closes in beside:
        if start < last:
            continue
        if cues & HEDGE and hedged(text[start:end]):
            return True
        told = told or bool(text[start:end].strip(EDGES))
        if closes and told:
            return False
    return False


def _stands_alone(text: str, beside: Sequence[Part], one: _Said) -> bool:
    """Tell whether a word is a sentence of its own; one that answers a person must be a line of its own."""
    last = one.whole[1]
    if one.name == wordings.REPEATED.name or FIELD.match(text, last):
        return True
    exclaimed = text[last : last + 1] in ("!", "！")  # Yes! How can I help?
    end = (LINE if one.word in SPOKEN or exclaimed else SENTENCE).match(text, last)
    stop = end.end() if end else last
    return stop == last or all(
        ANNOUNCES.fullmatch(words)
        for start, end, *_ in beside
        if last <= start < stop and (words := text[start:end].strip(EDGES))
    )


def _of_statements(own: _Text) -> _Verdict:
    """Read a text by what it states of the answer: first, or in conclusion, with nothing that could take it back."""
    text, parts, cues = own
    said: list[tuple[int, _Said]] = []
    if cues & STATEMENT:
        for place, part in enumerate(parts):
            found = stated(text[part[0] : part[1]].strip(EDGES)) if part[2] & STATEMENT else None
            if found:
                said.append((place, _Said(part[0], part[1], *found)))
    nothing = _Verdict(None, "hedge" if cues & HEDGE and hedged(text) else "nothing")
    if not said:
        return nothing
    places = tuple(_trimmed(text, one.start, one.end) for _, one in said)
    words = {place: value for place, part in enumerate(parts) if (value := _word_in(text, part))}
    if len({one.value for _, one in said} | set(words.values())) > 1:
        return _Verdict(None, "contradiction", places)
    if cues & QUESTION or (cues & UNSURE and _is_unsure(text, parts)):
        return _Verdict(None, "hedge", places)
    first, one = said[0]
    begin = _sentence_begins(parts, first)
    before = [text[part[0] : part[1]].strip(EDGES) for part in parts[begin:first]]
    concludes = wordings.CONCLUDING.match(text[one.start : one.end].strip(EDGES)) is not None
    if not concludes and not all(wordings.PREFACE.fullmatch(words) or not words for words in before):
        return nothing
    last = _sentence_ends(parts, first)
    if cues & HEDGE and hedged(text[parts[begin][0] : parts[last][1]]):
        return _Verdict(None, "hedge", places)
    known = {*words, *(place for place, _ in said)}
    later = [part for place, part in enumerate(parts) if place > first and place not in known]
    if any(takes_back(text[part[0] : part[1]], part[2], one.value) for part in later):
        return _Verdict(None, "contradiction", places)
    earlier = [] if begin == 0 else parts[: first if concludes else begin]
    if any(judged_before(text[part[0] : part[1]], part[2], one.value) for part in earlier):
        return _Verdict(None, "contradiction", places)
    if one.value == NO:
        beside = [parts[place] for place in range(first + 1, last + 1) if place not in known]
        if cues & CONTRAST and excepted(text[parts[begin][0] :]):
            return nothing
        if any(part[2] & NEGATION and NEGATED.search(text[part[0] : part[1]]) for part in beside):
            return nothing
    return _Verdict(one.value, one.name, places)


def _word_in(text: str, part: Part) -> str | None:
    """Read a part that is nothing but a word which answers, or says so: 因此答案为否."""
    words = text[part[0] : part[1]].strip(EDGES)
    if len(words) > LONGEST or words[-1:] not in LASTS:
        return None
    found = wordings.SAYING.fullmatch(words)
    return VALUES[found["word"].lower()] if found else None


def _trimmed(text: str, start: int, end: int) -> Pair:
    words = text[start:end]
    return start + len(words) - len(words.lstrip(EDGES)), end - len(words) + len(words.rstrip(EDGES))


def _sentence_begins(parts: Sequence[Part], place: int) -> int:
    while place and not parts[place - 1][3]:
        place -= 1
    return place


def _sentence_ends(parts: Sequence[Part], place: int) -> int:
    while place < len(parts) - 1 and not parts[place][3]:
        place += 1
    return place
