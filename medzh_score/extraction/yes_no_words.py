"""The words of a response that answer Yes or No, and whether what stands beside them lets them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.configs.cmhe_hd_words import NO, YES
from medzh_score.extraction import yes_no_marks as marks
from medzh_score.extraction import yes_no_wordings as wordings
from medzh_score.extraction.cmhe_hd_cues import ABOUT
from medzh_score.extraction.cmhe_hd_cues import FALSE as FALSE_WORD
from medzh_score.extraction.cmhe_hd_cues import TRUE as TRUE_WORD
from medzh_score.extraction.cmhe_hd_support import ANNOUNCES, FIELD, LINE, SENTENCE, SPOKEN
from medzh_score.extraction.yes_no_fields import FIELDS, both
from medzh_score.extraction.yes_no_parts import (
    CONTRAST,
    FALSE,
    HEDGE,
    LABEL,
    MARKER,
    NEGATION,
    QUESTION,
    SAYS,
    STANCE,
    TRUE,
    UNSURE,
    YES_WORD,
)
from medzh_score.extraction.yes_no_reasons import (
    BRIEF,
    EDGES,
    bears_out,
    commits_otherwise,
    denies,
    excepts,
    hedged,
    is_bare,
    is_of_others,
    stated,
    unsure,
)
from medzh_score.extraction.yes_no_supposed import is_supposed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from medzh_score.extraction.yes_no_parts import Part

LONGEST = 12  # characters of a part that can be a word with quotes and spaces
LAST_LINE = 200  # characters in which the last line begins, with what is blanked
CLOSED = 24  # characters at the end of a text in which its last word stands
AGAINST = FALSE | TRUE | STANCE | NEGATION | SAYS
BUT = re.compile(r"但|不过|然而|\bbut\b|\bhowever\b", re.IGNORECASE)
OPENING = ("【", "[", '"')
REPEATED = tuple("是否yYnN")
WHOLE = frozenset((wordings.REPEATED.name, FIELDS.name))
SPOKEN_HERE = SPOKEN | {*wordings.SPOKEN_YES, *wordings.SPOKEN_NO}
MOST = 64  # words that say the same, of a text that repeats itself
LABELS = ("判断为", "答案为", "答案应为")
TRANSLATED = frozenset(("yes", "no", "是", "否"))
ECHOES = frozenset(("包含", "存在", "含有", "不包含", "不存在", "不含有"))
ANSWERED = frozenset(("是", "否", "包含", "存在", "不包含", "不存在"))  # which nobody says to a person
CLOSINGS = "。.！! \n])）】〕」』”\"'>"
LASTS = frozenset("".join((*wordings.VALUES, *(word.upper() for word in wordings.VALUES))))
Pair = tuple[int, int]


class Said(NamedTuple):
    """A commitment: where its word stands in the prepared text, by which wording, and what belongs to it."""

    start: int
    end: int
    value: str
    name: str
    word: str = ""
    whole: Pair = (0, 0)


class Verdict(NamedTuple):
    """What a prepared text commits itself to, by which rule, and where that stands."""

    value: str | None
    rule: str
    places: tuple[Pair, ...] = ()


class Text(NamedTuple):
    """A prepared text without what is not the model's own, its parts, and the cues in it."""

    text: str
    parts: list[Part]
    cues: int


def words_said(own: Text) -> Iterator[Said]:
    """Find the words that answer: at the beginning, after a marker or a label, at the end."""
    text, cues = own.text, own.cues
    found = wordings.BEGINNING.expression.match(text)
    if found:
        yield _of(found, wordings.BEGINNING.name)
    elif text[:1] in REPEATED:
        found = wordings.REPEATED.expression.match(text)
        if found:
            yield _of(found, wordings.REPEATED.name)
    if "]" in text and "[" in text:
        for found in wordings.CHECKED.expression.finditer(text):
            yield _of(found, wordings.CHECKED.name)
    yield from _at_the_end(own)
    if cues & MARKER:
        yield from _marked(own)
    if cues & LABEL:
        fields = both(text) if ("ntrue" in text or "实" in text) and ("islead" in text or "误导" in text) else None
        if fields:
            yield from (Said(*one.span("said"), fields[0], FIELDS.name, whole=one.span()) for one in fields[1])
        elif ":" in text or "：" in text or "?" in text or "？" in text:
            yield from _labelled(text)


