"""The complete tables of a comparison, its remarks, and its rows for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.config import Table
from medzh_score.benchmark.registry import difference_names
from medzh_score.comparison.verdict import decide
from medzh_score.io.tables import csv_text
from medzh_score.render.display import (
    DAGGER,
    DIFFERENCE_HEADS,
    INTERVAL,
    NONE,
    difference_cells,
    span,
)
from medzh_score.render.lines import with_arrow
from medzh_score.render.screen import declared_screen
from medzh_score.render.tables import TITLES, translated_label
from medzh_score.scoring.signature import written
from medzh_score.stats.permutation import SIGNIFICANCE
from medzh_score.ui.i18n import N_, _, _n, joined, pgettext, translated
from medzh_score.ui.numbers import interval_text, percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.comparison.model import Comparison, PrintedRow
    from medzh_score.render.display import DisplayOptions
    from medzh_score.stats.pairwise import Difference, MetricComparison, SystemResult

    Cells = tuple[str | int | None, ...]


def by_breakdown(comparison: Comparison) -> list[tuple[MetricComparison, ...]]:
    """Group what one table shows: a metric on all items, or on the groups of one breakdown."""
    tables: dict[tuple[str, str], list[MetricComparison]] = {}
    for found in comparison.found:
        tables.setdefault((found.metric, found.breakdown), []).append(found)
    return [tuple(alike) for alike in tables.values()]


def system_tables(
    comparison: Comparison, alike: Sequence[MetricComparison], options: DisplayOptions, order: Sequence[int]
) -> Iterator[Table]:
    """Make a table of systems, and with a baseline one of the differences, of a metric on all items or by group."""
    first = alike[0]
    heads = (pgettext("heads", "value"), INTERVAL, *first.beside, pgettext("heads", "rank"), INTERVAL)
    heads += (pgettext("heads", "tie group"), pgettext("heads", "unparsed items %"))
    tables = [(heads, _values)]
    if first.baseline is not None:
        minus = pgettext("heads", "minus {baseline} (pp)", baseline=options.name(first.baseline))
        tables.append(((minus, *DIFFERENCE_HEADS), _differences))
    for columns, rows_of in tables:
        rows = [
            ((found.group,) if first.breakdown else ()) + (options.name(found.standings[place].label), *cells)
            for found in alike
            for place, cells in zip(order, rows_of(found, order, options.percent_decimals), strict=True)
        ]
        keys = (first.breakdown, "system") if first.breakdown else ("system",)
        yield Table(titled(comparison, first), (*keys, *columns), tuple(rows))


def metric_name(found: MetricComparison) -> str:
    """Name a metric with the arrow of its direction."""
    return with_arrow(found.metric, found.standings[0].value.direction)


def titled(comparison: Comparison, found: MetricComparison) -> str:
    """Name a metric with its direction and unit, and the breakdown."""
    unit = "pp" if found.metric in difference_names(comparison.config) else "%"
    if not found.breakdown:
        return pgettext("titles", "{metric} ({unit})", metric=metric_name(found), unit=unit)
    by = pgettext("heads", found.breakdown)
    return pgettext("titles", "{metric} ({unit}) by {breakdown}", metric=metric_name(found), unit=unit, breakdown=by)


def _values(found: MetricComparison, order: Sequence[int], decimals: int) -> Iterator[Cells]:
    for standing in (found.standings[place] for place in order):
        value = standing.value
        yield (
            percent(value.value, value.unit, decimals),
            interval_text(value.low, value.high, value.unit, decimals),
            *(percent(one, value.unit, decimals) for one in standing.by_rules.values()),
            standing.rank,
            span(standing.rank_low, standing.rank_high, 0),
            tie_number(found, standing.label),
            percent(standing.unparsed, "percent"),
        )


def _differences(found: MetricComparison, order: Sequence[int], decimals: int) -> Iterator[Cells]:
    to_baseline = {one.label: one for one in found.differences if one.other == found.baseline}
    for standing in (found.standings[place] for place in order):
        one = to_baseline.get(standing.label)
        none = (NONE,) * (1 + len(DIFFERENCE_HEADS))
        yield none if one is None else difference_cells(one, standing.value.unit, decimals)


def tie_number(found: MetricComparison, label: str) -> int | None:
    """Return the number of the tie group of a system, from 1 for the best."""
    return next((number for number, group in enumerate(found.ties, 1) if label in group), None)


LISTED = 8  # systems whose pairs, 28, are a list that can be read
FIRST = 10  # systems of a triangle: as many as have room in 60 columns
KEY = _(
    "> and <: the row is significantly higher or lower than the column (adjusted p at most 0.05); =: "
    "no significant difference; blank: no test."
)


def pair_tables(
    comparison: Comparison, alike: Sequence[MetricComparison], options: DisplayOptions, order: Sequence[int]
) -> Iterator[Table]:
    """Make tables of the pairs of a metric, on all items or in each group; with a baseline there are none."""
    for found in alike:
        if found.baseline is None:
            title = pgettext("titles", "Pairs, {title}", title=titled(comparison, found))
            if found.breakdown:
                group = pgettext("groups", found.group)
                title = pgettext("titles", "Pairs, {title}: {group}", title=titled(comparison, found), group=group)
            if len(order) <= LISTED:
                yield _listed(title, found, options, order)
            else:
                yield _triangle(title, found, options, order)


def _notes_on_pairs(comparison: Comparison) -> list[str]:
    if len(comparison.systems) <= LISTED or all(found.baseline is not None for found in comparison.found):
        return []
    more = len(comparison.systems) - FIRST
    text = _(
        "The table of pairs shows the first {first} systems. Use --to json or --to csv for the other {more}.",
        first=FIRST,
        more=more,
    )
    return [KEY, text][: 1 + (more > 0)]


def _listed(title: str, found: MetricComparison, options: DisplayOptions, order: Sequence[int]) -> Table:
    place = {found.standings[index].label: number for number, index in enumerate(order)}
    pairs = sorted(found.differences, key=lambda one: sorted((place[one.label], place[one.other])))
    unit, decimals = found.standings[0].value.unit, options.percent_decimals
    rows = [(options.name(one.label), options.name(one.other), *difference_cells(one, unit, decimals)) for one in pairs]
    heads = ("system", pgettext("heads", "other"), pgettext("heads", "difference (pp)"), *DIFFERENCE_HEADS)
    return Table(title, heads, tuple(rows))


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
    """Return ``>``, ``<`` or ``=`` for each tested pair in both orders, with † if unparsed answers could reverse it."""
    signs = {}
    for one in found.differences:
        if one.value is not None and one.corrected is not None:
            apart = one.corrected <= SIGNIFICANCE and one.value != 0
            mark = DAGGER if one.depends_on_unparsed else ""
            signs[one.label, one.other] = ("=" if not apart else ">" if one.value > 0 else "<") + mark
            signs[one.other, one.label] = ("=" if not apart else "<" if one.value > 0 else ">") + mark
    return signs


TIE = N_("Tie group: no significant difference from the best system of the group (adjusted p > 0.05).")
DIFFERENCES = N_(
    "won/lost/tied: clusters in which the system is better, worse or equal. MDD: minimum detectable "
    "difference (80% power). Worst-case bounds: range of the difference over all possible outcomes of "
    "the unparsed answers."
)
NOT_OURS = pgettext("titles", "Published results: different samples, not tested")


def counted_items(comparison: Comparison) -> str:
    """Count the items that are compared, and those that are excluded."""
    text = compared_items(comparison)
    if comparison.left_out:
        excluded = declared_screen(comparison.config).clusters(comparison.left_out)
        text = _("{items}, {clusters} excluded", items=text, clusters=excluded)
    return text


def compared_items(comparison: Comparison) -> str:
    """Count the items that are compared, and the clusters where these are fewer."""
    shown = declared_screen(comparison.config)
    items = comparison.units if comparison.items is None else comparison.items
    text = _n(*shown.counted, items)
    if items == comparison.units:
        return text
    return _("{items} in {clusters}", items=text, clusters=shown.clusters(comparison.units))


def above(comparison: Comparison, options: DisplayOptions) -> list[str]:
    """Return the lines before the tables: what is compared, what may differ, warnings."""
    of: dict[str, object] = {"config": comparison.config, "rule": comparison.rule, "items": counted_items(comparison)}
    of["count"] = len(comparison.systems)
    baseline = comparison.found[0].baseline
    heading = _("{config}: {count} systems on the same {items}, rule {rule}, all pairs", **of)
    if baseline is not None:
        of["baseline"] = options.name(baseline)
        heading = _("{config}: {count} systems on the same {items}, rule {rule}, baseline {baseline}", **of)
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
    """Return the lines after the tables: explanations of the columns, reasons of missing values, notes."""
    explained = [TIE, *(_notes_on_pairs(comparison) or [DIFFERENCES])]
    if any(one.depends_on_unparsed for found in comparison.found for one in found.differences):
        explained.append(SENSITIVE)
    return [
        *map(translated, explained),
        *unavailable_reasons(comparison, options),
        *remarks(comparison),
        *map(translated, comparison.notes),
    ]


SENSITIVE = N_("†: sensitive to unparsed answers, which could reverse the sign of the difference.")


def unavailable_reasons(comparison: Comparison, options: DisplayOptions) -> Iterator[str]:
    """Give the reasons why values, differences, tests or intervals are not available, with the systems of each."""
    lacking: dict[tuple[str, str], dict[str, None]] = {}
    of_all = set()  # a reason that holds for all items is not repeated for each group
    for found in comparison.found:
        group = translated_label(found.breakdown, found.group)
        where = f"{found.metric}{translated(', ')}{group}" if found.breakdown else found.metric
        named = {one.label: one.value.unavailable_reason for one in found.standings}
        reasons = [(options.name(label), reason) for label, reason in named.items()]
        if len(set(named.values())) == 1:  # of all systems: nobody is named
            reasons = [("", reason) for reason in {*named.values()}]
        for one in found.differences:
            if one.unavailable_reason not in {named[one.label], named[one.other]}:
                pair = pgettext(
                    "names", "{name} minus {other}", name=options.name(one.label), other=options.name(one.other)
                )
                reasons.append((translated(pair, "names"), one.unavailable_reason))
        for name, reason in reasons:
            if reason is not None and (found.metric, name, reason) not in of_all:
                lacking.setdefault((where, reason), {})[name] = None
        if not found.breakdown:
            of_all |= {(found.metric, name, reason) for name, reason in reasons}
    for (where, reason), names in lacking.items():
        parts = [where, translated(reason), translated(", ").join(names)]
        yield translated(": ").join(part for part in parts if part)


def printed_table(comparison: Comparison) -> list[Table]:
    """Make a table of the rows of papers, if there are any."""
    rows = [
        (f"{row.row} ({translated(row.table, TITLES)})", metric, str(value))
        for row in comparison.printed
        for metric, value in row.values.items()
    ]
    return [Table(NOT_OURS, ("row", "metric", "value"), tuple(rows))] if rows else []


def remarks(comparison: Comparison) -> list[str]:
    """Return the remarks on the rows of papers."""
    return [
        f"{row.row} ({translated(row.table, TITLES)}){translated(': ')}{translated(remark)}"
        for row in comparison.printed
        for remark in row.remarks
    ]


def signed(comparison: Comparison) -> str:
    """Write the entries that all signatures share."""
    return translated(_("signature: {written}", written=written(comparison.signature)))


Cell = str | int | float | None
OF_A_DIFFERENCE = (
    *("other", "difference", "difference_low", "difference_high", "p", "corrected_p", "test", "correction", "family"),
    *(
        "permutations",
        "won",
        "lost",
        "tied",
        "detectable",
        "bounds_low",
        "bounds_high",
        "depends_on_unparsed",
        "verdict",
        "reasons",
        "difference_why",
    ),
)
COLUMNS = (
    *("kind", "config", "rule", "metric", "breakdown", "group", "unit", "direction", "system"),
    *(
        "value",
        "low",
        "high",
        "interval",
        "n",
        "rank",
        "rank_low",
        "rank_high",
        "tie",
        "unparsed_percent",
        "unavailable_reason",
    ),
    *(*OF_A_DIFFERENCE, "gate", "allowed"),
)


def as_csv(comparison: Comparison) -> str:
    """Write the rows for programs; a missing value is an empty cell."""
    return csv_text(COLUMNS, tidy_rows(comparison))


def tidy_rows(comparison: Comparison) -> Iterator[dict[str, Cell]]:
    """Return rows of ``kind`` system (with the difference to the baseline, if any), beside, pair, or printed.

    True is 1. A row of kind ``beside`` has the value by another rule.
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
        "unparsed_percent": standing.unparsed,
        "unavailable_reason": value.unavailable_reason,
    }


def _difference(found: MetricComparison, one: Difference) -> dict[str, Cell]:
    tested, bounds = one.corrected is not None, one.bounds
    verdict, reasons = decide(one, found.standings[0].value.direction)
    cells: tuple[Cell, ...] = (
        *(one.other, one.value, one.low, one.high, one.p, one.corrected, one.test),
        *((found.correction, found.family, found.permutations) if tested else (None, None, None)),
        *(one.won, one.lost, one.tied, one.detectable),
        *((None, None) if bounds is None else (bounds.low, bounds.high)),
        *(int(one.depends_on_unparsed), verdict, ";".join(reasons), one.unavailable_reason),
    )
    return dict(zip(OF_A_DIFFERENCE, cells, strict=True))


def _printed(row: PrintedRow) -> Iterator[dict[str, Cell]]:
    system = f"{row.table}: {row.row}"
    for metric, value in row.values.items():
        yield {
            "kind": "printed",
            "metric": metric,
            "system": system,
            "value": value,
            "unavailable_reason": "; ".join(row.remarks),
        }
