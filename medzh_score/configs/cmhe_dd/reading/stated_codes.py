"""Codes of ICD-10 that stand in a text, and what is written like one and is something else."""

from __future__ import annotations

import re
from typing import NamedTuple

from medzh_score.extraction.diagnosis_names import DISEASE
from medzh_score.extraction.expressions import expression
from medzh_score.terminology.icd10 import icd10
from medzh_score.terminology.icd_codes import (
    DIVISION,
    MORPHOLOGY,
    SECOND,
    category_of,
    is_manifestation,
    normal_code,
)

NEAR, FAR = 40, 60  # characters on either side that are looked at
EITHER_CASE = DIVISION.replace("9X]", "9Xx]").replace("}X[", "}[Xx][")
CODE_WORD = expression(
    "word for a code",
    r"(?i)(?<![a-z])ICD(?:[- ]?1[01](?:[- ]?(?:CM|CN|GM|WHO))?)?|编码(?!区|的?蛋白|基因)|代码|诊断码"
    r"|疾病码|\bcod(?:es?|ed)\b",
    matches="ICD-10:I10",
    misses="编码区",
)
WRITTEN = expression(
    "written like a code",
    rf"(?<![A-Za-z0-9])[A-Za-z][0-9](?:[0-9]|[AB](?=\.[0-9]))(?:\.(?![0-9]\s?[型级期度])(?:{EITHER_CASE})"
    rf"|\.?[-–](?![A-Za-z0-9])"
    r"|[0-9]{1,3}(?:[Xx][0-9]{2,4})?|[Xx][0-9]{2,4})?(?=[A-Z][0-9]{2}|(?![A-Za-z0-9]|\.[0-9]))",
    matches="J30.401",
    misses="COVID19",
)
BEHIND_CODE = expression(
    "manifestation or morphology",
    rf"(?:[^\S\n]|[/+*∗†‡])*(?:(?P<second>{SECOND})[*∗]?|{MORPHOLOGY})",
    matches="†G01*",
    misses="肺炎",
)
RANGE = expression(
    "range of codes", r"\s*(?:[-~–—]+|至|到|to\b|through|)\s*(?=[A-Z][0-9])", matches="-J99", misses="至今"
)
OTHER_BEHIND = expression(
    "no code, by what follows",
    r"\s*(?:%|‰|°|℃|度(?!烧|冻)|(?:[kmμun]?g|[cm]?m|m?l|[mμu]?mol|mmHg|kPa|IU|U|Gy|bpm)(?![A-Za-z0-9])"
    r"|[(]\s*[+±]|[+](?=[,、;。\s)]|\Z)|/[0-9]|:[A-Z](?![a-z])|[*][0-9]"
    r"|蛋白|基因|抗原|抗体|阳性|阴性|椎|胸椎|腰椎|节段|神经|平面|水平|突变|染色|型|株|病毒|呼气|呼吸试验"
    r"|粒子|治疗|检测|口罩|细胞|酶|次(?!要)|号|床|楼"
    r"|周|天|岁|缺乏|-(?:[0-9]|[A-Z](?![a-z]))|(?i:positive|negative|protein|gene|antigen|virus|vertebra|mutation"
    r"|infection|mask|breath|deficien|compression))",
    matches="蛋白阳性",
    misses=",肺炎",
)
OTHER_BEFORE = expression(
    "no code, by what stands before",
    r"(?:维(?:生素|他命)?|(?i:vitamin|vit\.?|exon|codon|virus|serotype|coxsackie|coxs?a?|parvo|coenzyme"
    r"|level|room|bed|ward|fig(?:ure)?|version|tab(?:le)?)|抗原|抗体|基因|外显子"
    r"|SPSS|RAS|BRAF|EGFR|病毒|柯萨奇|埃可|细小|血清型|杆菌|希菌|辅酶|同位素|核素|碳|HLA|孕|床号?|病房"
    r"|住院号|病历号|葡萄糖|第|体温|脉搏|呼吸|心率|(?<![高低])血压|生命体征|WBC|白细胞"
    r"|[见附如][图表]|版本?|(?<!ICD)[A-Za-z0-9]-|[<≤≥~])[\s:(\[]*\Z",
    matches="维生素",
    misses="编码:",
)
# Temperature, pulse and breaths in this order, each as high as it can be; or any of them before a pressure. Two codes
# of one letter are none (R05;R50.9), nor is what a list keeps apart (T39.1;R11).
SIGNS_OF_LIFE = expression(
    "signs of life",
    r"T\s?:?(?:3[4-9]|4[0-2])(?:\.[0-9])?(?![0-9])[^A-Z;、\n~–—-]{0,8}\b"
    r"(?:[PR][\s:]?[0-9]{2,3}(?!\.?[0-9])|(?:BP|HR)[\s:]?[0-9]{2})"
    r"|P\s?:?(?:[4-9][0-9]|[12][0-9]{2})(?!\.?[0-9])[^A-Z;、\n~–—-]{0,8}\bR[\s:]?[1-6][0-9](?!\.?[0-9])"
    r"|[TPR]\s?:?[0-9]{2,3}(?:\.[0-9])?[^A-Z~–—-]{0,8}\b(?:BP|HR)[\s:]?[0-9]{2}",
    matches="T38.5 P90",
    misses="P22.0;P07.3",
)
VERTEBRA = expression("vertebra", r"[CTLS](?:12|23|34|45|56|67|51)|T1[01]", matches="T12", misses="J18")
SPINE = expression(
    "spine", r"(?i)椎|脊|髓|节段|压缩|vertebra|spin|dis[ck]|lumbar|cervic|thorac", matches="胸椎", misses="肺炎"
)
OPENED = expression("opening bracket before", r"[(\[<][\s\"']*\Z", matches="肺炎(", misses="肺炎")
CLOSED = expression("closing bracket behind", r"[\s\"'+†‡-]*[)\]>、,;/]", matches=")", misses="肺炎")
LIST = expression(
    "between codes",
    r"(?:[\s,、;/*|\"')\]>+†‡(\[-]|和|与|及|以及|或|and|or|&){1,12}",
    matches="、",
    misses="肺炎",
)


