"""Codes of ICD-10 for a diagnosis: those that a text states, or else those of the names to which it commits itself."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.benchmark.answers import Reading
from medzh_score.extraction.diagnosis import read_diagnosis
from medzh_score.extraction.disease_names import DISEASE
from medzh_score.extraction.engine import DOUBTS, scan
from medzh_score.extraction.normalize import prepare
from medzh_score.extraction.vocabulary import expression, lexicon_of
from medzh_score.terminology.icd10 import icd10
from medzh_score.terminology.icd_codes import (
    DIVISION,
    MORPHOLOGY,
    SECOND,
    category_of,
    is_manifestation,
    normal_code,
)
from medzh_score.text.fold import fold_disease_name
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from medzh_score.terminology.disease_names import Dictionary


SEPARATOR = "；"
NONE = "无"
SPACED = expression(
    "space in a code", r"(?<![A-Za-z0-9])([A-Z])[ \t](?=[0-9]{2}(?![0-9]))", matches="I 10", misses="I10"
)


def read_judged(text: str, _context: Mapping[str, str]) -> Mapping[str, str] | None:
    r"""Read the codes that a judge gives for a diagnosis, joined by ``；``, or ``无``; no code at all is no verdict.

    Examples
    --------
    >>> read_judged("1. Allergic rhinitis\n2. J30.4; J45.9", {})
    {'codes': 'J30.4；J45.9'}
    >>> read_judged("过敏性鼻炎", {}) is None
    True
    """
    said = prepare(text)
    if said.lacks:
        return None
    if codes := found_codes(SPACED.pattern.sub(r"\1", said.text), openly=True):
        return {"codes": SEPARATOR.join(dict.fromkeys(one.code for one in codes))}
    return {"codes": NONE} if said.folded.strip(" 。.\n*") in {NONE, "none"} else None


NOTHING = "no code or name"
MEANINGS = {
    "codes": _("the diagnosis is stated as ICD-10 codes"),
    "names": _("the diagnosis contains disease names from the dictionary"),
}
MOST = 200  # codes of a text that are looked at
NEAR = 120  # characters before and behind a code that are looked at
# Words before and behind a name that leave it in its category, as in nine of ten pairs of the national edition.
BEFORE = expression(
    "harmless before a name",
    r"(?:亚急性|特发性|多发性?|进行性|阵发性|难治性|晚期|早期|轻型|重型|[左右双](?:侧|边|[上中下]"
    r"|[上中下]?肺|耳|眼|膝|髋|肩|足|手|肾|乳)?|单侧|大脑半球|基底节区|[轻中重]度|轻微|重症|严重"
    r"|明显|新发|小儿|儿童|成人|老年)+",
    matches="左侧",
    misses="肺动脉",
)
BEHIND = expression(
    "harmless behind a name",
    r"(?:\(?[0-9一二三四]+[级期型度]\)?|[失代]*偿期|急性(?:加重|发作)期?|(?:活动|稳定|缓解|进展|终末"
    r"|急性|慢性|恢复|早|中|晚)期|[轻中重]度|[轻中重]型|极?高危组?|病|症|[(].*)+",
    matches="急性加重",
    misses="疫苗",
)


SECTION = expression(
    "section of codes",
    r"(?i)(?P<other>(?:鉴别(?:诊断)?|排除诊断|既往史?|家族史|治疗"
    r"|differentials?(?: diagnos[ei]s)?)[^\n。,;]{0,4}[:\n])"
    r"|(?P<own>(?:诊断|疾病|编码|diagnos[ei]s|codes?)[^\n。,;鉴别]{0,6}[:\n])",
    matches="鉴别诊断:肺炎",
    misses="考虑肺炎",
)
OUT = expression(
    "code ruled out",
    r"(?i)(?:鉴别(?:诊断)?|需与|应与|之与|既往|家族史|父亲|母亲|区别|警惕|防止|预防|可并发|rule out"
    r"|no evidence|not consistent|unlikely|n't)"
    r"(?:(?!诊断|考虑|本人|本次|但|\. )[^。!?\n])*\Z"
    r"|(?<!后)(?:不考虑|不支持|不符合|(?<!不能)(?<!不)(?:排除|除外)|没有|并非|而非|不是|未见"
    r"|无(?![痛菌症力精脉汗排尿牙乳功]))"
    r"[^,。;!?\n]*\Z",
    matches="排除肺炎(",
    misses="排除肺炎,考虑肺结核(",
)
OUT_BEHIND = expression(
    "code ruled out behind",
    r"(?i)(?:(?!\. )[^,。;!?\n])*?(?:可能性(?:小|低|不大|较小|较低|很小)|不太可能|不支持|不符|不考虑"
    r"|(?<!不能)(?<!不能完全)(?<!不)(?:排除|除外)|鉴别|不成立"
    r"|less likely|unlikely|(?:is|been|was) (?:ruled out|excluded))",
    matches=")可能性小",
    misses=")不除外",
)


def reader(dictionary: Callable[[], Dictionary]) -> Callable[[str, object], Reading]:
    """Make the rule: codes where they are stated, else names of a dictionary, never both.

    Examples
    --------
    >>> from medzh_score.terminology.disease_names import our_dictionary
    >>> read = reader(our_dictionary)
    >>> read("诊断：过敏性鼻炎（J30.4）", None).value, read("诊断为急性阑尾炎。", None).value
    ('J30.4', 'K35.8')
    """

    def read(text: str, _side: object) -> Reading:
        return _by_code(text) or _by_name(text, dictionary())

    return read


def _by_code(text: str) -> Reading | None:
    prepared = prepare(text)
    codes = [] if prepared.lacks else found_codes(prepared.text)
    if not codes:
        return None
    sections = [(match.end(), match.lastgroup == "other") for match in SECTION.pattern.finditer(prepared.text)]
    kept = {one.code: one for one in reversed(codes[:MOST]) if not _ruled_out(prepared.text, one, sections)}
    if not kept:
        return Reading(None, "denied", tuple(prepared.span(one.start, one.end) for one in codes))
    ordered = sorted(kept.values(), key=lambda one: one.start)
    spans = tuple(prepared.span(one.start, one.end) for one in ordered)
    signs = scan(prepared, lexicon_of("diagnosis")).signs
    unambiguous = len(kept) == len({one.code for one in codes}) and (DOUBTS | {"N"}).isdisjoint(signs)
    return Reading(SEPARATOR.join(one.code for one in ordered), "codes", spans, unambiguous)


def _ruled_out(text: str, one: Code, sections: Sequence[tuple[int, bool]]) -> bool:
    """Say whether a text denies what a code names, or only tells its diagnosis apart from it."""
    sentence = text[max(0, one.start - NEAR) : one.start]
    section = bisect_right(sections, (one.start, True))
    return (
        (section > 0 and sections[section - 1][1])
        or OUT.pattern.search(sentence) is not None
        or OUT_BEHIND.pattern.match(text, one.end, one.end + NEAR) is not None
    )


def _by_name(text: str, dictionary: Dictionary) -> Reading:
    found = read_diagnosis(text)
    if not isinstance(found.value, tuple):
        return found
    codes: dict[str, tuple[str, int]] = {}
    for place, name in enumerate(found.value):
        code = code_of(name, dictionary)
        if code is not None:
            codes.setdefault(category_of(code), (code, place))
    if not codes:
        return Reading(None, NOTHING, found.spans)
    spans = tuple(found.spans[place] for place in sorted({place for _unused, place in codes.values()}))
    complete = found.unambiguous and len(spans) == len(found.value)
    return Reading(SEPARATOR.join(code for code, _unused in codes.values()), "names", spans, complete)


def code_of(name: str, dictionary: Dictionary) -> str | None:
    """Link a name: it is in the dictionary, or is one with words around it that keep the category.

    Examples
    --------
    >>> from medzh_score.terminology.disease_names import our_dictionary
    >>> code_of("双侧肺炎", our_dictionary()), code_of("肺炎疫苗", our_dictionary())
    ('J18.9', None)
    """
    form = fold_disease_name(name)
    if code := dictionary.code_of(form, name):
        return code
    for mention in dictionary.mentions(name, form):
        before = mention.start == 0 or BEFORE.pattern.fullmatch(form, 0, mention.start)
        if before and (mention.end == len(form) or BEHIND.pattern.fullmatch(form, mention.end)):
            return mention.code
    return None


AROUND, FAR = 40, 60  # characters on either side that are looked at
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
    if OTHER_BEHIND.pattern.match(form, end) or OTHER_BEFORE.pattern.search(form, max(0, start - AROUND), start):
        return True
    if VERTEBRA.pattern.fullmatch(code) and SPINE.pattern.search(form, max(0, start - AROUND // 2), end + AROUND // 2):
        return True
    return code[0] in "TPR" and SIGNS_OF_LIFE.pattern.search(form, max(0, start - AROUND), end + AROUND) is not None


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
    return bracketed is not None or any(DISEASE.pattern.search(part) for part in (before[-AROUND:], behind[:AROUND]))
