"""The units of numbers in Chinese medical texts, by all the ways in which they are written."""

from __future__ import annotations

import re

# What is measured, in the form that NFKC and small letters give; the names on the right say the same.
_MEASURES = {
    "mg": "毫克",
    "μg": "ug mcg 微克",
    "ng": "纳克",
    "pg": "皮克",
    "g": "克",
    "kg": "千克 公斤",
    "ml": "毫升 cc",
    "μl": "ul 微升",
    "dl": "分升",
    "fl": "飞升",
    "l": "升",
    "mol": "摩尔",
    "mmol": "毫摩尔",
    "μmol": "umol 微摩尔",
    "nmol": "纳摩尔",
    "pmol": "皮摩尔",
    "mosm": "",
    "meq": "毫当量",
    "iu": "国际单位",
    "miu": "",
    "u": "单位",
    "j": "焦耳 焦",
    "kj": "千焦耳 千焦",
    "kcal": "千卡 大卡",
    "cal": "",
    "gy": "",
    "mci": "",
    "mbq": "",
    "°c": "摄氏度",
    "cm": "厘米",
    "mm": "毫米",
    "m": "米",
    "nm": "纳米",
    "μm": "um 微米",
    "m2": "平方米 m^2",
    "cm2": "平方厘米 cm^2",
    "mm2": "平方毫米 mm^2",
    "mm3": "立方毫米 mm^3",
    "mmhg": "毫米汞柱",
    "kpa": "千帕",
    "cmh2o": "厘米水柱",
    "hz": "赫兹",
    "khz": "",
    "mhz": "",
    "db": "分贝",
    "ma": "毫安",
    "mv": "毫伏",
    "kv": "",
    "w": "瓦",
    "sd": "标准差",
    "%": "",
    "‰": "",
    "ppm": "",
    "h": "hr hrs 个小时 小时 钟头",
    "min": "mins 分钟",
    "s": "sec 秒钟 秒",
    "ms": "毫秒",
    "d": "天 日",
}
_COUNTED = (
    "年 日龄 胎龄 孕周 次 倍 分 片 支 瓶 袋 丸 喷 揿 吸 包 枚 针 剂 滴 粒 胎 例 人 "
    "胶囊 茶匙 横指 度 型 期 级 价 联 个 种 类 点 项 步 条 组 大类 方面 阶段"
)
_OTHERS = {
    "周": "wk 星期",
    "月": "个月 月龄 mo",
    "岁": "周岁",
    **dict.fromkeys(_COUNTED.split(), ""),
}
MEASURES = frozenset(_MEASURES)
UNITS = {written: unit for unit, names in (_MEASURES | _OTHERS).items() for written in (unit, *names.split())}
# Inside a unit white space is typography: mm Hg, 个 月.
UNIT = re.compile(
    r"\s*("
    + "|".join(r"\s?".join(map(re.escape, written)) for written in sorted(UNITS, key=len, reverse=True))
    + r")(?![a-z]|(?<=[a-z])\d)"
)
# An answer may count what the text lists: 包括以下3个方面.
COUNTERS = frozenset({"个", "种", "类", "点", "项", "步", "条", "组", "大类", "方面", "阶段", "次"})
# Characters that may follow a number and are no unit of it.
NO_UNIT = frozenset("以至到或和与及的为在时者左右内外后前中上下则并可需应多余来是有均即仍每第共占比按加乘除减于且如若")
FURTHER = re.compile(r"\s*(?:[/·.*×(]\s*)+")
INVERSE = re.compile(r"\^?-1(?!\d)")
RAW_UNIT = re.compile(r"[^\S\n]{0,2}([a-zμ°]{1,8})(?![a-z])")
HANGING = re.compile(r"[^\S\n]{0,2}([^\W\d_])")  # a letter or a character behind a number


def unit_at(text: str, start: int) -> tuple[tuple[str, ...], int]:
    """Read a unit, and say where it ends; what stands in its place and is not known is taken as it is written."""
    parts: list[str] = []
    end = start
    slash = re.compile(r"\s*/\s*").match(text, start)
    found = UNIT.match(text, start) or (UNIT.match(text, slash.end()) if slash else None)
    if found and slash and found.start() == slash.end():
        parts.append("")
    while found:
        unit = UNITS[re.sub(r"\s", "", found[1])]
        parts.append("min" if unit == "分" and parts else unit)  # as in 次/分
        end = found.end()
        if inverse := INVERSE.match(text, end):
            end = inverse.end()
        further = FURTHER.match(text, end)
        found = UNIT.match(text, further.end()) if further else None
    if parts:
        return tuple(parts), end
    if raw := RAW_UNIT.match(text, start):
        return (raw[1],), raw.end()
    if (hanging := HANGING.match(text, start)) and hanging[1] not in NO_UNIT:
        return (hanging[1],), hanging.end()
    return (), start
