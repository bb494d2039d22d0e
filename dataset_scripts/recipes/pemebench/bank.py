"""A bank of questions as it is read: how many rows are no question, and which questions are about children."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from dataset_scripts.recipes.banks.questions import SPOILT, WRONG
from dataset_scripts.recipes.banks.stems import is_sound, mended, wrong_keys
from dataset_scripts.recipes.pemebench.misprints import is_beyond_mending, put_right
from dataset_scripts.recipes.pemebench.pediatric import published_list
from dataset_scripts.recipes.pemebench.verdicts import why_none

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dataset_scripts.recipes.banks.questions import Question

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
    whole = replace(row, text=mended(row.text), options=tuple(option.rstrip(ENDS) for option in row.options))
    # Readers name a record, whose digest is of the mended text.
    if {row.digest, whole.digest} & wrong_keys():
        return WRONG
    whole = replace(whole, text=put_right(whole.text), options=tuple(map(put_right, whole.options)))
    if reason := why_none(whole.text, whole.options):
        return reason
    texts = (whole.text, *whole.options)
    return whole if all(map(is_sound, texts)) and not any(map(is_beyond_mending, texts)) else SPOILT
