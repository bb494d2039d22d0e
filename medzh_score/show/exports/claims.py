"""What may be said of a result to others: of which data it is, under the name that these data have."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError
from medzh_score.report.cautions import NOT_PINNED, published_part
from medzh_score.report.paper import load_paper

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.report.report import Report
    from medzh_score.report.results.result import Result

DATASET = re.compile(r"(?P<repo>[A-Za-z0-9][\w.-]*/[\w.-]+)(?:@(?P<commit>[0-9a-f]{40}))?", re.ASCII)
SIGNED = re.compile(
    r"(?P<version>[^/]+)/(?P<recipe>[^/]+)/(?P<rows>[^/]+)(?:/commit (?P<commit>[0-9a-f]{12}))?", re.ASCII
)
EXPECTED = "ORG/NAME, or ORG/NAME@COMMIT with the 40 hex digits of the commit"


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
    """Read the name of a dataset repository.

    Examples
    --------
    >>> dataset_named("org/medzh").repo
    'org/medzh'
    """
    found = DATASET.fullmatch(text)
    if found is None:
        raise MedzhError("is no dataset repository", field="--dataset", expected=EXPECTED, found=text)
    return Dataset(found["repo"], found["commit"])


def claim_of(result: Result, dataset: Dataset | None) -> Claim:
    """Say of which data a result is, or refuse what may not be said.

    Only what was published at a tag, and a local build of the official recipe from pinned files, pass on.
    """
    report = result.report
    signed = SIGNED.fullmatch(report.signature["data"])
    if signed is None:
        raise MedzhError("does not say of which data it is", file=result.folder, found=report.signature["data"])
    name, split = report.signature["config"], report.signature["split"]
    _refuse_samples(result, signed)
    if signed["commit"] is not None:
        return Claim(name, name, split, signed["version"], _published(result, signed["commit"], dataset))
    if dataset is not None:
        problem, advice = (
            "the data were not loaded from a hub",
            "leave out --dataset, or score again with --data of a tag",
        )
        raise MedzhError(problem, file=result.folder, field="signature/data", found=signed[0], advice=advice)
    if signed["recipe"] != "official":
        problem = "data of another recipe that are not published at a tag: nothing is said of them to others"
        advice = "publish them, and score again with --data ORG/NAME@vX.Y.Z"
        raise MedzhError(problem, file=result.folder, field="signature/data", found=signed[0], advice=advice)
    return Claim(name, _copy(report, signed["rows"]), split, signed["version"], None)


def _refuse_samples(result: Result, signed: re.Match[str]) -> None:
    """Refuse rows of which nothing may ever be said as of a benchmark."""
    problem = None
    if signed["recipe"] == "mini":
        problem = "the data are the sample mini, no benchmark: nothing is said of them to others"
    elif signed["rows"].startswith("edited "):
        problem = "the rows were edited, and are no benchmark: nothing is said of them to others"
    elif any(NOT_PINNED in note for note in result.report.notes):
        problem = "the data are made from a file that is not pinned: nothing is said of them to others"
    if problem is not None:
        raise MedzhError(problem, file=result.folder, field="signature/data", found=signed[0])


def _published(result: Result, commit: str, dataset: Dataset | None) -> Dataset:
    """Take the repository that the user names, whose commit must be the one that was scored."""
    if dataset is None:
        problem = "is needed: a result does not hold the name of the repository from which its data came"
        raise MedzhError(problem, field="--dataset", expected=EXPECTED)
    if dataset.commit is not None and not dataset.commit.startswith(commit):
        problem = "is another commit than that which was scored"
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
            advice = "score again with --model NAME"
            raise MedzhError("names no model", file=one.folder / "report.json", field="model", advice=advice)
    for one in others:
        if one.report.model != first.report.model:
            raise MedzhError(
                "is of another model than the first result",
                file=one.folder,
                field="model",
                expected=first.report.model,
                found=one.report.model,
                advice="export the results of one model at a time",
            )
    return str(first.report.model)


def refuse_twins(results: Sequence[Result]) -> None:
    """Refuse results that nothing tells apart: whoever reads them could not know which number is the model's."""
    seen: dict[tuple[tuple[str, str], ...], Result] = {}
    for one in results:
        key = tuple(one.report.signature.items())
        if key in seen:
            problem = "has the same signature as another result"
            raise MedzhError(problem, file=one.folder, found=str(seen[key].folder), advice="name one of the two")
        seen[key] = one
