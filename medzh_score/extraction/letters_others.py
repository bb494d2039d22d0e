"""All options but those that are left out, as in 故排除D，其余都选."""

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


def all_others(text: str, question: Question) -> Said | None:
    """Read the end of a response that chooses all options but some.

    Parameters
    ----------
    text : str
        A prepared response.
    question : Question
        What was asked; several of its options may be right.
    """
    found = ALL_OTHERS.search(text) if "选" in text else None
    if found is None or withdrawn(text, found.start()):
        return None
    letters = "".join(letter for letter in LETTERS[: len(question.order)] if letter not in found["labels"])
    return Said(letters, "others", found.start(), found.end(), BARE) if letters else None
