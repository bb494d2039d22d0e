"""What one rule found in a scoring run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from medzh_score.benchmark.answer_table import FormCount, WordingCount
    from medzh_score.benchmark.tables import Table
    from medzh_score.statistics.values import Value


@dataclass(frozen=True)
class RuleResult:
    """What one rule found.

    Attributes
    ----------
    metrics : mapping of str to Value
        Over all items.
    groups : mapping
        From breakdown to group to the same.
    tables : mapping of str to Table
        The config's own.
    fired : tuple of Fired
        How often each of the rule's wordings, and each reason for none, decided.
    forms : tuple of Forms
        How predictions of each form of text were read: numbers are not to be made from formats.
    """

    metrics: Mapping[str, Value]
    groups: Mapping[str, Mapping[str, Mapping[str, Value]]]
    tables: Mapping[str, Table]
    fired: tuple[WordingCount, ...] = ()
    forms: tuple[FormCount, ...] = ()

    @property
    def unread(self) -> int:
        """Predictions in which this rule found no answer."""
        return sum(one.answers for one in self.fired if not one.answered)
