"""What stands above and beneath the tables of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.tables import Table
from medzh_score.messages.catalogue import worded
from medzh_score.report.signature import written
from medzh_score.show.cells import TITLES, worded_word
from medzh_score.show.comparison.systems import said_of_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.report.comparison.comparison import Comparison, System
    from medzh_score.show.comparison.showing import Showing

TIE = "tie: systems of one number are told apart from the best of them by no corrected test."
DIFFERENCES = (
    "won/lost/tied: units in which the system is better, worse, equal. would find: the smallest difference that this "
    "comparison would find in 80 of 100 cases. bounds: where the difference lies, whatever the unread answers were."
)
NOT_OURS = "Printed in a paper: another sample, another rule, not tested"


def above(comparison: Comparison, showing: Showing) -> list[str]:
    """Give what a reader should know before the tables: what is compared, what may differ, cautions."""
    baselines = dict.fromkeys(found.baseline for found in comparison.found)
    against = [f"each with {showing.name(one)}" if one else "all pairs" for one in baselines]
    count = f"{len(comparison.systems)} systems on {comparison.units} units"
    heading = f"{comparison.config}, rule {comparison.rule}: {count}, {' or '.join(against)}"
    differing = f"allowed to differ: {', '.join(comparison.allowed)} ("
    differing += "; ".join(_differing(comparison, system, showing) for system in comparison.systems) + ")"
    return list(map(worded, [heading, *([differing] if comparison.allowed else []), *comparison.cautions]))


def _differing(comparison: Comparison, system: System, showing: Showing) -> str:
    values = [f"{key} {system.differing[key]}" for key in comparison.allowed if key in system.differing]
    return f"{showing.name(system.label)}: {', '.join(values) or 'none'}"


def beneath(comparison: Comparison, showing: Showing) -> list[str]:
    """Give what a reader should know after the tables."""
    said = [TIE, *(said_of_pairs(comparison) or [DIFFERENCES])]
    return [*map(worded, said), *whys(comparison, showing), *remarks(comparison), *map(worded, comparison.notes)]


def whys(comparison: Comparison, showing: Showing) -> Iterator[str]:
    """Say why values, differences, tests or intervals lack."""
    lacking: dict[tuple[str, str], dict[str, None]] = {}
    of_all = set()  # what is so over all items is not said of each group again
    for found in comparison.found:
        group = worded_word(found.breakdown, found.group)
        where = f"{found.metric}{worded(', ')}{group}" if found.breakdown else found.metric
        reasons = [(showing.name(one.label), one.value.why) for one in found.standings]
        reasons += [
            (worded(f"{showing.name(one.label)} minus {showing.name(one.other)}", "names"), one.why)
            for one in found.differences
        ]
        for name, why in reasons:
            if why is not None and (found.metric, name, why) not in of_all:
                lacking.setdefault((where, why), {})[name] = None
        if not found.breakdown:
            of_all |= {(found.metric, name, why) for name, why in reasons}
    for (where, why), names in lacking.items():
        yield worded(": ").join([where, worded(why), worded(", ").join(names)])


def printed_table(comparison: Comparison) -> list[Table]:
    """Put rows of papers into a table of their own; none where there are none."""
    rows = [
        (f"{row.row} ({worded(row.table, TITLES)})", metric, str(value))
        for row in comparison.printed
        for metric, value in row.values.items()
    ]
    return [Table(NOT_OURS, ("row", "metric", "value"), tuple(rows))] if rows else []


def remarks(comparison: Comparison) -> list[str]:
    """Say of each row of a paper what is and what is not comparable."""
    return [
        f"{row.row} ({worded(row.table, TITLES)}){worded(': ')}{worded(remark)}"
        for row in comparison.printed
        for remark in row.remarks
    ]


def signed(comparison: Comparison) -> str:
    """Write what the signatures of all have in common."""
    return worded(f"signature: {written(comparison.signature)}")
