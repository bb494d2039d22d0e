"""Why a row of PediaBench's essay questions becomes no record: what is lost, spoilt, unanswered or somewhere else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dataset_scripts.user_files.values import DAMAGE
from dataset_scripts.recipes.banks.stems import is_odd
from dataset_scripts.recipes.pemebench.essay_forms import is_broken
from dataset_scripts.recipes.pemebench.essay_mending import ENDED
from dataset_scripts.recipes.pemebench.records import CLASSES, is_wordless
from dataset_scripts.recipes.pemebench.wording import kind_of
from medzh_score.configs.pemebench.words import department_named
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 300  # characters of an answer; what is longer is a page of a book
NO_CLASS = "none"
# Why a row becomes no record, in the order in which it is asked.
REASONS = {
    "no text": "a cell has no word",
    "no class": "PeMeBench has no class for its disease group",
    "other class": "it asks about a disease that another class treats",
    "adults": "its answer speaks of adults above all",
    "damaged": "it holds a character that no text has",
    "paragraph": f"its answer has more than {LONGEST} characters: a page of a book, not an answer",
    "spoilt": "a scan has spoilt its numbers, symbols or words",
    "broken answer": "a sentence, a bracket or a list of its answer is open, or it has abbreviations unexplained",
    "incomplete": "its answer lacks a point of its list, or points to a page, a figure or a table",
    "broken question": "it asks in broken words, or in none that ask",
    "other's answer": "its answer is that of another question, too",
    "no kind": "it asks for signs, a course or classes, which is none of the paper's three kinds",
    "no definition": "it asks what something is, and its answer does not begin with the name and what that is",
    "rate": "its answer gives a rate of illness or death, of which books differ by their year and place",
    "of its time": "it speaks of its own day, or prevents, treats or tells a disease by doses, limits or devices",
}
# 10⁹ whose raised digit is none, mg/(kg·d) or g/L without a stroke, formulas in pieces, a small l for 1 or I, a digit
# that a blank parts; units that are none; a range without its beginning.
NUMBERS = re.compile(
    r"[×xX*]\s*10\s?(?:9|12)\s*[/／]|\d\s?(?:g|mg|μg|ug|mmol|μmol|umol)L(?![a-zA-Z])|g\(kg|ext\{|(?<![A-Za-z])[l1]g[EMGAD](?![a-z])"
    r"|[\\{}_]|[A-Z]{2,}\d?l(?![a-z])|(?<![A-Za-z])[lI][︰:：]\d|C1-\d|\d\. \d|\d \d[%~～]"
    r"|\d\s?(?:mml|mmo(?!l)|m)[/／]|10[⁰¹²³⁴⁵⁶⁷⁸⁹]*L"
    r"|,[~～]|[~～],|个高倍视野|菌落数[＞>]\d+%|\d\s?[~～]\s?\d+方|≤1时"  # a sign or a unit is lost, or a limit is two
    r"|\(m/|[一-龥]\s*[~～]\s*\d+(?:\.\d+)?\s*(?:g|mg|ml|次|%)|\d\s*em(?![a-z])|[一-龥]\d+0m l"
)
# Characters that are not used here, and words that are none.
WORDS = re.compile(
    r"建状|盘验|快建|普茶洛尔|发叩|随防|反胎|肝毛|一次点击|X\(FⅨ\)|着给予|速特：|^痢除|痈疳|起伙|三四征|磺胺甲唑|荃|器管|破环|发第|排肠肌|加氨蝶|清毒"
    r"|类同醇|殴|验垫|恤小|持久性肾受|匚|葡 j|胆红水平|甲-膑|每提|([一-龥]{2,5})\1"
    r"|[A-Z]B19病|等需与其鉴别|利尿及增加|检查包括[^，。]*白细胞可|个体化因人而异|萌出的向导|及是否心肌|就不好用|光分光光谱"
    r"|[\u0400-\u04ff]|\)\)提|（（\d"
)
OUTSIDE = re.compile(
    r"[见（(]\s?(?:文末彩)?[图表]\s?\d|如[上下]?[图表]|见第[一二三四五六七八九十\d]+[章节]|见(?:文[末未]|本书|液体疗法)|[参详]见|本[节章]|[（(]见[^（）()]{2,15}[)）]"
    r"|：同[^，。]{2,}|治疗(?:方法)?同|治疗与[^，。；]{2,12}相似"
)
# Marks of a list by kind, where something follows that is no other number and no word that joins numbers.
MARKS = (
    re.compile(r"[（(](\d{1,2})[)）]"),
    re.compile(r"(?:(?<=^)|(?<=[。；;\s]))(\d{1,2})[、.．](?!\s?\d)"),
    re.compile(r"([①-⑳])(?!\s*[、，,或和~～)）]|项)"),
    re.compile(r"([⑴-⒇])"),
)
# The paper's kinds: what something is; why it is so; and what is done, of which only what a family does to prevent it
# is the same in books of any year.
DEFINED = re.compile(
    r"^(?:(?:什么是|何谓|何为|什么叫)(?P<after>.{2,20}?)|(?P<before>[^的时，]{2,20}?)是什么病?)[？?]?$"
)
REASON = re.compile("为什么|为何|(?:原因|病因)(?:是什么|有哪些)")
PREVENTION = re.compile("^如何预防")
CLINICAL = re.compile("插管|吸引|注射|药物|疫苗|检查|治疗|检测|监测")
BRACKETS = re.compile(r"[(（][^()（）]*[)）]")
IS = r"[，,]?(?:主要)?(?:是|指|为|系|即|属|[又也简俗]称)"
WHOSE = "新生儿|小儿|儿童|婴幼儿"
ADULTS = re.compile("[要多]见于(?:老年|成年|中年|成人)|慢性阻塞性肺疾病")
# How books of any year agree: what tells diseases apart and what is looked for; of treatments what has no
# dose and no limit.
LASTING = re.compile("鉴别|检查")
CHANGING = re.compile("^如何(?!诊断).*(?:治疗|处理)|(?:治疗|处理)(?:的)?(?:原则|方法|措施|方案)是什么")
LIMIT = re.compile(r"\d\s*(?:~|～|-|–)?\s*\d*\s*(?:万|m?[gG]|μg|µg|U|IU|ml|mmol|μmol|mg|%)|[<>≤≥＜＞]\s*\d")
TODAY = re.compile(
    "近(?:几|几十|些)?年|近来|目前|尚(?:未|没有|无)|新技术|较新|最新|有望|国外|国内|我国|有研究|研究(?:显示|证明|表明|结果)|越来越|争议|临床试验"
    "|(?:19|20)\\d\\d\\s?年"
)
RATE = re.compile(
    r"(?:[发患]病|死亡|病死|发生|生存|治愈|复发|阳性|检出|准确|保护)(?:概?率|性)[^。；，]{0,12}\d|\d\s*[/／]\s*(?:10万|百万|万|1\d{3,})"
    r"|(?:占|约|[有近])[^。；，]{0,10}[%％‰]"
)
ASKS = re.compile(r"什么|哪|如何|怎|多少|为何|试述|简述|叙述|何谓|是否|包括")
BROKEN = re.compile(
    r"^诊断.*鉴别诊断|如何[^，？]*所需|实辅助|疱疹病毒(?:需要|？)|检监测|总结一下|电复的|的的|灌溉|限制液体是|([一-龥]{2,})\1"
    r"|的传染源的"
)
COMPARED = re.compile(r"(.{2,}?)(?:需要)?(?:跟|与|和)哪些疾病")
# Diseases of one class that stand in the group of another.
ELSEWHERE = {
    "儿科感染性疾病": re.compile("预防破伤风|发热伴血小板减少|预防接种|肾综合征出血热"),
    "儿科呼吸系统疾病": re.compile("胸腔积液|自发性[血气]胸|普通感冒|肺含铁血黄素"),
    "儿科心血管系统疾病": re.compile("直立性低血压|运动负荷试验|排便性晕厥|(?<!性)感染性心内膜炎|周围性发绀"),
    "儿科肾脏系统疾病": re.compile("Addis|(?<!肾综合征)泌尿系感染"),
    "儿科免疫系统疾病": re.compile("雷诺现象|胸腺发育不全|慢性肉芽肿病|Blau"),
    "儿科血液系统疾病": re.compile("球形红细胞|缺铁性贫血|血栓形成|上腔静脉"),
    "儿科内分泌与代谢性疾病": re.compile("儿童低血糖"),
    "新生儿疾病": re.compile("核黄疸|胎龄评估|^新生儿|湿肺|胎粪吸入|气漏综合征"),
    "儿科急诊与危重症疾病": re.compile("捂热综合征|海洛因"),
    "儿科诊疗技术": re.compile("(?:监测|氧疗|吸氧|试验|测定|机械通气)(?:是什么|$)"),
}


def fault(group: str, question: str, answer: str) -> str:
    """Give the first of `REASONS` for which a row becomes no record; empty where there is none."""
    there = class_of(group)
    asked = COMPARED.match(question)
    faults = (
        ("no text", not group or is_wordless(question) or is_wordless(answer)),
        ("no class", there == NO_CLASS),
        ("other class", any(place != there and named.search(question) for place, named in ELSEWHERE.items())),
        ("adults", ADULTS.search(answer)),
        ("damaged", DAMAGE.search(question) or DAMAGE.search(answer)),
        ("paragraph", len(answer) > LONGEST),
        ("spoilt", any(wrong.search(text) for wrong in (NUMBERS, WORDS) for text in (question, answer))),
        ("spoilt", any(map(is_odd, question + answer))),
        ("broken answer", is_broken(question, answer)),
        (
            "incomplete",
            answer[-1:] not in ENDED
            or OUTSIDE.search(answer)
            or not all(_whole(list(_numbers(mark, answer))) for mark in MARKS),
        ),
        ("broken question", BROKEN.search(question) or not ASKS.search(question)),
        ("other's answer", asked and f"疾病有{asked[1]}（" in answer),  # which sets a disease apart from itself
        ("no kind", kind_of(question) == "definition" and not DEFINED.match(question)),
        ("no definition", not _defines(question, answer)),
        ("rate", RATE.search(answer)),
        ("of its time", not _lasts(question, answer)),
    )
    return next((reason for reason, found in faults if found), "")


def _defines(question: str, answer: str) -> bool:
    """Say whether an answer begins with the name that is asked for and what that is, where one is asked for."""
    asked = DEFINED.match(question)
    if asked is None:
        return True
    name = re.escape(re.sub(f"^(?:{WHOSE})", "", fold(asked["after"] or asked["before"])))
    said = fold(BRACKETS.sub("", answer))
    return re.match(f"(?:{WHOSE})?{name}{IS}", said) is not None and not re.search(f"也称为?{name}", said)


def _lasts(question: str, answer: str) -> bool:
    if TODAY.search(answer):
        return False
    if PREVENTION.search(question):
        return CLINICAL.search(answer) is None
    if LASTING.search(question) or DEFINED.match(question) or REASON.search(question):
        return True
    return bool(CHANGING.search(question)) and LIMIT.search(answer) is None


def class_of(group: str) -> str:
    """Give PeMeBench's class of a disease group, or `NO_CLASS`."""
    department = department_named(group)
    return department if department in CLASSES else NO_CLASS


def _numbers(mark: re.Pattern[str], text: str) -> Iterator[int]:
    for found in mark.finditer(text):
        sign = found[1]
        yield int(sign) if sign.isascii() else ord(sign) - ord("①" if sign in "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳" else "⑴") + 1


def _whole(numbers: list[int]) -> bool:
    """Say whether a list and those inside it count on from one."""
    return all(number in (1, before + 1) for before, number in zip([0, *numbers], numbers, strict=False))
