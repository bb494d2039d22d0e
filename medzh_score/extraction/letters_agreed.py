"""Whether all that a response says of the answer agrees: what counts more, what corrects, what doubts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.extraction import option_wordings as older
from medzh_score.extraction.letters_cues import EXPLICIT as EXPLICIT_KINDS
from medzh_score.extraction.letters_said import BARE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.extraction.letters_cues import Cue
    from medzh_score.extraction.letters_said import Said

# What another said, or what was thought at first.
OTHERS = re.compile(
    r"(?:虽然|尽管|网上|流传|教材|题库|书上|有人|[您你]的|考生|学生|以前|原来|起初|一开始|最初|初步|先前|刚才|之前|原以为|乍看|表面)"
    r"[^。；;，,\n]{0,14}\Z"
)
OWN = re.compile(
    r"(?:我|个人|\bI|\bI(?: think|'ll|'d| would| will)|\bMy |\bmy )\s*(?:就|会|也|还是|更|比较|还|认为|觉得)*\Z"
)
# What is to be chosen in another case: 有青紫时答案是D.
OTHER_CASE = re.compile(
    r"(?:\A|[。；;，,\n])[^\S\n]*[^。；;，,：:\n]{1,14}(?<!同)(?:时|者|则|的话)[，,]?[应则宜可]*首?\Z"
)
OF_THOSE = re.compile(r"(?:选?项)?(?:的(?!\s*(?:\Z|[。，,；;！!]|原因|理由|依据|是因为))|者)")  # 选D的可能是忽略了烦躁
# 选 that is said of the question, not of a case in it: 本题选B; not 表虚者选A.
OF_THE_QUESTION = re.compile(
    r"(?:\A|[\n。！!？?；;：:]|故|因此|所以|综上|本题|此题|该题|这道?题|我)[^\S\n]*(?:[那这]么?|本题|此题|该题|这道?题|我|个人|会|将|建议|首|[应该当最终故也还是就，,])*\Z"
)
# Nor after a clause that tells a case: 如为风热，应选E.
AFTER_REASONS = re.compile(
    r"(?:\A|[。；;！!？?\n])(?:(?![如若当倘时者则伴兼]|对于|合并)[^。；;！!？?\n])*[，,][应该当最终故也就可]*\Z"
)
CORRECTS = re.compile(
    r"更正|修正|纠正|订正|抱歉|对不起|[应更]?改[为选成]|应改|不对[，,。！!…]|[说写选答看想弄搞判]错了?|有误[，,。]|重新|再[看想查思次检审核]"
    r"|仔细[想看分一]|复[核查]|反思|修改|[…。—，,\s]不[，,]|[哦噢啊]，?不是?|等等|等一下"
    r"|\b(?:[Ww]ait|WAIT|[Aa]ctually|[Cc]orrection|mistaken?|second thought|[Rr]e-?(?:check|consider|think|read)\w*"
    r"|[Ss]orry|[Oo]ops)\b"
)
TURNS = re.compile(r"(?:但|不过|然而|可是|其实|实际上|而我|\b[Bb]ut\b|[Hh]owever|\b[Nn]o,)[^。；;\n]{0,30}\Z")
DOUBT = re.compile(
    r"不(?:太|是很|大|能|敢|可)?(?:确定|肯定)|无法(?:判断|确定|断定|得出|确认|给出)|难以(?:判断|确定)|没有?(?:十足的?)?把握"
    r"|not (?:entirely |quite |completely )?(?:sure|certain)|unsure|uncertain|拿不准|说不准|不好说"
)
MAYBE = re.compile(
    r"(?<!最)(?<!最有)可能|也许|或许|大概|似乎|估计|猜|maybe|probably|might|perhaps|possibl|guess", re.IGNORECASE
)
NO_ANSWER = re.compile(r"(?:无法|不能|难以|没法)(?:判断|确定|断定|得出|选择|作答|回答|给出)[^。\n]*[。.]?\s*\Z")
LABEL = re.compile(r"[A-H]")
LEFT_OUT = re.compile(
    r"((?<![A-Za-z0-9])[A-H](?:选?项)?(?:[、，,和与及]?(?:选项)?[A-H](?:选?项)?)*+)(?![A-Za-z0-9])"
    r"[^。；;\n选A-H]{0,24}(?:不(?:应该?|能|可|该|宜|要|予)?选|排除)(?!项)"
)
RETRACTS = re.compile(
    r"[。；;！!\n，,]\s*(?:但是?|不过|然而|可是)?[，,]?"
    r"(?:(?:刚才|之前|前面|上面|先前|我)的?(?:答案|判断|回答|选择|结论)?(?:是|有)?(?:说|选|答|写|看|弄|搞|判断|回答)?(?:错误的|错了|有误|不对|不正确)"
    r"|(?:这个|该|此|上述|以上|这一)?(?:答案|回答|判断|选择)(?:是|有)?(?:错误的?|错的?|错了|有误|误|不对|不正确)"
    r"|是(?:错误?的|不对的|不正确的)|(?:说|选|答)错了)(?:[。！!，,；;]|\Z)"
)
ALSO = re.compile(
    r"[^。；;\n选]{0,4}[，,；;]\s*(?:但|不过|可能)?(?:选项)?([A-H])(?:选?项)?也(?:有?可能|可以?|行|算|许|对|正确|说得通|有道理|不能排除)"
)
SEVERAL = 2
# What is chosen beside what was: 先选A和B，再加上C和D.
ADDS = re.compile(
    r"(?:再|还|另外?|并|也|同时)(?:要|应|可|该)?(?:加上?|补上?|补?选上?|添上?)(?:选项)?([A-H](?:选?项)?(?:[、，,和与及]?(?:选项)?[A-H](?:选?项)?)*+)"
    r"(?![A-Za-z0-9])"
)
CONTRADICTION = "contradiction"
NEAR = 20  # characters in which a correction before a cue is looked for


class Found:
    """What was found.

    Attributes
    ----------
    letters : str
        As shown, in order; empty where there is no answer.
    rule : str
        What found them, or why there are none.
    said : sequence of Said
        From where; of a contradiction all sides.
    """

    __slots__ = ("letters", "rule", "said")

    def __init__(self, letters: str, rule: str, said: Sequence[Said] = ()) -> None:
        self.letters, self.rule, self.said = letters, rule, said


def weighed(text: str, cue: Cue, said: Said) -> Said:
    """Let it give way where it is said in passing: by another, of another case, before the conclusion.

    Parameters
    ----------
    text : str
        A prepared response.
    cue : Cue
        What announces it.
    said : Said
        What was said.
    """
    if not said.weight or said.rule == "named" or not _in_passing(text, cue, said):
        return said
    return said._replace(weight=BARE)


def _in_passing(text: str, cue: Cue, said: Said) -> bool:
    before = text[max(0, cue.start - older.FAR_BEFORE) : cue.start]
    chooses = cue.kind == "choose"
    if OTHERS.search(before) or OTHER_CASE.search(before) or (chooses and OF_THOSE.match(text, said.end)):
        return True
    if cue.kind in EXPLICIT_KINDS or OWN.search(before) or older.CONCLUDES.search(before):
        return False
    if chooses and (OF_THE_QUESTION.search(before) or AFTER_REASONS.search(before)):
        return False
    return CORRECTS.search(text, max(0, cue.start - NEAR), cue.start) is None


def agreed(text: str, said: Sequence[Said]) -> Found | None:
    """Take what all of the weightiest say, after the last correction.

    Parameters
    ----------
    text : str
        A prepared response.
    said : sequence of Said
        In the order of the text.

    Returns
    -------
    Found or None
        None where nothing was said.
    """
    weight = max((one.weight for one in said), default=0)
    if not weight:
        return Found("", said[-1].rule, said[-1:]) if said else None
    pool = [one for one in said if one.weight == weight]
    # What is said in passing counts where it corrects: 选D。等等，这里发热更重，即C。
    late = [one for one in said if 0 < one.weight < weight and one.start >= pool[-1].end]
    if late and CORRECTS.search(text, pool[-1].end, late[0].end):
        pool += late
    last = pool[-1]
    agreeing = [last]
    for place in range(len(pool) - 2, -1, -1):
        if _meaning(pool[place]) != _meaning(last):
            after, following = pool[place].end, pool[place + 1]
            if CORRECTS.search(text, after, following.end) or TURNS.search(text[after : following.start]):
                break
            if set(pool[place].letters) < set(following.letters) and ADDS.search(text, after, following.end):
                break
            return Found("", CONTRADICTION, pool)
        agreeing.append(pool[place])
    return Found(last.letters, last.rule, agreeing[::-1])


def _meaning(said: Said) -> str:
    return said.letters or said.rule


def retracted(text: str, said: Said) -> bool:
    """Say whether the last that was said is called wrong behind it, and nothing put in its place: 答案：A。答案错了.

    Parameters
    ----------
    text : str
        A prepared response.
    said : Said
        The last that was said of the answer.
    """
    found = RETRACTS.search(text, max(0, said.end - 1)) if "错" in text or "不" in text or "误" in text else None
    return found is not None and LABEL.search(text, said.end, found.start() + 1) is None


def left_out(text: str, said: Said) -> bool:
    """Say whether one of several labels is not to be chosen, or another may be: 选ABD。其中B项不应选, 选A、B，C也可能.

    Parameters
    ----------
    text : str
        A prepared response.
    said : Said
        The last that was said of the answer.
    """
    adds = "加" in text or "补" in text or "添" in text or text.find("选", said.end) >= 0
    if adds and any(not set(LABEL.findall(found[1])) <= set(said.letters) for found in ADDS.finditer(text, said.end)):
        return True
    if len(said.letters) < SEVERAL:
        return False
    if (also := ALSO.match(text, said.end)) and also[1] not in said.letters:
        return True
    return any(not set(LABEL.findall(found[1])).isdisjoint(said.letters) for found in LEFT_OUT.finditer(text, said.end))


def doubted(text: str, said: Said) -> bool:
    """Say whether what is said is no more than a guess of one who says that he does not know.

    Parameters
    ----------
    text : str
        A prepared response.
    said : Said
        The last that was said of the answer.
    """
    if not DOUBT.search(text):
        return False
    if said.weight == BARE:
        return True
    around = text[max(0, said.start - 8) : said.end]
    return MAYBE.search(around) is not None or NO_ANSWER.search(text, said.end) is not None
