"""Why a row of PediaBench's essay questions becomes no record: what is lost, spoilt, unanswered or somewhere else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from dataset_scripts.mapping.sifting import DAMAGE
from dataset_scripts.recipes.banks.stems import is_odd
from dataset_scripts.recipes.pemebench.records import CLASSES, is_wordless
from dataset_scripts.recipes.pemebench.wording import kind_of
from medzh_score.configs.pemebench.words import department_named
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

UNSOUND = Path(__file__).with_name("unsound.toml")
LONGEST = 300  # characters of an answer; what is longer is a page of a book
NO_CLASS = "none"
# Why a row becomes no record, in the order in which it is asked.
REASONS = {
    "no text": "a cell has no word",
    "no class": "PeMeBench has no class for its disease group",
    "other class": "it asks about a disease that another class treats",
    "damaged": "it holds a character that no text has",
    "paragraph": f"its answer has more than {LONGEST} characters: a page of a book, not an answer",
    "spoilt": "a scan has spoilt its numbers, symbols or words",
    "incomplete": "its answer lacks a point of its list, or points to a page, a figure or a table",
    "broken question": "it asks in broken words, or in none that ask",
    "other's answer": "its answer is that of another question, too",
    "no kind": "it asks for signs, a course or classes, which is none of the paper's three kinds",
    "no definition": "it asks what something is, and its answer does not begin with the name and what that is",
    "rate": "its answer gives a rate of illness or death, of which books differ by their year and place",
    "of its time": "it asks for a treatment, a check or a criterion, or speaks of its own day: books differ by year",
    "read": "it was read and found wrong: unsound.toml names it, and says why",
}
# 10⁹ whose raised digit is none, mg/(kg·d) or g/L without a stroke, formulas in pieces, a small l for 1 or I, a digit
# that a blank parts; units that are none; a range without its beginning.
NUMBERS = re.compile(
    r"[×xX*]\s*10\s?(?:9|12)\s*[/／]|\d\s?(?:g|mg|μg|ug|mmol|μmol|umol)L(?![a-zA-Z])|g\(kg|ext\{|(?<![A-Za-z])[l1]g[EMGAD](?![a-z])"
    r"|[\\{}]|_\d{2,}[a-z]|_\d,|[A-Z]{2,}\d?l(?![a-z])|(?<![A-Za-z])[lI][︰:：]\d|C1-\d|\d\. \d|\d \d[%~～]"
    r"|\d\s?(?:mml|mmo(?!l)|m)[/／]|10\^\d+L"
    r"|\(m/|[一-龥]\s*[~～]\s*\d+(?:\.\d+)?\s*(?:g|mg|ml|次|%)|\d\s*em(?![a-z])|[一-龥]\d+0m l"
)
# Characters that are not used here, and words that are none.
WORDS = re.compile(
    r"岀|釆|建状|盘验|快建|月市部|普茶洛尔|眯唑|发叩|随防|反胎|枸盐|肝毛|一次点击|X\(FⅨ\)|着给予|^痢除|[摄侵置进]人(?!工|体|类|的|员|群)"
    r"|哕音|追妄|顿(?:内|高压)|呕叶|痈疳|张为增|起伙|博动|管痿|三四征|蛋冃|磺胺甲唑|荃|器管|破环|政下|一疵|发第|排肠肌|加氨蝶|前卤|清毒|类同醇|殴|验垫"
    r"|恤小|持久性肾受|[A-Za-z]匚|葡 j|胆红水平|甲-膑|每提|([一-龥]{2,5})\1"
    r"|[\u0400-\u04ff]|\)\)提|（（\d"
)
OUTSIDE = re.compile(
    r"[见（(]\s?(?:文末彩)?[图表]\s?\d|如[上下]?[图表]|见第[一二三四五六七八九十\d]+[章节]|见(?:文[末未]|本书|液体疗法)|[参详]见|本[节章]|[（(]见[^（）()]{2,15}[)）]"
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
CLINICAL = re.compile("插管|吸引|注射|药物|疫苗|检查|治疗")
BRACKETS = re.compile(r"[(（][^()（）]*[)）]")
IS = r"[，,]?(?:是|指|为|系|即|属|[又也简]称)"
TODAY = re.compile("近(?:几|几十|些)?年|近来|目前|尚未|新技术|19\\d\\d 年|20\\d\\d 年")
RATE = re.compile(r"[%％‰]|\d\s*[:∶/／]\s*\d[\d ]*万?(?![\d/])|(?:率|概率|生存期)[^。；]{0,12}\d")
ASKS = re.compile(r"什么|哪|如何|怎|多少|为何|试述|简述|叙述|何谓|是否|包括")
BROKEN = re.compile(
    r"(?:营养|异物|与疾病)是什么病|如何[^，？]*所需|实辅助|败血病|淋巴癌|黄疽|疱疹病毒(?:需要|？)|检监测|总结一下|电复的|的的|灌溉|限制液体是|([一-龥]{2,})\1"
    r"|(?:(?<!肺)疾病|水肿|发绀|蛋白尿|血尿|无尿|综合症)是什么病|(?<!引)发发生|的传染源的"
)
COMPARED = re.compile(r"(.{2,}?)(?:需要)?(?:跟|与|和)哪些疾病")
# Diseases of one class that stand in the group of another.
ELSEWHERE = {
    "儿科感染性疾病": re.compile("预防破伤风|发热伴血小板减少|预防接种"),
    "儿科呼吸系统疾病": re.compile("胸腔积液|自发性[血气]胸|普通感冒|肺含铁血黄素"),
    "儿科心血管系统疾病": re.compile("直立性低血压|运动负荷试验|排便性晕厥|(?<!性)感染性心内膜炎|周围性发绀"),
    "儿科肾脏系统疾病": re.compile("Addis|(?<!肾综合征)泌尿系感染"),
    "儿科免疫系统疾病": re.compile("雷诺现象|胸腺发育不全|慢性肉芽肿病|Blau"),
    "儿科血液系统疾病": re.compile("球形红细胞|缺铁性贫血|血栓形成"),
    "儿科内分泌与代谢性疾病": re.compile("儿童低血糖"),
    "新生儿疾病": re.compile("核黄疸|胎龄评估"),
    "儿科急诊与危重症疾病": re.compile("捂热综合征|海洛因"),
}


def fault(group: str, question: str, answer: str) -> str:
    """Give the first of `REASONS` for which a row becomes no record; empty where there is none."""
    there = class_of(group)
    asked = COMPARED.match(question)
    faults = (
        ("no text", not group or is_wordless(question) or is_wordless(answer)),
        ("no class", there == NO_CLASS),
        ("other class", any(place != there and named.search(question) for place, named in ELSEWHERE.items())),
        ("damaged", DAMAGE.search(question) or DAMAGE.search(answer)),
        ("paragraph", len(answer) > LONGEST),
        ("spoilt", any(wrong.search(text) for wrong in (NUMBERS, WORDS) for text in (question, answer))),
        ("spoilt", any(map(is_odd, question + answer))),
        ("incomplete", OUTSIDE.search(answer) or not all(_whole(list(_numbers(mark, answer))) for mark in MARKS)),
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
    name = re.escape(fold(asked["after"] or asked["before"]))
    return re.match(f"{name}{IS}", fold(BRACKETS.sub("", answer))) is not None


def _lasts(question: str, answer: str) -> bool:
    if TODAY.search(answer):
        return False
    if PREVENTION.search(question):
        return CLINICAL.search(answer) is None
    return bool(DEFINED.match(question) or REASON.search(question))


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
