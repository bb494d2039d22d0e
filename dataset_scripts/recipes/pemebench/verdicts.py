"""Which choice questions have no one answer that a physician would sign today, by what they ask."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dataset_scripts.recipes.banks.questions import CONTESTED, DATED, NOT_ASKED

if TYPE_CHECKING:
    from collections.abc import Sequence

# What guidelines have changed since the question was written: ages of vaccination, hours outdoors, regimens of
# tuberculosis, old doses and first choices; fasting in diarrhoea, pauses of breast milk, stimulants of breathing at
# birth, one threshold of bilirubin for all, years of penicillin, the strength of oral salts, when vitamin D begins,
# energy in malnutrition, hours of screening, and when a tooth is looked at again.
CHANGED = re.compile(
    r"(?:接种|百白破).*(?:时间|月龄?$|几次)|异烟肼|INH|隔离期|开奶|缺氧缺血性脑病.*(?:判断|预后|首选)"
    r"|计划免疫|户外活动|维生素D.*(?:剂量|肌注|用量)|首选的?降压药|甲状腺功能减[低退]症.*治疗"
    r"|(?:腹泻|补液).*禁食|[暂停][停喂]母乳|窒息.*呼吸兴奋|病理性(?:黄疸|胎黄)[\s\S]*μmol|长效青霉素.*至少|补液盐.*渗透压"
    r"|日光浴|添加维生素D|佝偻病.*处理|营养不良.*(?:热量|能量).*开始|筛查.*采血|牙震荡.*复查|尿有机酸|衣原体.*首选"
)
# Another option is as right, or textbooks differ: a milestone or a norm that is another one in each, what two diseases
# are told apart by, what comes of one cause, fluids by the kilogram where the degree of dehydration is not said,
# jaundice of a suckled newborn that is of birth or of milk, tight clothes, and a part of what another option says.
OPEN = re.compile(
    r"控制排尿|脑疝常见于|脱水和?酸中毒.{0,4}纠正后出现$|每月增长约?$|佝偻病.*食物|鼻畸形.*何时|[轻中重]度贫血的诊断指标"
    r"|风疹与麻疹|麻疹与风疹|动力学改变首先|可继发的疾病|第[一1]天补液的?总量|紧身衣|红晕不明显|^铁不足$|^传染病\n感染性疾病$"
    r"|母乳喂养[^\n]*黄染[\s\S]*\n母乳性黄疸[\s\S]*\n生理性黄疸$",
    re.MULTILINE,
)
# The primary complex and tuberculosis of lymph nodes are told apart on the film of the chest.
UNSEEN = re.compile(r"原发[性型综][\s\S]*支气管淋巴结|支气管淋巴结[\s\S]*原发[性型综]")
FILM = re.compile(r"X线|胸片|CT")
# A stem that is a time of life and no more is a part of a matching question, whose head is lost.
# So is one that is a name, a purpose or two signs and nothing that asks, and one that asks the wrong way round.
FRAGMENT = re.compile(
    r"[^，。？?是为有]{2,14}(?:[时天期月岁周]|月开始)|[^，。？?是为有应可见于在宜需用指何哪]{2,12}[病症炎瘤征]"
    r"|为了?(?:防止|预防|避免)[^，。？?是应可宜需何哪]*|智能低下，[^，。]{2,6}是|[\s\S]*，除了"
)
# Options that are measures of different kinds, or that say what belongs to the very thing, are of several questions.
LENGTH, WEIGHT = re.compile(r"[\d.]+\s*[cm]?m(?![a-zA-Z])"), re.compile(r"[\d.]+\s*k?g(?![a-zA-Z/])")
BELONGS = re.compile(r"属([一-鿿]{3,6})$")


def why_none(stem: str, options: Sequence[str]) -> str:
    """Say why a mended question is none that can be asked: a reason of ``REASONS``, or "" where it can.

    >>> why_none("小儿可自动控制排尿的年龄约为", ("1岁", "2岁")), why_none("小儿可独坐的年龄约为", ("7个月", "2岁"))
    ('contested', '')
    """
    whole = "\n".join((stem, *options))
    if CHANGED.search(whole):
        return DATED
    if OPEN.search(whole) or (UNSEEN.search("\n".join(options)) and not FILM.search(stem)):
        return CONTESTED
    return NOT_ASKED if FRAGMENT.fullmatch(stem) or _are_of_several(stem, options) else ""


def _are_of_several(stem: str, options: Sequence[str]) -> bool:
    """Tell whether options belong to several questions."""
    if any(LENGTH.match(one) for one in options) and any(WEIGHT.match(one) for one in options):
        return True
    return any((found := BELONGS.search(one)) and stem.startswith(found[1]) for one in options)
