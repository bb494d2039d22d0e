"""What a check of predictions does not say of a private config: texts, and what may be one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from medzh_score.benchmark.answer_table import WordingCount
from medzh_score.benchmark.layout import WITHHELD
from medzh_score.messages.unquoting import without_texts
from medzh_score.report.withholding import reason_names, sayable_reason

if TYPE_CHECKING:
    from medzh_score.benchmark.config import Config
    from medzh_score.report.checked import Checked


def without_words(checked: Checked, config: Config) -> Checked:
    """Leave out of what was found in predictions what they say; unknown ids may be texts of another column."""
    (rule,) = (rule for rule in config.rules if rule.name == checked.rule)
    names, seen = reason_names(rule), checked.seen
    fired: Counter[tuple[bool, str]] = Counter()
    for one in checked.fired:
        fired[one.answered, sayable_reason(one.wording, names)] += one.answers
    reasons: Counter[str] = Counter()
    for reason, times in checked.failed.items():
        reasons[without_texts(reason, config.names)] += times
    unknown = [replace(place, id=without_texts(place.id, ())) for place in seen.unknown.first]
    said = replace(
        seen,
        same=Counter({hash(WITHHELD): seen.constant}),
        frequent=WITHHELD,
        unread=[replace(one, why=sayable_reason(one.why, names), text=WITHHELD) for one in seen.unread],
        unknown=replace(seen.unknown, first=unknown),
        error=None if seen.error is None else seen.error.sayable(),
    )
    return replace(
        checked,
        failed=dict(reasons),
        fired=tuple(WordingCount(wording, answered, times) for (answered, wording), times in fired.items()),
        seen=said,
        error=None if checked.error is None else checked.error.sayable(),
    )
