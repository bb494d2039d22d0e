"""How a judge words the score that is given: the rules of the kind as data."""

from __future__ import annotations

import re

from medzh_score.extraction.wording import Wording

_NUMBER = r"(?<![\d.−-])(?P<number>\d{1,9}(?:\.\d{1,18})?|\.\d{1,18})(?!\d|\.\d)"
# After a number: of how many it is, that it is a percentage, or one end of a range. A unit makes it no score at all.
_AFTER = (
    r"(?!\s*(?:[条个岁天次项年月日类种名例人周℃°折元块秒克斤升片粒支倍度℉级期型位页]|分钟|分之|小时|[mμu]g\b|m[lL]\b|mmol|kg|cm|mm|IU\b|(?:hours?|days?|weeks?|months?|years?|of\s+(?:the|an?))\b))"
    r"(?:\s*分?\s*(?:(?:/|out of|of(?=\s\d))\s*|(?:[（(，,]\s*满分|[（(]\s*总分)(?:为|是"
    r"|[：:])?\s*)(?P<full>\d{1,9}(?:\.\d{1,9})?)(?!\d|\.\d)"
    r"|\s*(?P<percent>[%％‰]|percent\b)|(?P<range>\s*分?\s*(?:[-=]++>|[-–—~～至到→⇒±]|to\b|or\b|或者?|、)\s*\.?\d[\d.]*"
    r"|\s*分?\s*[，,]\s*(?:或者?|or\b|也可能是?|也可以是?|甚至)\s*\.?\d[\d.]*|,(?=\d)))?"
    r"(?!\s*[?？])"
)
_LABEL = (
    r"(?:评分|得分|分数|打分|总分|正确性|可解释性|准确性|答案|结论|结果|判断(?=[是为：:])"
    r"|\b(?:score|rating|grade|judge?ment|correctness|interpretability|answer|verdict)\b)"
)
_BETWEEN = (
    r"(?:[\s：:=“\"（(）)○|【\[】\]—→⇒]|□++|[=-]++>|结果|应该|应当|应|可以|大约|约|为|是|给|我|会|将|定|打|其|该|的|最终|回答|评|了|分数"
    r"|\b(?:score|rating|is|would|should|be|of|as|at|a|my|this|the|for|answer|response)\b){0,9}?"
)
_GIVEN = (
    r"(?:给予?|打|评为|评定为|定为|记为?|配得上|\b(?<!not )(?<!n't )(?<!never )"
    r"(?:give|rate|assign|settle|(?<=I'd )say|(?<=I would )say|land(?:s|ed)?|go(?:ing)?(?=\s+with\b)"
    r"|(?<!would )(?<!could )(?<!might )(?<!have )(?:deserve|earn|merit)(?:s|ed)?)"
    r"(?:\s+(?:it|this|the|answer|response|a|score|rating|of|as|at|on|for|with))*\s)"
    r"(?:它|其|出|个|该|这个|回答|答案|了|评分|分数|[\s：:“\"]){0,6}?"
)


def _wording(name: str, expression: str, matches: str, misses: str) -> Wording:
    return Wording(name, re.compile(expression, re.IGNORECASE), matches, misses)


WORDINGS = (
    _wording("score marked", _LABEL + _BETWEEN + _NUMBER + _AFTER, "评分：0.8，因为基本正确。", "评分标准有 3 条。"),
    _wording("score given", _GIVEN + _NUMBER + _AFTER, "答案基本正确，我给 0.8 分。", "给药 3 次。"),
    _wording(
        "score changed",
        r"(?:应该?(?:是|为)|应当(?:是|为)?|改(?:为|成|到|至|给)|(?:调整|更正|修正|纠正|修改|变更)(?:为|到|至|成|：|:)"
        r"|(?<=[，,。；;\s我就只能应得再须要先分])(?:降|升|调|减|提|扣)[低高]?(?:为|到|至|成)(?=\s*[\d.]+\s*[分吧])"
        r"|而是|分[^。，\n\d]{0,8}(?:从[\d.]+分?)?[降升提]高?(?:为|到|至)"
        r"|综合(?:来看|考虑|评价|判断|评估|以上)?|总体|最终|因此|所以|故|\b(?:should be|change[ds]?|revised?|make"
        r"|rather|actually|overall|final(?:ly)?"
        r"|correction|so|therefore)\b)"
        r"(?:[\s：:，,→⇒]|[=-]++>|我|给|为|打|评分|分数|它|其|\b(?:it|that|to|is|the|my|score|a)\b){0,6}?"
        + _NUMBER
        + _AFTER,
        "评分：0.6。应改为0.8。",
        "应当每日 3 次。",
    ),
    _wording(
        "number that fits",
        _NUMBER
        + r"\s?分?(?=(?:更|比较|较|才|最|左右)?(?:合适|合理|恰当|准确|公允|妥当)"
        + r"|\s+(?:is|would be)\s+(?:more|better|fair|appropriate))"
        + _AFTER,
        "评分：0.6。其实0.8更合适。",
        "每日 3 次更合适。",
    ),
    _wording(
        "number alone",
        rf"(?<=[，,。；;\n：:])(?<!\d,)\s*{_NUMBER}(?=\s*(?:[。；;\n]|\Z)|(?:(?<=\.\d)|(?<=\.\d\d))\.\s*\Z){_AFTER}",
        "答案基本正确，0.8。",
        "答案基本正确，0.8 毫克。",
    ),
    _wording("points", _NUMBER + r"\s?分(?![之钟])" + _AFTER, "答案基本正确，0.8分。", "每 10 分钟一次。"),
    _wording(
        "number first",
        rf"\A[\s“\"]*{_NUMBER}{_AFTER}\s?分?[”\"]?(?=\s*(?:\Z|[。，；;！!（(—\n]|\.\Z|,(?!\d))|\s[-–]\s(?=[A-Za-z])|\s(?:因为|理由|原因"
        rf"|because|since)|因为)",
        "0.8，因为基本正确。",
        "1. 基本正确。",
    ),
    _wording(
        "number last",
        rf"\n[\s“\"]*{_NUMBER}{_AFTER}\s?分?[”\"]?[。.]?\s*\Z",
        "答案基本正确。\n0.8",
        "答案基本正确。\n共 3 条",
    ),
)
# Signs without which a wording is not in a sentence: looked for first, which is fast.
NEEDS = {
    "score marked": re.compile("[分性案论果断A-Za-z]"),
    "score given": re.compile("[给打定为记配A-Za-z]"),
    "score changed": re.compile("[应改调更修纠变而降升提综总最因所故A-Za-z]"),
    "number that fits": re.compile("[适理当确允A-Za-z]"),
    "points": re.compile("分"),
}
