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
from medzh_score.extraction.sentences import sentence, with_label
from medzh_score.extraction.verdict_wordings import ENGLISH, NEEDS, WEAK, WORDINGS
from medzh_score.extraction.verdict_words import CORRECT, HEDGE, INCORRECT, NEGATION, OPPOSED_HEDGE, said, value_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.config import Answer
    from medzh_score.extraction.wording import Wording

__all__ = ["ENGLISH", "NEEDS", "WEAK", "WORDINGS", "explain", "find", "read"]

_OPENINGS = WORDINGS[:2]
_ANSWERED = next(wording for wording in WORDINGS if wording.name == "question answered")
_OTHERS = tuple(wording for wording in WORDINGS[2:] if wording is not _ANSWERED)
_CHINESE = tuple(wording for wording in _OTHERS if "English" not in wording.name and wording.name != "it is so that")
_ENGLISH = tuple(wording for wording in _OTHERS if wording.name in ENGLISH)
_AGAINST = {CORRECT: OPPOSED_HEDGE, INCORRECT: NEGATION}  # what speaks against a verdict without being the other
_LATIN = re.compile("[A-Za-z]{2}")
_HAN = re.compile("[\u4e00-\u9fff]")
_VERDICTS = frozenset({CORRECT, INCORRECT})
_SHORT = 16
_VERDICT_FIRST, _YES_OR_NO = (wording.name for wording in _OPENINGS)

# A word of a verdict, or of what announces one: without any no wording but an opening can match. The rarest sign of
# each comes first, so that most of a text is passed over.
_SIGN = re.compile(
    r"误(?<=[错有无]误)|确(?<=[正准]确)|对(?=的)|对(?<=[不法是]对)|错|实(?<=[属真不]实)|立(?<=成立)|真(?<=[为是]真)"
    r"|假(?<=[为是]假)"
    r"|答(?=案)|判(?=断)|论(?<=结论)|更(?=正)|修(?=正)|符(?=合)|符(?<=不符)|致(?<=一致)|据(?<=[依根]据)|意(?<=同意)"
    r"|同(?<=[赞认]同)"
    r"|谣(?=言)|误(?=[解区])|站(?=不住)|吻(?=合)|True|true|TRUE|False|false|FALSE|orrect|CORRECT|rong\b|WRONG|ight\b"
    r"|ccurate|nswer|rrors? "
    r"|ANSWER|erdict|nclusion|ssessment"
)
# The first clause, with what ends it: few are different, so that what it says is remembered.
_HEAD = re.compile(r"[^。！!，,；;：:\n(（—–]{0,24}(?:[。！!，,；;：:\n(（—–]|\Z|(?=(?P<more>.)))")
# Where a sentence begins so, what it says of a verdict is supposed, asked, or said by others.
_SUPPOSED = re.compile(
    r"(?:\A|[，,但而则：:])[\s“\"]*(?:但|而)?(?:如果|若|假如|假设|要是|倘若|假使|即便|即使)(?!一定要|非要|非得|硬要|必须|真要)|是否|有人|许多人|很多人"
    r"|不少人|人们|误以为|误认为|以为"
    r"|(?:若|如果?|假如|要是)[^，,；;]{0,12}[改换]|改[为成][^，,；;]*[，,]|难以?认同|没有?人|[你您他她]们?说(?![得的])"
    r"|否则|请(?:先|判断|回复|回答|输出|问)|无法|难以|不能(?:简单地?|完全|轻易)?(?:说|认为|判断|确定|断定|确认|证明)"
    r"|不确定|不清楚|不知道"
    r"|怎样|为什么|为何|(?:需要|我们|让我|来|要)(?:判断|看看|分析|确定)|题目(?:要求|问)|问的是"
    r"|\b(?:if|whether|unless|suppose|assuming|determine|decide|judge|check|evaluate|many people|some people|people)\b",
    re.IGNORECASE,
)
_MAY_SUPPOSE = re.compile(
    "如|若|假|要是|倘|即便|即使|是否|否则|人们|有人|多人|少人|以为|误认|请|无法|难以|不能|不确|不清|不知|怎样|为什"
    "|为何|判断|看看|分析|确定"
    "|要求|问的|if|If|IF|hether|nless|uppos|ssum|determin|ecide|udge|heck|valuate|eople|虽然|尽管|诚然|hough|hile|ven"
    "|但|不过|然而|but|However|however|其实|实上|实际|认为|觉得|相信|认同|同意|think|believe|agree|说|改|半|者|第|其中|点|方面|部分|应为|alf|part"
)
_BUT = re.compile(r"但是?|不过|然而|所以|因此|因而|综上|总之|故而|其实|实际上|事实上|\b(?:but|however|therefore|thus|so|in fact|actually)\b", re.IGNORECASE)
# The model denies what follows: 我不认为这个说法正确.
_DENIED = re.compile(
    r"不(?:太|会|大|怎么|能)?(?:认为|觉得|相信|认同|同意|赞同)[^，,；;]*\Z|(?:n['’]t|\bnot|\bnever) (?:think|believe|agree)\b[^,;]*\Z",
    re.IGNORECASE,
)
# What is said of a part, or of another wording of the statement, says nothing of the statement.
_OF_A_PART = re.compile(
    r"(?:(?:前|后|上|下|另)一?半|前者|后者|前一|后一|第[一二三四五]|其中|部分|方面)[^，,；;]*\Z"
    r"|(?:应该?说|应改|应为)[^，,；;]*○[^，,；;]*\Z|(?:正确|准确|科学|规范|严谨)的(?:说法|表述|描述|陈述|叙述)[^，,；;]*\Z"
    r"|\b(?:half|part|portion)\b[^,;]*\Z",
    re.IGNORECASE,
)
_CONCEDED = re.compile(r"虽然|尽管|诚然|\b(?:although|though|while|even)\b", re.IGNORECASE)
# What follows a verdict and shows that its words are a choice that is offered: 正确（或错误）.
_OFFERED = re.compile(
    r"[\s“”\"'）)】]*(?:[/、]|[（(]部分|或者?|还是|与否|和|or\b)"
    r"|,?\s+(?:in part\b|to (?:some|a certain) (?:extent|degree)|in some\b|only\b|if\b|when\b|under\b|for some\b)",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"[“”][^“”\n]{1,200}”|\"[^\"\n]{1,200}\"|「[^「」\n]{1,200}」|『[^『』\n]{1,200}』|‘[^‘’\n]{1,200}’"
)
_OPTIONS = re.compile(
    r"A\s*[.、．:：)）]?\s*[^\s.。，,；;、]{1,9}[\s，,；;、/]*B\s*[.、．:：)）]?\s*(?:不?正确|错误|不?对|错|真|假|True|False)", re.IGNORECASE
)
_BARE = re.compile(
    r".(?:是|这个?|该|此|说法)*(?:不|不是|不完全|完全)?(?:正确|错误|对|错|属实|准确|是|否|真|假|true|false|correct"
    r"|incorrect|yes|no|right|wrong)的?[。.]?.",
    re.IGNORECASE,
)
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


