"""In how many variants each item was asked, which the unread ones of them are a share of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from medzh_score.report.comparison.named_results import NamedResult
    from medzh_score.report.results.result import Result

KEY = "variants"


def variants_asked(results: Sequence[NamedResult], items: Sequence[str]) -> NDArray[np.int64] | None:
    """Count the variants of each item, which must be as many in all systems; None where all were asked in one."""
    by_variants = {one.result.report.signature.get(KEY): one.result for one in results}
    if by_variants.keys() == {None}:
        return None
    (_, first), *others = by_variants.items()
    counts = _counts(first, items)
    for _, other in others:
        differing = np.flatnonzero(_counts(other, items) != counts)
        for place in differing[:1].tolist():
            problem = f"an item was not asked in as many variants as in {first.folder}"
            raise MedzhError(problem, file=other.folder, field=KEY, found=items[place], advice="ask both alike")
    return counts


def _counts(result: Result, items: Sequence[str]) -> NDArray[np.int64]:
    """Count what was due of the first run, by any rule."""
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
