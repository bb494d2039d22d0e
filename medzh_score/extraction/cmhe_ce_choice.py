"""Which option a model chooses in CMHE-CE's second round: rule ``strict-1``."""

from __future__ import annotations

import re

from medzh_score.configs.cmhe_ce_words import LETTERS
from medzh_score.extraction.option_labels import Mark, taken_back
from medzh_score.extraction.option_texts import OptionTexts
from medzh_score.extraction.preparation import prepared
from medzh_score.extraction.tcmd_choice import Choice, Question
from medzh_score.extraction.tcmd_question import announcement, chosen

NOTHING_FOUND = "nothing found"
# How the second question is answered in a sentence: 最可能的疾病是…, 这段文字描述的是…, the most likely disease is….
SUBJECT = r"(?:疾病|病症|药物|药品|医学检查|检查|选项|概念|名称|一项|诊断|答案)"
LIKELY = re.compile(
    rf"(?:最(?:有)?可能(?:的|性最大的)?(?:一种)?{SUBJECT}?(?:名称)?(?:应该?|应当)?(?:就)?(?:是|为|指的是|指|说的是|描述的是|对应的是)"
    r"|(?:描述|说明|说|讲|介绍|解释|指|对应)的(?:应该?|应当|就|很可能|可能|最可能|最有可能)*(?:是|为)"
    rf"|(?:这|该|此)(?:种|个|项)?{SUBJECT}(?:应该?|应当|就|很可能|可能|最可能|最有可能)*(?:是|为)"
    r"|most likely(?: (?:to be|refers to|describes|disease|medicine|medical test|drug|test|option|answer|choice|is"
    r"|would be|being described|described))*)",
    re.IGNORECASE,
)
OPENS = re.compile(r"(?:一种|选项|option\b)?[\s“”\"'‘’「」『』《》（(【\[：:*]*+(?:选项)?", re.IGNORECASE)


def read(text: str, options: tuple[str, ...]) -> str | None:
    """Read the one option that a response commits itself to, by its letter or its text.

    As TCMD's ``strict-1`` reads single answers; where that finds nothing, in the sentence by which the second question
    is answered. Several options, a letter with another option's text, and what is denied or supposed are no choice.

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
    question = Question(OptionTexts(options), tuple(range(len(options))))
    found = chosen(said, question)
    if found.shown is None and found.rule == NOTHING_FOUND:
        found = _in_a_sentence(said, question) or found
    return None if found.shown is None else LETTERS[found.shown]


def _in_a_sentence(text: str, question: Question) -> Choice | None:
    """Read what the last such sentence names; none where an earlier one names another option."""
    said = [choice for mark in LIKELY.finditer(text) if (choice := _named(text, mark, question))]
    return said[-1] if said and len({choice.shown for choice in said}) == 1 else None


def _named(text: str, found: re.Match[str], question: Question) -> Choice | None:
    if taken_back(text, found.start()):
        return None
    gap = OPENS.match(text, found.end())
    end = gap.end() if gap else found.end()
    return announcement(text, Mark("likely", found.start(), found.end(), end, denied=False, strong=True), question)
