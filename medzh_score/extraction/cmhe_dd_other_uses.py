"""What is written like a code of ICD-10 and is something else: a temperature, a virus, a vertebra, a vitamin."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.terminology.icd_codes import category_of

if TYPE_CHECKING:
    from medzh_score.extraction.cmhe_dd_written import Written

NEAR = 40  # characters on either side in which other vital signs stand
WIDE = 200  # characters on either side that can belong to its sentence
SENTENCE = re.compile(r"[。!?\n]")
# A word that says code right before one: then it is one, whatever else it could be.
NAMED = re.compile(r"(?:\bICD|编码|代码|诊断码|疾病码|\b[Cc]odes?)[\s为是:(\[【\"'*`=-]*(?:is|are|was)?[\s:\"'*`(\[]*$")

# Any code, with its point or without.
_UNIT = re.compile(
    r"\s*(?:%|‰|°|℃|摄氏度|度(?!烧|冻|房|[以上中])|(?:[kmμun]?g|[cm]?m|m?l|[mμu]?mol|mmHg|kPa|IU|U|Gy|mCi|bpm)(?![A-Za-z]))"
)
_NUMBERED = re.compile(
    r"(?:[见附如][图表]|\b(?:[Ff]ig(?:ure)?|[Tt]ab(?:le)?|[Ss]ection|[Vv]ersion|SPSS|ICD-?9[A-Z0-9-]*)\.?|版本|版)[\s:]*$"
    r"|(?:(?<![-=])>|[<≤≥~])\s*$"
)
_COUNT = re.compile(r"(?:WBC|RBC|PLT|Hb|白细胞|血常规|中性|淋巴)[^。!?\n;]*(?:[0-9LgG%]|细胞)[\s,、]*$")
# A band of a chromosome: t(9;22)(q34;q11).
_BAND = re.compile(r"(?<=[(;])[pq][0-9]{2}(?:\.[0-9]+)?(?=[);])")
# Signs of life.
_TEMPERATURE = re.compile(r"[Tt]\s?(?:3[4-9]|4[0-2])(?:\.[0-9])?(?![0-9.xX])")
_PULSE = re.compile(r"[PpRr]\s?[0-9]{2,3}(?![0-9])")
_SIGN_BEFORE = re.compile(
    r"(?:体温|脉搏|脉率|呼吸|心率|血压|生命体征|[Tt]emp(?:erature)?|[Pp]ulse|[Rr]esp(?:iratory rate)?)[\s:|是为(]*$"
)
_SIGN_NEAR = re.compile(
    r"(?<![A-Za-z0-9])(?:(?P<T>[Tt][\s:]?(?:3[4-9]|4[0-2])(?![0-9]))|(?P<P>P[\s:]?[0-9]{2,3}(?![0-9.]))"
    r"|(?P<R>R[\s:]?[0-9]{2}(?![0-9.]))|(?P<B>(?:BP|HR|RR|Sp[Oo]2)[\s:]?[0-9]))"
)
_HARM = re.compile(r"中毒|毒性|毒|药|烧|烫|冻|腐蚀|poison|toxic|overdose|adverse|burn|frostbite")

# A category without its point.
_BEFORE = re.compile(
    r"(?:维(?:生素|他命)?|[Vv]itamin|\b[Vv]it\.?|抗原|抗体|基因|染色体|外显子|\b[Ee]xon|\b[Cc]odon|RAS|BRAF|EGFR|病毒|[Vv]irus|柯萨奇"
    r"|[Cc]oxsackie|埃可|细小|[Pp]arvo|血清型|[Ss]erotype|大肠杆菌|大肠埃希菌|辅酶|[Cc]oenzyme|同位素|核素|碳|HLA|孕|床|床号|病房|住院号"
    r"|病历号|病案号|门诊号|葡萄糖|第|[Ll]evel|[Rr]oom|[Bb]ed|[Ww]ard|(?<!ICD)[A-Za-z0-9]-)[\s:(\[]*$"
)
_BEHIND = re.compile(
    r"\s*(?:蛋白|基因|抗原|抗体|阳性|阴性|\(\s*[+±-]|椎|胸椎|腰椎|颈椎|节段|神经根|神经平面|平面|水平|突变|染色|型|株|病毒|呼气|呼吸试验"
    r"|粒子|治疗|检测|口罩|细胞|酶|次(?!要|级)|/[0-9]|号|床|楼|病房|周|天|岁|年(?!龄)|月(?!经)|:[A-Z]|\*[0-9]|-[0-9]|-[A-Za-z]{1,3}(?![A-Za-z])"
    r"|[Pp]ositive|[Nn]egative|[Pp]rotein|[Gg]ene|[Aa]ntigen|[Vv]irus|[Vv]ertebra|[Mm]utation|[Ii]nfection|mask|respirator|breath)"
)
_STAINED = re.compile(r"[+±](?=[,、;。\s)]|$)")  # but (A17+) is a dagger
_SPINE = re.compile(
    r"椎|脊|髓|节段|压缩|vertebra|spin|dis[ck]|compression fracture|herniat|lumbar|cervic|thorac", re.IGNORECASE
)
# Two vertebrae that touch, L45 for L4/5, or one of the lower ones of the chest.
_LEVEL = re.compile(r"[CTLS](?:12|23|34|45|56|67|78|89|71|51)|T1[01]")
_VERTEBRAE = frozenset({"T10", "T11", "T12"})
# What a category without its point is, where one of these words stands in the sentence.
_ELSE = {
    "A16": r"手足口|疱疹性咽峡|肠道病毒|[Cc]ox|[Hh]and, foot",
    "B12": r"贫血|缺乏|叶酸|[Dd]eficien|甲钴胺",
    "B19": r"细小|第五病|传染性红斑|[Pp]arvo",
    "B27": r"HLA|脊柱|骶髂|[Ss]pondyl|葡萄膜",
    "C13": r"呼气|幽门|尿素|UBT",
    "C14": r"呼气|幽门|尿素|UBT",
    "D10": r"葡萄糖|输液|静滴",
    "D50": r"葡萄糖|输液|静滴|静推",
    "F18": r"氟|FDG|PET",
    "G12": r"RAS|突变|[Mm]utation",
    "I12": r"碘|粒子|甲状腺|[Ii]odine",
    "I13": r"碘|核素|放射|甲状腺|[Ii]odine|[Tt]hyroid",
    "K56": r"细胞系|白血病",
    "N95": r"口罩|防护|佩戴|mask",
    "O15": r"大肠|[Cc]oli|出血性肠炎|H7",
    "P16": r"免疫|蛋白|HPV|癌|瘤|[+]",
    "P40": r"免疫|蛋白|癌|瘤|[+]",
    "P53": r"免疫|蛋白|基因|癌|瘤|[+]",
    "P63": r"免疫|蛋白|癌|瘤|[+]",
    "Q10": r"辅酶|[Cc]o",
    "S10": r"免疫|蛋白|黑色素瘤|神经鞘|S100",
}


def is_something_else(form: str, one: Written) -> bool:
    """Tell whether the text shows that what is written like a code is none.

    Parameters
    ----------
    form : str
        From `form_of`.
    one : Written
        What is written like a code.

    Returns
    -------
    bool
        False where nothing speaks against it; whether anything speaks for it is another question.
    """
    if NAMED.search(form, max(0, one.start - NEAR), one.start):
        return False
    if _BAND.match(form, one.start):
        return True
    before, behind = sentence_around(form, one)
    if _UNIT.match(form, one.end) or _NUMBERED.search(before) or _COUNT.search(before) or _is_sign(form, one, before):
        return True
    return not one.sure and _is_no_category(form, one, before, behind)


def _is_sign(form: str, one: Written, before: str) -> bool:
    warm = _TEMPERATURE.match(form, one.start) is not None
    if not warm and not (not one.sure and _PULSE.match(form, one.start)):
        return False
    if _SIGN_BEFORE.search(before):
        return True
    around = form[max(0, one.start - NEAR) : one.end + NEAR]
    return len({found.lastgroup for found in _SIGN_NEAR.finditer(around)}) > 1


def _is_no_category(form: str, one: Written, before: str, behind: str) -> bool:
    if _BEFORE.search(before) or _BEHIND.match(form, one.end):
        return True
    if _STAINED.match(form, one.end) and not re.search(r"[(\[【|]\s*$", before):
        return True
    if _LEVEL.fullmatch(one.code) and _SPINE.search(before[-20:] + behind[:20]):
        return True
    words = _ELSE.get(category_of(one.code))
    return words is not None and re.search(words, before + behind) is not None


def sentence_around(form: str, one: Written) -> tuple[str, str]:
    """Give what stands before and behind it in its sentence, as far as it is near.

    Parameters
    ----------
    form : str
        From `form_of`.
    one : Written
        What is written like a code.
    """
    before, behind = form[max(0, one.start - WIDE) : one.start], form[one.end : one.end + WIDE]
    return SENTENCE.split(before)[-1], SENTENCE.split(behind, maxsplit=1)[0]


def could_be_other(form: str, one: Written) -> bool:
    """Tell whether a form is so often something else that only a word beside it can make it a code.

    Parameters
    ----------
    form : str
        From `form_of`.
    one : Written
        What is written like a code.

    Returns
    -------
    bool
        True of what could be a temperature, and no poisoning or burn is spoken of; of the lower vertebrae of the chest
        without a point; and of a version or a band of a chromosome, v26.0 and q34.
    """
    if _TEMPERATURE.match(form, one.start):
        return not any(_HARM.search(part) for part in sentence_around(form, one))
    return (one.lower and one.code[0] in "PQV") or one.code in _VERTEBRAE
