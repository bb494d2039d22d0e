"""What a user asks of a comparison, and the results that it is about, each under its label."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.results.result import LabeledResult, Result
from medzh_score.stats.compare import PERMUTATIONS
from medzh_score.stats.values import Bootstrap
from medzh_score.ui.errors import MedzhError, printable
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    Labeled = LabeledResult[Result]

GATE = "--fail-on-regression"
FEWEST = 2


@dataclass(frozen=True)
class Choices:
    """How systems are compared."""

    labels: tuple[str | None, ...] = ()  # None: the model of the report, else the folder
    metrics: tuple[str, ...] = ()  # empty: the primary one and what the config shows
    primary_alone: bool = False  # of no metrics given, only the primary one
    by: tuple[str, ...] = ()  # breakdowns
    baseline: str | None = None  # label or folder; None: all pairs are compared
    best: int | None = None  # of all pairs, describe only those of so many best systems
    rule: str | None = None  # None: the config's primary rule
    allow: tuple[str, ...] = ()  # value keys of signatures that may differ; ``runs``
    same_prompts: bool = False  # only generation settings may differ
    bootstrap: Bootstrap = field(default_factory=Bootstrap)
    permutations: int = PERMUTATIONS  # at least
    printed: tuple[str, ...] = ()  # rows of the paper, as ``TABLE:ROW``
    gate: Gate | None = None


@dataclass(frozen=True)
class Gate:
    """By how many points a metric may be worse than the baseline's; None for any that is not significant."""

    metric: str
    points: float | None = None


def gate_of(text: str) -> Gate:
    """Read ``METRIC[:points]``."""
    metric, colon, points = text.rpartition(":")
    if not colon:
        return Gate(text)
    try:
        allowed = float(points)
    except ValueError:
        allowed = math.nan
    if not (metric and 0 <= allowed < math.inf):
        raise MedzhError(
            _("invalid regression check"),
            field=GATE,
            expected=_("METRIC or METRIC:POINTS, such as FactAcc:2"),
            found=text,
        )
    return Gate(metric, allowed)


def load_results(
    given: Sequence[Result | str | Path], labels: Sequence[str | None] = (), *, fewest: int = FEWEST
) -> tuple[Labeled, ...]:
    """Load what are folders, and label each."""
    if len(given) < fewest:
        raise MedzhError(
            _("too few result folders"), field="DIR", expected=_("at least two result folders"), found=len(given)
        )
    if labels and len(labels) != len(given):
        raise MedzhError(
            _("{n_labels} names were given for {n_given} systems", n_given=len(given), n_labels=len(labels)),
            field="labels",
            expected=_("one name per system, or no names"),
        )
    folders = [one.folder if isinstance(one, Result) else Path(one) for one in given]
    resolved = Counter(folder.resolve() for folder in folders)
    for folder in folders:
        if resolved[folder.resolve()] > 1:
            raise MedzhError(
                _("the result is specified twice"), file=folder, field="DIR", expected=_("distinct values")
            )
    results = [one if isinstance(one, Result) else Result.load(one) for one in given]
    names = unique_labels([(one.report.model, one.folder) for one in results], labels)
    return tuple(map(LabeledResult, names, folders, results))


def unique_labels(systems: Sequence[tuple[str | None, Path]], labels: Sequence[str | None]) -> list[str]:
    """Label systems as the user does, else by model, else by file; where two have one model, by both."""
    given = labels or [None] * len(systems)
    names = [label or model or path.name for label, (model, path) in zip(given, systems, strict=True)]
    for folders in ([path.name for _model, path in systems], [str(path) for _model, path in systems]):
        often = Counter(names)
        names = [
            name if label or often[name] == 1 else f"{name} ({folder})"
            for label, name, folder in zip(given, names, folders, strict=True)
        ]
    for name, count in Counter(map(printable, names)).items():
        if count > 1:
            raise MedzhError(
                _("two systems have the same name"),
                field="label",
                found=name,
                advice=_("give each system its own name: DIR=NAME"),
            )
    return list(map(printable, names))


def second_result(label: str, config: str, first: Path, second: Path) -> MedzhError:
    """Give the error of two results of a system on a config."""
    values = {"label": label, "config": config, "folder": first}
    problem = _("{label} already has a result on {config}: {folder}", **values)
    expected, advice = _("one result per system and config"), _("give each system its own name: DIR=NAME")
    return MedzhError(problem, file=second, field="DIR", expected=expected, advice=advice)


def find_label(labels: Sequence[str], folders: Sequence[Path], name: str | None) -> str | None:
    """Find the label of the system that a user means by its label or its folder; None for none."""
    if name is None or name in labels:
        return name
    for label, folder in zip(labels, folders, strict=True):
        if Path(name).resolve() == folder.resolve():
            return label
    known = ", ".join(dict.fromkeys(labels))
    raise MedzhError(_("unknown name"), field="--baseline", expected=known, found=name)
