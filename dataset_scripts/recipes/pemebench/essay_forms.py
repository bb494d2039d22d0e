"""Whether the sentences and lists of a mended answer are whole: what a scan lost leaves them joined, uneven or open."""

from __future__ import annotations

import re

LONGEST_RUN = 42  # characters without a sign: two sentences whose stop is lost
RUN = re.compile(rf"[一-龥A-Za-z\d]{{{LONGEST_RUN},}}")
OPENS, CLOSES = "(（[［【", ")）]］】"
LIST_MARK = re.compile(r"(?<![（(\w.-])\d[)）]")
# An item of a list as far as the next one, and whether it begins with a head of its own.
ITEM = re.compile(r"[（(]\d{1,2}[)）]|[①-⑳]|[⑴-⒇]|(?:(?<=^)|(?<=[。；\n]))\d{1,2}[、.](?!\d)")
KINDS = ("（(", "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳", "⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽", "123456789")
HEADED = re.compile(r"[^。；，：]{2,24}：")
BARE = re.compile(r"[^，：]{,16}[。；]?")  # an item that may stand in either list
BROKEN = re.compile(
    r"^(?:一旦|但|因此|此外|另外|其中|包括|可见于|常见于|参与|是|又称)|。(?:帮助|以便|从而|并且)"  # its subject is lost
    r"|：[^。；：①-⑳⑴-⒇（(\n-]{0,80}[^。；：①-⑳⑴-⒇（(\d\n]：(?![①-⑳⑴-⒇（(\n\d])"  # a colon within what follows one
    r"|[①-⑳)）][^。；：，]{2,10}(?:检查|检测|治疗)；(?![①-⑳（\n])"  # a semicolon for the colon behind a head
    r"|[)）](?:一般|药物|积极|对症|支持)治疗[。；]"  # a point that says nothing
    r"|(?<=[瘤炎病症征])本病|^（1）根据有|：[^。；，]{6,}予以鉴别"  # clauses in one, or nothing is named
    r"|[：；。]-(?=[一-龥])|^[^。，：\n]{2,14}特点：\n|[Ⅰ-Ⅻ] [A-Z](?=[一-龥])"  # strokes, a heading, a cut word
    r"|以下[^，。；：]{0,6}。|其中[A-Za-z]+：|。另外还有[^。]{2,8}。$"  # what it promises does not follow
    r"|[(（][^()（）]{4,}[)）](?!检查|试验|检测|治疗|[以和及或等与])[一-龥]{2,8}、"  # a sign behind a bracket is lost
    r"|([一-龥]{4,})(?!：)[^，。；：、或和及又称是指含有为在较表查存]{0,3}\1"  # said twice
    r"|([A-Z]{2,})[一-龥]{0,2}\2(?![A-Z])|的[一-龥]{2}的操作"
    r"|(?<![(（A-Za-z-])[A-Za-z]{4,} [A-Za-z]{4,}"  # in another language
)
ABBREVIATION = re.compile(r"(?<![A-Za-z])[A-Z]{3,}(?![A-Za-z\d])")
# Everybody in pediatrics reads these, and one more that is the disease that is asked about; others are explained.
KNOWN = re.compile(
    "ABL|ABO|ACTH|ADH|ALT|ANA|APTT|AST|ATP|BCR|CPAP|CRP|DIC|DNA|EBV|ELISA|ESR|FDP|FSH|GFR|GBS|HBV|HCV|HIV|HLA|JIA|MCHC?|MCV"
    "|MRI|NEC|NICU|OXK|PCR|PCT|PDA|PPD|PPHN|QRS|RBC|RDS|RNA|SLE|TNF|TORCH|TSH|VDRL|WBC|WHO|X{2,3}Y"
)


def is_broken(question: str, answer: str) -> bool:
    """Say whether a sentence, a bracket or a list of an answer is open, or abbreviations stand for nothing said.

    >>> is_broken("什么是气胸？", "气胸是胸膜腔积气。"), is_broken("什么是气胸？", "气胸是胸膜腔（积气。")
    (False, True)
    """
    if BROKEN.search(answer) or RUN.search(answer) or not _closed(LIST_MARK.sub("", answer)):
        return True
    unsaid = {
        one
        for one in ABBREVIATION.findall(answer)
        if not KNOWN.fullmatch(one)
        and one not in question
        and not re.search(rf"[(（][^()（）]*{one}[)）]|{one}[(（]", answer)
    }
    return _uneven(answer) or len(unsaid) > 1


def _closed(text: str) -> bool:
    depth = 0
    for sign in text:
        depth += (sign in OPENS) - (sign in CLOSES)
        if depth not in (0, 1, 2):
            return False
    return depth == 0


def _uneven(text: str) -> bool:
    """Say whether some items of a list begin with a head and others of the same marks do not."""
    marks = list(ITEM.finditer(text))
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    items = [(mark.group()[0], text[mark.end() : end].strip()) for mark, end in zip(marks, ends, strict=False)]
    for kind in KINDS:
        said = [item for mark, item in items if mark in kind]
        if len({HEADED.match(item) is not None for item in said if not BARE.fullmatch(item)}) > 1:
            return True
        if len(said) > 1 and HEADED.match(said[0]) and BARE.fullmatch(said[-1]):
            return True  # it breaks off
    return False