class _Said(NamedTuple):
    """A place where a text says something of a verdict."""

    value: str
    rule: str
    start: int
    end: int


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
    if "\n" in text and (many := _MANY.match(text)):
        text = many[1]
    opening = _opening(text)
    start = opening.end if opening else 0
    sign = _SIGN.search(text, start)
    if sign is None:
        if opening is None:
            return Found(None, "refusal" if declines(text) else "nothing")
        if opening.value in _VERDICTS and not takes_back(text):
            return _unless_refused(text, Found(opening.value, opening.rule, ((opening.start, opening.end),)))
    places = ([opening] if opening else []) + (_scanned(text, start, sign) if sign else [])
    if not places:
        return Found(None, "refusal" if declines(text) else "nothing")
    return _unless_refused(text, _decided(text, places))


def _unless_refused(text: str, found: Found) -> Found:
    """Leave what was found, unless the text declines: a bare verdict at its beginning shows that it does not."""
    if found.rule in {_VERDICT_FIRST, "contradiction"} or not refused(text):
        return found
    return Found(None, "refusal")


_find_short = lru_cache(maxsize=1 << 14)(find)


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
    said = prepare(text)
    if said is None:
        return answer(None, "unclosed")
    found = _find_short(said) if len(said) <= _SHORT else find(said)
    return answer(found.value, found.rule)


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


def _opening(text: str) -> _Said | None:
    head = _HEAD.match(text)
    if head is None:
        return None
    opening = _opening_of(head[0] if head["more"] is None else head[0] + "某")
    if opening is None:
        return None
    if opening.rule == _YES_OR_NO and _CHAT.match(text, opening.end):
        return None
    return None if _OFFERED.match(text, opening.end) else opening


@lru_cache(maxsize=1 << 14)
def _opening_of(head: str) -> _Said | None:
    for wording in _OPENINGS:
        met = wording.expression.match(head)
        value = _value(met, wording.value) if met else None
        if met and value is not None:
            return _Said(value, wording.name, *_core(met))
    return None


