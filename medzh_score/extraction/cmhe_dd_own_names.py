"""Codes in the form in which it is asked whether a text rules them out: what their own names say rules nothing out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.extraction.cmhe_dd_english import in_chinese
from medzh_score.terminology.disease_names import folded
from medzh_score.terminology.icd_codes import category_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.extraction.cmhe_dd_written import Written

BESIDE = 40  # characters in which the name of a code ends or begins
NOTHING = "某"
# Parts of names that rule nothing out wherever they stand.
_ANYWHERE = re.compile(
    r"未特指的?|不可归类在他处者?|未提及|(?:不伴有?|无|没有|未|不)(?:合并|伴有?|并发|任何|明显){0,2}并发症的?|非胰岛素依赖型?|非毒性"
)
# Official names of the Chinese editions that say what elsewhere rules out, by category.
_FAMILY = r"家族史"
_OWN = {
    "C64": r"除外肾盂",
    "C71": r"除外脑叶和脑室",
    "F05": r"并非附加于",
    "I88": r"除外肠系膜",
    "L23": r"除外食物",
    "L24": r"除外食物",
    "L25": r"除外食物",
    "L87": r"经表皮排除",
    "N71": r"除外(?:子?宫颈)",
    "N85": r"除外(?:子?宫颈)",
    "R62": r"未达到",
    "S92": r"除外踝",
    "T05": r"除外[手足]",
    "T22": r"除外腕",
    "T24": r"除外踝",
    "W16": r"除外淹溺",
    "Y58": r"除外含有百日咳",
    "Z03": r"未见异常",
    "Z47": r"取除外固定",
    "Z80": _FAMILY,
    "Z81": _FAMILY,
    "Z82": _FAMILY,
    "Z83": _FAMILY,
    "Z84": _FAMILY,
    "Z89": r"除外仅?趾",
}


def for_ruling_out(form: str, codes: Sequence[Written]) -> tuple[str, list[tuple[int, int]]]:
    """Bring a text with codes into the form that `ruled_out` reads.

    Parameters
    ----------
    form : str
        From `form_of`.
    codes : sequence of Written
        The codes in it, from left to right.

    Returns
    -------
    tuple of (str, list of (int, int))
        The text, folded, without what a code's own name says beside it; and where the codes are in it.

    Examples
    --------
    >>> from medzh_score.extraction.cmhe_dd_written import written_in
    >>> for_ruling_out("糖尿病家族史 Z83.3", written_in("糖尿病家族史 Z83.3"))
    ('糖尿病某z83.3', [(4, 9)])
    """
    ends = [0, *(one.end for one in codes)]
    starts = [*(one.start for one in codes), len(form)]
    between = [in_chinese(form[end:start]) for end, start in zip(ends, starts, strict=True)]
    between = [_ANYWHERE.sub(NOTHING, text) for text in between]
    for place, one in enumerate(codes):
        own = _OWN.get(category_of(one.code))
        if own is not None:
            near = between[place]
            between[place] = near[:-BESIDE] + re.sub(own, NOTHING, near[-BESIDE:])
            near = between[place + 1]
            between[place + 1] = re.sub(own, NOTHING, near[:BESIDE]) + near[BESIDE:]
    text, spans = folded(between[0]), []
    for one, behind in zip(codes, between[1:], strict=True):
        code = folded(form[one.start : one.end])
        spans.append((len(text), len(text) + len(code)))
        text += code + folded(behind)
    return text, spans
