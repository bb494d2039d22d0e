"""Results in the form of Every Eval Ever 0.3.0: of each metric its value, interval, data and setting; no items."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.registry import find_config
from medzh_score.export.hub import metrics_of, primary_name_of
from medzh_score.prompting.ids import joined_id
from medzh_score.scoring.signature import written
from medzh_score.ui.numbers import TOPS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from medzh_score.export.hub import Claim
    from medzh_score.results.result import Result
    from medzh_score.stats.values import Value


SCHEMA = "0.3.0"
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Evaluator:
    """Who evaluated, how they stand to the model, and on which day."""

    organisation: str
    relationship: str
    day: str


def every_eval_ever(model: str, claims: Sequence[tuple[Result, Claim]], who: Evaluator) -> dict[str, Any]:
    """Give the results of a model as one evaluation."""
    stamp = str(int(datetime.fromisoformat(who.day).replace(tzinfo=UTC).timestamp()))
    developer, slash, _ = model.partition("/")
    return {
        "schema_version": SCHEMA,
        "evaluation_id": f"medzh/{model}/{stamp}",
        "evaluation_timestamp": who.day,
        "retrieved_timestamp": stamp,
        "source_metadata": {
            "source_name": "medzh-score",
            "source_type": "evaluation_run",
            "source_organization_name": who.organisation,
            "evaluator_relationship": who.relationship,
        },
        "model_info": {
            "name": model,
            "id": model,
            **({"developer": developer} if slash else {}),
            "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
        },
        "eval_library": {"name": "medzh-score", "version": claims[0][0].report.signature["medzh_score"]},
        "evaluation_results": [one for result, claim in claims for one in _results(result, claim)],
    }


def _results(result: Result, claim: Claim) -> list[dict[str, Any]]:
    report = result.report
    digest = hashlib.sha256(written(report.signature).encode("utf-8")).hexdigest()[:8]
    return [
        {
            "evaluation_result_id": f"{claim.name}/{digest}/{name}",
            "evaluation_name": f"{claim.name} {name}",
            "source_data": _source(claim, int(report.signature["items"])),
            "metric_config": _metric(result, claim, name, value),
            "score_details": _score(value, report.arguments["bootstrap"]),
            "generation_config": {"additional_details": dict(report.signature)},
        }
        for name, value in metrics_of(report).items()
    ]


def _source(claim: Claim, items: int) -> dict[str, Any]:
    if claim.dataset is None:
        return {"dataset_name": claim.title, "source_type": "other"}
    return {
        "dataset_name": claim.name,
        "source_type": "hf_dataset",
        "hf_repo": claim.dataset.repo,
        "hf_split": claim.split,
        "samples_number": items,
        "additional_details": {"version": claim.version, "commit": claim.dataset.commit or "not stated"},
    }


def _metric(result: Result, claim: Claim, name: str, value: Value) -> dict[str, Any]:
    """Describe a metric; only of a share, whose interval is Wilson's, it is sure between what it lies."""
    bounds = (0.0, TOPS[value.unit]) if value.interval == "wilson" else (None, None)
    return {
        "metric_id": f"{claim.name}.{name}",
        "metric_name": name,
        "metric_unit": {"percent": "percent", "fraction": "proportion"}[value.unit],
        "metric_parameters": {"rule": result.report.rule},
        "lower_is_better": value.direction == "lower",
        "score_type": "continuous",
        "min_score": bounds[0],
        "max_score": bounds[1],
    }


def _score(value: Value, resamples: int) -> dict[str, Any]:
    uncertainty: dict[str, Any] = {"num_samples": value.n}
    if value.low is not None and value.high is not None:
        interval = {"lower": value.low, "upper": value.high, "confidence_level": CONFIDENCE, "method": value.interval}
        uncertainty |= {"confidence_interval": interval}
    if value.interval == "bootstrap":
        uncertainty |= {"num_bootstrap_samples": resamples}
    runs = {"runs": str(len(value.per_run))}
    spread = {} if value.std is None else {"standard deviation over runs": str(value.std)}
    return {"score": value.value, "details": runs | spread, "uncertainty": uncertainty}


def inspect_scores(result: Result) -> Iterator[dict[str, Any]]:
    """Give for each prediction the headline of the item that it belongs to, as a share of 1; nothing where it has none.

    So of pairs both sides have the pair's value. A run is an epoch, a variant a part of the id.
    """
    report = result.report
    unit, values = primary_name_of(result).unit, _values(result)
    about = {"config": report.signature["config"], "metric": report.primary_name, "rule": report.rule}
    for row in result.items().to_pylist():
        value = values[row["item"], row["run"]] / TOPS[unit]
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
    value = primary_name_of(result)
    mean = math.fsum(one["value"] for one in scores) / len(scores) if scores else math.nan
    return replace(value, value=TOPS[value.unit] * mean)


def _values(result: Result) -> dict[tuple[str, int], float]:
    report = result.report
    metric = pick("--metric", find_config(report.config).metrics, report.primary_name)
    found = metric.formula(result.statistics[report.rule])
    return {
        (item, run): float(found[place, at])
        for place, item in enumerate(result.layout.items)
        for at, run in enumerate(result.runs)
    }