def _at_the_end(own: Text) -> Iterator[Said]:
    text = own.text
    closed = text.rstrip(CLOSINGS)
    if closed[-1:] in LASTS:
        line = text.rfind("\n", max(0, len(text) - LAST_LINE), len(closed))
        found = wordings.LAST.expression.search(text, max(0, len(text) - CLOSED) if line < 0 else line)
        if found:
            yield _of(found, wordings.LAST.name)
        elif len(own.parts) > 1:
            yield from _summed_up(own)


def _labelled(text: str) -> Iterator[Said]:
    """Find the labels, which begin with a line, before a word."""
    match, start, tried = wordings.LABELLED.expression.match, 0, 0
    while start >= 0:
        found = match(text, start) if start >= tried else None
        if found:
            yield _of(found, wordings.LABELLED.name)
            tried = found.end()
        start = text.find("\n", start) + 1 or -1


def _summed_up(own: Text) -> Iterator[Said]:
    """Find a word after a colon at the end that only repeats what has just been stated: 这个回答有误导性：是."""
    (start, end, *_), (first, last, *_) = own.parts[-2:]
    said = wordings.SAYING.match(own.text, first + len(own.text[first:last]) - len(own.text[first:last].lstrip(EDGES)))
    if said is None or said.end() < len(own.text[:last].rstrip(CLOSINGS + EDGES)):
        return
    found = stated(own.text[start:end].strip(EDGES))
    value = wordings.VALUES[said["word"].lower()]
    if found[0] != value if found else not said[0].startswith(LABELS):
        return
    if said.start("word") > said.start() or ":" in own.text[end:first] or "：" in own.text[end:first]:
        yield Said(*said.span("word"), value, wordings.LAST.name, said["word"].lower(), said.span())


def _marked(own: Text) -> Iterator[Said]:
    """Find what a marker announces: it begins with a part, with the sign before it, or with the part before."""
    text = own.text
    tried = -1
    before = 0
    for start, _, cues, _ in own.parts:
        if cues & MARKER:
            first = start - 1 if text[start - 1 : start] in OPENING else start
            for begin in (before, first):
                found = wordings.MARKED.expression.match(text, begin) if begin > tried else None
                if found and not is_supposed(text, begin):
                    yield _of(found, wordings.MARKED.name)
                    tried = found.end() - 1
                    break
            tried = max(tried, first)
        before = start


def _of(found: re.Match[str], name: str) -> Said:
    group = found.lastgroup or "word"  # of the groups of a wording one holds the word
    word = found[group].lower()
    value = wordings.BOOLEANS.get(word) or wordings.MARKED_VALUES[word]
    return Said(*found.span(group), value, name, word, found.span())


def correction(own: Text, said: Sequence[Said]) -> tuple[int, list[Said]] | None:
    """Find where the response last corrects itself, and what it says from there on."""
    corrected = [
        _of(found, wordings.CORRECTED.name)
        for found in wordings.CORRECTED.expression.finditer(own.text)
        if "错" in found[0] or "误" in found[0] or own.text[: found.start()].strip()
    ]
    if corrected:
        start = corrected[-1].start
        return start, [corrected[-1], *(one for one in said if one.start > start)]
    starts = [found.end() for found in wordings.TAKES_BACK.finditer(own.text) if found.start()]
    later = [one for one in said if starts and one.start >= starts[-1] and one.name != wordings.BEGINNING.name]
    return (starts[-1], later) if later else None


