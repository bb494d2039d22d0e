"""A bank of questions as it is read: how many rows are no question, and which questions are about children."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from dataset_scripts.recipes.banks.questions import DATED, NOT_ASKED, SPOILT, WRONG
from dataset_scripts.recipes.banks.stems import is_sound, mended, wrong_keys
from dataset_scripts.recipes.pemebench.pediatric import published_list

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dataset_scripts.recipes.banks.questions import Question

# What guidelines have changed since the question was written: ages of vaccination, hours outdoors, regimens of
# tuberculosis, old doses and first choices.
CHANGED = re.compile(
    r"(?:接种|百白破).*(?:时间|月龄?$)|异烟肼|INH|隔离期|开奶|缺氧缺血性脑病.*(?:判断|预后|首选)"
    r"|计划免疫|户外活动|维生素D.*(?:剂量|肌注|用量)|首选的?降压药|甲状腺功能减[低退]症.*治疗"
)
# A stem that is a time of life and no more is a part of a matching question, whose head is lost.
# So is one that is a name or a purpose and nothing that asks.
FRAGMENT = re.compile(
    r"[^，。？?是为有]{2,14}[时天期月岁周]|[^，。？?是为有应可见于在宜需用指何哪]{2,12}[病症炎瘤征]|为了?(?:防止|预防|避免)[^，。？?是应可宜需何哪]*"
)
ENDS = "，。．.；; "  # behind an option, of which some banks leave them


@dataclass
class Bank:
    """What came of a source."""

    found: int = 0  # rows
    # no question that could be asked and scored, by a reason of REASONS
    dropped: Counter[str] = field(default_factory=Counter)
    # in order, with the names of the patterns that hold
    children: list[tuple[Question, list[str]]] = field(default_factory=list)

    @property
    def others(self) -> int:
        """How many questions are not about children."""
        return self.found - self.dropped.total() - len(self.children)


def gather(rows: Iterable[Question | str]) -> Bank:
    """Keep the questions about children as they are read; of the rest no more than a number is held."""
    patterns, bank = published_list(), Bank()
    for row in map(_as_it_stands, rows):
        bank.found += 1
        if isinstance(row, str):
            bank.dropped[row] += 1
        elif names := patterns.matched(row.text):
            bank.children.append((row, names))
    return bank


def _as_it_stands(row: Question | str) -> Question | str:
    """Take what the paper around it left behind off a choice question; one that is spoilt or wrong is none."""
    if isinstance(row, str) or not row.options:
        return row
    if row.digest in wrong_keys():
        return WRONG
    if CHANGED.search("\n".join((row.text, *row.options))):
        return DATED
    whole = replace(row, text=mended(row.text), options=tuple(option.rstrip(ENDS) for option in row.options))
    if FRAGMENT.fullmatch(whole.text):
        return NOT_ASKED
    return whole if all(map(is_sound, (whole.text, *whole.options))) else SPOILT
