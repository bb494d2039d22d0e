"""English words that rule a disease out, in the Chinese ones that are read: models are asked in English, too."""

from __future__ import annotations

import re

# A full stop behind a word ends a clause; in codes and numbers it does not.
_STOP = re.compile(r"(?<=[A-Za-z)\]\u4e00-\u9fff])\.(?=\s|$)")
_HEAD = r"(?:(?<=[.\n])|(?<=\. )|^)[ \t]*[#*\s\d.]*"  # where a heading begins, with its marks
_WORDS = tuple(
    (re.compile(pattern, re.IGNORECASE), chinese)
    for pattern, chinese in (
        (rf"{_HEAD}differential(?: diagnos[ie]s| considerations?)?", "\n鉴别诊断"),
        (r"\bdifferential(?: diagnos[ie]s)?", "鉴别诊断"),
        (r"\b(?:can ?not|could not|not) (?:be )?(?:completely |entirely )?(?:excluded?|ruled? out)", "不能排除"),
        (r"\b(?:to|has been|have been|was|were|is|are|been) (?:ruled out|excluded)", "已排除"),
        (r"\b(?:rules? out|ruled out|ruling out|excludes?|excluded|excluding)\b", "排除"),
        (r"\b(?:no|without|lack of) (?:evidence|signs?) (?:of|for)", "没有"),
        (r"\bnot (?:consistent|compatible) with|\bdoes not support|\bnot suggestive of|\bdenies|\bdenied", "不支持"),
        (r"\b(?:less likely|unlikely)(?: diagnos[ie]s)?\s*:", "排除"),
        (r"\b(?:less likely|unlikely|not likely|improbable)\b", "可能性小"),
        (r"\brather than\b|\binstead of\b", "而非"),
        (r"\bfamily history of\b", "家族史"),
        (rf"{_HEAD}(?:(?:final|primary|most likely|main|confirmed|principal) )?diagnosis", "\n诊断"),
        (rf"{_HEAD}(?:treatment|management|conclusion|recommendations?|plan)\b", "\n治疗"),
    )
)


def in_chinese(text: str) -> str:
    """Put Chinese words in the place of the English ones that rule out, and of the headings around them.

    Parameters
    ----------
    text : str
        A part of a text.

    Examples
    --------
    >>> in_chinese("Pneumonia is unlikely."), in_chinese("排除肺炎")
    ('Pneumonia is 可能性小。', '排除肺炎')
    """
    if not text.isascii() and not re.search(r"[A-Za-z]{4}", text):
        return text
    for pattern, chinese in _WORDS:
        text = pattern.sub(chinese, text)
    return _STOP.sub("。", text)
