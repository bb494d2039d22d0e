"""Which diseases a diagnosis names without offering them: ruled out, told apart, another time's or another person's."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.extraction import cmhe_dd_cues as cues
from medzh_score.extraction import cmhe_dd_sections, cmhe_dd_tables_in_text
from medzh_score.extraction.cmhe_dd_compact import compacted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.extraction.cmhe_dd_compact import Span

JOINT = re.compile(
    cues.ASIDE
    + r"(?:(?:、|/|和|以?及|与|或|同|并|跟)[^,。;:、/和及与或|\n()]{1,16}){0,6}(?:、|/|,|和|以?及其?|、和|与|或者?"
    r"|、及|、或|、以及)"
)
COMMA = re.compile(cues.ASIDE + ",")
LEAD = re.compile(
    r"[-#>(\[\"“‘'/ ]*(?:\d{1,2}[.、)])?(?:可能|首先|其次|另外|此外|而|关于|对于|至于|有些|部分|典型|急性|慢性|左|右"
    r"|双|侧|的){0,3}"
)
BEFORE, BEHIND, JOINED, SENTENCE = 24, 60, 120, 160  # characters that are looked at, at most
NEAR = 3  # between 没有 and 提示 in 没有证据提示: the first of two words still rules out
LISTED, MEMBERS = frozenset(("、", "和", "及", "与", "/", "或", "+", "以及")), 8
OUT, OFFERED, PLAIN = "out", "offered", "plain"
AFTERWARDS = re.compile(r"[后,]")


@dataclass
class _Frame:
    """What the clause, or the brackets, said last."""

    word: str = ""
    end: int = 0
    supposed: bool = False


@dataclass(frozen=True)
class _Text:
    """A compact text, where diseases are named in it, and where its sentences and items begin and end."""

    form: str
    spans: Sequence[Span]
    breaks: list[int]
    begins: list[int]


def ruled_out(form: str, spans: Sequence[tuple[int, int]]) -> list[bool]:
    """Say of each mention whether the text names it without offering it as a diagnosis of the patient.

    Out is what the text rules out (排除, 不考虑, 可能性小, 依据不足, unlikely …), tells apart (鉴别诊断, also as a
    section or a table), tells of the past or of the family (病史, 既往, 父亲 …), fears or supposes (警惕, 若为,
    可引起, 危险因素), or what stands under a heading of treatment. What it offers as possible is in: 可能, 考虑,
    疑似, 待排, 不能排除, 不除外. What it only describes (X多见于 …) is in where it offers nothing else. The word that
    stands nearest before a mention in its clause decides, then what stands right behind it or behind its list.

    Parameters
    ----------
    form : str
        A text in NFKC, folded further or not.
    spans : sequence of (int, int)
        Where the mentions are, from left to right.

    Examples
    --------
    >>> ruled_out("排除肺炎、肺癌,考虑肺结核", [(2, 4), (5, 7), (10, 13)])
    [True, True, False]
    >>> ruled_out("肺炎不能排除", [(0, 2)])
    [False]
    """
    return [how == OUT for how in said(form, spans)]


def said(form: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    """Say of each mention how the text names it.

    Parameters
    ----------
    form : str
        A text in NFKC, folded further or not.
    spans : sequence of (int, int)
        Where the mentions are, from left to right.

    Returns
    -------
    list of str
        ``OUT`` as `ruled_out` says; ``OFFERED`` by a word (诊断, 考虑, 不能排除 …), as an item of its own, or together
        with another one that is (合并, 伴, 、); ``PLAIN`` for the others.

    Examples
    --------
    >>> said("头痛,高血压,考虑脑出血,排除肺炎", [(3, 6), (9, 12), (15, 17)])
    ['plain', 'offered', 'out']
    """
    if not spans:
        return []
    compact, moved = compacted(form, spans)
    events = list(cues.EVENT.finditer(compact))
    breaks = [found.start() for found in events if found.lastgroup == "end"]
    begins = [0, *(found.end() for found in events if found.lastgroup == "end" or found[0] == ";")]
    text = _Text(compact, moved, breaks, begins)
    words = _before(text, events)
    behind = _behind(text)
    passed = _covered(moved, _stretches(text, words))
    verdicts = [_verdict(text, place, words[place], behind[place]) for place in range(len(moved))]
    refused = {compact[start:end] for (start, end), verdict in zip(moved, verdicts, strict=True) if verdict == "out"}
    ways: list[str] = []
    for place, ((start, end), verdict, covered) in enumerate(zip(moved, verdicts, passed, strict=True)):
        told = verdict == "" and start > 0 and compact[start:end] in refused
        if covered or told or verdict in {"out", "past"}:
            ways.append(OUT)
        elif verdict == "":
            if cues.DESCRIBED_BEHIND.match(compact, end, end + BEHIND):
                ways.append("described")
            else:
                ways.append(OFFERED if _stands_alone(text, place, ways) else PLAIN)
        else:
            ways.append(OFFERED)
    described = PLAIN if not {OFFERED, PLAIN} & set(ways) else OUT
    return [described if way == "described" else way for way in ways]


def _stands_alone(text: _Text, place: int, ways: Sequence[str]) -> bool:
    """Tell whether a mention is an item of its own, or goes on from one that is offered."""
    start, end = text.spans[place]
    if place and ways[-1] == OFFERED:
        before = text.spans[place - 1][1]
        if start - before <= JOINED and cues.CONTINUES.fullmatch(text.form, before, start):
            return True
    begin = text.begins[bisect_right(text.begins, start) - 1]
    alone = start - begin <= BEFORE and LEAD.fullmatch(text.form, begin, start) is not None
    for following, last in text.spans[place + 1 : place + MEMBERS] if alone else ():
        if text.form[end:following] not in LISTED:
            break
        end = last
    return alone and cues.ALONE.match(text.form, end, end + BEHIND) is not None


def _verdict(text: _Text, place: int, word: str, behind: str) -> str:
    """Say of a mention by the words around it: ``out``, ``past``, ``in``, or nothing."""
    if word == "past":
        return "past"
    if behind in {"out", "past"}:
        return behind
    if behind == "sure":
        return "in"
    if word == "against" or _refused(text, place, word):
        return "out"
    return "in" if word else ""


def _before(text: _Text, events: Sequence[re.Match[str]]) -> list[str]:
    """Say for each mention which word decides from before: ``against``, ``past``, ``kept``, ``offered`` or none."""
    frames = [_Frame()]
    words: list[str] = []
    place = 0
    for start, end in text.spans:
        while place < len(events) and events[place].start() < start:
            if events[place].end() <= start:
                _step(frames, events[place])
            place += 1
        words.append(_word(text, len(words), frames[-1], words))
        while place < len(events) and events[place].start() < end:
            place += 1
    return words


def _step(frames: list[_Frame], event: re.Match[str]) -> None:
    kind = event.lastgroup
    last = frames[-1]
    if kind == "end":
        frames[:] = [_Frame()]
    elif kind == "pause":
        # What follows from a supposition is supposed.
        if not (last.supposed and event[0] == "," and cues.SO_THEN.match(event.string, event.end())):
            frames[-1] = _Frame()
    elif kind == "open":
        frames.append(_Frame(last.word, last.end, last.supposed))
    elif kind == "close":
        if len(frames) > 1:
            frames.pop()
    elif kind == "now":
        frames[-1] = _Frame("offered", event.end())
    elif kind == "offered" and (
        last.supposed or last.word == "past" or (last.word == "against" and _still(last, event))
    ):
        last.end = event.end()
    elif kind is not None:
        supposed = kind == "against" and cues.SUPPOSED.match(event[0]) is not None
        frames[-1] = _Frame(kind, event.end(), supposed or (last.supposed and kind == "against"))


def _still(last: _Frame, event: re.Match[str]) -> bool:
    between = event.string[last.end : event.start()] if event.start() - last.end <= NEAR else None
    return between is not None and AFTERWARDS.search(between) is None


def _word(text: _Text, place: int, frame: _Frame, words: Sequence[str]) -> str:
    start = text.spans[place][0]
    if (
        start
        and text.form[start - 1] in cues.ADJACENT_ENDS
        and cues.ADJACENT.search(text.form, max(0, start - BEFORE), start)
    ):
        return "against"
    if not frame.word and place:
        # A list of names alone goes on behind a comma.
        end = text.spans[place - 1][1]
        if start - end <= JOINED and COMMA.fullmatch(text.form, end, start):
            return words[-1] if words[-1] in {"against", "past"} else ""
    return frame.word


def _behind(text: _Text) -> list[str]:
    """Say for each mention what stands behind it or its list.

    ``sure`` or ``maybe`` keep it in; ``out`` and ``past`` do not; or nothing.
    """
    found: list[str] = []
    following = ""
    for place in range(len(text.spans) - 1, -1, -1):
        end = text.spans[place][1]
        following = _right_behind(text, place, end, following)
        found.append(following)
    return found[::-1]


def _right_behind(text: _Text, place: int, end: int, following: str) -> str:
    last = min(end + BEHIND, text.breaks[bisect_left(text.breaks, end)] + 1)
    if place + 1 < len(text.spans):
        start = text.spans[place + 1][0]
        if start < last:
            comma = text.form[start - 1] == ","
            if not comma and JOINT.fullmatch(text.form, end, start):
                return following
            last = start
    kept = cues.KEPT_BEHIND.match(text.form, end, last)
    ends = [
        (found.end(), name)
        for pattern, name in ((cues.DENIED_BEHIND, "out"), (cues.PAST_BEHIND, "past"), (cues.RISK_BEHIND, "past"))
        if (found := pattern.match(text.form, end, last))
    ]
    if kept and (not ends or kept.end() <= min(ends)[0]):
        return "sure" if kept.lastgroup else "maybe"
    return min(ends)[1] if ends else ""


def _refused(text: _Text, place: int, word: str) -> bool:
    """Tell whether a clause that begins with a mention is followed by one that refuses it."""
    start, end = text.spans[place]
    begin = text.begins[bisect_right(text.begins, start) - 1]
    begin = max(begin, text.form.rfind(",", begin, start) + 1)
    if word == "offered" or start - begin > BEFORE or not LEAD.fullmatch(text.form, begin, start):
        return False
    last = min(end + SENTENCE, text.breaks[bisect_left(text.breaks, end)] + 1)
    for other, _ in text.spans[place + 1 : place + 8]:
        clause = max(text.form.rfind(sign, end, other) for sign in ",;") + 1
        if other < last and clause and LEAD.fullmatch(text.form, clause, other):
            last = clause
    return cues.REFUSED.search(text.form, end, last) is not None


def _stretches(text: _Text, words: Sequence[str]) -> Iterator[Span]:
    """Give the stretches of the text in which nothing is offered."""
    yield from cmhe_dd_sections.passed_over(text.form, text.spans)
    yield from cmhe_dd_tables_in_text.passed_over(text.form)
    for found in cues.REGION.finditer(text.form):
        yield found.span()
    starts = [start for start, _ in text.spans]
    begin = 0
    for found in cues.ALL_REFUSED.finditer(text.form):
        begin = max(begin, text.begins[bisect_right(text.begins, found.start()) - 1])
        for place in range(bisect_left(starts, begin), bisect_left(starts, found.start())):
            if words[place] not in {"offered", "kept"}:
                yield text.spans[place]
        begin = found.start()


def _covered(spans: Sequence[Span], stretches: Iterator[Span]) -> list[bool]:
    """Say of each span whether it begins in one of the stretches."""
    ordered = sorted(stretches)
    covered, place, reach = [], 0, 0
    for start, _ in spans:
        while place < len(ordered) and ordered[place][0] <= start:
            reach = max(reach, ordered[place][1])
            place += 1
        covered.append(start < reach)
    return covered