def _scanned(text: str, start: int, sign: re.Match[str] | None) -> list[_Said]:
    """Find what the rest of a text says, in order: in those of its sentences that have a sign of a verdict."""
    masked = _masked(text)
    places: dict[int, _Said] = {}
    while sign is not None:
        begin, end = sentence(masked, sign.start())
        low = max(with_label(masked, begin), start)
        for wording in _wordings(masked[low:end]):
            for met in wording.expression.finditer(masked, low, end):
                value = _value(met, wording.value)
                if value is None or _OFFERED.match(masked, met.end()):
                    continue
                first, last = _core(met)
                rule = _in_its_sentence(masked[begin:first], wording.name)
                if rule is not None and last not in places:
                    places[last] = _Said(_unless_denied(masked[begin:first], value), rule, first, last)
        if masked[end - 1] in "？?":
            places |= _answered(masked, low, end)
        sign = _SIGN.search(text, max(end, sign.end()))
    return [places[end] for end in sorted(places)]


def _answered(text: str, low: int, end: int) -> dict[int, _Said]:
    """Find what answers the question that a sentence asks, in the beginning of the next."""
    met = _ANSWERED.expression.search(text, low, end + _SHORT)
    if met is None or "问" in text[low : met.start()] or _in_its_sentence(text[low : met.start()], "") is None:
        return {}
    value = value_of(met["alone"]) if met["alone"] else CORRECT if met["affirmed"] == "肯定" else INCORRECT
    return {met.end(): _Said(value, _ANSWERED.name, met.start("alone" if met["alone"] else "affirmed"), met.end())}


def _wordings(part: str) -> Sequence[Wording]:
    if not _HAN.search(part):
        return _ENGLISH
    wordings = _OTHERS if _LATIN.search(part) else _CHINESE
    return [wording for wording in wordings if (needs := NEEDS.get(wording.name)) is None or needs.search(part)]


def _value(met: re.Match[str], value: str | None) -> str | None:
    if value is not None:
        return value
    groups = met.groupdict()
    return value_of(alone) if (alone := groups.get("alone")) else said(groups)


def _core(met: re.Match[str]) -> tuple[int, int]:
    """Say where the words of the verdict stand, from what denies them on."""
    groups = met.groupdict()
    for last in ("alone", "word", "word_en"):
        if groups.get(last):
            start = met.start("slot_en" if last == "word_en" else "slot") if last != "alone" else met.start(last)
            gap = len(met.string[start : met.end(last)]) - len(met.string[start : met.end(last)].lstrip(" \n：:“\"'"))
            return start + gap, met.end(last)
    return met.start(), met.end()


def _in_its_sentence(before: str, name: str) -> str | None:
    """Give the name of the wording that a match counts as after these words; None where they suppose or ask."""
    if not _MAY_SUPPOSE.search(before):
        return name
    *_, before = _BUT.split(before)
    if _SUPPOSED.search(before) or _OF_A_PART.search(before):
        return None
    return "claim judged" if _CONCEDED.search(before) else name


def _unless_denied(before: str, value: str) -> str:
    """Turn a verdict into what it is after words that deny it."""
    if not _MAY_SUPPOSE.search(before) or not _DENIED.search(before):
        return value
    return {CORRECT: INCORRECT, INCORRECT: NEGATION}.get(value, HEDGE)


def _masked(text: str) -> str:
    """Put signs in the place of what is quoted, unless that is a verdict."""
    if "B" in text:
        text = _OPTIONS.sub(lambda listed: "○" * len(listed[0]), text)
    if not any(mark in text for mark in '”"「『’'):
        return text
    return _QUOTED.sub(lambda quoted: quoted[0] if _BARE.fullmatch(quoted[0]) else "○" * len(quoted[0]), text)


def _decided(text: str, places: list[_Said]) -> Found:
    firm = [place for place in places if place.value in _VERDICTS]
    pool = [place for place in firm if place.rule not in WEAK] or firm
    if not pool:
        first = places[0]
        rule = NEGATION if first.value == NEGATION else HEDGE
        return Found(None, rule, ((first.start, first.end),))
    taken_back = takes_back(text)
    if _agree(pool, places) and not taken_back:
        return Found(pool[0].value, pool[0].rule, ((pool[0].start, pool[0].end),))
    start = last_correction(text)
    after = [place for place in pool if place.start >= start]
    if taken_back and not after:
        after = [place for place in firm if place.start >= start]
    if taken_back and not after:
        return _contradiction(pool)
    if after:
        pool, places = after, [place for place in places if place.start >= start]
    if not _agree(pool, places):
        return _contradiction([place for place in places if place in pool or place.value not in _VERDICTS])
    return Found(pool[0].value, pool[0].rule, ((pool[0].start, pool[0].end),))


def _agree(pool: list[_Said], places: list[_Said]) -> bool:
    value = pool[0].value
    against = _AGAINST[value]
    return all(place.value == value for place in pool) and all(place.value != against for place in places)


def _contradiction(places: list[_Said]) -> Found:
    return Found(None, "contradiction", tuple((place.start, place.end) for place in places))
