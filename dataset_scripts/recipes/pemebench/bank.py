"""A bank of questions as it is read: how many rows are no question, and which questions are about children."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dataset_scripts.recipes.pemebench.pediatric import published_list

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dataset_scripts.recipes.banks.questions import Question


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
    for row in rows:
        bank.found += 1
        if isinstance(row, str):
            bank.dropped[row] += 1
        elif names := patterns.matched(row.text):
            bank.children.append((row, names))
    return bank
