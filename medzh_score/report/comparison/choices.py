"""What a user asks of a comparison."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.messages.errors import MedzhError, printable
from medzh_score.prompts.sent_prompts import UNKNOWN
from medzh_score.report.results.result import Result
from medzh_score.report.signature import DISPLAY, differences_written, display_differences, signed_by, value_differences
from medzh_score.statistics.comparison.compare import SWAPS
from medzh_score.statistics.values import Bootstrap

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from medzh_score.report.signature import Signature


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
    swaps: int = SWAPS  # at least
    printed: tuple[str, ...] = ()  # rows of the paper, as ``TABLE:ROW``
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


RUNS, DATA, MISSING, DECODING = "runs", "data", "missing", "decoding"
NEVER = frozenset({"config", "split"})  # no unit of one is a unit of the other
FOLLOWS = {"items": DATA}  # another number of items is other data


@dataclass(frozen=True)
class Agreement:
    """What signatures have in common, and in which keys they differ: those that move values, and all others."""

    common: Signature
    allowed: tuple[str, ...]
    differing: tuple[str, ...]
    of_each: tuple[Mapping[str, str], ...]


def refuse_other_configs(results: Sequence[NamedResult]) -> None:
    """Refuse systems of several configs, before anything is asked of the one config."""
    configs = [{"config": one.result.report.config} for one in results]
    for one, its in zip(results, configs, strict=True):
        _refuse_other(results[0], configs[0], one, its, set())


def agreement(results: Sequence[NamedResult], rule: str, choices: Choices) -> Agreement:
    """Refuse systems that differ in what moves values, unless the user allows it."""
    signed = with_one_policy(
        [one.result for one in results], [signed_by(rule, one.result.report.signature) for one in results]
    )
    allow = {*choices.allow, *((DECODING,) if choices.same_prompts else ())}
    _refuse_unknown(signed, choices.allow)
    for one, its in zip(results[1:], signed[1:], strict=True):
        _refuse_other(results[0], signed[0], one, its, allow)
        if RUNS not in allow:
            _refuse_other_runs(results[0], one)
    if choices.same_prompts and signed[0].get("prompt", UNKNOWN) == UNKNOWN:
        advice = "score with --prompts FILE, the file that was sent"
        raise MedzhError("nobody knows whether the prompts are the same", field="--same-prompts", advice=advice)
    moving = {key for its in signed for key in value_differences(signed[0], its)}
    shown = {key for its in signed for key in display_differences(signed[0], its)}
    return Agreement(
        {key: value for key, value in signed[0].items() if key not in moving | shown},
        tuple(sorted(moving)),
        tuple(sorted(shown)),
        tuple({key: its.get(key, "none") for key in sorted(moving | shown)} for its in signed),
    )


def with_one_policy(results: Iterable[Result], signed: list[Signature]) -> list[Signature]:
    """Sign one policy where nothing is missing of any system: none had anything to decide."""
    if not all(map(_whole, results)):
        return signed
    return [{**its, MISSING: "error"} for its in signed]


def _whole(result: Result) -> bool:
    """Tell whether nothing is missing for sure: of what rounds lack no result says anything."""
    signature = result.report.signature
    counted = np.any([counts.any(axis=(1, 2)) for counts in result.statistics.values()], axis=0)
    return bool(counted.all()) and not result.missing.any() and not {"judges", "rounds"} & signature.keys()


def refused_keys(one: Signature, other: Signature, allow: Collection[str]) -> tuple[str, ...]:
    """Name the keys for which two systems may not be compared, the number of runs last; none where they may be."""
    runs = (RUNS,) if RUNS not in allow and one.get(RUNS) != other.get(RUNS) else ()
    return (*refused_values(one, other, allow), *runs)


def refused_values(one: Signature, other: Signature, allow: Collection[str]) -> list[str]:
    """Name the keys that move values in which two systems differ, and may not."""
    return [key for key in value_differences(one, other) if key in NEVER or FOLLOWS.get(key, key) not in allow]


def _refuse_unknown(signed: Sequence[Signature], allow: Sequence[str]) -> None:
    keys = dict.fromkeys(key for its in signed for key in its)
    may = [key for key in keys if key not in DISPLAY | NEVER | FOLLOWS.keys()]
    for key in allow:
        if key not in {*may, RUNS}:
            problem = "is no key in which systems may differ"
            raise MedzhError(problem, field="--allow", expected=", ".join([*may, RUNS]), found=key)


def _refuse_other(first: NamedResult, signed: Signature, other: NamedResult, its: Signature, allow: set[str]) -> None:
    if refused := refused_values(signed, its, allow):
        may = " ".join(f"--allow {key}" for key in refused if key not in FOLLOWS)
        raise MedzhError(
            f"cannot be compared with {first.result.folder}: they differ in {', '.join(refused)}"
            f" ({differences_written(refused, signed, its)})",
            file=other.result.folder,
            field="signature",
            advice=f"score both alike, or allow it: {may}"
            if may and not NEVER.intersection(refused)
            else "score both alike",
        )


def _refuse_other_runs(first: NamedResult, other: NamedResult) -> None:
    counts = len(first.result.runs), len(other.result.runs)
    if len(set(counts)) > 1:
        raise MedzhError(
            f"cannot be compared with {first.result.folder}: they have {counts[0]} and {counts[1]} runs",
            file=other.result.folder,
            field=RUNS,
            advice="score as many runs of each, or average over the runs first: --allow runs",
        )
