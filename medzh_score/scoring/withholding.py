"""What a report of a private config does not say: words that were read, small groups, and tables of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from medzh_score.benchmark.answers import FALLBACK, AnswerColumn, Numbering, answer
from medzh_score.benchmark.items import WITHHELD
from medzh_score.results.tables import WHOLE_TEXTS
from medzh_score.scoring.explain import ANSWERS, NO_ANSWER
from medzh_score.stats.values import without_small_groups
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from medzh_score.benchmark.answers import AnswerTable
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.rules import Rule
    from medzh_score.scoring.inputs import ScoringInputs
    from medzh_score.scoring.missing import CompleteClusters


Said = TypeVar("Said")
NAMED = frozenset({*ANSWERS, *NO_ANSWER, *WHOLE_TEXTS, FALLBACK})


def redact_inputs(read: ScoringInputs, kept: CompleteClusters | None) -> ScoringInputs:
    """Leave out of what was read all that no report of a private config may say; nothing of any other."""
    if not read.config.private:
        return read
    rules = {rule.name: rule for rule in read.config.rules}
    tables = {
        name: _without_words(table, rules.get(name.partition(" ")[0])) for name, table in read.collected.tables.items()
    }
    collected = replace(read.collected, tables=tables)
    counted = [True] * len(read.layout.items) if kept is None else kept.items.tolist()
    return replace(read, layout=without_small_groups(read.layout, counted), collected=collected)


def _without_words(table: AnswerTable, rule: Rule | None) -> AnswerTable:
    names = known_reasons(rule)
    numbering = Numbering()
    numbering.different = [
        one and answer(None if one.value is None else WITHHELD, redact_reason(one.reason, names), None, one.unambiguous)
        for one in table.numbering.different
    ]
    columns = {cell: AnswerColumn(column.numbers, numbering) for cell, column in table.columns.items()}
    return replace(table, columns=columns, numbering=numbering)


def redact_label(config: Config, said: Said) -> Said | str:
    """Give what was said of an item, as the items file may hold it: of a private config only that something was."""
    return WITHHELD if config.private and said is not None else said


def known_reasons(rule: Rule | None) -> frozenset[str]:
    """Gather the names of what decides that are declared, by many rules or by this one."""
    return NAMED | frozenset(rule.meanings if rule else ())


def redact_reason(reason: str, names: frozenset[str]) -> str:
    """Give the name of what decided where it is declared: a rule may make others of the text that it reads."""
    return reason if reason in names else WITHHELD


def refuse_private(name: str, *, private: bool) -> None:
    """Refuse to write what would carry a private config or its texts elsewhere."""
    if private:
        advice = _("share a report, a result page or a leaderboard instead, because they contain no item texts")
        raise MedzhError(_("{name} is private and cannot be exported", name=name), advice=advice)
