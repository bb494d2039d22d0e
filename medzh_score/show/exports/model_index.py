"""Results as the ``model-index`` of a model's card has them, which a hub shows beside the model."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.registry import find_config
from medzh_score.benchmark.signed_rule import signed_rule
from medzh_score.extraction.length import SIGNED
from medzh_score.messages.errors import MedzhError
from medzh_score.prompts.sent_prompts import written_decoding
from medzh_score.report.signature import DISPLAY, written

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from medzh_score.report.report import Report
    from medzh_score.report.results.result import Result
    from medzh_score.show.exports.claims import Claim
    from medzh_score.statistics.values import Value


WHICH = {"config", "split", "data", "items"}  # of a signature: which records, not how they were asked and scored


def headline_of(result: Result) -> Value:
    """Give the headline, which a hub ranks by, the highest first; refuse one that has no value or ranks otherwise."""
    report = result.report
    value = report.metrics[report.headline]
    if value.value is None:
        raise MedzhError("has no value", file=result.folder, field=report.headline, found=value.why)
    if value.direction != "higher":
        problem = "is not better where it is higher, which is how a hub ranks"
        raise MedzhError(problem, file=result.folder, field=report.headline, found=value.direction or "neither")
    return value


def metrics_of(report: Report) -> Mapping[str, Value]:
    """Give the metrics that a page shows and that have a value, the headline first; no standard deviations or rates."""
    names = [report.headline, *(report.shown or report.metrics)]
    found = {name: report.metrics[name] for name in names}
    return {name: value for name, value in found.items() if value.value is not None and value.direction is not None}


def notes_of(report: Report) -> str:
    """Say in what a setting differs from the benchmark's own; nothing of the default.

    What is not stated may have been anything, and is named as such.
    """
    config = find_config(report.config)
    usual = {
        "prompt": config.prompts[0].name,
        "form": "chat",
        "asked": "groups",
        "decoding": written_decoding(config.decoding),
        "rule": signed_rule(config.rules[0].name),
        "reasoning": "removed",
        "longest": SIGNED,
        "missing": "error",
        **config.signed(),
    }
    shots = report.signature.get("shots", "")
    own = shots.partition(" ")[0] == str(config.shots)
    return "; ".join(
        f"{key}: {value}"
        for key, value in report.signature.items()
        if key not in DISPLAY | WHICH and usual.get(key) != value and not (key == "shots" and own)
    )


KEY = "model-index"
TASK = {"type": "text-generation", "name": "Text Generation"}


def model_entry(model: str, claims: Sequence[tuple[Result, Claim]], url: str | None) -> dict[str, Any]:
    """Give the entry of a model in ``model-index``: its name and its results."""
    return {"name": model, "results": [_result(result, claim, url) for result, claim in claims]}


def _result(result: Result, claim: Claim, url: str | None) -> dict[str, Any]:
    headline_of(result)
    dataset = {
        "name": claim.title,
        "type": claim.name if claim.dataset is None else claim.dataset.repo,
        "config": claim.name,
        "split": claim.split,
        **({} if claim.dataset is None else {"revision": claim.dataset.commit or f"v{claim.version}"}),
        # Two results of the same data differ in how they were made, which nothing else in a card says.
        "args": {"signature": written(result.report.signature)},
    }
    metrics = [_metric(*one) for one in metrics_of(result.report).items() if one[1].direction == "higher"]
    source = {} if url is None else {"source": {"name": "medzh-score", "url": url}}
    return {"task": dict(TASK), "dataset": dataset, "metrics": metrics, **source}


def _metric(name: str, value: Value) -> dict[str, Any]:
    interval = {} if value.low is None else {"args": {"interval": value.interval, "low": value.low, "high": value.high}}
    kind = re.sub(r"\W+", "_", name.lower()).strip("_")
    return {"type": kind, "value": value.value, "name": f"{name} ({value.unit})", **interval}


def eval_results(claims: Sequence[tuple[Result, Claim]], url: str | None, day: str | None) -> list[dict[str, Any]]:
    """Give the entries of a file: of each result the headline, with what is unusual about its setting."""
    return [_entry(result, claim, url, day) for result, claim in claims]


def _entry(result: Result, claim: Claim, url: str | None, day: str | None) -> dict[str, Any]:
    if claim.dataset is None:
        problem = "an entry names a dataset on a hub, and the data are a local copy"
        advice = "export it to model-index, which says so"
        raise MedzhError(problem, file=result.folder, field="--to", found="eval-results", advice=advice)
    notes = notes_of(result.report)
    revision = {} if claim.dataset.commit is None else {"revision": claim.dataset.commit}
    return {
        "dataset": {"id": claim.dataset.repo, "task_id": claim.name, **revision},
        "value": headline_of(result).value,
        **({} if day is None else {"date": day}),
        **({} if url is None else {"source": {"url": url, "name": "medzh-score"}}),
        **({"notes": notes} if notes else {}),
    }
