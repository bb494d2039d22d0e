"""What a usable value of each atomic type looks like: cleaning, and the reasons to drop one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

LONGEST_NAME = 24

# Only letters, digits and the hyphen: full-width brackets and commas are the Chinese ones and stay.
HALF_WIDTH = {code: code - 0xFEE0 for code in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))}
HALF_WIDTH[ord("－")] = ord("-")
NUMBERING = re.compile(r"^(?:\d{1,2}[、)）]|\d{1,2}[.．](?!\d)|[①-⑳*•·])\s*")
EDGES = " \t\u3000。．.，,、；;：:！!"

NOTHING = frozenset({"", "无", "暂无", "暂无相关资料", "应该如何用药？用什么药？", ">>"})
ELLIPSIS = re.compile(r"\.\.|…")
# Private-use characters stand for 䓬 and the like; no medical name has the others.
UNREADABLE = re.compile(r"[\ue000-\uf8ff\ufffd\x00-\x1f\\<>=?？!！@#$^&_|~～①-⑳]")
PROSE = re.compile(r"[，。；：,;]")
HAN = re.compile(r"[㐀-鿿]")
LETTERS = re.compile(r"[A-Za-z].*[A-Za-z]")
BRACKETS = ("()", "（）", "[]", "【】", "“”", "「」", "《》")


@dataclass(frozen=True)
class Rule:
    """What a value of a type has to be."""

    longest: int  # characters
    like: re.Pattern[str] | None = None  # found in it, where its kind can be told by its ending
    unlike: re.Pattern[str] | None = None  # not found in it
    shortest: int = 2  # a single character is mostly torn from a word by a space


TREATMENT = re.compile(
    r"(治疗|疗法|手术|术|切除|移植|透析|化疗|放疗|理疗|食疗|氧疗|电疗|光疗|水疗|按摩|推拿|针灸|针刺|艾灸|牵引|复位|固定|矫正|修复|"
    r"洗胃|灌肠|催吐|导泻|输血|输液|补液|吸氧|热敷|冷敷|坐浴|通气|置换|净化|减压|引流|缝合|清创|锻炼|训练|休息|剖腹产|剖宫产)$",
)
# Denials, advice and half sentences; 治疗 twice is two treatments without a comma between them.
NO_TREATMENT = re.compile(
    r"治疗.*(治疗|疗法|化疗|手术)|无|不|未|尚|应|如|以|及|或|和|为|时|需|要|可|均|多数|根据|拖延|双方|心里|首选|最好|一般采用|发生|等|是|"
    r"针对|药物药物|牙跟|请|哟|^手术治疗.|^(持性|电药物)?治疗$",
)
DEVICE = re.compile(
    r"仪|器|机$|系统|支架|导管|导丝|管$|镜|夹$|镊|钉$|接骨板|固定|绷带|托槽|晶状?体|试纸|采集|装置|套件|缝线|[力疗气骨吊]带|"
    r"修补网|海绵|水门汀|保护膜|关节$|刀$|钩$|锐匙|盒$|检测|诊断|抗C1q|手套|敷料|激光|照射|EGENS|湿巾|补片|(固定|敷|乳腺|康复)贴",
)
CUT_OFF = re.compile(r"(注射|颗|口服|软|导|抗凝|地尔硫|缓|肠溶|分散|外用)$")
# Instruments, diseases, the parts of the body and findings that one looks at but does not order, letters alone, and
# what is taken of everybody (高血压: 血压).
NO_EXAMINATION = re.compile(
    r"仪$|检测仪|综合征|(病毒|[炎癌症]|病)(（.*）|\(.*\))?$|β$|^(毛发|中耳|乳突|鼓膜|体位|胎势|皮疹|皮损|身体器官功能与营养)$"
    r"|^[A-Za-z]+$|^(血压|体温|脉搏|心率|呼吸)$",
)

# What a laboratory finds or a physician hears or feels, and no patient feels or shows.
FINDING = re.compile(
    r"血症$|蛋白尿|糖尿$|尿糖|酮尿|管型|[白红]?细胞|血小板|血红蛋白|[酶糖钙磷钾钠]$|抗[原体]|[阳阴]性$|[增升]高$|[降减]低$|酸中毒$|电解质"
    r"|刺激征$|杂音$|啰音$|[腹胸]水$|积液$|压痛$|反跳痛$|叩击?痛$|三凹征$|杵状指"
)

RULES = {
    "Disease-Department": Rule(8, re.compile(r"科$"), re.compile(r"其他")),
    "Disease-Method": Rule(12, TREATMENT, NO_TREATMENT),
    "Disease-Cause": Rule(10),
    "Disease-Examination": Rule(20, None, NO_EXAMINATION),
    "Disease-Prevention": Rule(10),
    "Diseases-Complication": Rule(20, shortest=1),  # 疣, 疖
    "Disease-Symptom": Rule(14, None, FINDING),
    "Disease-Food": Rule(12),
    "Chinese Medicine-Effect": Rule(6),
    "Western Medicine-Effect": Rule(14),
    "Western Medicine-SideEffect": Rule(10),
    "Disease-Medicine": Rule(20, None, DEVICE),
}

AFFIRMED = re.compile(r"传播|传染")
DENIED = re.compile(r"^(该病|本病|是)?(无|不|非|没有)(具有|具备)?传染(性|性疾病|病)?$|，无传染性$")
HEDGED = re.compile(
    r"无|不|非|未|没|部分|有些|个别|可能|如|若|一定|较低|除|区别|根据|而定|少|难|继发|初期|病毒性|细菌性|感染性",
)
# That a disease is 有传染性 the site also says of what a contagious disease leads to; where it names the way, it is so.
ROUTE = re.compile("传播|呼吸道|消化道|接触|飞沫|空气|虫媒|叮咬|母婴|血液|粪|性交|体液|垂直")
PARTLY_DENIED = re.compile(r"其[他它]|有无|除|通常|初期")


@cache
def clean(text: str) -> str:
    """Take the site's [详细], numbering, edge punctuation, doubled spaces and full-width letters from a value.

    >>> clean("1、维生素Ａ缺乏。")
    '维生素A缺乏'
    """
    half = " ".join(text.replace("[详细]", "").translate(HALF_WIDTH).split())
    return NUMBERING.sub("", half).strip(EDGES)


@cache
def fault_of_name(name: str) -> str | None:
    """Give the reason of `REASONS` for which a text cannot be a disease's name, or None."""
    if ELLIPSIS.search(name):
        return "elided"
    cleaned = clean(name)
    if UNREADABLE.search(cleaned) or _half_bracket(cleaned) or not _is_word(cleaned):
        return "unreadable"
    return "over-long" if len(cleaned) > LONGEST_NAME else None


