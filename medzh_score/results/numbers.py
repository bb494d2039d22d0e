"""The numbers of a value as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from medzh_score.ui.i18n import _, pgettext
from medzh_score.ui.numbers import interval_text, percent

if TYPE_CHECKING:
    from medzh_score.stats.values import Value


class ValueCells(NamedTuple):
    """A metric on some items, as people read it."""

    value: str
    interval: str
    std: str
    n: int


def cells_of(value: Value, *, points: bool = False) -> ValueCells:
    """Print a metric on some items, in percent or percentage points; without a standard deviation, the runs."""
    shown = percent(value.value, value.unit)
    if value.value is not None:
        shown = _("{number} pp", number=shown) if points else f"{shown}%"
    interval = interval_text(value.low, value.high, value.unit)
    std = percent(value.std, value.unit)
    if value.std is None and value.value is not None:
        std = pgettext("column std", "– ({n} run)", n=value.runs)
    return ValueCells(shown, interval, std, value.n)
