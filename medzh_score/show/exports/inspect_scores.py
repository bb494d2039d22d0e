"""Scores of single predictions, for inspect's scorer of what was computed elsewhere."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.registry import find_config
from medzh_score.prompts.codes import joined_id
from medzh_score.show.exports.model_index import headline_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from medzh_score.report.results.result import Result
    from medzh_score.statistics.values import Value

WHOLE = {"percent": 100.0, "fraction": 1.0}


def inspect_scores(result: Result) -> Iterator[dict[str, Any]]:
    """Give for each prediction the headline of the item that it belongs to, as a share of 1; nothing where it has none.

    So of pairs both sides have the pair's value. A run is an epoch, a variant a part of the id.
    """
    report = result.report
    unit, values = headline_of(result).unit, _values(result)
    about = {"config": report.signature["config"], "metric": report.headline, "rule": report.rule}
    for row in result.items().to_pylist():
        value = values[row["item"], row["run"]] / WHOLE[unit]
        if row["rule"] == report.rule and not math.isnan(value):
            yield {
                "id": joined_id(row["id"], 0, row["variant"]),
                "epoch": row["run"] + 1,
                "value": value,
                **({} if row["answer"] is None else {"answer": row["answer"]}),
                "explanation": row["found_by"],
                "metadata": about | {"item": row["item"]},
            }


def mean_of(result: Result, scores: Sequence[Mapping[str, Any]]) -> Value:
    """Give the headline with the mean of the scores in the place of its value, which it need not be."""
    value = headline_of(result)
    mean = math.fsum(one["value"] for one in scores) / len(scores) if scores else math.nan
    return replace(value, value=WHOLE[value.unit] * mean)


def _values(result: Result) -> dict[tuple[str, int], float]:
    """Compute the headline of each item in each run."""
    report = result.report
    metric = pick("--metric", find_config(report.config).metrics, report.headline)
    found = metric.formula(result.statistics[report.rule])
    return {
        (item, run): float(found[place, at])
        for place, item in enumerate(result.layout.items)
        for at, run in enumerate(result.runs)
    }