def of_words(own: Text, said: Sequence[Said]) -> Verdict:
    """Read a text that has words which answer: all must agree, and nothing beside them may deny it."""
    text, cues = own.text, own.cues
    said = sorted(said)
    value = said[0].value
    if any(one.value != value for one in said):
        return Verdict(None, "contradiction", tuple(sorted({(one.start, one.end) for one in said})))
    said = said[:MOST]
    every = [*said, *alone(own, said)]
    places = tuple(sorted({(one.start, one.end) for one in every}))
    if any(one.value != value for one in every):
        return Verdict(None, "contradiction", places)
    beside = list(_beside(own, said))
    if cues & (HEDGE | UNSURE | QUESTION) and _is_open(own, beside, said):
        return Verdict(None, "hedge", places)
    own_ends = [(one.whole[1], _reach(own, one)) for one in said]
    against = list(_against(text, beside, value, own_ends))
    if against or (value == NO and cues & CONTRAST and _is_excepted(own, own_ends)):
        return Verdict(None, "contradiction", (*places, *against))
    if not any(_stands_alone(text, beside, one) for one in said) and not _is_meant(own, beside, every):
        return Verdict(None, "unsupported", places)
    return Verdict(value, said[0].name, tuple((one.start, one.end) for one in said))


def _is_open(own: Text, beside: Sequence[Part], said: Sequence[Said]) -> bool:
    """Tell whether a question is asked, or the answer left open."""
    text, cues = own.text, own.cues
    if cues & QUESTION and any("?" in text[a:b] or "？" in text[a:b] for a, b in _between(text, said)):
        return True
    if not cues & (HEDGE | UNSURE):
        return False
    return is_unsure(text, beside) or any(_is_left_open(own, beside, one) for one in said)


def _against(text: str, beside: Sequence[Part], value: str, own: Sequence[Pair]) -> Iterator[Pair]:
    """Give the parts that deny a verdict.

    In its own sentence anything that may does so, until a reason has borne the verdict out; in another only what is as
    much said of the answer.
    """
    conceded: list[Pair] = []  # what speaks against Yes in this sentence, before any but
    borne_out = 0  # the end of the sentence of which that is so
    others = False  # the part before in the sentence tells what others think
    for part in beside:
        start, end, cues, closes = part
        if cues & AGAINST:
            said = text[start:end]
            last = next((last for first, last in own if first <= start < last), 0)
            if last and last != borne_out:
                if denies(said, cues, value):
                    yield start, end
                elif bears_out(text, (part,), value):
                    borne_out = last
            elif conceded and BUT.search(text, conceded[-1][1], start) and commits_otherwise(said, cues, NO):
                conceded.clear()
            elif commits_otherwise(said, cues, value) and not (others and is_bare(said)):
                if value == NO:
                    yield start, end
                else:
                    conceded.append((start, end))
        if closes:
            yield from conceded
            conceded.clear()
        others = not closes and (others or (cues & STANCE > 0 and is_of_others(text[start:end])))
    yield from conceded


def _sentence_end(own: Text, place: int) -> int:
    return next((end for _, end, _, closes in own.parts if closes and end >= place), len(own.text))


def _reach(own: Text, one: Said) -> int:
    """Give the end of what belongs to a word: its sentence; a field is one by itself."""
    return one.whole[1] if one.name == FIELDS.name else _sentence_end(own, one.whole[1])


def _is_excepted(own: Text, own_ends: Sequence[Pair]) -> bool:
    """Tell whether an exception is made after the first No, in its sentence or another."""
    if any(excepts(own.text[first:last], same=True) for first, last in own_ends):
        return True
    begin = own_ends[0][1]
    for _, end, _, closes in own.parts:
        if closes and end > begin:
            if excepts(own.text[begin:end], same=False):
                return True
            begin = end
    return False


def alone(own: Text, said: Sequence[Said]) -> Iterator[Said]:
    """Give the words that stand alone between stops, and every ``yes``, which is never an English noun."""
    text = own.text
    taken = {one.start for one in said}
    for part in own.parts:
        if part[1] - part[0] > LONGEST:
            continue
        only = _nothing_but_a_word(text[part[0] : part[1]])
        if only:
            first, word, value = only
            start = part[0] + first
            if start not in taken:
                yield Said(start, start + len(word), value, "alone", word)
    if own.cues & YES_WORD:
        for met in wordings.ANY_YES.finditer(text):
            if met.start() not in taken:
                yield Said(met.start(), met.end(), YES, "alone", "yes")