@cache
def fault(kind: str, text: str) -> str | None:
    """Give the reason of `REASONS` for which a text cannot be a value of a type, or None."""
    if text.strip() in NOTHING:
        return "no value"
    if kind == "Disease-Infectivity":
        return _fault_of_infectivity(clean(text))
    cleaned, rule = clean(text), RULES[kind]
    torn = UNREADABLE.search(cleaned) or _half_bracket(cleaned) or len(cleaned) < rule.shortest
    cut_off = kind == "Disease-Medicine" and CUT_OFF.search(cleaned)
    strange = (rule.like and not rule.like.search(cleaned)) or (rule.unlike and rule.unlike.search(cleaned))
    faults = (
        ("elided", ELLIPSIS.search(text)),
        ("unreadable", torn or cut_off or not _is_word(cleaned)),
        ("prose", PROSE.search(cleaned)),
        ("over-long", len(cleaned) > rule.longest),
        ("wrong kind", strange),
    )
    return next((reason for reason, applies in faults if applies), None)


def _fault_of_infectivity(text: str) -> str | None:
    if DENIED.search(text) and not PARTLY_DENIED.search(text):
        return "negative"
    if not AFFIRMED.search(text):
        return "wrong kind"
    if HEDGED.search(text):
        return "hedged"
    return None if ROUTE.search(text) else "no route"


def _half_bracket(text: str) -> bool:
    return any(text.count(pair[0]) != text.count(pair[1]) for pair in BRACKETS) or text.count('"') % 2 == 1


def _is_word(text: str) -> bool:
    return bool(HAN.search(text) or LETTERS.search(text))
