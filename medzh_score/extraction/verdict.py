"""Whether a response says that a statement is correct: the whole prepared text is read, and all of it must agree."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.config import answer
from medzh_score.extraction.corrections import last_correction, takes_back
from medzh_score.extraction.preparing import locate, prepare
from medzh_score.extraction.reading import Reading
from medzh_score.extraction.refusals import declines, refused
from medzh_score.extraction.verdict_clauses import AGAINST, VERDICTS, from_clauses
from medzh_score.extraction.verdict_forms import BOTH_MARKS, OF_A_SERVICE, of_keys, ticked
from medzh_score.extraction.verdict_said import OFFERED, OPENINGS, SIGN, Said, core, said_in, value_in
from medzh_score.extraction.verdict_wordings import ENGLISH, NEEDS, WEAK, WORDINGS
from medzh_score.extraction.verdict_words import HEDGE, NEGATION

if TYPE_CHECKING:
    from medzh_score.config import Answer

__all__ = ["ENGLISH", "NEEDS", "WEAK", "WORDINGS", "explain", "find", "judged", "read"]

_KEYS = "keys of JSON"
_FORMS = frozenset('{"√×')  # with which JSON, or a pair of marks, begins
_VERDICT_FIRST, _YES_OR_NO = (wording.name for wording in OPENINGS)
_NEVER_REFUSED = frozenset({_VERDICT_FIRST, "contradiction"})

# The first clause, with what ends it: few are different, so that what it says is remembered.
_HEAD = re.compile(r"[^。！!，,；;：:\n(（—–]{0,24}(?:[。！!，,；;：:\n(（—–]|\Z|(?=(?P<more>.)))")
_MAY_OPEN = re.compile("[误错确实立对真假是不否√×A-Za-z]")  # the last signs of the words of an opening
# A verdict, then claims and verdicts in turn, a line each: base models go on so; the first is the answer.
_BARE_LINE = r"(?:不?正确|错误|不?对|错)[。.]?"
_MANY = re.compile(rf"({_BARE_LINE})(?:\n+(?!{_BARE_LINE}\n)[^\n。：:！!；;]{{4,60}}\n+{_BARE_LINE}(?=\n|\Z)){{2,}}")
# Yes and no answer other questions, too: what follows speaks of the model or to the user.
_CHAT = re.compile(
    r"[\s，,。.！!：:]*(?:我(?!国|们?认为|们?判断|的判断|同意|们?觉得|们?可以判断)|让我|您(?!说得|说的)|你(?!说得"
    r"|说的)|请|很高兴|感谢|谢谢|有什么|好的|明白"
    r"|这是(?:一?个)?(?:很|非常)?好的?问题|i\b(?! (?:think|believe|agree|would say))|you\b(?! are (?:right|correct))"
    r"|please\b|how\b|let\b|sure\b"
    r"|thank|what\b|of course\b)",
    re.IGNORECASE,
)


class Found(NamedTuple):
    """What was found in a prepared text.

    Attributes
    ----------
    value : str or None
        ``correct``, ``incorrect`` or None.
    rule : str
        The wording, or why there is none.
    spans : tuple of tuple of int
        Start and end of what says so, in the prepared text.
    """

    value: str | None
    rule: str
    spans: tuple[tuple[int, int], ...] = ()


def find(text: str) -> Found:
    """Find the verdict of a prepared text.

    Every wording that says a verdict is looked for in the whole text. All must say the same, except where the model
    takes back what it said: then what it says after that counts. What is supposed, asked, quoted from the task, or said
    of something else is no verdict.

    Parameters
    ----------
    text : str
        Prepared.

    Returns
    -------
    Found
        The verdict by the first wording that says it; or None with the rule ``empty``, ``refusal``, ``contradiction``,
        ``hedge`` (不一定, 部分正确), ``negation`` (不是错误) or ``nothing``.

    Examples
    --------
    >>> find("正确。链霉素可用于炭疽，因此该说法错误。").rule, find("该说法并不正确。").value
    ('contradiction', 'incorrect')
    """
    if not text:
        return Found(None, "empty")
    if text[0] in _FORMS and (stated := _of_form(text)):
        return stated
    if "]" in text or "☑" in text or "☒" in text:
        text = ticked(text)
    if "\n" in text and (many := _MANY.match(text)):
        text = many[1]
    opening = _opening(text)
    start = opening.end if opening else 0
    sign = SIGN.search(text, start)
    if sign is None:
        if opening is None:
            return Found(None, "refusal" if declines(text) else "nothing")
        if opening.value in VERDICTS and not takes_back(text):
            return _unless_refused(text, Found(opening.value, opening.rule, ((opening.start, opening.end),)))
    places = said_in(text, opening) if sign else [opening] if opening else []
    if not places:
        return Found(None, "refusal" if declines(text) else "nothing")
    return _unless_refused(text, _decided(text, places))


def _has_form(text: str) -> bool:
    """Say whether a text may be more than sentences: then `find` reads it."""
    if text[0] in _FORMS or "]" in text or "☑" in text or "☒" in text:
        return True
    return "\n" in text and _MANY.match(text) is not None


def _of_form(text: str) -> Found | None:
    if BOTH_MARKS.fullmatch(text):
        return Found(None, "contradiction", ((0, len(text)),))
    said, spans = of_keys(text)
    if not said:
        return None
    if len(said) > 1:
        return Found(None, "contradiction", spans)
    return Found("correct" if said == {True} else "incorrect", _KEYS, spans[:1])


def _unless_refused(text: str, found: Found) -> Found:
    """Leave what was found, unless the text declines: a bare verdict at its beginning shows that it does not."""
    if found.rule in _NEVER_REFUSED or not refused(text):
        return found
    return Found(None, "refusal")


def read(text: str) -> Answer:
    """Read the verdict of a response.

    Parameters
    ----------
    text : str
        The response, untouched.

    Returns
    -------
    Answer
        As `find` says; None by the rule ``unclosed`` where thinking is never closed.

    Examples
    --------
    >>> read("<think>错误？</think>**正確**。").value, read("<think>正确").rule
    ('correct', 'unclosed')
    """
    return judged(prepare(text))


def judged(said: str | None) -> Answer:
    """Read the verdict of a prepared text as `find` does, from its clauses where that is enough.

    Parameters
    ----------
    said : str or None
        As `preparing.prepare` gives it.

    Returns
    -------
    Answer
        As `read` gives it.

    Examples
    --------
    >>> judged("该说法并不正确。").value, judged(None).rule
    ('incorrect', 'unclosed')
    """
    if said is None:
        return answer(None, "unclosed")
    if said and not _has_form(said) and (found := from_clauses(said, _opening(said))):
        value, rule = found
        if rule == "nothing":
            rule = "refusal" if declines(said) else rule
        elif rule not in _NEVER_REFUSED and refused(said):
            value, rule = None, "refusal"
        return answer(value, rule)
    whole = find(said)
    return answer(whole.value, whole.rule)


def explain(text: str) -> Reading:
    """Read the verdict of a response, and say from which of its characters.

    Parameters
    ----------
    text : str
        The response, untouched.

    Returns
    -------
    Reading
        Value and rule as `read` gives them.

    Examples
    --------
    >>> explain("**错误**，不能用。")
    Reading(value='incorrect', rule='opening verdict', spans=(Span(start=2, end=4),))
    """
    located = locate(text)
    if located is None:
        return Reading(None, "unclosed")
    found = find(located.text)
    return Reading(found.value, found.rule, tuple(located.span(start, end) for start, end in found.spans))


def _opening(text: str) -> Said | None:
    head = _HEAD.match(text)
    if head is None:
        return None
    opening = _opening_of(head[0] if head["more"] is None else head[0] + "某")
    if opening is None:
        return None
    if opening.rule == _YES_OR_NO and _CHAT.match(text, opening.end):
        return None
    if text[opening.end : opening.end + 1] in "。，":  # the most frequent: nothing is offered
        return opening
    if OFFERED.match(text, opening.end) or OF_A_SERVICE.match(text, opening.end):
        return None
    return opening


@lru_cache(maxsize=1 << 14)
def _opening_of(head: str) -> Said | None:
    if _MAY_OPEN.search(head) is None:
        return None
    for wording in OPENINGS:
        met = wording.expression.match(head)
        value = value_in(met, wording.value) if met else None
        if met and value is not None:
            return Said(value, wording.name, *core(met))
    return None


def _decided(text: str, places: list[Said]) -> Found:
    firm = [place for place in places if place.value in VERDICTS]
    pool = [place for place in firm if place.rule not in WEAK] or firm
    if not pool:
        first = places[0]
        rule = NEGATION if first.value == NEGATION else HEDGE
        return Found(None, rule, ((first.start, first.end),))
    taken_back = takes_back(text)
    agreed = _agree(pool, places)
    if agreed and not taken_back:
        return _stated(pool)
    start = last_correction(text)
    if start == 0:
        return _contradiction(pool, places)
    after = [place for place in pool if place.start >= start]
    if taken_back and not after:
        after = [place for place in firm if place.start >= start]
    if taken_back and not after:
        return _contradiction(pool, pool)
    if after:
        pool, places = after, [place for place in places if place.start >= start]
    return _stated(pool) if _agree(pool, places) else _contradiction(pool, places)


def _agree(pool: list[Said], places: list[Said]) -> bool:
    value = pool[0].value
    if len({place.value for place in pool}) > 1:
        return False
    return AGAINST[value] not in {place.value for place in places}


def _stated(pool: list[Said]) -> Found:
    return Found(pool[0].value, pool[0].rule, ((pool[0].start, pool[0].end),))


def _contradiction(pool: list[Said], places: list[Said]) -> Found:
    shown = [place for place in places if place in pool or place.value not in VERDICTS]
    return Found(None, "contradiction", tuple((place.start, place.end) for place in shown))
