"""PediaBench's essay questions and answers as they were printed, before a scan misread them and lost their signs."""

from __future__ import annotations

import re

# Characters and words that are none here, or that no other reading allows.
MISREAD = {
    "岀": "出",
    "釆": "采",
    "査": "查",
    "哕音": "啰音",
    "罗音": "啰音",
    "顿内": "颅内",
    "顿高压": "颅高压",
    "博动": "搏动",
    "前卤": "前囟",
    "呕叶": "呕吐",
    "蛋冃": "蛋白",
    "追妄": "谵妄",
    "政下": "皮下",
    "管痿": "管瘘",
    "眯唑": "咪唑",
    "月市部": "肺部",
    "张为增": "张力增",
    "枸盐": "枸橼酸盐",
    "一疵": "一般",
    "黄疽": "黄疸",
    "淋巴癌": "淋巴瘤",
    "败血病": "败血症",
    "返流": "反流",
    "综合症": "综合征",
    "引起的的": "引起的",
    "发发生": "发生",
    "不易过长": "不宜过长",
    "大面严重积烧伤": "大面积严重烧伤",
    "婴儿酒精综合征": "胎儿酒精综合征",
    "轻一中": "轻至中",
    "提高DC": "提高DIC",
    "、或": "或",
    "ropB": "rpoB",
    "Klinefelters": "Klinefelter",
    "RonT": "R on T",
    "禁忌症": "禁忌证",
    "充血、选择性": "充血，选择性",
    "检测淋巴瘤": "监测淋巴瘤",
    "尿崩症 NDI 可": "尿崩症可",
    "状态）：随后": "状态）；随后",
    "轻至中度：网织": "轻至中度；网织",
    "疾病有毛细血管炎": "疾病有毛细支气管炎",
}
# Words between which the end of a printed line lost its sign.
LOST_SIGNS = {
    ("隐匿", "体检时"): "，",
    ("亢进", "体内产热"): "，",
    ("预后差", "病死率"): "，",
    ("MRI", "脑脊液"): "、",
    ("体温过高", "中毒症状"): "、",
    ("临终症状", "病死率"): "，",
    ("不敏感", "其浓缩"): "，",
    ("阳性球菌", "需抗生素"): "，",
    ("更严重", "休克也会"): "，",
    ("综合征", "主要特征是"): "，",
    ("缺氧", "二氧化碳滞留时"): "、",
    ("手术治疗", "对气管切开"): "。",
    ("引流术", "许多患者"): "。",
    ("治疗方案", "对积气量"): "。",
    ("针对原发病治疗", "大多"): "，",
    ("镇静药", "对心力"): "。",
    ("低血钠）", "低血糖"): "、",
    ("密切监测", "及时治疗"): "，",
}
ENTERS = re.compile("(?<=[摄侵置植进])人(?!工|体|类|的|员|群)")
WHAT_DISEASE = re.compile(r"^(?P<name>.+)是什么病[？?]?$")
HEAD = re.compile(r"^(?:预防|诊断|治疗|处理)[：:]")
# Signs that formulas leave behind, and digits that stand high or low.
GLOBULIN = re.compile(r"(?<![A-Za-z\d.])[l1]?g([EMGAD])(?![A-Za-z])")
POWER = re.compile(r"[×xX*]\s*10\s?(6|9|12)\s*(?=[/／]\s?L)")
RAISED = re.compile(r"\^\{?([\d+-]+)\}?")
LOWERED = re.compile(r"(?<=[A-Za-z])_(?:\{([\d:]+)\}|(\d)(?!\d))")
SQUARE = re.compile(r"(?<=[\d/.\s])m\s?2(?![\w.])")
HIGH = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
# A foreign name in brackets, of which scans misread many, is left out; its abbreviation, which the text uses, stays.
GLOSS = re.compile(
    r"\s*[(（]\s*(?=[^()（）]*[a-z]{4})[A-Za-z][A-Za-z\s,，.'-]*?(?:[,，]\s*(?P<short>[A-Z][A-Za-z]{1,5}))?\s*[)）]"
)
# Blanks beside Chinese are those of lines; a half-width sign beside it was a full one.
CHINESE = r"[一-龥，。；：、（）？！“”①-⑳]"
BLANK = re.compile(rf"(?<={CHINESE})[ \t\u3000]+|[ \t\u3000]+(?={CHINESE})")
GAP = re.compile(r"(?<=[一-龥])[ \t\u3000]{2,}(?=[一-龥])")
BLANKS_INSIDE = re.compile(
    r"(?<=[(（])\s+|\s+(?=[)）])|(?<=[<>≥≤＜＞])\s+(?=\d)|\s+(?=[<>≥≤＜＞])|(?<=[/／])\s+(?=[A-Z])"
    r"|\s*(?P<range>[~～])\s*|(?<=\w)\s*-\s*(?=[\w]|$)"
)
HEADING = re.compile(r"^([（(]\d[)）][^。；，：\n]{2,18}?)\s*\n(?=[^（(①⑴\d])", re.MULTILINE)
BROKEN_LINE = re.compile(r"(?<=[、，一-龥])\n(?=[一-龥])(?<=[、，]\n)")
SEMICOLON = re.compile(r"(?<=学检查)；(?=[^（①⑴]{12})")  # behind the head of an item
WIDE = str.maketrans(",;:?!", "，；：？！")
HALF = re.compile(r"(?<=[一-龥）])[,;:?!]|[,;:?!](?=[一-龥（])")
STOP = re.compile(r"(?<=[一-龥）])[.．](?=[一-龥]|$)")
KARYOTYPE = re.compile(r"(?<=\d)，(?=X+Y)")
TWICE = re.compile(r"([。，；：])[。，；：]+")
# A mark of a list needs a sign before it: a colon before the first, a semicolon before the next.
_NO_MARK = r"(?!\s*[、，,或和与~～及）)]|项|条|者|度|期)"
FIRST = re.compile(rf"(?<=[一-龥)）\w%])(?<!第)(?<!以下)(?<!下列)(?=(?:①|（1）|⑴){_NO_MARK})")
NEXT = re.compile(rf"(?<=[一-龥)）\w%])(?<!以下)(?<!下列)(?=(?:[②-⑳]|（(?:[2-9]|1\d)）|[⑵-⒇]){_NO_MARK})")
ENDED = "。？！”…"


