"""All options but those that are left out, as in 故排除D，其余都选, and all from one to another, as in A到D都选."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.extraction.letters_said import BARE, Said, withdrawn
from medzh_score.extraction.option_wordings import LETTERS

if TYPE_CHECKING:
    from medzh_score.extraction.tcmd_choice import Question

ALL_OTHERS = re.compile(
    r"(?:排除|去掉|不选)(?:选项)?\s?(?P<labels>[A-H](?:[、，,和与及]?[A-H])*+)(?![A-Za-z0-9])(?:选?项)?[，,。；;]?\s*"
    r"(?:其[余他它]|剩下|剩余)的?(?:各|几|[两二三四五])?个?(?:选?项)?(?:都|全部?|均|皆)(?:要|应|该|可)?(?:选|入选|当选)[。.！!]?\s*\Z"
)
ALL_BUT = re.compile(
    r"(?:除了|除去?)(?:选项)?\s?(?P<labels>[A-H](?:[、，,和与及]?[A-H])*+)(?![A-Za-z0-9])(?:选?项)?(?:之?外|以外)?[，,]?\s*"
    r"(?:其[余他它]|剩下|剩余|别)?的?(?:各|几|[两二三四五])?个?(?:选?项)?(?:都|全部?|均|皆)(?:要|应|该|可)?(?:选|入选|当选)[。.！!]?\s*\Z"
)
ALL_BUT_IN_ENGLISH = re.compile(
    r"(?:\A|[.:：]\s|\b(?:choose|select|pick|is|are)\s)(?:[Aa]ll|[Ee]verything|[Ee]very option)"
    r"(?: (?:of )?(?:them|the above|(?:the )?options))?(?: but| except| besides| other than)(?: for)? (?:options? )?"
    r"(?P<labels>[A-H](?:(?:, | and |, and )[A-H])*+)(?![A-Za-z0-9])[.!]?\Z"
)
FROM_TO = re.compile(
    r"(?<![A-Za-z0-9])(?P<first>[A-H])(?:选?项)?\s?(?:到|至|[-–—~～])\s?(?P<last>[A-H])(?![A-Za-z0-9])(?:选?项)?，?"
    r"(?:[这共]?[三四五六七]个?(?:选?项)?)?(?:都|全部?|均|皆)(?:要|应|该|可)?(?:选|入选|当选)(?=[。.！!，,；;]|\Z)"
)


def all_others(text: str, question: Question) -> Said | None:
    """Read the end of a response that chooses all options but some.

    Parameters
    ----------
    text : str
        A prepared response.
    question : Question
        What was asked; several of its options may be right.
    """
    if "选" not in text:
        ends = text[-1] in LETTERS or text[-2:-1] in LETTERS
        found = ALL_BUT_IN_ENGLISH.search(text) if ends and " " in text else None
    elif "都" in text or "全" in text or "均" in text or "皆" in text:
        found = ALL_OTHERS.search(text) or ALL_BUT.search(text) or FROM_TO.search(text)
    else:
        return None
    if found is None or withdrawn(text, found.start()):
        return None
    shown = LETTERS[: len(question.order)]
    if found.re is FROM_TO:
        letters = LETTERS[LETTERS.index(found["first"]) : LETTERS.index(found["last"]) + 1]
    else:
        letters = "".join(letter for letter in shown if letter not in found["labels"])
    return Said(letters, "others", found.start(), found.end(), BARE) if letters else None
