"""What speaks for a bare category, J30, being a code: a word, brackets behind a disease, a line or cell of its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.extraction.cmhe_dd_other_uses import NAMED, NEAR, sentence_around
from medzh_score.terminology.icd10 import icd10

if TYPE_CHECKING:
    from medzh_score.extraction.cmhe_dd_written import Written

FAR = 60  # characters in which a word that says code governs what follows
_CODE_WORD = re.compile(r"\bICD|编码(?!区|的?蛋白|基因)|代码|诊断码|疾病码|\b[Cc]od(?:es?|ed)\b|\"(?:icd|code)")
_CODE_WORD_BEHIND = re.compile(
    r"[\s)\]】]*[是为(]?\s*(?:(?:is|are)\s+)?(?:(?:the|its|an?|其|该病的?)\s*)?(?:ICD|编码|代码|codes?\b)"
)
_OPENING = re.compile(r"[(\[【「『〔<《{][\s*\"'`]*\Z")
_CLOSING = re.compile(r"[\s*\"'`+†‡]*[)\]】」』〕>》},、;/]")
# What may stand before it in its line or cell: marks of an item, and a label such as 诊断：
_ITEM = r"\s*(?:(?:[-*•·▪●>#]|\(?[0-9]{1,2}[.)、:]|[一二三四五六七八九十]+[、.])\s*)*[*_`\"'“”(\[]*"
_LABEL = (
    r"(?:.{0,6}(?:诊断|答案|结果|结论|疾病)(?:结果|名称)?(?:是|为|考虑)?"
    r"|(?:[A-Z][a-z]+ ){0,2}(?:[Dd]iagnos[ie]s|[Aa]nswer|[Dd]isease)(?: is)?)[\s:*_\"'`]*"
)
_LABELLED = re.compile(_ITEM + _LABEL)
_BEGINNING = re.compile(rf"{_ITEM}(?:{_LABEL})?")
_ENDS = re.compile(r"[*_`\"'“”)\]\s+†‡]*(?:[.,;。、|\t\n]|$|(?<=\s)[0-9]{1,2}[\s.、])")
_ONLY_CODES = re.compile(r"[\s\-*]*(?:[A-Za-z][0-9]{2}[0-9.Xx]*(?:[\s,、;/|*.]+|$))+")
_CELL_BEHIND = re.compile(r"[^\n|\t]{0,200}")
_LISTED_BEFORE = re.compile(r"([^,;。!?\n|\t]*),\s*\Z")
_CELL_BEFORE = re.compile(r"[^\n|\t]*\Z")
_CLAUSE_BEFORE = re.compile(r"[^,;。!?\n|\t]*\Z")
_CLAUSE_BEHIND = re.compile(r"[^,;。!?\n|\t]{0,60}")
# What names of diseases hold in the Chinese editions and in everyday words, and how English ones end.
DISEASE = re.compile(
    r"[病炎症癌瘤压血染伤折痛风疹疮疣痔疝石梗栓塞肿热咳晕癣痢疟颤疱痈疽疸痣斑痘秃聋盲瘫哑脓瘘裂瘢瘀]"
    r"|霍乱|沙眼|斜视|复视|近视|远视|弱视|内障|缺陷|缺乏|缺如|缺失|缺损|不足|不全|不良|不适|衰竭|衰老|减退|亢进|甲亢|甲减|障碍|麻痹|畸形|变形|变性|增生"
    r"|肥大|萎缩|发育|迟缓|过敏|中毒|妊娠|分娩|流产|早产|早泄|感冒|结核|溃疡|糜烂|囊肿|息肉|积水|积液|积气|休克|骤停|停搏|早搏|硬化|狭窄|脱位|脱垂|脱离|扭转"
    r"|穿孔|破裂|梅毒|紊乱|失常|失禁|失眠|失语|癫痫|哮喘|贫血|综合征|疾患|异常|发作|窘迫|低氧|缺氧|嗳气|呕吐|腹泻|便秘|尿闭|潴留|淀粉样变|鸡眼|葡萄胎|死亡"
    r"|依赖|戒断|焦虑|抑郁|痴呆|消瘦|疲劳|营养|脾大|肝大|痉挛|抽搐|震颤|不可归类|未特指|天花|白喉|昏迷|腹水|气肿|曲张|阻滞|改变|损害|毒性效应|异物|窒息|脱发|少尿|无尿|丧失|早破|滞产|杂音|疏松|流感|复苏|渗漏|硬变|剥离|丹毒|糖尿"
    r"|itis|osis|emia|aemia|oma\b|pathy|plegia|algia|uria|rrhoea|rrhea|diseas|syndrom|disorder|failure|hypertens|fractur|cancer|carcin"
    r"|infect|infarct|pneumon|asthma|diabet|stroke|calcul|stone|ulcer|hernia|attack|gout|sepsis|influenza|tubercul|migraine|epilep"
    r"|injur|fibrillation|obes|pregnan|abortion|palsy|fever|pain|cough|bleed|haemorrhag|hemorrhag|deficien|insufficien|embol|thromb"
    r"|COPD|GERD|SLE",
    re.IGNORECASE,
)
_EXTERNAL = "VWXY"
_NEWBORN = re.compile(r"新生儿|围[产生]|婴|宫内|子宫内|先天|胎|早产|[Nn]eonat|[Pp]erinat|[Nn]ewborn|产伤")


def is_named(form: str, one: Written) -> bool:
    """Tell whether a word that says code governs it: in its sentence before it, or right behind it.

    Parameters
    ----------
    form : str
        From `form_of`.
    one : Written
        What is written like a code.

    Examples
    --------
    >>> from medzh_score.extraction.cmhe_dd_written import written_in
    >>> [is_named(text, *written_in(text)) for text in ("ICD:I10", "I10 is the code", "I10")]
    [True, True, False]
    """
    if NAMED.search(form, max(0, one.start - NEAR), one.start) or _CODE_WORD_BEHIND.match(form, one.end):
        return True
    return not one.spaced and _CODE_WORD.search(sentence_around(form, one)[0][-FAR:]) is not None


def stands_alone(form: str, one: Written) -> bool:
    """Tell whether a line, an item or a cell holds nothing else, a label aside.

    Parameters
    ----------
    form : str
        From `form_of`.
    one : Written
        What is written like a code.
    """
    if one.lower and one.code[0] in "PQV":  # p53, q34, v10
        return False
    before, behind = _found(_CELL_BEFORE, form, one), _CELL_BEHIND.match(form, one.end)
    if _ENDS.match(form, one.end) and (
        _BEGINNING.fullmatch(before) or _LABELLED.fullmatch(_found(_CLAUSE_BEFORE, form, one))
    ):
        return True
    cell = before + form[one.start : one.end] + (behind[0] if behind else "")
    return len(before) < FAR and _ONLY_CODES.fullmatch(cell) is not None


def stands_by_a_disease(form: str, one: Written) -> bool:
    """Tell whether it stands in brackets, or beside a name.

    Parameters
    ----------
    form : str
        From `form_of`.
    one : Written
        What is written like a code.

    Returns
    -------
    bool
        True between brackets of their own behind any name; before or behind the name of a disease in a clause, with
        nothing else between. External causes never, and what befalls newborns only where one is spoken of. In lower
        case or with a space inside only between brackets, and only where ICD-10 has it.
    """
    behind = _CLAUSE_BEHIND.match(form, one.end)
    before = _found(_CLAUSE_BEFORE, form, one)
    named = before if before.strip() else _found(_LISTED_BEFORE, form, one)
    words = named, behind[0] if behind else ""
    if one.code[0] in _EXTERNAL or (one.code[0] == "P" and not any(map(_NEWBORN.search, words))):
        return False
    in_brackets = _OPENING.search(form, max(0, one.start - NEAR), one.start) and _CLOSING.match(form, one.end)
    if in_brackets or one.lower or one.spaced:
        return in_brackets is not None and (icd10().place(one.code) is not None or not (one.lower or one.spaced))
    if _ENDS.match(form, one.end) and DISEASE.search(named):
        return True
    return _BEGINNING.fullmatch(before) is not None and DISEASE.search(words[1]) is not None


def _found(pattern: re.Pattern[str], form: str, one: Written) -> str:
    """Give what a pattern finds in the last characters before it."""
    found = pattern.search(form, max(0, one.start - FAR), one.start)
    return found[0] if found else ""
