"""One pass over a prepared text: every sign becomes a character, all that stands between two signs one ``_``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.benchmark.answers import Reading
from medzh_score.extraction.vocabulary import expression, over_signs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from medzh_score.benchmark.answers import Span, Value
    from medzh_score.extraction.normalize import Prepared
    from medzh_score.extraction.vocabulary import Lexicon


Found = tuple[int, int, str]  # start, end, sign
Match = tuple[int, int, int]  # number of the word, start, end
UNKNOWN = "_"
LATIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
NONE: Found = (sys.maxsize, sys.maxsize, "")


class Scan(NamedTuple):
    """A text as signs, a character each, and where in the prepared text they stand."""

    prepared: Prepared
    signs: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def text(self, first: int, last: int | None = None) -> str:
        """Give the prepared text of a sign, or from one to another."""
        return self.prepared.text[self.starts[first] : self.ends[first if last is None else last]]

    def span(self, first: int, last: int | None = None) -> Span:
        """Give the place in the raw text of a sign, or from one to another."""
        return self.prepared.span(self.starts[first], self.ends[first if last is None else last])


def scan(prepared: Prepared, lexicon: Lexicon, values: Iterable[Found] = (), words: list[Match] | None = None) -> Scan:
    """Find all signs of a text."""
    text, kinds, latin = prepared.folded, lexicon.signs, lexicon.latin
    if words is None:
        words = lexicon.automaton.find_matches_as_indexes(text)
    found: list[Found] = []
    own, last, length = iter(values), 0, len(text)
    value = next(own, NONE)
    words.append((-1, length, length))
    for number, start, end in words:
        while value[0] < end:  # what the kind found stands before words that it touches
            if value[0] > last and not text[last : value[0]].isspace():
                found.append((last, value[0], UNKNOWN))
            found.append(value)
            last = value[1]
            value = next(own, NONE)
        if start < last or (
            latin[number] and ((start and text[start - 1] in LATIN) or (end < length and text[end] in LATIN))
        ):
            continue
        if start > last and not text[last:start].isspace():
            found.append((last, start, UNKNOWN))
        found.append((start, end, kinds[number]))
        last = end
    found.pop()  # the end of the text
    starts, ends, signs = zip(*found, strict=True) if found else ((), (), ())
    return Scan(prepared, "".join(signs), starts, ends)


# How strongly a text commits itself: a labelled answer, a conclusion in a sentence, a mention.
LABELLED, CONCLUDED, MENTIONED = 3, 2, 1
ENDS = "nSQ"  # signs that end a sentence
LONGEST = 120  # signs of a clause to either side: without an end to it time would grow with the square of a text
MOST = 1000  # candidates that are looked at: a text with more repeats itself
BREAKS = "nSQD"  # and those that end a clause
DOUBTS = frozenset("HFRW")  # signs of doubt, wherever they stand
GUARDS = {"H": "hedge", "F": "supposed", "P": "somebody else's", "E": "example", "W": "either"}
GUARDING = frozenset(GUARDS) | {"Q"}
NEXT_QUESTION = expression(
    "next question",
    r"\s(?:[ \t]{0,40}\[?(?:题目|题干|问题|试题|例题|判断题|下一题|示例|用户|患者|指令|question|user|human|patient"
    r"|input|example)[ \t]?\d{0,3}\]?[ \t]*:|第\s?[\d一二三四五六七八九十]{1,3}\s?题[^\n]{0,5}\n|请你回答[:,]"
    r"|请(?:阅读|回答|判断|选择)?(?:以下|下列|下面)|[^\n]{2,80}\n[ \t]{0,40}a[.、:)][^\n]{1,60}?[\n ][ \t]{0,40}"
    r"b[.、:)]|\[例题\d*\]|(?:the )?following (?:is|are|passage))",
    matches="答案:b\n题目:下列",
    misses="题目:下列\n答案:b",
)
TAKEN_BACK = over_signs("taken back", r"(?<=[nSD])[ao]*R", "YSRD_", "YS_RS")


class Candidate(NamedTuple):
    """A place where a text commits itself to a value, by a wording; ``first`` and ``last`` are its signs."""

    value: Value
    strength: int
    reason: str
    first: int
    last: int


def clause(signs: str, first: int, last: int, breaks: str = BREAKS) -> tuple[int, int]:
    """Give the bounds of the clause, or with ``ENDS`` the sentence, in which signs stand."""
    lowest, highest = max(0, first - LONGEST), min(len(signs), last + LONGEST)
    begin, end = first, last
    while begin > lowest and signs[begin - 1] not in breaks:
        begin -= 1
    while end < highest and signs[end] not in breaks:
        end += 1
    return begin, min(end + 1, highest)


def before(signs: str, first: int) -> str:
    """Give what stands before a sign in its clause."""
    return signs[clause(signs, first, first)[0] : first]


def rejection_reason(signs: str, candidate: Candidate) -> str:
    """Say why a candidate does not count, by what stands before it in its clause and how the clause ends."""
    begin, end = clause(signs, candidate.first, candidate.last)
    if "F" in signs[clause(signs, candidate.first, candidate.last, ENDS)[0] : begin]:
        return "supposed"
    if "F" in signs[candidate.last : end]:
        return "supposed"
    for place, sign in enumerate(signs[begin : candidate.last + 1], begin):
        if sign in GUARDS and not (sign == "W" and place < candidate.first and _joins_words(signs, begin, place)):
            return GUARDS[sign]
    line = candidate.first
    while line and signs[line - 1] in "oac":
        line -= 1
    if "E" in signs[candidate.last : end] or (signs.endswith(":n", 0, line) and "E" in before(signs, line - 2)):
        return GUARDS["E"]
    behind = signs[candidate.last + 1 : candidate.last + 4].lstrip("aoc")
    if behind[:1] == "W":
        return GUARDS["W"]
    asked = signs.find("Q", candidate.last, end)
    return "asked" if asked >= 0 and ":" not in signs[candidate.last : asked] else ""


def _joins_words(signs: str, begin: int, place: int) -> bool:
    """Say whether 或 stands between words that are repeated of a question, before its answer is announced."""
    return signs[place - 1 : place + 2] == "_W_" and {"L", "T", "V"}.isdisjoint(signs[begin:place].lstrip("V"))


def resolve(
    scan: Scan,
    candidates: Sequence[Candidate],
    blocked: str = "",
    guarded: Callable[[str, Candidate], str] | None = None,
    within: str = "",
) -> Reading:
    """Read what all candidates of the strongest level, after the last correction, agree on."""
    signs, live = scan.signs, []
    if len(candidates) > MOST:
        ordered = sorted(candidates, key=lambda one: one.first)
        candidates = [*ordered[: MOST // 2], *ordered[-MOST // 2 :]]
    if guarded is None:
        guarded = rejection_reason if not GUARDING.isdisjoint(signs) else lambda _signs, _one: ""
    for one in candidates:
        reason = guarded(signs, one)
        if reason:
            blocked = blocked or reason
        else:
            live.append(one)
    if not live:
        return Reading(None, ("refusal" if "Z" in signs else "nothing") if blocked in {"", "nothing"} else blocked)
    top = live
    if len(live) > 1:
        live = _after_correction(signs, live)
        if len({one.value for one in live}) > 1:
            live = _own_answer(scan, live)
        strongest = max([one.strength for one in live])
        top = [one for one in live if one.strength == strongest]
    if within and "R" in signs and TAKEN_BACK.pattern.search(signs, max(one.last for one in live)):
        return Reading(None, "correction")
    spans = _places(scan, top)
    if len(top) > 1 and len({one.value for one in top}) > 1:
        return Reading(None, "contradiction", spans)
    return Reading(top[0].value, top[0].reason, spans, _clear(signs, top, live, within))


def _places(scan: Scan, top: Sequence[Candidate]) -> tuple[Span, ...]:
    """Give the places of candidates in their order; one within another is not said twice."""
    if len(top) == 1:
        return (scan.span(top[0].first, top[0].last),)
    places: list[Span] = []
    for span in sorted({scan.span(one.first, one.last) for one in top}, key=lambda span: (span.start, -span.end)):
        if not places or span.end > places[-1].end:
            places.append(span)
    return tuple(places)


def _after_correction(signs: str, live: list[Candidate]) -> list[Candidate]:
    """Keep what stands after the last correction that something stands after."""
    at = signs.rfind("R", 0, max(one.last for one in live))
    return [one for one in live if one.last > at] if at >= 0 else live


def _own_answer(scan: Scan, live: list[Candidate]) -> list[Candidate]:
    """Keep what stands before the next question, where an answer stands before it."""
    ends = [scan.ends[one.last] for one in live if one.strength >= CONCLUDED]
    found = NEXT_QUESTION.pattern.search(scan.prepared.folded, min(ends)) if ends else None
    return [one for one in live if scan.starts[one.first] < found.start()] if found else live


def _clear(signs: str, top: Sequence[Candidate], live: Sequence[Candidate], within: str) -> bool:
    """Say whether a clause that commits was understood whole, and nothing casts doubt."""
    if not DOUBTS.isdisjoint(signs):
        near = [signs[slice(*clause(signs, one.first, one.last, within))] for one in live] if within else [signs]
        if not all(map(DOUBTS.isdisjoint, near)):
            return False
    if any(one.value != top[0].value for one in live):
        return False
    return "_" not in signs or any("_" not in signs[slice(*clause(signs, one.first, one.last))] for one in top)
