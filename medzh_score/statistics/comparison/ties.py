"""Groups of systems that no corrected test tells apart from the best of the group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.statistics.comparison.corrections import LEVEL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from medzh_score.statistics.comparison.rows import Pair
    from medzh_score.statistics.comparison.tests_of_pairs import Tested


def tie_groups(ranks: Sequence[int | None], tested: Mapping[Pair, Tested], baseline: int | None) -> list[list[int]]:
    """Put the best system left with all that it is not significantly different from, until none is left.

    Parameters
    ----------
    ranks : sequence of int or None
        Of each system; one without stands in no group.
    tested : mapping of Pair to Tested
        All pairs, or those with the baseline. A pair without a test is not told apart.
    baseline : int or None
        With a baseline only the pairs with it have tests: its own group is all that is known, where it is the best,
        and nothing where it is not, since nothing says which systems are tied with the best.
    """
    order = [system for _, system in sorted((rank, system) for system, rank in enumerate(ranks) if rank is not None)]
    apart = {
        frozenset((pair.one, pair.other))
        for pair, its in tested.items()
        if its.corrected is not None and its.corrected <= LEVEL
    }

    def tied_with(best: int) -> list[int]:
        return [best, *(one for one in order if one != best and frozenset((best, one)) not in apart)]

    if baseline is not None:
        return [tied_with(baseline)] if ranks[baseline] == 1 else []
    groups = []
    while order:
        groups.append(tied_with(order[0]))
        order = [one for one in order if one not in groups[-1]]
    return groups
