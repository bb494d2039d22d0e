"""Whether a name that was found in a text is a term there, or a part of a longer one that the dictionary lacks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

NEAR = 16  # characters that are looked at on either side
# Words that may stand between an edge and a name without making it another disease. Those of the first line keep the
# category in at least nine of ten pairs of the national clinical edition (a name with the word and without it, both in
# the list); the others are of side, severity and certainty. 急性 and 慢性 are not among them: they keep it in 71 and
# 74 of a hundred pairs.
HARMLESS = (
    r"(?:亚急性|特发性|多发性?|进行性|阵发性|完全性|混合性|难治性|顽固性|晚期|轻型|重型|普通型"
    r"|[左右双两](?:侧|边|下肢|上肢|[上下中]?肺|耳|眼|膝|髋|肩|足|手|肾|乳|[上中下]|大脑半球|大脑|小脑|基底节区?|丘脑"
    r"|脑干|[额颞顶枕]叶)?|小脑|基底节区?|丘脑|脑干|单侧|轻度|中度|重度|中重度|轻中度|轻微|轻症|重症|严重"
    r"|可能|疑似|明显|新发|初发|早期|小儿|儿童|成人)"
)
_OPENS = (
    r"为|[考顾]虑|想到|指向|疑诊|诊断|确诊|[是即系乃]|属于|属|患有?|患上|罹患|[患得]了|得[过的]?|有|伴(?:有|发|随)?"
    r"|(?<!妊娠)(?<!妊娠期)(?<!孕期)合并|并(?:发|存|且)?|继发|疑似?|怀疑"
    r"|提示|显示|出现|发生|发现|未见|见|符合|支持|像|[类相近]似于?|例?如|包括|[与和及或跟同而且]|不除外|的|了"
    r"|[因由以在对将被把]|所致|引起|导致|致|引发|诱发"
    r"|排除|除外|鉴别|区别于|非|无|没有|未|不|否认|既往|曾|史|目前|现|本次|此次|患[者儿]|病人|患病|可能|很可能|最"
    r"|首先|其次|主要|初步|临床|最终|最后|结论|答案|印象|答"
    r"|称[作为]?|叫做?|名为|[指选作某等更又也均都亦则就便才仍还只仅其此该这那]|一种|[该此这]种|上述|以下|了解|至于"
    r"|关于|于|警惕|预防|避免|若|治疗|控制|所谓|另外|同时|存在|倾向|能"
    r"|不像|除|是否|确认|判断|判定|认为|觉得|估计|应该|应|会|一次|二者|[您你我他她]|孩子|宝宝|小孩|宝贝|小朋友|男性"
    r"|女性|男|女|多为|常为|发展成|发展至|转为|演变为"
)
PLAIN_EDGES = frozenset("、,。;:!?\n")
EDGE = r"[^\u4e00-\u9fffa-z0-9]"
BEFORE = re.compile(rf"(?:^|{EDGE}|{_OPENS}|(?<![a-z0-9])[a-z][0-9]{{2}}(?:\.[0-9x]{{1,6}})?){HARMLESS}{{0,3}}$")
ENGLISH = re.compile(
    r"(?<![a-z])(?:is|has|have|of|as|with|not|no|out|than|and|or|be|by|to|for|from|against|exclude|likely|unlikely"
    r"|possible|probable|suspected|suggests|diagnosis|a|an|the|without|like)$"
)
# What a woman has while she is pregnant or after it has codes of its own.
PREGNANT = re.compile(r"(?:妊娠|孕期|孕妇|产后|产褥|产妇|孕[0-9]{1,2}[+0-9]{0,2}周?)[^,。;:\n]{0,8}$")
_STAGE = (
    r"期(?![间待望])|(?:急性)?(?:加重|发作|恶化)期?|急性期|慢性期|稳定期|缓解期|活动期|进展期|早期|中期|晚期|中晚期"
    r"|终末期|[失代]*偿期|恢复期(?!后)"
    r"|\(|[0-9a-z]|[轻中重]度|[轻中重]型|[轻重]症"
)
_CLOSES = (
    r"[一二三四五六七八九十]{1,2}、|原因|压迫|待|[的是为可与和及或跟同并且而但则即]|不|无|未|有|已|也|均|都|等|伴"
    r"|合并|继发|引[起发]|导致|所致|造成|诱发|患[者儿]|病人|病史|史|家族史"
    r"|诊断|可能|考虑|证据|依据|表现|症状|典型|特征|特点|常|多|通常|一般|往往|应|需|会|所|属|具|发病|发作|在|由|于|因"
    r"|以|较|更|其|该|此|这|那|被|很"
    r"|相|明确|成立|首先|虽|如|若|时|吗|呢|吧|啊|哦|了|来|方面|这[一种]|之|要|建议|请|您|你|您好|目前|暂|仍|还|需要"
    r"|一[种类]|又称|也称|俗称|简称|即"
    r"|起病|好发|主要|病情|样(?:表现|症状)|风险|危险|高危|发生|发展|急性|慢性|进展|复发|基础|病因|病程|除外|排除|鉴别"
    r"|支持|符合|而非|多见|见|说|确诊|通过|及其|或者|以及|还是|却|倾向|占|临床|属于|提示|能|就|才|只|最为|尚|缺乏"
    r"|没有|控制|治疗|之后|既往|另|同时"
)
AFTER = re.compile(rf"(?:$|{EDGE}|(?:{_STAGE})|{_CLOSES})")
# What looks like the end of a term, and goes on with it.
GOES_ON = re.compile(
    r"的?(?:疫苗|饮食|食谱|药|试验|抗体|抗原|病毒|杆菌|球菌|菌|检查|筛查|门诊|科|专科|指南|协会|人群|护理|教育|手术"
    r"|术|后遗|继发性|性|样(?!表现|症状)|型(?!糖)|前期|危象|脑病|时期|无关)"
    r"|多(?:发|器官)|上(?:皮|肢|腔|呼|颌)|急性(?!发作|加重|期|恶化|起病)|慢性(?!期|起病)|大(?!多|都|约|概|部)|见习"
    r"|治疗[药仪]|控制[药器]|会[厌阴诊]|以后|要素|及时|之初|发生率|患病率|发病率|在[位体]|最大|有效|所有|因子|经(?:腔"
    r"|期|络)"
)


def is_term(form: str, start: int, end: int, gaps: Mapping[int, int], edges: Collection[int]) -> bool:
    """Tell whether a name begins and ends where a term does.

    Parameters
    ----------
    form : str
        A folded text.
    start, end : int
        Where the name is in it.
    gaps : mapping of int to int
        Where space was left out, and how much: two spaces or a tab part terms, one only where names stand on both
        sides.
    edges : collection of int
        Where names begin or end that stand side by side.

    Examples
    --------
    >>> is_term("考虑双侧肺炎可能", 4, 6, {}, ()), is_term("新生儿肺炎", 3, 5, {}, ())
    (True, False)
    >>> is_term("肺炎疫苗", 0, 2, {}, ())
    False
    """
    return _begins(form, start, gaps, edges) and _ends(form, end, gaps, edges)


def _begins(form: str, start: int, gaps: Mapping[int, int], edges: Collection[int]) -> bool:
    if start == 0 or form[start - 1] in PLAIN_EDGES or _is_gap(start, gaps, edges):
        return True
    first = max(0, start - NEAR)
    return BEFORE.search(form, first, start) is not None or (
        start in gaps and ENGLISH.search(form, first, start) is not None
    )


def _ends(form: str, end: int, gaps: Mapping[int, int], edges: Collection[int]) -> bool:
    if end == len(form) or form[end] in PLAIN_EDGES or _is_gap(end, gaps, edges):
        return True
    return GOES_ON.match(form, end) is None and AFTER.match(form, end) is not None


def is_in_pregnancy(form: str, start: int) -> bool:
    """Tell whether a name is said of a pregnancy, which gives it another code.

    Parameters
    ----------
    form : str
        A folded text.
    start : int
        Where the name begins.

    Examples
    --------
    >>> is_in_pregnancy("妊娠合并糖尿病", 4), is_in_pregnancy("糖尿病", 0)
    (True, False)
    """
    return PREGNANT.search(form, max(0, start - NEAR), start) is not None


def _is_gap(place: int, gaps: Mapping[int, int], edges: Collection[int]) -> bool:
    return gaps.get(place, 0) > 1 or (place in gaps and place in edges)
