"""All signs in a text that a diagnosis may be stated, or denied, found in one pass over it."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# By the number of the head in `diagnosis_wordings.HEADS`: with which characters its matches begin. Where characters
# before them are asked for, they stand before the bar.
HEAD_SIGNS: tuple[tuple[str, ...], ...] = (
    ("诊断", "确诊", "更正为", "修正为", "纠正为", "更改为", "改为", "最终", "准确", "确切", "精确", "应说", "应该说"),
    ("诊断",),
    ("答", "结论", "印象", "病名", "疾病", "回答"),
    (
        *("患有", "患上", "患了", "患的", "患疾", "患病", "患最", "患应", "患是", "患为", "得了", "得的是", "罹患"),
        "发生了",
    ),
    ("最有", "最可能", "最符合", "最像"),
    (
        *(
            "应该是",
            "应为",
            "这是",
            "属于",
            "而是",
            "多半是",
            "就是",
            "剩下",
            "除了",
            "其实",
            "实际",
            "事实上",
            "真相",
            "所以",
            "因此",
            "故是",
            "故为",
            "故应",
        ),
        *("您这", "你这", "本例", "本病例", "现为", "现是", "现应", "现更", "此次", "患者为", "患者是", "患者应"),
        *("患者更", "，|是", "，|为", ",|是", ",|为", "。|是", "。|为", "\n|是", "\n|为"),
        *(f"{stop}{word}|{verb}" for stop in "，,。" for word in "应那" for verb in "是为"),
    ),
    ("诊断",),
    (
        *("考虑", "怀疑", "倾向", "疑似", "疑为", "诊为", "疑诊", "想到", "判断", "可能是", "可能为", "可能患有"),
        *("像是", "您可能", "你可能", "这可能", "押", "猜", "赌"),
    ),
    ("符合", "支持", "提示", "指向"),
)
TAILS, DENIALS = len(HEAD_SIGNS), len(HEAD_SIGNS) + 1
_TAIL_SIGNS = (
    "可能",
    "诊断明确",
    "诊断成立",
    "诊断基本明确",
    "是最",
    "是本例",
    "是首",
    "是该患者",
    *(f"{colon}{word}" for colon in "：:" for word in ("成立", "诊断成立", "确诊", "诊断确诊", "√", " 成立", " √")),
)
_DENIAL_SIGNS = (
    *("没", "未患", "未得", "不是", "不属于", "不考虑", "不支持", "不像", "不患", "并非", "排除", "除外"),
    *("不成立", "不正确", "不对", "不存在", "有误", "错误", "不予考虑", "推翻", "否定", "撤销"),
    *(f"{before}|无" for before in ("：", ":", "患者", "本例", "\n")),
)
# What only has to stand somewhere in a text for something to be looked for.
ENGLISH, APART, CORRECTED, TAKEN_BACK, ASKED, DENIED_IN_ENGLISH, SUPPOSED, FURTHER, NAMED_BEFORE = (
    *("English", "apart", "corrected", "taken back"),
    *("asked", "denied in English", "supposed", "further", "named before"),
)
_ANYWHERE: Mapping[str, tuple[str, ...]] = {
    ENGLISH: (
        *("iagnos", "nswer", "mpression", "ssessment", "onclusion", "isease", "DIAGNOS", "ANSWER", "likely", " has "),
        *(" have ", "suffer", "onsistent", "ompatible", "uggest", "ndicat", "oint", " is ", "lassic", "ypical"),
        *("athognomonic", "Dx", "DX"),
    ),
    APART: ("鉴别", "既往史", "家族史", "个人史", "过敏史", "ifferential"),
    CORRECTED: (
        *("更正", "修正", "纠正", "抱歉", "对不起", "不好意思", "等等", "等一下", "不对", "错了", "错误", "有误"),
        *(
            "重新",
            "不，",
            "不,",
            "确地",
            "确点",
            "确一点",
            "准确说",
            "确切",
            "确的说",
            "确来",
            "ait",
            "ctually",
            "orrection",
            "thought",
        ),
    ),
    TAKEN_BACK: ("错", "误", "更正", "收回", "作废", "istake", "scratch", "misspoke", "misread", "orrect"),
    SUPPOSED: ("如果", "，如", "。如", "若", "假如", "假设", "一旦", "倘若", "要是"),
    NAMED_BEFORE: ("它们", "上述", "以上", "这些", "前述"),
    FURTHER: ("其他诊断", "其它诊断", "其他的诊断", "其它的诊断", "合并诊断", "伴随诊断"),
    ASKED: ("?", "？", "吗", "呢"),
    DENIED_IN_ENGLISH: ("not", "n't", "no evidence", "uled", "ule out", "xclud", "nlikely"),
}
_HALF = re.compile("[\ud800-\udfff]")

Positions = dict[int, list[int]]


@cache
def _finder() -> tuple[Any, list[tuple[Sequence[tuple[int, int]], Sequence[str]]]]:
    """Make the automaton, and for each of its signs what it may begin, how far behind its start, and what it says."""
    from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

    begins: dict[str, list[tuple[int, int]]] = {}
    says: dict[str, list[str]] = {}
    for kind, signs in enumerate((*HEAD_SIGNS, _TAIL_SIGNS, _DENIAL_SIGNS)):
        for sign in signs:
            before, bar, _ = sign.partition("|")
            begins.setdefault(sign.replace("|", ""), []).append((kind, len(before) if bar else 0))
    for name, signs in _ANYWHERE.items():
        for sign in signs:
            says.setdefault(sign, []).append(name)
    words = list(dict.fromkeys([*begins, *says]))
    automaton = AhoCorasick(words, matchkind=MatchKind.Standard, implementation=Implementation.DFA)
    return automaton, [(tuple(begins.get(word, ())), tuple(says.get(word, ()))) for word in words]


def signs_in(text: str) -> tuple[Positions, set[str]]:
    """Find all signs.

    Parameters
    ----------
    text : str
        Prepared.

    Returns
    -------
    tuple of (dict of int to list of int, set of str)
        By the number of the head, `TAILS` or `DENIALS`: where it may begin, in order, some twice. And what else may
        be found in the text.

    Examples
    --------
    >>> signs_in("这是肺炎吗")
    ({5: [0]}, {'asked'})
    """
    automaton, meanings = _finder()
    try:
        found = automaton.find_matches_as_indexes(text, overlapping=True)
    except UnicodeEncodeError:  # half a character
        found = automaton.find_matches_as_indexes(_HALF.sub("\ufffd", text), overlapping=True)
    positions: Positions = {}
    said: set[str] = set()
    for sign, start, _ in found:
        begins, says = meanings[sign]
        for kind, behind in begins:
            positions.setdefault(kind, []).append(start + behind)
        if says:
            said.update(says)
    if text[:1] in ("是", "为"):
        positions.setdefault(5, []).append(0)
    for places in positions.values():
        if len(places) > 1:
            places.sort()
    return positions, said
