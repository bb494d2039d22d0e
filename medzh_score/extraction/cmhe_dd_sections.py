"""The parts of a diagnosis under whose headings no disease is offered: told apart, history, treatment."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.extraction.cmhe_dd_cues import ASIDE, DESCRIBED_BEHIND, KEPT_IN

if TYPE_CHECKING:
    from collections.abc import Sequence

    Span = tuple[int, int]

_MARK = r"(?:[-#>]|\(?(?:\d{1,2}|[一二三四五六七八九十]{1,3}|[a-z])[.、):])"
LABEL = re.compile(
    r"\[(?P<boxed>[^\[\]\n]{1,20})\]:?"
    rf"|(?:^|(?<=[。,;:!?、\[(\])])|(?<=[a-z)]\.)){_MARK}{{0,4}}(?P<words>[^。,;:!?\n|、()\[\]]{{1,24}})(?!\([a-z]\d\d)(?:\([^()\n]{{0,20}}\))?(?::|(?=\n))",
    re.MULTILINE,
)
APART = re.compile(
    r"鉴别|排除|除外|不支持|不考虑|不符合|differential|ruled out|excluded|less likely|unlikely"
    r"|区分|区别|不太?可能|可能性(?:较|很"
    r"|最)?[小低]|为什么不是|其他疾病"
)
APART_ALONE = re.compile(r"(?:鉴别(?:诊断)?|诊断|疾病|为什么不是.*|排除|除外|要点|分析|如下|diagnos[ie]s)$")
STILL_IN = re.compile(KEPT_IN)
POINTS = re.compile(r"(?:点|依据|理由|原因|检查)$")
PAST = re.compile(
    r"(?:既往|个人|家族|过敏|婚育|手术|用药|现病|疾?病)史|主诉|病例摘要|病例特点|患者信息|基本信息|history|病因|诱因"
    r"|机制|(?:高危|危险)因素|定义|概述|简介"
)
CARE = re.compile(
    r"治疗|处理|处置|建议|预防|预后|注意|饮食|生活|用药|护理|随访|医嘱|宣教|健康|风险|监测|下一步|措施|药物(?!性|和|引|所|过敏|中毒|依赖)|康复"
    r"|treatment|management"
)
SAID = re.compile(
    r"诊断|结论|答案|^答$|总结|综上|综合|判断|印象|考虑|最终|最后|最可能|病名|diagnos[ie]s|answer|conclusion"
    r"|impression|assessment"
)
_FAIR = r"(?:(?!不|未|无|排除|除外|鉴别|否|既往|史)[^。\n;])"
CONCLUSION = re.compile(
    rf"(?:^|(?<=[。!?;])){_MARK}{{0,4}}(?:综上|综合(?:以上|上述|分析|考虑|判断|来看|评估|病史|患者|临床)|总之"
    rf"|总的来说|总结|结论|最终|最后|答案|最可能"
    r"|此次|本次|in conclusion|therefore|overall|final|in summary"
    r"|(?:因此|所以|故(?!障)|据此|由此|结合|根据|基于|鉴于|本例|本患者|该患者|患者|此患者|本病例|诊断|考虑|目前|而)"
    rf"{_FAIR}{{0,60}}?(?:诊断(?!标准|依据|要点)|考虑|最可能|最?符合|支持))",
    re.MULTILINE,
)
ITEM = re.compile(rf"{_MARK}|\||[^。,:\n]{{1,10}}:")
NAMED_ITEM = re.compile(rf"{ASIDE}(?:[:—-]|\()")


@dataclass(frozen=True)
class _Places:
    """Where diseases are named, and where lines end."""

    starts: list[int]
    ends: list[int]
    lines: list[int]


def passed_over(text: str, spans: Sequence[Span]) -> list[Span]:
    """Find the parts of a text in which a disease that is named is none that it offers.

    Parameters
    ----------
    text : str
        Compact.
    spans : sequence of (int, int)
        Where diseases or codes are named, from left to right.

    Returns
    -------
    list of (int, int)
        From left to right, each from a heading (鉴别诊断, 既往史, 治疗建议 …) to the next one, to a conclusion
        (综上, 因此 … 诊断), or to where its list or paragraph ends.
    """
    lines = [found.start() for found in re.finditer("\n", text)]
    places = _Places([start for start, _ in spans], [end for _, end in spans], lines)
    labels = _labels(text, places)
    if all(kind == "said" for _, _, kind in labels):
        return []
    ends = sorted(
        [start for start, _, _ in labels]
        + [found.start() for found in CONCLUSION.finditer(text)]
        + [found.end() - 1 for found in re.finditer(r"\n#", text)]
    )
    found = []
    for start, after, kind in labels:
        if kind == "said":
            continue
        place = bisect_left(ends, after)
        last = ends[place] if place < len(ends) else len(text)
        found.append((start, min(last, _block_end(text, after, places, kind, last))))
    return found


def is_passed_over(words: str) -> bool:
    """Tell whether a heading is one under which no disease is offered.

    Parameters
    ----------
    words : str
        Of the heading, compact.

    Examples
    --------
    >>> is_passed_over("鉴别诊断"), is_passed_over("诊断")
    (True, False)
    """
    return _kind(words, alone=True) in {"apart", "line"}


def _labels(text: str, places: _Places) -> list[tuple[int, int, str]]:
    """Find the headings: where they start and end, and what stands under them."""
    found = []
    for match in LABEL.finditer(text):
        name = "boxed" if match["boxed"] else "words"
        first, last = match.span(name)
        place = bisect_left(places.starts, last)
        if place and places.ends[place - 1] > first:  # a disease stands in it: the heading begins behind
            first = places.ends[place - 1]
        kind = _kind(text[first:last], alone=name == "words" and text[match.end() - 1] != ":")
        if kind:
            found.append((max(first, match.start()), match.end(), kind))
    return found


def _kind(words: str, *, alone: bool) -> str:
    if not words or STILL_IN.search(words):
        return "said" if SAID.search(words) else ""
    if APART.search(words):
        return "" if alone and not APART_ALONE.search(words) else "line" if POINTS.search(words) else "apart"
    if SAID.search(words):
        return "said"
    if PAST.search(words):
        return "line" if not alone else "apart"
    return "apart" if CARE.search(words) else ""


def _block_end(text: str, after: int, places: _Places, kind: str, last: int) -> int:
    """Find where a list or a paragraph ends that began behind a heading."""
    line = bisect_left(places.lines, after)
    if kind == "line":
        return places.lines[line]
    under = told = text[after] != "\n"  # something stands behind the heading, on its line
    while line + 1 < len(places.lines) and places.lines[line] < last:
        start = places.lines[line] + 1
        blank = text[start] == "\n"
        while text[start : start + 1] == "\n":
            start, line = start + 1, line + 1
        if start >= last or start == len(text):
            break
        if told and (blank or under) and not _is_item(text, start, places):
            return start
        told, line = True, line + 1
    return last


def _is_item(text: str, start: int, places: _Places) -> bool:
    if ITEM.match(text, start):
        return True
    place = bisect_left(places.starts, start)
    if place == len(places.starts) or places.starts[place] != start:
        return False
    end = places.ends[place]
    return NAMED_ITEM.match(text, end) is not None or DESCRIBED_BEHIND.match(text, end) is not None
