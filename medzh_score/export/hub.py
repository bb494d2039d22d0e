"""What may be said of a result to others: of which data it is, under the name that these data have."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.registry import find_config
from medzh_score.benchmark.rules import signed_rule
from medzh_score.extraction.whole_text import SIGNED
from medzh_score.prompting.sent import written_generation
from medzh_score.scoring.paper import load_paper
from medzh_score.scoring.report_warnings import published_part
from medzh_score.scoring.signature import DISPLAY, written
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from medzh_score.results.report import Report
    from medzh_score.results.result import Result
    from medzh_score.stats.values import Value


DATASET = re.compile(r"(?P<repo>[A-Za-z0-9][\w.-]*/[\w.-]+)(?:@(?P<commit>[0-9a-f]{40}))?", re.ASCII)
SIGNED_DATA = re.compile(
    r"(?P<version>[^/]+)/(?P<recipe>[^/]+)/(?P<rows>[^/]+)(?:/commit (?P<commit>[0-9a-f]{12}))?", re.ASCII
)
EXPECTED = _("ORG/NAME, or ORG/NAME@COMMIT with the 40 hex digits of the commit")


@dataclass(frozen=True)
class Dataset:
    """A dataset repository on a hub, and perhaps the commit of which the data were."""

    repo: str
    commit: str | None


@dataclass(frozen=True)
class Claim:
    """Of which data a result is.

    ``name`` is that of the data (``tcmd_open``), ``title`` how a reader is told of them. ``dataset`` is None for a
    local copy.
    """

    name: str
    title: str
    split: str
    version: str
    dataset: Dataset | None


def dataset_named(text: str) -> Dataset:
    """Read the name of a dataset repository."""
    found = DATASET.fullmatch(text)
    if found is None:
        raise MedzhError(_("invalid dataset repository"), field="--dataset", expected=EXPECTED, found=text)
    return Dataset(found["repo"], found["commit"])


def claim_of(result: Result, dataset: Dataset | None) -> Claim:
    """Say of which data a result is, or refuse what may not be said.

    Only what was published at a tag, and a local build of the official recipe from pinned files, pass on.
    """
    report = result.report
    signed = SIGNED_DATA.fullmatch(report.signature["data"])
    if signed is None:
        raise MedzhError(_("the result does not identify its data"), file=result.folder, found=report.signature["data"])
    name, split = report.signature["config"], report.signature["split"]
    _refuse_samples(result, signed)
    if signed["commit"] is not None:
        return Claim(name, name, split, signed["version"], _published(result, signed["commit"], dataset))
    if dataset is not None:
        problem = _("the data were not loaded from a hub")
        advice = _("omit --dataset, or score again with --data ORG/NAME@TAG")
        raise MedzhError(problem, file=result.folder, field="signature/data", found=signed[0], advice=advice)
    if signed["recipe"] != "official":
        problem = _("the result cannot be exported because the data are neither official data nor published at a tag")
        advice = _("publish the data, and score again with --data ORG/NAME@vX.Y.Z")
        raise MedzhError(problem, file=result.folder, field="signature/data", found=signed[0], advice=advice)
    return Claim(name, _copy(report, signed["rows"]), split, signed["version"], None)


def _refuse_samples(result: Result, signed: re.Match[str]) -> None:
    """Refuse rows of which nothing may ever be said as of a benchmark."""
    problem = None
    if signed["recipe"] == "mini":
        problem = _("the result cannot be exported because the mini sample is not a benchmark")
    elif signed["rows"].startswith("edited "):
        problem = _("the result cannot be exported because the records were edited")
    elif any(warning.code == "unpinned_data" for warning in result.report.warnings):
        problem = _("the result cannot be exported because the source of the data is not pinned")
    if problem is not None:
        raise MedzhError(problem, file=result.folder, field="signature/data", found=signed[0])


def _published(result: Result, commit: str, dataset: Dataset | None) -> Dataset:
    if dataset is None:
        problem = _("the option is required because the result does not contain the name of the data repository")
        raise MedzhError(problem, field="--dataset", expected=EXPECTED)
    if dataset.commit is not None and not dataset.commit.startswith(commit):
        problem = _("the commit differs from the scored commit")
        raise MedzhError(problem, file=result.folder, field="--dataset", expected=f"{commit}…", found=dataset.commit)
    return dataset


def _copy(report: Report, rows: str) -> str:
    """Name a local copy of what the authors published, which may be a part."""
    try:
        name = load_paper(report.config).benchmark
    except MedzhError:
        name = report.config
    part = published_part(report.config)
    return f"{name} (local copy, {f'{part}, ' if part else ''}fingerprint {rows})"


def model_of(results: Sequence[Result]) -> str:
    """Name the one model that all results are of."""
    first, *others = results
    for one in results:
        if one.report.model is None:
            advice = _("score again with --model NAME")
            raise MedzhError(
                _("the model name is missing"), file=one.folder / "report.json", field="model", advice=advice
            )
    for one in others:
        if one.report.model != first.report.model:
            raise MedzhError(
                _("the model differs from the model of the first result"),
                file=one.folder,
                field="model",
                expected=first.report.model,
                found=one.report.model,
                advice=_("export the results of one model at a time"),
            )
    return str(first.report.model)


def refuse_twins(results: Sequence[Result]) -> None:
    """Refuse results that nothing tells apart: whoever reads them could not know which number is the model's."""
    seen: dict[tuple[tuple[str, str], ...], Result] = {}
    for one in results:
        key = tuple(one.report.signature.items())
        if key in seen:
            problem = _("another result has the same signature")
            raise MedzhError(
                problem, file=one.folder, found=str(seen[key].folder), advice=_("specify only one of the two")
            )
        seen[key] = one


