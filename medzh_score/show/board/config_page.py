"""The page of a config: a table for all results that may be compared, and what the comparison found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.files.json_text import json_document
from medzh_score.files.sheets import sheet_bytes
from medzh_score.messages.catalogue import worded
from medzh_score.report.numbers import DECIMALS, rounded
from medzh_score.show.board.site import apart_said, data_badge, model_link
from medzh_score.show.cells import worded_word
from medzh_score.show.comparison.captions import captions
from medzh_score.show.comparison.cells import DAGGER
from medzh_score.show.comparison.showing import Showing, standing_order
from medzh_score.show.comparison.systems import system_tables, titled, whys
from medzh_score.show.comparison.tidy import COLUMNS, tidy_rows
from medzh_score.show.page.charts import interval_chart
from medzh_score.show.page.page import rendered_page
from medzh_score.show.page.tables import Head, TableView, both, in_both, said, view_of
from medzh_score.statistics.comparison.corrections import LEVEL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markupsafe import Markup

    from medzh_score.report.comparison.board import BoardTable
    from medzh_score.report.comparison.comparison import Comparison
    from medzh_score.statistics.comparison.found import Difference, MetricComparison

SCHEMA = 1  # of the JSON
IN_SHEET = ("table", "data", "mini", *COLUMNS)
UNITS_SHOWN = 50


def config_files(config: str, tables: Sequence[BoardTable]) -> tuple[bytes, bytes, bytes]:
    """Make the page of a config, and the same as CSV and JSON."""
    facts = {"schema": SCHEMA, "config": config, "tables": [one.as_dict() for one in tables]}
    page = rendered_page(
        "board/config.html.jinja",
        title=config,
        styles=("board/board.css",),
        config=config,
        sections=[_section(one, many=len(tables) > 1) for one in tables],
    )
    return page, sheet_bytes(IN_SHEET, _rows(tables)), json_document(facts)


def _rows(tables: Sequence[BoardTable]) -> Iterator[dict[str, object]]:
    """Give the rows of each table's comparison, with the table and the data that they are of."""
    for one in tables:
        shared = {"table": one.number, "data": one.signature.get("data"), "mini": int(one.mini)}
        for row in tidy_rows(one.comparison):
            yield {**shared, **row}


def _section(table: BoardTable, *, many: bool) -> dict[str, object]:
    """Put together what the page shows of a table."""
    comparison = table.comparison
    (found,) = comparison.found
    order = standing_order(found.standings)
    standings = [found.standings[place] for place in order]
    headline = in_both(lambda: worded(titled(comparison, found), "titles"))
    return {
        "number": table.number,
        "many": many,
        "badge": data_badge(table.signature, mini=table.mini),
        "apart": apart_said(table.as_dict()) if table.apart else [],
        "caption": both(*captions(comparison, Showing(caption="both"))),
        "cautions": [said(one) for one in (*comparison.cautions, *comparison.notes)],
        "whys": [both(*pair) for pair in zip(*in_both(lambda: [*whys(comparison, Showing())]), strict=True)],
        "ranking": _ranking(comparison, found, order),
        "forest": interval_chart(
            both(*headline), [(one.label, one.label) for one in standings], [one.value for one in standings]
        ),
        "matrix": _matrix(comparison, found, [one.label for one in standings]) if found.differences else None,
        "left_out": len(standings)
        - len({one.label for one in found.differences} | {one.other for one in found.differences}),
        "groups": [_by_group(table, breakdown, order) for breakdown in table.groups],
        "units": table.units,
        "units_shown": UNITS_SHOWN,
        "signature": comparison.signature,
        "allowed": [(one.label, dict(one.differing)) for one in comparison.systems] if comparison.allowed else [],
    }


def _ranking(comparison: Comparison, found: MetricComparison, order: Sequence[int]) -> TableView:
    """Rank the systems, as `compare` does, each with a link to its page."""
    (table,) = system_tables(comparison, [found], Showing(), order)
    view = view_of(table, DECIMALS[comparison.unit])
    linked = [model_link(found.standings[place].label) for place in order]
    rows = tuple((name, *row[1:]) for name, row in zip(linked, view.rows, strict=True))
    return TableView(view.title, view.heads, rows)


def _matrix(comparison: Comparison, found: MetricComparison, labels: Sequence[str]) -> TableView:
    """Show the differences of all pairs that are described: the row's value minus the column's."""
    named = {one.label for one in found.differences} | {one.other for one in found.differences}
    shown = [label for label in labels if label in named]
    pairs = {frozenset((one.label, one.other)): one for one in found.differences}
    decimals = DECIMALS[comparison.unit]
    rows = [
        (model_link(label), str(number), *(_cell(pairs, label, other, decimals) for other in shown))
        for number, label in enumerate(shown, 1)
    ]
    heads = (
        Head(said("system", "heads")),
        Head("#", numeric=True),
        *(Head(str(place), numeric=True) for place in range(1, len(shown) + 1)),
    )
    title = said(f"Differences of the first {len(shown)}: {titled(comparison, found)}, the row minus the column")
    return TableView(title, heads, tuple(rows))


def _cell(pairs: dict[frozenset[str], Difference], label: str, other: str, decimals: int) -> Markup | str:
    """Write a difference, with a star where the corrected test tells the two apart, and its interval and p beside."""
    from markupsafe import Markup

    one = pairs.get(frozenset((label, other)))
    if label == other or one is None or one.value is None:
        return "-" if label != other else ""
    sign = 1 if one.label == label else -1
    star = "*" if one.corrected is not None and one.corrected <= LEVEL else ""
    low, high = sorted(
        sign * (one.low or 0.0) if bound == "low" else sign * (one.high or 0.0) for bound in ("low", "high")
    )
    interval = "" if one.low is None else f"[{rounded(low, decimals)}, {rounded(high, decimals)}]"
    p = "" if one.corrected is None else f" p = {rounded(one.corrected, 4)}"
    written = f"{rounded(sign * one.value, decimals)}{star}{DAGGER if one.depends_on_unread else ''}"
    return Markup('<span{} title="{}{}">{}</span>').format(
        Markup(' class="apart"') if star else "", interval, p, written
    )


def _by_group(table: BoardTable, breakdown: str, order: Sequence[int]) -> TableView:
    """Show the headline of each group: a row a system."""
    comparison, groups = table.comparison, table.groups[breakdown]
    (found,) = comparison.found
    decimals = DECIMALS[comparison.unit]
    heads = [both(*in_both(lambda name=name: worded_word(breakdown, name))) for name in groups]  # type: ignore[misc]
    rows = []
    for place in order:
        label = found.standings[place].label
        values = [of.get(label) for of in groups.values()]
        rows.append((model_link(label), *("-" if one is None else rounded(one, decimals) for one in values)))
    title = said(f"{found.metric} by {breakdown}", "titles")
    return TableView(title, (Head(said("system", "heads")), *(Head(one, numeric=True) for one in heads)), tuple(rows))
