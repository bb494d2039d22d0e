"""Which option a model chooses in CMHE-CE's second round: rule ``strict-1``."""

from __future__ import annotations

import re
from functools import lru_cache

from medzh_score.configs.cmhe_ce_words import LETTERS
from medzh_score.extraction.option_labels import Mark, taken_back
from medzh_score.extraction.option_texts import OptionTexts
from medzh_score.extraction.preparation import prepared
from medzh_score.extraction.tcmd_choice import Choice, Question
from medzh_score.extraction.tcmd_question import announcement, chosen

NOTHING_FOUND = "nothing found"
# How the second question is answered in a sentence: 最可能的疾病是…, 这段文字描述的是…, the most likely disease is….
SUBJECT = r"(?:疾病|病症|病|药物|药品|医学检查|检查|选项|概念|名称|一项|诊断|答案)"
LIKELY = re.compile(
    rf"(?:最(?:有)?可能(?:的|性最大的)?(?:一种)?{SUBJECT}?(?:名称)?(?:应该?|应当)?(?:就)?(?:是|为|指的是|指|说的是|描述的是|对应的是)"
    r"|(?:描述|说明|说|讲|介绍|解释|指|对应)的(?:应该?|应当|就|很可能|可能|最可能|最有可能)*(?:是|为)"
    rf"|(?:这|该|此)(?:种|个|项)?{SUBJECT}?(?:应该?|应当|就|很可能|可能|最可能|最有可能)*(?:是|为)"
    r"|most likely(?: (?:to be|refers to|describes|disease|medicine|medical test|drug|test|option|answer|choice|is"
    r"|would be|being described|described))*)",
    re.IGNORECASE,
)
OPENS = re.compile(r"(?:一种|选项|option\b)?[\s“”\"'‘’「」『』《》（(【\[：:*]*+(?:选项)?", re.IGNORECASE)


# A letter before a word that is no option is part of a name: B 超, C 肽.
IN_A_NAME = re.compile(r"[A-Da-d][ \u3000]+(?=[\u4e00-\u9fff])(?![因选项是])")
LATIN = re.compile("[A-Za-z]")
# After the English prompt a label may stand before the English name of its option, which no record has.
IN_ENGLISH = re.compile(r"\W*([A-D])[.、:：)）\]]+\s*(?P<name>[A-Za-z][A-Za-z0-9 ,'’()/-]*)\W*")
NO_NAME = re.compile(
    r"\b(?:[A-Da-d]|I|no|not|none|nor|or|and|both|neither|either|is|are|don't|cannot)\b", re.IGNORECASE
)


def read(text: str, options: tuple[str, ...]) -> str | None:
    """Read the one option that a response commits itself to, by its letter or its text.

    As TCMD's ``strict-1`` reads single answers, though in any case of Latin letters; where that finds nothing, in the
    sentence by which the second question is answered. Several options, a letter with another option's text, and what is
    denied or supposed are no choice.

    Parameters
    ----------
    text : str
        The response, untouched.
    options : tuple of str
        As they were shown.

    Returns
    -------
    str or None
        The letter; None where there is no choice, which is never a guess.

    Examples
    --------
    >>> shown = ("冷球蛋白血症", "免疫增生性小肠病", "POEMS综合征", "尖头并指畸形")
    >>> read("the most likely disease is (C) POEMS syndrome.", shown), read("最可能是POEMS综合征。", shown)
    ('C', 'C')
    >>> read("A或C", shown) is None
    True
    """
    said = prepared(text)
    if said is None:
        return None
    said = _as_shown(said, options)
    question = Question(OptionTexts(options), tuple(range(len(options))))
    found = chosen(said, question)
    if found.shown is None and found.rule == NOTHING_FOUND:
        found = _in_a_sentence(said, question) or _in_english(said, question) or found
    return None if found.shown is None else LETTERS[found.shown]


def _as_shown(text: str, options: tuple[str, ...]) -> str:
    """Write options of which the case or the spaces differ as they were shown, the longest first."""
    if len({option.casefold() for option in options}) < len(options):
        return text
    found = _any_of(options)
    if found is None:
        return text
    pattern, names = found
    return pattern.sub(lambda met: names[str(met.lastgroup)], text)


@lru_cache(maxsize=1 << 10)
def _any_of(options: tuple[str, ...]) -> tuple[re.Pattern[str], dict[str, str]] | None:
    latin = sorted((one for one in options if LATIN.search(one)), key=lambda one: (-len(one), one))
    names = {f"n{number}": one for number, one in enumerate(latin) if len(one) > 1}
    spaced = {name: r"\s*".join(map(re.escape, "".join(one.split()))) for name, one in names.items()}
    forms = (f"(?P<{name}>{form})" for name, form in spaced.items())
    return (re.compile("|".join(forms), re.IGNORECASE), names) if names else None


def _in_english(text: str, question: Question) -> Choice | None:
    """Read a label before what can only be a name in English, where that is all."""
    found = IN_ENGLISH.fullmatch(text)
    if found is None or NO_NAME.search(found["name"]):
        return None
    return question.labelled(found[1], "marker")


def _in_a_sentence(text: str, question: Question) -> Choice | None:
    """Read what the last such sentence names; none where an earlier one names another option."""
    said = [choice for mark in LIKELY.finditer(text) if (choice := _named(text, mark, question))]
    return said[-1] if said and len({choice.shown for choice in said}) == 1 else None


def _named(text: str, found: re.Match[str], question: Question) -> Choice | None:
    if taken_back(text, found.start()):
        return None
    gap = OPENS.match(text, found.end())
    end = gap.end() if gap else found.end()
    part = IN_A_NAME.match(text, end)
    if part and question.texts.leading(text, part.end()) is None:
        return None
    return announcement(text, Mark("likely", found.start(), found.end(), end, denied=False, strong=True), question)
