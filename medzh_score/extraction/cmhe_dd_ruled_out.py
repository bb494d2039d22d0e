"""Which diseases a diagnosis names only to say that the patient does not have them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# Texts are folded: 。 、 and Latin punctuation. A clause ends at these; a list with 、 goes on.
BREAK = re.compile(r"[,;。!?\n]|但是?|然而|不过")
ASIDE = r"(?:\([^()]{0,20}\))?"  # a code or another name behind a name
JOINT = re.compile(ASIDE + r"(?:以及|[、/和及与或同])?(?:以及|[和及与或])?")
CUE = re.compile(
    # Not ruled out: it stays a diagnosis that is thought of.
    r"(?P<open>(?:不能|不可|未能|无法|难以|暂不|尚未|尚不能)(?:完全)?(?:排除|除外)|[不未](?:完全)?(?:排除|除外))"
    # Ruled out, or named to be told apart.
    r"|(?P<against>(?:不|未|暂不|不再|无需|无须|不应|不宜)(?:首先|优先|主要)?考虑|排除|除外"
    r"|不(?:太|大|甚)?(?:支持|符合|像|提示|属于|构成|能诊断|足以诊断|诊断为)|无法(?:明确)?诊断|未(?:诊断|提示|发现|见|患|合并|并发|达到)"
    r"|(?:并不|并非|不|而不|也不)是|而非|并非|鉴别诊断|鉴别|区别于|有别于|不同于|否认|没有|家族史)"
    r"|(?P<favour>诊断|考虑|提示|符合|支持|而是|应为|应是|确诊|疑似|疑为|怀疑|可能|倾向|属于|判断|结论)"
)
ADJACENT = re.compile(r"(?:无|不伴|不合并)(?:明显|合并|并发|伴有?|任何|典型|有)?的?$|非$")
OPEN_AFTER = re.compile(
    ASIDE + r".{0,6}?(?:(?:不能|不可|未能|无法|难以|暂不|尚未)(?:完全)?(?:排除|除外)|待排|待查|待除外)"
)
AGAINST_AFTER = re.compile(
    ASIDE + r".{0,6}?(?:可能性?(?:很|较|极|非常|相对)?(?:小|低|不大|不高)|(?:证据|依据)不足"
    r"|(?:排除|除外)|相?鉴别|相?区别|不(?:太|大)?(?:支持|成立|符合|相符|考虑)|家族史)"
)
# The part of an answer that tells other diseases apart, up to its next heading.
_NUMBERED = r"[#\d一二三四五六七八九十.、()\-]*"
APART = re.compile(rf"^{_NUMBERED}鉴别诊断", re.MULTILINE)
HEADING = re.compile(
    rf"^{_NUMBERED}(?:最可能的?|初步|最终|临床|主要|综合|明确)?(?:诊断|结论|治疗|处理|建议|依据|分析|总结|检查|诊疗)",
    re.MULTILINE,
)


def ruled_out(form: str, spans: Sequence[tuple[int, int]]) -> list[bool]:
    """Say of each mention whether the text rules it out.

    The last cue before a mention in its clause decides (排除, 不考虑, 诊断为 …), or what stands right behind it
    (可能性小, 已排除, 相鉴别 …). 不能排除 and 待排 leave a disease in. A list joined by 、 和 或 shares its cues.
    All that stands under the heading 鉴别诊断 is out.

    Parameters
    ----------
    form : str
        A folded text.
    spans : sequence of (int, int)
        Where the mentions are, from left to right.

    Examples
    --------
    >>> ruled_out("排除肺炎、肺癌,考虑肺结核", [(2, 4), (5, 7), (10, 13)])
    [True, True, False]
    >>> ruled_out("肺炎不能排除", [(0, 2)])
    [False]
    """
    apart = _apart(form)
    starts, ends = _clauses(form)
    out: list[bool] = []
    for place, (start, end) in enumerate(spans):
        first = max(at for at in starts if at <= start)
        joined = place > 0 and spans[place - 1][1] >= first and JOINT.fullmatch(form, spans[place - 1][1], start)
        before = form[first:start]
        out.append(
            _under(apart, start)
            or _against_before(before)
            or (bool(joined) and out[-1] and not _favoured(before))
            or _against_after(form, place, spans, min(at for at in ends if at >= end))
        )
    return out


def _clauses(form: str) -> tuple[list[int], list[int]]:
    breaks = list(BREAK.finditer(form))
    return [0, *(found.end() for found in breaks)], [*(found.start() for found in breaks), len(form)]


def _apart(form: str) -> list[tuple[int, int]]:
    if "鉴别诊断" not in form:
        return []
    found = []
    for opening in APART.finditer(form):
        closing = HEADING.search(form, opening.end())
        found.append((opening.start(), closing.start() if closing else len(form)))
    return found


def _under(apart: Sequence[tuple[int, int]], start: int) -> bool:
    return any(first <= start < last for first, last in apart)


def _against_before(before: str) -> bool:
    if ADJACENT.search(before):
        return True
    *_, last = (None, *CUE.finditer(before))
    return last is not None and last.lastgroup == "against"


def _favoured(before: str) -> bool:
    *_, last = (None, *CUE.finditer(before))
    return last is not None and last.lastgroup != "against"


def _against_after(form: str, place: int, spans: Sequence[tuple[int, int]], last: int) -> bool:
    """Look behind a mention, or behind the last one of the list that it stands in."""
    end = spans[place][1]
    for start, following in spans[place + 1 :]:
        if start >= last or not JOINT.fullmatch(form, end, start):
            break
        end = following
    nearest = next((start for start, _ in spans[place + 1 :] if start >= end), last)
    behind = form[end : min(last, nearest)]
    return not OPEN_AFTER.match(behind) and AGAINST_AFTER.match(behind) is not None
