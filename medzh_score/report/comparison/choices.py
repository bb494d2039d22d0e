"""What a user asks of a comparison."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError, printable
from medzh_score.report.results.result import Result
from medzh_score.statistics.comparison.compare import SWAPS
from medzh_score.statistics.values import Bootstrap

if TYPE_CHECKING:
    from collections.abc import Sequence

GATE = "--fail-on-regression"


@dataclass(frozen=True)
class Gate:
    """By how many points a metric may be worse than the baseline's; None for any that is not significant."""

    metric: str
    points: float | None = None


def gate_of(text: str) -> Gate:
    """Read ``METRIC[:points]``.

    Examples
    --------
    >>> gate_of("F1-level-2:0.5"), gate_of("FactAcc")
    (Gate(metric='F1-level-2', points=0.5), Gate(metric='FactAcc', points=None))
    """
    metric, colon, points = text.rpartition(":")
    if not colon:
        return Gate(text)
    try:
        allowed = float(points)
    except ValueError:
        allowed = math.nan
    if not (metric and 0 <= allowed < math.inf):
        raise MedzhError("is no gate", field=GATE, expected="METRIC or METRIC:points, such as FactAcc:2", found=text)
    return Gate(metric, allowed)


@dataclass(frozen=True)
class Choices:
    """How systems are compared.

    Attributes
    ----------
    labels : tuple of str or None
        What each system is called, None by its report's model or else by its folder; empty for all of these.
    metrics : tuple of str
        Which are compared; empty for the headline and what the config shows beside it.
    by : tuple of str
        The breakdowns whose groups are compared, too.
    baseline : str or None
        The label or the folder of the system that all others are compared with; None for the best.
    all_pairs : bool
        Whether every system is compared with every other.
    best : int or None
        Of all pairs, those alone are described that so many of the best form; all are tested. None for all.
    rule : str or None
        By which answers were read. None for ``medzh-1`` where all reports hold it, else for their own; with printed
        rows for the paper's.
    allow : tuple of str
        The keys of signatures that move values in which the systems may differ, ``runs`` for another number of runs.
    same_prompts : bool
        Whether the systems are to differ in nothing but the decoding, under prompts that are known.
    bootstrap : Bootstrap
        Resamples of intervals and ranks; the seed is that of the swaps, too.
    swaps : int
        How many times rows are swapped, at least.
    printed : tuple of str
        Rows of the paper's tables that are set beside, as ``TABLE:ROW``.
    gate : Gate or None
        By how much systems may be worse than the baseline.
    """

    labels: tuple[str | None, ...] = ()
    metrics: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    baseline: str | None = None
    all_pairs: bool = False
    best: int | None = None
    rule: str | None = None
    allow: tuple[str, ...] = ()
    same_prompts: bool = False
    bootstrap: Bootstrap = field(default_factory=Bootstrap)
    swaps: int = SWAPS
    printed: tuple[str, ...] = ()
    gate: Gate | None = None


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
