"""Groups of a private config in a comparison: there may be fewer items than in each report, for some lack units."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from medzh_score.statistics.small_groups import small, without_small_groups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.benchmark.config import Config
    from medzh_score.statistics.comparison.found import MetricComparison
    from medzh_score.statistics.comparison.systems import Systems


def shown_systems(config: Config, systems: Systems) -> Systems:
    """Put small groups of what is compared together; of a config that is not private give all as it is."""
    if not config.private:
        return systems
    counted = [True] * len(systems.layout.items)
    return replace(systems, layout=without_small_groups(systems.layout, counted))


def shown_groups(config: Config, found: Sequence[MetricComparison]) -> tuple[MetricComparison, ...]:
    """Leave out the groups of which few items count in a metric of some system."""
    counts: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for one in found:
        if config.private and one.breakdown:
            counts[one.metric, one.breakdown][one.group] = min(standing.value.n for standing in one.standings)
    return tuple(one for one in found if one.group not in small(counts[one.metric, one.breakdown]))
