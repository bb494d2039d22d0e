"""Where a model takes back what it said: what it says after that counts."""

from __future__ import annotations

import re
from functools import lru_cache

_SELF = "(?:我(?:刚才|之前|前面|上面|先前)?|之前|刚才|前面|上面|先前)"
_EXPLICITLY = re.compile(
    rf"更正|纠正(?=一下|为|：|:|[，,]|我)|修正(?=一下|为|：|:|[，,]|答案|我)|{_SELF}[^，。\n]{{0,10}}(?:说|答|判断|搞"
    rf"|弄|看|写|打|评|给|回答)(?:错|高|低|反)了?"
    rf"|(?:{_SELF}的?(?:回答|判断|答案|评分|打分|评价|分析)|我(?:刚才|之前|前面|上面|先前)?的(?:说法|结论))(?:是|有"
    rf"|存在)?(?:错误|有误|不正确|不准确|不对|错"
    rf"|偏高|偏低)了?的?"
    r"|我错了|口误|笔误|收回(?:前面|之前|上面|刚才|我)|以(?:此|后者|这个|更正后)为准|作废|应?(?:修?改|调整"
    r"|更正)(?:我的)?(?:答案|判断|评分|结论)?(?:为|成|到|至)"
    r"|\b(?:I made (?:a|an) (?:mistake|error)|my mistake|my bad|I was (?:wrong|mistaken)|scratch that|I misspoke"
    r"|I misread|I take (?:that|it) back"
    r"|correction|I (?:need|have|want|must) to correct|let me correct|I(?:['’]ll| will)? (?:change|revise) (?:my|it"
    r"|that|the))\b",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"(?<=[。！!？?；;\n….])\s*(?:等等|等一下|等下|且慢|不对[，,。！]|不[，,]|哦不|啊不|噢|抱歉|对不起|再想想"
    r"|我再想想"
    r"|重新(?:判断|考虑|审视|思考|分析|评估|看|检查|审题|评|想))|仔细(?:想想|一想|思考后|看后|分析后|核对后|再看)"
    r"|重新(?:审视|考虑|思考|评估|分析)后"
    r"|(?:(?<=[.!?\n。…,—-])|(?<=\.\s))\s*(?:wait|actually|hmm|hold on|no,|oops|sorry|on second thought"
    r"|on reflection"
    r"|upon (?:further )?reflection|let me (?:re|think))",
    re.IGNORECASE,
)
_ENDS = "。！!？?；;\n…."  # behind one of these, and white space, a model breaks off
_FAULT = "[^，。\n]{0,24}(?:错|高|低|反|有误|不正确|不准确|不对)"
# Without one of these nothing is taken back in as many words, or thought again; looked for first, which is fast.
_SIGN = re.compile(
    "更(?=正)|纠(?=正(?:一下|[为：:，,我]))|修(?=[正改])|改(?=[为成])|改(?<=应改)|调(?=整(?:我的)?(?:答案|判断|评分|结论)?[为成到至])"
    f"|我(?={_FAULT})|之(?=前{_FAULT})|刚(?=才{_FAULT})|前(?=面{_FAULT})|上(?=面{_FAULT})|先(?=前{_FAULT})"
    "|口(?=误)|笔(?=误)|收(?=回)|为(?=准)(?<=[此者个后]为)|作(?=废)"
)
_OWN_FAULT = re.compile(f"(?:我|之前|刚才|前面|上面|先前){_FAULT}")
_SIGN_EN = re.compile("istake|rror|y bad|I was|cratch|isspoke|isread|ake that|ake it|orrect|hange|evise")
_SIGN_AGAIN = re.compile(
    "等(?=等|一下|下)|且(?=慢)|不(?=[对，,])|不(?<=[哦啊]不)|噢|抱(?=歉)|对(?=不起)|再(?=想)|重(?=新)|仔(?=细)"
)
_SIGN_AGAIN_EN = re.compile("ait|ctually|hmm|Hmm|old on|o,|ops|orry|hought|eflection|et me")


@lru_cache(maxsize=4)  # asked more than once of a text in turn
def takes_back(text: str) -> bool:
    """Say whether a model takes back in as many words what it said.

    Parameters
    ----------
    text : str
        Prepared.

    Examples
    --------
    >>> takes_back("正确。更正：错误。"), takes_back("正确。")
    (True, False)
    """
    return bool(_may_take_back(text) and _EXPLICITLY.search(text))


@lru_cache(maxsize=4)  # asked more than once of a text in turn
def last_correction(text: str) -> int:
    """Say where a model last takes back what it said, or thinks again.

    Parameters
    ----------
    text : str
        Prepared.

    Returns
    -------
    int
        The place behind the words; 0 where it never does.

    Examples
    --------
    >>> last_correction("正确。等等，应为错误。")
    5
    """
    last = 0
    if _may_take_back(text):
        last = max((met.end() for met in _EXPLICITLY.finditer(text)), default=0)
    if _SIGN_AGAIN.search(text) or _SIGN_AGAIN_EN.search(text):
        last = max(last, max((met.end() for met in _AGAIN.finditer(text)), default=0))
    return last


def may_fault(text: str, place: int) -> bool:
    """Say whether a model may find fault with what it said, in words that begin at a place.

    Parameters
    ----------
    text : str
        Prepared.
    place : int
        Where it speaks of itself, or of what stands before.

    Examples
    --------
    >>> may_fault("我说错了。", 0), may_fault("我国常见。", 0)
    (True, False)
    """
    return _OWN_FAULT.match(text, place) is not None


def may_break_off(text: str, place: int) -> bool:
    """Say whether a model may break off at a place: a sentence has ended before it.

    Parameters
    ----------
    text : str
        Prepared.
    place : int
        In it.

    Examples
    --------
    >>> may_break_off("正确。等等", 3), may_break_off("疼痛等等", 2)
    (True, False)
    """
    return place > 0 and (text[place - 1] in _ENDS or text[place - 1].isspace())


def _may_take_back(text: str) -> bool:
    return bool(_SIGN.search(text) or _SIGN_EN.search(text))
