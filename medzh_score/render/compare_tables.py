"""What stands in the cells of a comparison's tables, and the same as rows for other tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.config import Table
from medzh_score.io.tables import csv_text
from medzh_score.render.display import (
    ARROWS,
    BESIDE,
    DAGGER,
    INTERVAL,
    NONE,
    UNREAD_DECIMALS,
    difference_cells,
    number,
    span,
)
from medzh_score.render.tables import TITLES, translated_label
from medzh_score.scoring.signature import written
from medzh_score.stats.permutation import LEVEL
from medzh_score.ui.i18n import N_, _, joined, pgettext, translated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.comparison.model import Comparison, PrintedRow
    from medzh_score.render.display import DisplayOptions
    from medzh_score.stats.pairwise import Difference, MetricComparison, SystemResult

    Cells = tuple[str | int | None, ...]


def by_breakdown(comparison: Comparison) -> list[tuple[MetricComparison, ...]]:
    """Put together what stands in one table: a metric of all items, or of the groups of one breakdown."""
    tables: dict[tuple[str, str], list[MetricComparison]] = {}
    for found in comparison.found:
        tables.setdefault((found.metric, found.breakdown), []).append(found)
    return [tuple(alike) for alike in tables.values()]


def system_tables(
    comparison: Comparison, alike: Sequence[MetricComparison], options: DisplayOptions, order: Sequence[int]
) -> Iterator[Table]:
    """Put a metric of all items, or by a breakdown, into a table of systems and one of differences to the baseline."""
    first, decimals = alike[0], options.decimals(comparison.unit)
    tables = [(("value", INTERVAL, *first.beside, "rank", INTERVAL, "tie", "unread %"), _values)]
    if first.baseline is not None:
        tables.append(
            ((pgettext("heads", "minus {baseline}", baseline=options.name(first.baseline)), *BESIDE), _differences)
        )
    for heads, rows_of in tables:
        rows = [
            ((found.group,) if first.breakdown else ()) + (options.name(found.standings[place].label), *cells)
            for found in alike
            for place, cells in zip(order, rows_of(found, order, decimals), strict=True)
        ]
        keys = (first.breakdown, "system") if first.breakdown else ("system",)
        yield Table(titled(comparison, first), (*keys, *heads), tuple(rows))


def titled(comparison: Comparison, found: MetricComparison) -> str:
    """Name a metric with its unit, its better direction, and the breakdown."""
    arrow = ARROWS[found.standings[0].value.direction]
    name, unit = f"{found.metric}{' ' if arrow else ''}{arrow}", pgettext("units", comparison.unit)
    if not found.breakdown:
        return pgettext("titles", "{metric} ({unit})", metric=name, unit=unit)
    by = pgettext("heads", found.breakdown)
    return pgettext("titles", "{metric} ({unit}), by {breakdown}", metric=name, unit=unit, breakdown=by)


def _values(found: MetricComparison, order: Sequence[int], decimals: int) -> Iterator[Cells]:
    for standing in (found.standings[place] for place in order):
        value = standing.value
        yield (
            number(value.value, decimals),
            span(value.low, value.high, decimals),
            *(number(one, decimals) for one in standing.by_rules.values()),
            standing.rank,
            span(standing.rank_low, standing.rank_high, 0),
            tie_number(found, standing.label),
            number(standing.unread, UNREAD_DECIMALS),
        )


def _differences(found: MetricComparison, order: Sequence[int], decimals: int) -> Iterator[Cells]:
    to_baseline = {one.label: one for one in found.differences if one.other == found.baseline}
    for standing in (found.standings[place] for place in order):
        one = to_baseline.get(standing.label)
        yield (NONE,) * (1 + len(BESIDE)) if one is None else difference_cells(one, decimals)


def tie_number(found: MetricComparison, label: str) -> int | None:
    """Give the number of the group of ties that a system is in, from 1 for the best."""
    return next((number for number, group in enumerate(found.ties, 1) if label in group), None)


LISTED = 8  # systems whose pairs, 28, are a list that can be read
FIRST = 10  # systems of a triangle: as many as have room in 60 columns
KEY = _("> <: higher, lower than the system of the column, corrected p at most 0.05; =: not told apart; blank: no test")


def pair_tables(
    comparison: Comparison, alike: Sequence[MetricComparison], options: DisplayOptions, order: Sequence[int]
) -> Iterator[Table]:
    """Put the pairs of a metric on all items, or in each group, into tables; none where there is a baseline."""
    for found in alike:
        if found.baseline is None:
            title = pgettext("titles", "Pairs, {title}", title=titled(comparison, found))
            if found.breakdown:
                group = pgettext("groups", found.group)
                title = pgettext("titles", "Pairs, {title}: {group}", title=titled(comparison, found), group=group)
            if len(order) <= LISTED:
                yield _listed(title, found, options, order, options.decimals(comparison.unit))
            else:
                yield _triangle(title, found, options, order)


def _said_of_pairs(comparison: Comparison) -> list[str]:
    if len(comparison.systems) <= LISTED or all(found.baseline is not None for found in comparison.found):
        return []
    more = len(comparison.systems) - FIRST
    return [
        KEY,
        _(
            "pairs of the first {first} systems; {more} are left out: --to json and --to csv have all",
            first=FIRST,
            more=more,
        ),
    ][: 1 + (more > 0)]


def _listed(title: str, found: MetricComparison, options: DisplayOptions, order: Sequence[int], decimals: int) -> Table:
    place = {found.standings[index].label: number for number, index in enumerate(order)}
    pairs = sorted(found.differences, key=lambda one: sorted((place[one.label], place[one.other])))
    rows = [(options.name(one.label), options.name(one.other), *difference_cells(one, decimals)) for one in pairs]
    return Table(title, ("system", "other", "difference", *BESIDE), tuple(rows))


def _triangle(title: str, found: MetricComparison, options: DisplayOptions, order: Sequence[int]) -> Table:
    shown = [found.standings[place].label for place in order[:FIRST]]
    signs = signs_of(found)
    rows: list[tuple[str | int, ...]] = [
        (number, options.name(label), *(signs.get((label, other), "") for other in shown[: number - 1]))
        for number, label in enumerate(shown, 1)
    ]
    width = len(shown) - 1
    filled = tuple((*row, *[""] * (width + 2 - len(row))) for row in rows)
    return Table(title, ("", "system", *map(str, range(1, width + 1))), filled)


def signs_of(found: MetricComparison) -> dict[tuple[str, str], str]:
    """Say of each tested pair, either way round, whether the first is higher, lower or not told apart.

    The dagger stands where unread answers may turn the sign.
    """
    signs = {}
    for one in found.differences:
        if one.value is not None and one.corrected is not None:
            apart = one.corrected <= LEVEL and one.value != 0
            mark = DAGGER if one.depends_on_unread else ""
            signs[one.label, one.other] = ("=" if not apart else ">" if one.value > 0 else "<") + mark
            signs[one.other, one.label] = ("=" if not apart else "<" if one.value > 0 else ">") + mark
    return signs


TIE = N_("tie: systems of one number are told apart from the best of them by no corrected test.")
DIFFERENCES = N_(
    "won/lost/tied: units in which the system is better, worse, equal. would find: the smallest difference that this "
    "comparison would find in 80 of 100 cases. bounds: where the difference lies, whatever the unread answers were."
)
NOT_OURS = "Printed in a paper: another sample, another rule, not tested"


def above(comparison: Comparison, options: DisplayOptions) -> list[str]:
    """Give what a reader should know before the tables: what is compared, what may differ, cautions."""
    baselines = dict.fromkeys(found.baseline for found in comparison.found)
    against = [
        pgettext("against", "each with {name}", name=options.name(one)) if one else _("all pairs") for one in baselines
    ]
    of = {"config": comparison.config, "rule": comparison.rule, "units": comparison.units}
    of |= {"count": len(comparison.systems), "against": joined(against, " or ")}
    heading = _("{config}, rule {rule}: {count} systems on {units} units, {against}", **of)
    allowed = []
    if comparison.allowed:
        differing = []
        for system in comparison.systems:
            values = [f"{key} {system.differing[key]}" for key in comparison.allowed if key in system.differing]
            listed = joined(values) if values else _("none")
            differing.append(_("{name}: {values}", name=options.name(system.label), values=listed))
        keys = joined(comparison.allowed)
        allowed.append(_("allowed to differ: {keys} ({differing})", keys=keys, differing=joined(differing, "; ")))
    return list(map(translated, [heading, *allowed, *comparison.cautions]))


def beneath(comparison: Comparison, options: DisplayOptions) -> list[str]:
    """Give what a reader should know after the tables."""
    said = [TIE, *(_said_of_pairs(comparison) or [DIFFERENCES])]
    return [
        *map(translated, said),
        *unavailable_reasons(comparison, options),
        *remarks(comparison),
        *map(translated, comparison.notes),
    ]


def unavailable_reasons(comparison: Comparison, options: DisplayOptions) -> Iterator[str]:
    """Say why values, differences, tests or intervals lack."""
    lacking: dict[tuple[str, str], dict[str, None]] = {}
    of_all = set()  # what is so over all items is not said of each group again
    for found in comparison.found:
        group = translated_label(found.breakdown, found.group)
        where = f"{found.metric}{translated(', ')}{group}" if found.breakdown else found.metric
        reasons = [(options.name(one.label), one.value.why) for one in found.standings]
        reasons += [
            (
                translated(
                    pgettext(
                        "names", "{name} minus {other}", name=options.name(one.label), other=options.name(one.other)
                    ),
                    "names",
                ),
                one.why,
            )
            for one in found.differences
        ]
        for name, why in reasons:
            if why is not None and (found.metric, name, why) not in of_all:
                lacking.setdefault((where, why), {})[name] = None
        if not found.breakdown:
            of_all |= {(found.metric, name, why) for name, why in reasons}
    for (where, why), names in lacking.items():
        yield translated(": ").join([where, translated(why), translated(", ").join(names)])


def printed_table(comparison: Comparison) -> list[Table]:
    """Put rows of papers into a table of their own; none where there are none."""
    rows = [
        (f"{row.row} ({translated(row.table, TITLES)})", metric, str(value))
        for row in comparison.printed
        for metric, value in row.values.items()
    ]
    return [Table(NOT_OURS, ("row", "metric", "value"), tuple(rows))] if rows else []


def remarks(comparison: Comparison) -> list[str]:
    """Say of each row of a paper what is and what is not comparable."""
    return [
        f"{row.row} ({translated(row.table, TITLES)}){translated(': ')}{translated(remark)}"
        for row in comparison.printed
        for remark in row.remarks
    ]


def signed(comparison: Comparison) -> str:
    """Write what the signatures of all have in common."""
    return translated(_("signature: {written}", written=written(comparison.signature)))


Cell = str | int | float | None
OF_A_DIFFERENCE = (
    *("other", "difference", "difference_low", "difference_high", "p", "corrected_p", "test", "correction", "family"),
    *("swaps", "won", "lost", "tied", "detectable", "bounds_low", "bounds_high", "depends_on_unread", "difference_why"),
)
COLUMNS = (
    *("kind", "config", "rule", "metric", "breakdown", "group", "unit", "direction", "system"),
    *("value", "low", "high", "interval", "n", "rank", "rank_low", "rank_high", "tie", "unread_percent", "why"),
    *(*OF_A_DIFFERENCE, "gate", "allowed"),
)


def as_csv(comparison: Comparison) -> str:
    """Write the rows for programs; what has no value is written as nothing."""
    return csv_text(COLUMNS, tidy_rows(comparison))


def tidy_rows(comparison: Comparison) -> Iterator[dict[str, Cell]]:
    """Give rows of ``kind`` system (with the difference to the baseline, if any), beside, pair, or printed.

    True is 1. Of what stands ``beside``, by another rule, there is the value alone.
    """
    shared = {"config": comparison.config, "rule": comparison.rule, "unit": comparison.unit}
    shared["allowed"] = ";".join(comparison.allowed)
    for row in _rows(comparison):
        yield {**shared, **row}


def _rows(comparison: Comparison) -> Iterator[dict[str, Cell]]:
    outcomes: dict[tuple[str, str], str] = {(one.metric, one.label): one.outcome for one in comparison.judged}
    for found in comparison.found:
        shared: dict[str, Cell] = {"metric": found.metric, "breakdown": found.breakdown, "group": found.group}
        to_baseline = {one.label: one for one in found.differences if one.other == found.baseline}
        for standing in found.standings:
            one = to_baseline.get(standing.label)
            gate = None if found.breakdown else outcomes.get((found.metric, standing.label))
            of_one = {} if one is None else _difference(found, one)
            yield {**shared, "gate": gate, **_system(found, standing), **of_one}
            for rule, value in standing.by_rules.items():
                beside: dict[str, Cell] = {"kind": "beside", "rule": rule, "system": standing.label, "value": value}
                yield {**shared, **beside, "direction": standing.value.direction}
        if found.baseline is None:
            for one in found.differences:
                yield {**shared, "kind": "pair", "system": one.label, **_difference(found, one)}
    for row in comparison.printed:
        yield from _printed(row)


def _system(found: MetricComparison, standing: SystemResult) -> dict[str, Cell]:
    value = standing.value
    return {
        "kind": "system",
        "system": standing.label,
        "direction": value.direction,
        "value": value.value,
        "low": value.low,
        "high": value.high,
        "interval": value.interval,
        "n": value.n,
        "rank": standing.rank,
        "rank_low": standing.rank_low,
        "rank_high": standing.rank_high,
        "tie": tie_number(found, standing.label),
        "unread_percent": standing.unread,
        "why": value.why,
    }


def _difference(found: MetricComparison, one: Difference) -> dict[str, Cell]:
    tested, bounds = one.corrected is not None, one.bounds
    cells: tuple[Cell, ...] = (
        *(one.other, one.value, one.low, one.high, one.p, one.corrected, one.test),
        *((found.correction, found.family, found.swaps) if tested else (None, None, None)),
        *(one.won, one.lost, one.tied, one.detectable),
        *((None, None) if bounds is None else (bounds.low, bounds.high)),
        *(int(one.depends_on_unread), one.why),
    )
    return dict(zip(OF_A_DIFFERENCE, cells, strict=True))


def _printed(row: PrintedRow) -> Iterator[dict[str, Cell]]:
    system = f"{row.table}: {row.row}"
    for metric, value in row.values.items():
        yield {"kind": "printed", "metric": metric, "system": system, "value": value, "why": "; ".join(row.remarks)}