@lru_cache(maxsize=1 << 12)
def _nothing_but_a_word(part: str) -> tuple[int, str, str] | None:
    """Give where the word of a part begins that is nothing else, the word and its value."""
    word = part.strip(EDGES).lower()
    value = wordings.VALUES.get(word)
    return (part.lower().find(word), word, value) if value else None


def _beside(own: Text, said: Sequence[Said]) -> Iterator[Part]:
    """Give the parts of a text around its verdicts, with their cues."""
    for start, end, cues, closes in own.parts:
        begin = start
        for *_, (first, last) in said:
            if begin < last and first < end:
                if first > begin:
                    yield begin, first, cues, False
                begin = last
        if begin < end:
            yield begin, end, cues, closes


def _between(text: str, said: Sequence[Said]) -> Iterator[Pair]:
    """Give what stands around the verdicts, with the marks that part it."""
    start = 0
    for *_, (first, last) in said:
        yield start, first
        start = last
    yield start, len(text)


def is_unsure(text: str, parts: Iterable[Part]) -> bool:
    """Say whether one of the parts of a text says in its own voice that it cannot tell.

    Parameters
    ----------
    text : str
        The response's own words.
    parts : iterable of Part
        Of it.
    """
    return any(cues & UNSURE and unsure(text[start:end]) for start, end, cues, _ in parts)


def _is_left_open(own: Text, beside: Sequence[Part], one: Said) -> bool:
    """Tell whether a word's sentence hedges; where nothing follows it there, the sentence after it."""
    text, last, told = own.text, one.whole[1], False
    own_end = _sentence_end(own, last)
    for start, end, cues, closes in beside:
        if start < last:
            continue
        part = text[start:end]
        if cues & HEDGE and (start < own_end or len(part) <= BRIEF or ABOUT.search(part)) and hedged(part):
            return True
        told = told or bool(text[start:end].strip(EDGES))
        if closes and told:
            return False
    return False


def _is_meant(own: Text, beside: Sequence[Part], every: Sequence[Said]) -> bool:
    """Tell whether anything beside a word bears it out: a reason, or another word that says the same."""
    first = every[0]
    if any(one.word in ECHOES and one.start > first.start for one in every) or bears_out(own.text, beside, first.value):
        return True
    if any(one.word in TRANSLATED and one.word != first.word and one.start > first.start for one in every):
        return first.word in TRANSLATED
    end = _sentence_end(own, first.whole[1])
    sentence = own.text[first.whole[1] : end]
    if first.name in {wordings.MARKED.name, wordings.CORRECTED.name} and marks.BECAUSE.match(sentence):
        return True
    if first.word in ANSWERED and (marks.CAUTIONS if first.value == YES else marks.APPROVES).search(sentence):
        return not marks.ADDRESSED.search(sentence)
    if marks.ADDRESSED.search(sentence):
        return False
    judged = first.name == wordings.MARKED.name and marks.JUDGEMENT.match(own.text, first.whole[0])
    if not judged and marks.DASH.match(sentence):
        judged = TRUE_WORD.search(sentence) or FALSE_WORD.search(sentence)
    return bool(judged)


def _stands_alone(text: str, beside: Sequence[Part], one: Said) -> bool:
    """Tell whether a word is a sentence of its own; one that answers a person must be a line of its own."""
    last = one.whole[1]
    if one.name in WHOLE or FIELD.match(text, last):
        return True
    exclaimed = text[last : last + 1] in ("!", "！")  # Yes! How can I help?
    end = (LINE if one.word in SPOKEN_HERE or exclaimed else SENTENCE).match(text, last)
    stop = end.end() if end else last
    return stop == last or all(
        ANNOUNCES.fullmatch(words)
        for start, end, *_ in beside
        if last <= start < stop and (words := text[start:end].strip(EDGES))
    )
