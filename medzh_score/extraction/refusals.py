"""Whether a response declines to answer: rule ``declines-2``, the one detector that all kinds of answers use."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "declines-2"
BETWEEN = " \t\r\n\u3000，,、.…~～!！\"'“”‘’「」【】[]（）()*:：-"  # of which a part may consist that says nothing
# Sentences, and what stands on either side of a but: an answer may follow there.
PARTS = re.compile(
    r"[。！!？?；;\n]|\.(?=\s|\Z)|但是?|不过|然而|可是|一般认为|目前认为|通常|\b(?:but|however)\b", re.IGNORECASE
)
CLAUSES = re.compile(r"[，,：:]")
_SHORT = 32

# A part without any of these declines nothing, and is no apology; each begins with a sign, which re looks for fast.
_SIGNS = re.compile(
    "无|难|拒|超|不(?=[能便会太是清知确了熟认予好具足宜够全完充明应可敢懂讨涉])|没(?=[有法办听])|未听|缺(?=[乏少])"
    "|抱歉|对不|遗憾|太少"
    "|有限|过少|说不|恕|换"
)
_SIGNS_EN = (
    *(
        "annot",
        "an not",
        "n't",
        "n’t",
        "not",
        "nable",
        "nsure",
        "orry",
        "polog",
        "eyond",
        "nsufficient",
        "mpossible",
        "ifficult",
    ),
    *("ard to", "nsafe", "ecline", "efuse", "nadequate", "no ", "No ", "ack of", "ithout", "ore info", "ore context"),
    *("ore details", "nfortunately", "o comment"),
)
_REFERRING_EN = (
    *(
        "lease",
        "s an",
        "f you",
        "onsult",
        "eel free",
        "I am",
        "I'm",
        "I’m",
        "eek",
        "hank",
        "hould",
        "ealthcare",
        "rofessional",
    ),
)
_REFERRING = re.compile(
    "请|您|你|谢|询|就医|就诊|医院|医生|医师|专业|联系|前往|求助|求医|查阅|参考|如果|若|如有|如还|我是|我只|我仅|作为"
    "|亲|提供|告诉|补充|换|希望"
    "|说明|提出"
)
_LATIN = re.compile("[A-Za-z]{2}")
_GIVE = (
    r"(?:回答|作答|答复|解答|回应|判断|判定|断定|确定|确认|断言|辨别|诊断|确诊|评价|评估|核实|验证|证实|选择|选出"
    r"|下结论"
    r"|作判断|得知|给予)"
)
_HELP = r"(?:信息|建议|解答|答案|回答|帮助|意见|说明|解释|内容|判断|诊断|结论|评价|选择|服务|咨询|指导|方案)"
_HOW = (
    r"(?:直接|准确|具体|明确|完全|简单|随意|轻易|[给为替帮]您|[给为]你|向您|对此|就此|对其|对该|就这个问题|在此"
    r"|单凭|仅凭|仅根据|来|去|做|够)*"
)
# The model speaks of itself, or of the answer that it does not give: 病因尚不清楚 is medicine.
UNABLE = re.compile(
    r"我(?![国院省市])(?:们|只是|是)?(?:目前|暂时|现在|确实|实在|并|也|还|可能|恐怕|真的|对[^，,]{1,20}"
    r"|[^，,]{0,10}并?)?"
    r"(?:无法|不能|没有办法|没办法|没法|不便|不会|不应该?|不可以|不(?:太|是很|大|甚)?(?:清楚|了解|知道|确定|熟悉|认识"
    r"|懂|敢)"
    r"|没有听说过|没听说过|未听说过|不(?:是|具备)[^，,]{0,12}(?:医生|医师|专业人士|资格|资质|能力|知识|条件)"
    r"|(?:没有|缺乏|缺少)(?:足够|充分|相关|具体|详细|准确|关于|有关|这方面|任何|医学|专业)[^，,]{0,20}"
    r"(?:信息|资料|数据|知识|能力|背景|资格))"
    rf"|(?:无法|不能|不便|难以|不宜|拒绝|没法|没办法|不予|不好|恕不能?|很难){_HOW}(?:{_GIVE}"
    rf"|(?:提供|给出|做出|作出|得出|进行|形成)[^，,]{{0,16}}{_HELP}|对[^，,]{{1,20}}(?:进行|做出|作出"
    rf"|给出)[^，,]{{0,8}}{_HELP})"
    r"|没有(?:找到|查到|检索到)[^，,]{0,20}(?:信息|资料|内容)"
    r"|超出了?我的?(?:的|知识|能力|专业|服务|回答)*(?:储备|水平)?的?范围"
    r"|(?:信息|资料|条件|数据|病史|描述|内容)(?:还|都|太|并|仍)?(?:不(?:足|够|全|完整|充分|明确)|过少|太少|有限)"
    r"|(?:没有|缺乏|缺少)(?:提供)?(?:足够|充分|必要|具体|完整)的?[^，,]{0,8}(?:信息|资料|病史|数据|选项|描述)"
    r"|\A[\s，,]*(?:这个问题)?(?:我|还|也)?(?:不(?:太|是很|大|好)?(?:清楚|了解|知道|确定|好说|懂)|说不好|说不准|难说"
    r"|拒绝回答"
    r"|无可奉告)(?:了|呢|的|啊|(?:正确)?答案)?(?:[\s，,]*抱歉)?[\s，,]*\Z"
    r"|请?换(?:个|一个)(?:话题|问题)|不(?:讨论|涉及)(?:这个|该|此)?话题"
    r"|\b(?:I|we)(?: am|['’]m|['’]d)?(?: currently| really| do| must| have to| simply| also)?(?: unfortunately)?,?"
    r" (?:cannot|can['’]t|can not|don['’]t(?! (?:think|believe|agree)\b(?! I\b))"
    r"|won['’]t|not|could not|couldn['’]t|unable|unsure|decline|refuse)\b"
    r"|\b(?:cannot|can['’]t|could not|unable to|impossible to|not possible to|difficult to|hard to|unsafe to)"
    r" (?:be )?(?:\w+ly )?(?:answer|determin|diagnos|judge|say|tell|verify|confirm|provide|assess|evaluate|help|comply"
    r"|assist|give|know|choose)"
    r"|\b(?:insufficient|not enough|inadequate|no|lack of|without (?:more|further)) (?:\w+ ){0,2}(?:information|context"
    r"|data|details)\b"
    r"|\bmore (?:information|context|details) (?:is|are|would be) (?:needed|required|necessary)"
    r"|\bbeyond (?:my|the) (?:scope|capabilit|knowledge|abilit|expertise)|\Ano comment\Z",
    re.IGNORECASE,
)
# Beside I do not know, in a clause of its own, this is said of medicine, or is an answer: 可能与环境有关, 应选B.
EXPLAINS = re.compile(
    r"可能(?:是|为|与|由|因)|(?:由|因)[^，,]{1,20}(?:引起|导致|所致|造成)|主要(?:是|有|为|由|与|用于)|表现为|常见于"
    r"|答案|选[A-Ha-h](?![A-Za-z])|(?:应该?|倾向于?|猜测?|估计|认为|觉得|推测)(?:是|为|选)|诊断(?:为|是|考虑)"
    r"|考虑(?:为|是)"
    r"|(?:说法|观点|陈述|表述|这|它)(?:应该?)?(?:是|为)?(?:不?正确|错误|不对|对)的?\Z"
    r"|\A\s*(?:应该|应当|应|基本上?|大致|就|也)*(?:是的?|不是的?|是?(?:正确|错误|对|错|不对|不正确)的?|属实|会的?|可以的?|能)\s*\Z"
    r"|\b(?:may be|is caused by|is probably|is likely|answer is|I (?:think|guess|believe) (?:it|the|that))\b"
    r"|\b(?:is|are) (?:correct|incorrect|true|false|right|wrong)\s*\Z"
    r"|\A\W*(?:yes|true|false|correct|incorrect|[A-H])\W*\Z",
    re.IGNORECASE,
)
_APOLOGY = re.compile(
    r"我?(?:对此|表示)?(?:非常|很|十分|真的|实在|深感)?(?:抱歉|对不起|遗憾|不好意思)"
    r"(?:[，,]?(?:给您带来[^，,]{0,8}|请(?:您)?(?:见谅|谅解|理解)))?"
    r"|(?:I(?: am|['’]m)(?: very| so| really)? sorry|sorry|unfortunately|my apologies"
    r"|I apologi[sz]e(?: for [\w ]{1,40})?)",
    re.IGNORECASE,
)
# What such an answer says beside that: who speaks, that a doctor should be asked, or more be told.
_REFERS = re.compile(
    r"(?:建议|请|最好|应当|应该|可以|欢迎|需要?)(?:您|你|患者|尽快|及时|直接|立即|向)?[^，,]{0,12}"
    r"(?:咨询|就医|就诊|联系|前往|询问|求助|求医|查阅|参考|提供|告诉|说明|补充|提出|换|到医院|去医院)"
    r"|(?:如果|若|如)(?:您|你|还|有)|希望[^，,]{0,10}(?:理解|谅解|有所帮助|对您|对你)|谢谢|感谢|(?:请|敬请)(?:见谅"
    r"|谅解|理解)"
    r"|(?:作为|我(?:只|仅仅?)?是)[^，,]{0,16}(?:AI|人工智能|模型|助手|机器人|程序|系统)"
    r"|\A[\s，,]*(?:[您你]好|亲爱的[^，,]{0,6}|亲)[呀啊，,\s]*\Z"
    r"|\A[^，,]{0,30}(?:应|由|以|需)[^，,]{0,12}(?:医生|医师|专业人士)[^，,]{0,6}(?:判断|诊断|评估|决定|意见为准|为准)"
    r"|\b(?:please|as an? (?:AI|(?:large )?language model|assistant|chatbot)|if you|consult|feel free"
    r"|I(?: am|['’]m) (?:just |only )?an? (?:AI|language model|assistant|chatbot)|seek|thank you"
    r"|(?:you )?should (?:see|ask|speak|talk|consult|contact)|healthcare (?:professional|provider))\b",
    re.IGNORECASE,
)


def refused(text: str) -> bool:
    """Say whether a response declines, and says nothing else: it is no answer, whatever words it names in passing.

    Each part of it must decline, apologise, say who speaks, or send the reader to a doctor or for more details, and one
    of them must decline. What answers or explains anything in any part is not refused; nor is a text that says of
    medicine that nothing is known.

    Parameters
    ----------
    text : str
        Prepared.

    Returns
    -------
    bool
        False of an empty text: it is counted apart. Of most answers the first part tells, so it takes little time.

    Examples
    --------
    >>> refused("抱歉，我无法判断这个说法正确还是错误。请咨询医生。"), refused("病因尚不清楚。")
    (True, False)
    >>> refused("我不确定，但应该是正确的。"), refused("正确。我无法替代医生。")
    (False, False)
    """
    if not _may_decline(text):
        return False
    declined = False
    for part in _parts(text):
        found = _kind(part)
        if found == "says":
            return False
        declined = declined or found == "declines"
    return declined


def declines(text: str) -> bool:
    """Say whether a response begins by declining: where no answer was found in it, it is a refusal.

    Parameters
    ----------
    text : str
        Prepared.

    Returns
    -------
    bool
        True of all that is `refused`, and also where general remarks follow.

    Examples
    --------
    >>> text = "抱歉，我无法诊断。发热的原因很多，包括感染。"
    >>> declines(text), refused(text)
    (True, False)
    """
    if not _may_decline(text):
        return False
    for part in _parts(text):
        found = _kind(part)
        if found != "asides":
            return found == "declines"
    return False


def _parts(text: str) -> Iterator[str]:
    """Give the parts that say anything, each as it is asked for."""
    start = 0
    for end in PARTS.finditer(text):
        if part := text[start : end.start()].strip(BETWEEN):
            yield part
        start = end.end()
    if part := text[start:].strip(BETWEEN):
        yield part


def _kind(part: str) -> Literal["declines", "asides", "says"]:
    return _kind_of_short(part) if len(part) < _SHORT else _kind_of(part)


def _kind_of(part: str) -> Literal["declines", "asides", "says"]:
    if _may_decline(part):
        if UNABLE.search(part):
            others = (one for one in CLAUSES.split(part) if not (UNABLE.search(one) or _REFERS.search(one)))
            return "says" if any(map(EXPLAINS.search, others)) else "declines"
        if _APOLOGY.fullmatch(part):
            return "asides"
    if not (_REFERRING.search(part) or (_LATIN.search(part) and _has(part, _REFERRING_EN))):
        return "says"
    if _REFERS.search(part) and not any(map(EXPLAINS.search, CLAUSES.split(part))):
        return "asides"
    return "says"


def _may_decline(text: str) -> bool:
    return bool(_SIGNS.search(text) or (_LATIN.search(text) and _has(text, _SIGNS_EN)))


def _has(part: str, words: tuple[str, ...]) -> bool:
    return any(word in part for word in words)


_kind_of_short = lru_cache(maxsize=1 << 12)(_kind_of)