class Code(NamedTuple):
    """A code in a prepared text, in its normal form."""

    code: str
    start: int
    end: int


def found_codes(text: str, *, openly: bool = False) -> list[Code]:
    """Find what a prepared text gives as a code.

    Examples
    --------
    >>> [one.code for one in found_codes("过敏性鼻炎(J30.401),维生素B12正常;J00-J99")]
    ['J30.401']
    """
    form = CODE_WORD.pattern.sub(
        lambda match: "ICD".ljust(len(match[0]), ":") if len(match[0]) > len("ICD") else ":" * len(match[0]), text
    )
    named = [match.end() for match in CODE_WORD.pattern.finditer(text)]
    codes: list[Code] = []
    counts: list[bool] = []
    at = 0
    for match in WRITTEN.pattern.finditer(form):
        start, end = match.span()
        code = normal_code(match[0])
        if start < at or code is None:
            continue
        to = RANGE.pattern.match(form, end)  # a tilde is taken off as markup
        if to and (to[0].strip() or (to.end() == end and form[end] == match[0][0])):
            other = WRITTEN.pattern.match(form, to.end())
            at = other.end() if other else end
            last = normal_code(other[0]) if other else None
            if last is None or category_of(last) != category_of(code):
                continue
            code, end = category_of(code), at
        behind = BEHIND_CODE.pattern.match(form, end)
        if behind and (behind["second"] is None or is_manifestation(behind["second"])):
            end = at = behind.end()
        by_name = any(
            0 <= start - place <= FAR and not re.search("[。!?\n]", form[place:start]) for place in named[-9:]
        )
        if not by_name and _is_other(form, start, end, code):
            continue
        codes.append(Code(code, start, end))
        counts.append(by_name or _counts(form, codes[-1], openly=openly))
    for order in (range(1, len(codes)), range(len(codes) - 2, -1, -1)):
        for at in order:
            first, second = sorted((at, at - order.step))
            if counts[at - order.step] and LIST.pattern.fullmatch(form, codes[first].end, codes[second].start):
                counts[at] = True
    return [one for one, is_code in zip(codes, counts, strict=True) if is_code]


def _is_other(form: str, start: int, end: int, code: str) -> bool:
    if OTHER_BEHIND.pattern.match(form, end) or OTHER_BEFORE.pattern.search(form, max(0, start - NEAR), start):
        return True
    if VERTEBRA.pattern.fullmatch(code) and SPINE.pattern.search(form, max(0, start - NEAR // 2), end + NEAR // 2):
        return True
    return code[0] in "TPR" and SIGNS_OF_LIFE.pattern.search(form, max(0, start - NEAR), end + NEAR) is not None


def _counts(form: str, one: Code, *, openly: bool) -> bool:
    small = form[one.start].islower()
    if "." in one.code and not small:
        return True
    begin = max(form.rfind("\n", 0, one.start) + 1, one.start - FAR)
    line = form[begin : one.start], form[one.end : one.end + FAR].partition("\n")[0]
    around = WRITTEN.pattern.sub("", line[0] + line[1])
    alone = not around.strip(" -.)(\"'0123456789。;,、/:①②③④⑤")
    known = icd10().place(one.code) is not None
    if alone or (small and one.code[0] in "PQV" and "." not in one.code):
        return alone and (known or openly) and not (small and one.code[0] in "PQV")
    bracketed = OPENED.pattern.search(form, max(0, one.start - 4), one.start) and CLOSED.pattern.match(form, one.end)
    if small:
        opens = "." in one.code and not line[0].strip()
        return known and (opens or bracketed is not None)
    before, behind = re.split(r"[,;。:]", line[0].rstrip(" ([\"':,"))[-1], re.split(r"[,;。]", line[1], maxsplit=1)[0]
    if openly or one.code[0] in "VWXYP" or not known:
        return openly and known
    return bracketed is not None or any(DISEASE.pattern.search(part) for part in (before[-NEAR:], behind[:NEAR]))
