"""Which metrics of a report are passed on, and in what its setting is not the benchmark's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.registry import find_config
from medzh_score.benchmark.signed_rule import signed_rule
from medzh_score.extraction.length import SIGNED
from medzh_score.messages.errors import MedzhError
from medzh_score.prompts.sent_prompts import written_decoding
from medzh_score.report.signature import DISPLAY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from medzh_score.report.report import Report
    from medzh_score.report.results.result import Result
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