def mended_answer(text: str) -> str:
    """Write an answer as it was printed.

    >>> mended_answer("包括① 血常规：WBC 15×109/L ② lgM 升高")
    '包括：①血常规：WBC 15×10⁹/L；②IgM升高'
    """
    text = SEMICOLON.sub("：", _mended(text))
    return NEXT.sub("；", FIRST.sub("：", HEAD.sub("", text)))


def mended_question(text: str) -> str:
    """Write a question as it was printed, and what is asked as a disease, though it may be none, as a term.

    >>> mended_question("血尿 是什么病？"), mended_question("如何治疗黄疽")
    ('什么是血尿？', '如何治疗黄疸？')
    """
    text = WHAT_DISEASE.sub(lambda found: f"什么是{found['name']}？", _mended(text))
    return text if text[-1:] in ENDED else f"{text}？" if text else text


def _mended(text: str) -> str:
    for wrong, right in MISREAD.items():
        text = text.replace(wrong, right)
    text = GLOBULIN.sub(r"Ig\1", ENTERS.sub("入", text))
    text = POWER.sub(lambda found: f"×10^{found[1]}", text)
    text = RAISED.sub(lambda found: found[1].translate(HIGH), text)
    text = SQUARE.sub("m²", LOWERED.sub(lambda found: found[1] or found[2], text))
    text = GLOSS.sub(lambda found: f"({found['short']})" if found["short"] else "", text)
    text = BLANKS_INSIDE.sub(lambda found: found["range"] or ("-" if "-" in found.group() else ""), text)
    text = HEADING.sub(r"\1：", text)
    text = BLANK.sub("", GAP.sub("：", BROKEN_LINE.sub("", text)))
    text = STOP.sub("。", HALF.sub(lambda found: found.group().translate(WIDE), text))
    for (before, behind), sign in LOST_SIGNS.items():
        text = text.replace(before + behind, before + sign + behind)
    return KARYOTYPE.sub(",", TWICE.sub(r"\1", text)).strip()
