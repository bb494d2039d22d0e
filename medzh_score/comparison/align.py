"""The statistics of several systems beside each other: the units that all have, item by item."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.items import ItemIndex
from medzh_score.comparison.comparability import MISSING
from medzh_score.scoring.missing import DIGITS
from medzh_score.stats.systems import Systems
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.metrics import Metric
    from medzh_score.comparison.comparability import Agreement
    from medzh_score.comparison.load import Choices
    from medzh_score.results.result import LabeledResult, Result


SKIP = "skip"


@dataclass(frozen=True)
class Aligned:
    """The systems on the units that are compared, how many there are, and how many each system lacks of all units."""

    systems: Systems
    units: int
    of: int
    lacking: Mapping[str, int]


@dataclass(frozen=True)
class Comparable:
    """Systems that may be compared: by which rule and metrics, and what they contribute beside each other."""

    config: Config
    rule: str
    metrics: tuple[Metric, ...]
    results: tuple[LabeledResult[Result], ...]
    agreed: Agreement
    together: Aligned


def aligned(results: Sequence[LabeledResult[Result]], rule: str, choices: Choices) -> Aligned:
    """Put what several systems contribute beside each other; with unequal runs their means over runs."""
    units = [_unit_names(one.result.layout) for one in results]
    _refuse_other_units(results, units)
    incomplete = [_incomplete(one.result, its, choices) for one, its in zip(results, units, strict=True)]
    whole = [set(its.values()) - lacks for its, lacks in zip(units, incomplete, strict=True)]
    every, common = set().union(*(its.values() for its in units)), set.intersection(*whole)
    if not common:
        raise MedzhError(
            _("no cluster is complete in all systems"), field="DIR", advice=_("score all systems on the same data")
        )
    items = [item for item in _order(results) if units[0].get(item) in common]
    places = [{item: place for place, item in enumerate(one.result.layout.items)} for one in results]
    rows = [np.array([its[item] for item in items], np.int64) for its in places]
    layout = _layout(results, items, rows, [units[0][item] for item in items], choices.by)
    systems = Systems(
        tuple(one.label for one in results),
        layout,
        _stacked([one.result.statistics[rule][its] for one, its in zip(results, rows, strict=True)]),
        _stacked([one.result.unparsed[rule][its].astype(float) for one, its in zip(results, rows, strict=True)]),
        variants_asked(results, items),
        _stacked([one.result.missing[its].astype(float) for one, its in zip(results, rows, strict=True)]),
    )
    lacking = {one.label: len(every) - len(its) for one, its in zip(results, whole, strict=True) if its != every}
    return Aligned(systems, len(common), len(every), lacking)


def _unit_names(layout: ItemIndex) -> dict[str, str]:
    first: dict[int, str] = {}
    for item, unit in zip(layout.items, layout.clusters.tolist(), strict=True):
        first[unit] = min(item, first.get(unit, item))
    return {item: first[unit] for item, unit in zip(layout.items, layout.clusters.tolist(), strict=True)}


def _refuse_other_units(results: Sequence[LabeledResult[Result]], units: Sequence[Mapping[str, str]]) -> None:
    known: dict[str, tuple[set[str], LabeledResult[Result]]] = {}
    for one, its in zip(results, units, strict=True):
        if known and its == units[0]:
            continue
        members: dict[str, set[str]] = {}
        for item, unit in its.items():
            members.setdefault(unit, set()).add(item)
        for item in sorted(its):
            theirs, other = known.setdefault(item, (members[its[item]], one))
            if members[its[item]] != theirs:
                problem = _("the clusters differ from those of {other_path}", other_path=other.path)
                advice = _("score all systems on the same data")
                raise MedzhError(problem, file=one.path, field="item", found=item, advice=advice)


def _incomplete(result: Result, units: Mapping[str, str], choices: Choices) -> set[str]:
    lacks = np.zeros(len(result.layout.items), bool)
    if (signed := result.report.signature.get(MISSING, "")).startswith(SKIP):
        lacks = _dropped(result, signed)
    if MISSING in choices.allow:
        lacks = lacks | result.missing.any(axis=1)
    return {units[item] for item, lacking in zip(result.layout.items, lacks, strict=True) if lacking}


def _dropped(result: Result, signed: str) -> NDArray[np.bool_]:
    counted: NDArray[np.bool_] = np.any([counts.any(axis=(1, 2)) for counts in result.statistics.values()], axis=0)
    kept = sorted(item for item, counts in zip(result.layout.items, counted, strict=True) if counts)
    digest = hashlib.sha256("\n".join(kept).encode()).hexdigest()[:DIGITS]
    if not signed.endswith(f"({digest})"):
        problem = _("the scored items do not match the signature")
        raise MedzhError(problem, file=result.folder, field=MISSING, expected=signed, found=digest)
    return ~counted


def _order(results: Sequence[LabeledResult[Result]]) -> Sequence[str]:
    orders = {one.result.layout.items for one in results}
    return min(orders) if len(orders) == 1 else sorted(set.intersection(*map(set, orders)))


def _layout(
    results: Sequence[LabeledResult[Result]],
    items: Sequence[str],
    rows: Sequence[NDArray[np.int64]],
    units: Sequence[str],
    breakdowns: Sequence[str],
) -> ItemIndex:
    numbers: dict[str, int] = {}
    first = results[0].result.layout
    for breakdown in breakdowns:
        if breakdown not in first.groups:
            known = ", ".join(first.groups) or "none"
            raise MedzhError(_("unknown breakdown"), field="--by", expected=known, found=breakdown)
    groups = {name: [first.groups[name][row] for row in rows[0]] for name in breakdowns}
    for one, its in zip(results[1:], rows[1:], strict=True):
        for name, labels in groups.items():
            _refuse_other_groups(one, name, items, labels, its)
    return ItemIndex(
        tuple(items),
        first.members[rows[0]],
        np.array([numbers.setdefault(unit, len(numbers)) for unit in units], np.int64),
        groups,
        {name: order for name, order in first.orders.items() if name in groups},
    )


def _refuse_other_groups(
    one: LabeledResult[Result], breakdown: str, items: Sequence[str], labels: Sequence[str], rows: NDArray[np.int64]
) -> None:
    theirs = one.result.layout.groups.get(breakdown)
    for item, label, row in zip(items, labels, rows.tolist(), strict=True):
        if theirs is None or theirs[row] != label:
            problem = _("the {breakdown} group of the item differs from that in the first system", breakdown=breakdown)
            raise MedzhError(problem, file=one.path, field=item, expected=label, found=theirs and theirs[row])


def _stacked(parts: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    if len({part.shape[1] for part in parts}) > 1:
        parts = [part.mean(axis=1, keepdims=True) for part in parts]
    return np.stack(parts)


KEY = "variants"


def variants_asked(results: Sequence[LabeledResult[Result]], items: Sequence[str]) -> NDArray[np.int64] | None:
    """Count the variants of each item, which must be as many in all systems; None where all were asked in one."""
    by_variants = {one.result.report.signature.get(KEY): one.result for one in results}
    if by_variants.keys() == {None}:
        return None
    (_unused, first), *others = by_variants.items()
    counts = _counts(first, items)
    for _unused, other in others:
        differing = np.flatnonzero(_counts(other, items) != counts)
        for place in differing[:1].tolist():
            problem = _("the number of option orders of an item differs from that in {folder}", folder=first.folder)
            raise MedzhError(
                problem,
                file=other.folder,
                field=KEY,
                found=items[place],
                advice=_("query both systems with the same option orders"),
            )
    return counts


def _counts(result: Result, items: Sequence[str]) -> NDArray[np.int64]:
    import pyarrow as pa
    import pyarrow.compute as pc

    if KEY not in result.report.signature:
        return np.ones(len(items), np.int64)
    table = result.items()
    of_first = pc.and_(pc.equal(table["rule"], result.report.rule), pc.equal(table["run"], result.runs[0]))
    counted = table.filter(of_first).group_by("item").aggregate([("variant", "count_distinct")])
    places = pc.index_in(pa.array(items), value_set=counted["item"].combine_chunks())
    found: NDArray[np.int64] = counted["variant_count_distinct"].combine_chunks().take(places).to_numpy()
    return found
