"""Whether a result's statistics give the values that its report states."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.layout import Layout
from medzh_score.messages.errors import MedzhError
from medzh_score.statistics.sums import TOTAL
from medzh_score.statistics.values import Bootstrap, values

if TYPE_CHECKING:
    from medzh_score.benchmark.metrics import Metric
    from medzh_score.report.results.result import Result

TOLERANCE = 1e-9  # of what sums in another order may differ by


def refuse_other_values(result: Result, rule: str, metrics: tuple[Metric, ...], unit: str) -> None:
    """Refuse a result whose statistics mean something else here than they did when its report was written."""
    alone = Layout(result.layout.items, result.layout.members, result.layout.units, {})
    given = result.statistics[rule][np.newaxis]
    found = values(alone, given, metrics, bootstrap=Bootstrap(0), unit=unit)[0][TOTAL]
    stated = result.report.results[rule].metrics
    for name, value in found.items():
        if name not in stated or not _same(value.value, stated[name].value):
            raise MedzhError(
                "the statistics do not give the value that the report states",
                file=result.folder,
                field=name,
                expected=str(stated[name].value) if name in stated else "a value of that name",
                found=value.value,
                advice="score it again with this version",
            )


def _same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
