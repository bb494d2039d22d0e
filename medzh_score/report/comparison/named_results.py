"""The results of a comparison: each once, and each under a label of its own."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError, printable
from medzh_score.report.results.result import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

FEWEST = 2


@dataclass(frozen=True)
class NamedResult:
    """A result under the label by which it is compared."""

    label: str
    result: Result


def named_results(
    given: Sequence[Result | str | Path], labels: Sequence[str | None] = (), *, fewest: int = FEWEST
) -> tuple[NamedResult, ...]:
    """Load what are folders, and label each."""
    if len(given) < fewest:
        raise MedzhError("there are too few", field="DIR", expected="two result folders or more", found=len(given))
    if labels and len(labels) != len(given):
        raise MedzhError(
            f"{len(given)} systems have {len(labels)} labels", field="labels", expected="one each, or none"
        )
    folders = [one.folder if isinstance(one, Result) else Path(one) for one in given]
    resolved = Counter(folder.resolve() for folder in folders)
    for folder in folders:
        if resolved[folder.resolve()] > 1:
            raise MedzhError("the result is named twice", file=folder, field="DIR", expected="each once")
    results = [one if isinstance(one, Result) else Result.load(one) for one in given]
    named = _labels(results, labels or [None] * len(results))
    return tuple(map(NamedResult, named, results))


def _labels(results: Sequence[Result], labels: Sequence[str | None]) -> list[str]:
    """Take the user's labels; name all others by model, else by folder, by both where names repeat."""
    of_model = [label or one.report.model or one.folder.name for label, one in zip(labels, results, strict=True)]
    often = Counter(of_model)
    found = [
        name if label or often[name] == 1 else f"{name} ({one.folder.name})"
        for label, name, one in zip(labels, of_model, results, strict=True)
    ]
    often = Counter(found)
    found = [
        name if label or often[name] == 1 else f"{name} ({one.folder})"
        for label, name, one in zip(labels, found, results, strict=True)
    ]
    for name, count in Counter(map(printable, found)).items():
        if count > 1:
            raise MedzhError(
                "two systems have one label", field="label", found=name, advice="name them apart: DIR=LABEL"
            )
    return list(map(printable, found))


def labelled(results: Sequence[NamedResult], name: str | None) -> str | None:
    """Find the label of the system that a user means by its label or its folder; None for none."""
    labels = [one.label for one in results]
    if name is None or name in labels:
        return name
    for one in results:
        if Path(name).resolve() == one.result.folder.resolve():
            return one.label
    raise MedzhError("there is none of that name", field="--baseline", expected=", ".join(labels), found=name)