WHICH = {"config", "split", "data", "items"}  # of a signature: which records, not how they were asked and scored


def primary_name_of(result: Result) -> Value:
    """Give the headline, which a hub ranks by, the highest first; refuse one that has no value or ranks otherwise."""
    report = result.report
    value = report.metrics[report.primary_name]
    if value.value is None:
        raise MedzhError(
            _("the primary metric has no value"),
            file=result.folder,
            field=report.primary_name,
            found=value.unavailable_reason,
        )
    if value.direction != "higher":
        problem = _("higher is not better for this metric, but a hub ranks higher values first")
        raise MedzhError(problem, file=result.folder, field=report.primary_name, found=value.direction or "neither")
    return value


def metrics_of(report: Report) -> Mapping[str, Value]:
    """Give the metrics that a page shows and that have a value, the headline first; no standard deviations or rates."""
    names = [report.primary_name, *(report.summary_metrics or report.metrics)]
    found = {name: report.metrics[name] for name in names}
    return {name: value for name, value in found.items() if value.value is not None and value.direction is not None}


def notes_of(report: Report) -> str:
    """Say in what a setting differs from the benchmark's own; nothing of the default.

    What is not stated may have been anything, and is named as such.
    """
    config = find_config(report.config)
    usual = {
        "prompt": config.prompting.templates[0].name,
        "format": "chat",
        "query_unit": "groups",
        "generation": written_generation(config.prompting.generation_kwargs),
        "rule": signed_rule(config.rules[0].name),
        "reasoning": "removed",
        "max_chars": SIGNED,
        "missing": "error",
        **config.reporting.signature_entries(),
    }
    shots = report.signature.get("shots", "")
    own = shots.partition(" ")[0] == str(config.prompting.shots)
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
    primary_name_of(result)
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
        problem = _("an eval-results entry requires a dataset on a hub, but the data are a local copy")
        advice = _("use --to model-index, which states that the data are a local copy")
        raise MedzhError(problem, file=result.folder, field="--to", found="eval-results", advice=advice)
    notes = notes_of(result.report)
    revision = {} if claim.dataset.commit is None else {"revision": claim.dataset.commit}
    return {
        "dataset": {"id": claim.dataset.repo, "task_id": claim.name, **revision},
        "value": primary_name_of(result).value,
        **({} if day is None else {"date": day}),
        **({} if url is None else {"source": {"url": url, "name": "medzh-score"}}),
        **({"notes": notes} if notes else {}),
    }
