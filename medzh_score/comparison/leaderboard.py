"""The tables of a leaderboard: what comparing all pairs of comparable results finds, by group, and of single units."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from medzh_score.benchmark.metrics import Ratio
from medzh_score.comparison.comparability import DATA, MISSING
from medzh_score.comparison.run import comparable, compared
from medzh_score.results.result import Result
from medzh_score.stats.sums import unit_sums
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from medzh_score.comparison.align import Comparable
    from medzh_score.comparison.comparability import ComparableGroup, SignatureMismatch
    from medzh_score.comparison.load import Choices
    from medzh_score.comparison.model import Comparison
    from medzh_score.results.report import Report

BEST = 30  # systems whose pairs are described
NO_SHARE = _("The primary metric is not a share of correct answers.")
ONE = _("There is only one system.")


@dataclass(frozen=True)
class Units:
    """The units that all systems get right, and those that none does."""

    of: int = 0  # units that count for every system
    all_right: tuple[str, ...] = ()  # the first item of each
    none_right: tuple[str, ...] = ()  # likewise
    unavailable_reason: str | None = None  # nothing is said


@dataclass(frozen=True)
class BoardTable:
    """What stands in one table: comparable results, compared in all pairs by the headline."""

    number: int  # among those of its config, from 1
    mini: bool  # whether the data are no benchmark
    apart: tuple[SignatureMismatch, ...]  # why these are not compared with table 1
    signature: Mapping[str, str]
    comparison: Comparison
    groups: Mapping[str, Mapping[str, Mapping[str, float | None]]]  # breakdown, group, label, headline
    units: Units
    reports: tuple[Report, ...]  # in the order of the members

    def as_dict(self) -> dict[str, Any]:
        """Give the table as plain mappings and lists, without the reports."""
        return {
            "number": self.number,
            "mini": self.mini,
            "apart": [asdict(one) for one in self.apart],
            "signature": dict(self.signature),
            "comparison": self.comparison.as_dict(),
            "groups": self.groups,
            "units": asdict(self.units),
        }


def board_table(number: int, group: ComparableGroup, choices: Choices, known: Collection[str]) -> BoardTable:
    """Compare a group of results in all pairs."""
    own = {key for one in group.members for key in one.result.signature}
    wanted = replace(
        choices,
        labels=tuple(one.label for one in group.members),
        metrics=(),
        primary_alone=True,
        baseline=None,
        best=BEST,
        rule=group.rule,
        allow=tuple(key for key in choices.allow if key in own or key not in known),
    )
    results = [Result.load(one.path) for one in group.members]
    systems = comparable(results, wanted, fewest=1)
    comparison = compared(systems, wanted)
    whole = not comparison.left_out and not {DATA, MISSING}.intersection(comparison.allowed)
    return BoardTable(
        number=number,
        mini=group.mini,
        apart=group.apart,
        signature=group.signature,
        comparison=comparison,
        groups=_by_group(results, wanted.labels, group.rule, systems.metrics[0].name) if whole else {},
        units=_units(systems),
        reports=tuple(one.report for one in results),
    )


def _by_group(
    results: Sequence[Result], labels: Sequence[str | None], rule: str, metric: str
) -> dict[str, dict[str, dict[str, float | None]]]:
    found: dict[str, dict[str, dict[str, float | None]]] = {}
    for label, result in zip(labels, results, strict=True):
        for breakdown, groups in result.report.results[rule].groups.items():
            for group, values in groups.items():
                of_group = found.setdefault(breakdown, {}).setdefault(group, {})
                of_group[str(label)] = values[metric].value
    return found


def _units(systems: Comparable) -> Units:
    (metric,) = systems.metrics
    if metric.share is None or not isinstance(metric.formula, Ratio) or metric.direction is None:
        return Units(unavailable_reason=NO_SHARE)
    if len(systems.results) == 1:
        return Units(unavailable_reason=ONE)
    layout, given = systems.together.systems.layout, systems.together.systems.statistics
    sums = unit_sums(layout, given, np.arange(len(layout.items)))[1].sum(axis=2)  # of all runs: (units, systems, k)
    counted, of = sums[..., metric.formula.numerator], sums[..., metric.formula.denominator]
    counts = (of > 0).all(axis=1)
    most, nothing = (np.isclose(counted, of).all(axis=1) & counts, (counted == 0).all(axis=1) & counts)
    right, wrong = (most, nothing) if metric.direction == "higher" else (nothing, most)
    first: dict[int, str] = {}
    for item, unit in zip(layout.items, layout.clusters.tolist(), strict=True):
        first[unit] = min(item, first.get(unit, item))
    named = [tuple(sorted(first[unit] for unit in np.flatnonzero(one).tolist())) for one in (right, wrong)]
    return Units(int(counts.sum()), named[0], named[1])
