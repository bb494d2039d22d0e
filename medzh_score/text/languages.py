"""In which language a text is, by the scripts of its letters: enough to see that a model answers in another one."""

from __future__ import annotations

import re

CHINESE, ENGLISH, MIXED, OTHER, NONE = "Chinese", "English", "mixed", "other", "none"
LANGUAGES = (CHINESE, ENGLISH, MIXED, OTHER, NONE)
LANGUAGES_BY_SCRIPT = (
    "Languages go by scripts: of Chinese characters, Latin words and other letters one makes up three quarters "
    "(Chinese, English, other), or none does (mixed); a single letter, such as an option's label, is of no language."
)
MOST = 0.75
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_LATIN = "A-Za-zＡ-Ｚａ-ｚÀ-ÖØ-öø-ɏ"
HAN = re.compile(f"[{_HAN}]+")
LATIN_WORD = re.compile(f"[{_LATIN}]{{2,}}")
OTHERS = re.compile(rf"[^\W\d_{_LATIN}{_HAN}]{{2,}}")


def language_of(text: str) -> str:
    """Say in which language a text is.

    Examples
    --------
    >>> [language_of(text) for text in ("正确。", "Correct.", "A", "答案是 correct answer", "これは正しいです")]
    ['Chinese', 'English', 'none', 'mixed', 'other']
    """
    rest = HAN.sub(" ", text)  # of most texts hardly anything
    counts = {
        CHINESE: len("".join(HAN.findall(text))),
        ENGLISH: len(LATIN_WORD.findall(rest)),
        OTHER: sum(map(len, OTHERS.findall(rest))),
    }
    total = sum(counts.values())
    if not total:
        return NONE
    return next((name for name, count in counts.items() if count >= MOST * total), MIXED)
