"""Slips of printed papers of which only one thing can be meant, put right in place of losing the question."""

from __future__ import annotations

import re

SLIPS: tuple[tuple[re.Pattern[str], str], ...] = (
    # A rate without what is counted, and a unit that is parted by a blank.
    (re.compile(r"((?:心率|脉搏|呼吸|胎心)\s*\d{2,3})(?=[/／]分)"), r"\1次"),
    (re.compile(r"(?<=g)[/／]\s+(?=d?L(?![A-Za-z]))"), "/"),
    # A murmur that nobody hears.
    (re.compile("(听诊于[^，。闻听有]*[间部区])(?=[^，。闻听有间部区]*杂音)"), r"\1可闻及"),
    # A mark between an adverb and its verb; with another adverb it joins the two.
    (re.compile(r"反复、(?!多次|大量|长期|持续|间断|阵发|经常|少量)"), "反复"),
    # A stop within a sentence, and none between two findings.
    (re.compile("。(?=质[中硬软韧][，。])"), "，"),
    (re.compile("。且(?=[向伴有不无可])"), "，且"),
    (re.compile(r"^([男女]性?，\d{1,2}岁)、"), r"\1，"),
    (re.compile(r"(?<=\d℃)(?=[心肺肝脾神皮颈腹])"), "，"),
    (re.compile("体检检查"), "体格检查"),
    (re.compile("(?<=用)([一-鿿]{3})的治疗(?=[，。])"), r"\1治疗"),
    (re.compile(r"(\d)([～~-])(\d)级或\3级以上"), r"\1\2\3级或以上"),
    (re.compile("共济失调障碍"), "共济失调"),
    (re.compile("(无原因|无缘无故|指桑骂槐)的(?=认为|怀疑|议论)"), r"\1地"),
    # A word that lost a character, or has one that looks or sounds like its own.
    (re.compile("全收缩杂音"), "全收缩期杂音"),
    (re.compile("肝内外肝管"), "肝内外胆管"),
    (re.compile("肋脊角(?=消失|变钝|模糊|变浅)"), "肋膈角"),  # the other one is of the kidney
    (re.compile("大汗淋滴"), "大汗淋漓"),
    (re.compile("末稍"), "末梢"),
    (re.compile("该患(?=最|首|应先|的)"), "该患者"),
)


def put_right(text: str) -> str:
    """Put slips right.

    >>> put_right("心率80/分，X线片示肋脊角变钝"), put_right("肋脊角叩击痛，反复、大量咯血")
    ('心率80次/分，X线片示肋膈角变钝', '肋脊角叩击痛，反复、大量咯血')
    """
    for slip, meant in SLIPS:
        text = slip.sub(meant, text)
    return text
