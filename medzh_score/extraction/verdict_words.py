"""The words of verdicts in Chinese and English, and what words before them, which deny or hedge, make of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

CORRECT, INCORRECT = "correct", "incorrect"
HEDGE, NEGATION = "hedge", "negation"
OPPOSED_HEDGE = "opposed"  # a hedge that speaks against "correct"

_CORRECT = (
    "没有任何错误 没有错误 没有错 没错 无误 正确 准确 属实 成立 真实 对 真 √ 是的 是 yes correct true right accurate"
)
_INCORRECT = (
    "不完全正确 不完全准确 不完全属实 不完全对 不正确 不准确 不属实 不成立 不真实 不对 不实 错误 有误 错 假 × 不是 不"
    " 否"
    " no incorrect false wrong inaccurate untrue"
)
_VALUES = {**dict.fromkeys(_CORRECT.split(), CORRECT), **dict.fromkeys(_INCORRECT.split(), INCORRECT)}
_LONG = sorted(
    (word for word in _VALUES if len(word) > 1 and not word.isascii() and word not in {"是的", "不是"}), key=len
)

# Fillers: they change nothing. Possessive repetition would swallow 不 and 没有 of the words, so it is bounded instead.
_FILLERS = (
    "[\\s“”\"'‘’「」『』【】\\[\\]：:=]|完全|确实|的确|显然|明显|绝对|绝|基本上?|大体上?|大致上?|总体上?|整体上?"
    "|总的来说|非常|十分|相当"
    "|都|均|全部|说得|也|很|当然|一定|肯定|必然|必定|毫无疑问|毫无疑义|无疑|实际上|事实上|其实|应该|应当|应|就|则|便"
    "|被认为|被视为|可以说"
    "|可以认为|可以判断|可判断|在?医学上|从医学的?角度(?:来看|来说|上)?|一般|通常|严格来说|本身|原则上|理论上|属于"
    "|判断|判定|视"
    "|认定|认为|并|还|仍然?|较为|比较|才|是|为|算|一[个种句条]"
)
_HEDGES = (
    "不一定|不见得|未必|未见得|部分|大部分|多数|可能|也许|或许|大概|似乎|好像|看似|看上去|看起来|貌似|有些|有点|有时候?"
    "|不太|不够|不那么|不甚|不大|不十分|不尽|不全|是否|能否|在?一定程度上|在?某种程度上|不能确定|无法确定|无法判断"
    "|不确定|难以确定"
    "|在?[^，。；\\s]{0,6}情况下"
)
_NEGATIONS = (
    "不完全(?!正确|准确|属实|对)是?|不全是|不是|非(?!常)|绝非|远非|不可能|不能算|不能说|不能认为|不算"
    "|谈不上|称不上|不会|不应|没有什么|没什么"
)
SLOT = f"(?P<slot>(?:{_FILLERS}|{_HEDGES}|{_NEGATIONS}){{0,9}}?)"
LONG_WORD = "(?P<word>" + "|".join(reversed(_LONG)) + ")"
_IN_ENGLISH = r"(?:incorrect|correct|inaccurate|accurate|untrue|true|false|wrong)(?!\s*[A-Za-z])"
WORD = (
    "(?P<word>"
    + "|".join([*reversed(_LONG), "对(?![话象比照症])", "错(?![题句话])", "真(?!话)", "假(?!话)", _IN_ENGLISH])
    + ")"
)

_FILLERS_EN = (
    r"is|was|are|be|been|holds?|to|['’]s|indeed|clearly|actually|generally|basically|essentially|medically|factually"
    r"|scientifically"
    r"|completely|entirely|totally|absolutely|definitely|certainly|obviously|simply|indeed|therefore|thus|also|quite"
    r"|very|so|fully"
    r"|strictly|broadly|considered|a|an|the|technically|overall|would|should|has|as|therefore|both|also"
)
_HEDGES_EN = (
    r"partially|partly|somewhat|may|might|could|can|probably|possibly|likely|perhaps|maybe|mostly|largely|seems?"
    r"|appears?|necessarily"
    r"|always|sometimes|both|neither|either|half"
)
_NEGATIONS_EN = r"not|n['’]t|isn['’]t|wasn['’]t|aren['’]t|never"
SLOT_EN = rf"(?P<slot_en>(?:(?:{_FILLERS_EN}|{_HEDGES_EN}|{_NEGATIONS_EN})(?:[\s:]|(?=n['’]t))+){{0,7}}?)"
WORD_EN = r"(?P<word_en>incorrect|correct|inaccurate|accurate|untrue|true|false|right|wrong|不正确|正确|错误)"

_HEDGED = re.compile(f"{_HEDGES}|半")
_OPPOSED = re.compile("不一定|不见得|未必|未见得|不太|不够|不那么|不甚|不大|不十分|不尽|不全")
_DENIED = re.compile(f"(?:{_NEGATIONS})(?P<degree>很|非常|十分|太|那么|特别)?")
_UNSURE_DENIALS = frozenset({"不能说", "不能认为", "不会", "不应", "没有什么", "没什么"})
_HEDGED_EN = re.compile(rf"\b(?:{_HEDGES_EN})\b", re.IGNORECASE)
_DENIED_EN = re.compile(rf"(?:{_NEGATIONS_EN})\b", re.IGNORECASE)


def said(groups: Mapping[str, str | None]) -> str | None:
    """Say what a verdict word, with what stands before it, says.

    Parameters
    ----------
    groups : mapping of str to str or None
        ``word`` and ``slot``, or ``word_en`` and ``slot_en``, of a match.

    Returns
    -------
    str or None
        ``correct`` or ``incorrect``; ``hedge``, ``opposed`` (a hedge against "correct") or ``negation`` (of a word that
        says "incorrect"), which are no verdicts; None where there is no word.

    Examples
    --------
    >>> [said({"slot": slot, "word": word}) for slot, word in (("是", "错误"), ("并非", "正确"), ("不是", "错误"))]
    ['incorrect', 'incorrect', 'negation']
    """
    if word := groups.get("word"):
        return _in_chinese(groups.get("slot") or "", value_of(word))
    if word := groups.get("word_en"):
        return _in_english(groups.get("slot_en") or "", value_of(word))
    return None


def value_of(word: str) -> str:
    """Give the verdict of a word that stands alone, such as 是的.

    Parameters
    ----------
    word : str
        In any case.
    """
    return _VALUES[word.lower()]


def _in_chinese(slot: str, value: str) -> str:
    if not slot:
        return value
    if _HEDGED.search(slot):
        return OPPOSED_HEDGE if value == CORRECT and _OPPOSED.search(slot) else HEDGE
    denied = _DENIED.search(slot)
    if denied is None:
        return value
    if value == INCORRECT:
        return NEGATION
    unsure = denied["degree"] or denied[0] in _UNSURE_DENIALS
    return OPPOSED_HEDGE if unsure else INCORRECT


def _in_english(slot: str, value: str) -> str:
    if not slot:
        return value
    if _HEDGED_EN.search(slot):
        return OPPOSED_HEDGE if _DENIED_EN.search(slot) else HEDGE
    if not _DENIED_EN.search(slot):
        return value
    return NEGATION if value == INCORRECT else INCORRECT
