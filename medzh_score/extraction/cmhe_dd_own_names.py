"""Codes in the form in which it is asked whether a text rules them out: what their own names say rules nothing out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.extraction import cmhe_dd_cues as cues
from medzh_score.terminology.icd_codes import category_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.extraction.cmhe_dd_written import Written

BESIDE = 40  # characters in which the name of a code ends or begins
NOTHING = "某"
# A name before a code, and what may stand before the name.
_NAME = re.compile(r"([^,，。;；:：、()\[\]{}<>|\n]{1,24})[(\[*_` ]*\Z")
_NO_NAME = re.compile(r"(?:以?及|[和与或而且为是有的\s/+*_`#-]|不?伴有?|合并|并发|本人|本例|患[者儿])*")
# Parts of names that rule nothing out wherever they stand.
_ANYWHERE = re.compile(
    r"未特指的?|不可归类在他处者?|未提及|(?:不伴有?|无|没有|未|不)(?:合并|伴有?|并发|任何|明显){0,2}并发症的?|非胰岛素依赖型?|非毒性"
    # 胆囊结石不伴胆囊炎: the code is that of the whole name. Behind a code, and at a beginning, it rules out.
    r"|(?<=[\u4e00-\u9fff0-9A-Za-z\])][\u4e00-\u9fff\])])(?<![患本病][者例人])(?<![目之]前)\s*[,，]?[但也且]*(?:伴有?或)?不(?:伴有?|合并)"
    r"|(?<=[病炎症癌瘤疡石伤折裂痛产])(?:无|没有|[,，]?未累及)(?!证据|依据|任何|支持)|血清反应阴性|选择性生长不一致|与人工授精有关|高危(?=儿|妊娠)"
    # Type 2 diabetes mellitus without complications; pneumonia, not otherwise specified.
    r"|(?<=[a-z] )without(?! (?:evidence|signs?|any)\b)|\bnot (?:otherwise|elsewhere|specified)\b|\bunspecified\b"
    r"|危险因素(?=相关)|饮食(?=性|的)|疫苗(?=接种|类)"
)
# Official names of the Chinese editions that say what elsewhere rules out, by category or chapter's letter.
_EXTERNAL = r"除外|无(?=动力|生命|毒|控制)|父母|预防"
_OWN = {
    "C64": r"除外肾盂",
    "C71": r"除外脑叶和脑室",
    "D83": r"常见",
    "F": r"并非附加于|不伴有?(?=精神|躯体|急性应激)|见于|与(?=其他心理)|无(?=或轻微)",
    "I88": r"除外肠系膜",
    "L23": r"除外食物",
    "L24": r"除外食物",
    "L25": r"除外食物",
    "L87": r"经表皮排除",
    "N19": r"无功能",
    "N71": r"除外(?:子?宫颈)",
    "N85": r"除外(?:子?宫颈)",
    "O": r"产前[\u4e00-\u9fff]{0,3}筛查|唐氏筛查|无心|[以之]前的",
    "P70": r"母亲",
    "Q": r"(?<=先天性)无|无(?=咽鼓管|下颌|顶冠|乳头)|常见型|denys",
    "R": r"未达到|病因|另无|无(?=疾病体征|人在|高血压诊断)",
    "S92": r"除外踝",
    "T": r"除外[手足踝腕]|无(?:毒(?=[昆节蜘])|机物|功能)",
    "V": r"不伴有|无(?=动力)",
    "W": _EXTERNAL,
    "X": _EXTERNAL,
    "Y": _EXTERNAL,
    "Z": (
        rf"{_EXTERNAL}|无(?=家可|其他家|人承|计划|诊断|眼)|家族史?|个人史|筛查|母亲|亲属|童年|既往|防止|缺乏|饮食|危险因素"
        r"|未见异常|有关"
    ),
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
        The text without what a code's own name says beside it; and where the codes are in it, each with
        the name before it: what is said of the name is said of the code.

    Examples
    --------
    >>> from medzh_score.extraction.cmhe_dd_written import written_in
    >>> for_ruling_out("糖尿病家族史 Z83.3", written_in("糖尿病家族史 Z83.3"))
    ('糖尿病某 Z83.3', [(0, 10)])
    """
    ends = [0, *(one.end for one in codes)]
    starts = [*(one.start for one in codes), len(form)]
    between = [_ANYWHERE.sub(NOTHING, form[end:start]) for end, start in zip(ends, starts, strict=True)]
    for place, one in enumerate(codes):
        category = category_of(one.code)
        own = _OWN.get(category) or _OWN.get(category[0])
        if own is not None:
            near = between[place]
            between[place] = near[:-BESIDE] + re.sub(own, NOTHING, near[-BESIDE:], flags=re.IGNORECASE)
            near = between[place + 1]
            between[place + 1] = re.sub(own, NOTHING, near[:BESIDE], flags=re.IGNORECASE) + near[BESIDE:]
    text, spans = between[0], []
    for one, before, behind in zip(codes, between[:-1], between[1:], strict=True):
        spans.append((len(text) - _name_before(before), len(text) + one.end - one.start))
        text += form[one.start : one.end] + behind
    return text, spans


def _name_before(text: str) -> int:
    """Say how many characters the name takes with which the text before a code ends."""
    found = _NAME.search(text, max(0, len(text) - BESIDE))
    if found is None:
        return 0
    near = text[max(0, len(text) - BESIDE) : found.end(1)].lower()
    ends = (one.end() for pattern in (cues.EVENT, cues.REGION) for one in pattern.finditer(near))
    first = max([*ends, len(near) - len(found[1])])
    name = _NO_NAME.match(near, first)
    return len(text) - found.end(1) + len(near) - (first if name is None else name.end())
