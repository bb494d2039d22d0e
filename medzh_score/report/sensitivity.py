"""How much a metric depends on the wording of the prompt: two reports of the same pairs, compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError
from medzh_score.prompts.sent_prompts import UNSTATED
from medzh_score.report.signature import differences_written, display_differences, value_differences
from medzh_score.statistics.values import TOTAL, GroupKey

if TYPE_CHECKING:
    from collections.abc import Mapping

    from medzh_score.report.report import Report
    from medzh_score.statistics.values import Value


@dataclass(frozen=True)
class Difference:
    """A metric under two prompts on the same items; breakdown and group are empty for all."""

    breakdown: str
    group: str
    n: int
    first: float | None
    second: float | None
    low: float | None = None
    high: float | None = None

    @property
    def key(self) -> GroupKey:
        """Breakdown and group."""
        return self.breakdown, self.group

    @property
    def difference(self) -> float | None:
        """Second minus first; None where either is undefined."""
        return None if self.first is None or self.second is None else self.second - self.first


@dataclass(frozen=True)
class Sensitivity:
    """The comparison of two prompts: all items, then each group, and what else differs but moves no value."""

    config: str
    metric: str
    unit: str
    prompts: tuple[str, str]
    models: tuple[str | None, str | None]
    rows: tuple[Difference, ...]
    signature: dict[str, str]
    shown_otherwise: str = ""
    interval: str | None = None

    @property
    def defined(self) -> list[tuple[str, float]]:
        """The groups with a difference, and it."""
        named = [(row.group, row.difference) for row in self.rows if row.key != TOTAL]
        return [(group, difference) for group, difference in named if difference is not None]

    @property
    def mean(self) -> float | None:
        """The mean difference over groups, each counted once."""
        found = [difference for _, difference in self.defined]
        return sum(found) / len(found) if found else None

    @property
    def mean_absolute(self) -> float | None:
        """The mean size of the difference over groups, each counted once."""
        found = [abs(difference) for _, difference in self.defined]
        return sum(found) / len(found) if found else None

    @property
    def largest(self) -> tuple[str, float] | None:
        """The group with the largest absolute difference, the first of equals, and its difference with its sign."""
        return max(self.defined, key=lambda named: abs(named[1]), default=None)


def compare(first: Report, second: Report, metric: str = "FactAcc") -> Sensitivity:
    """Compare a metric under two prompts, over all items and in each group, without intervals."""
    _refuse_other(first, second)
    for report in (first, second):
        if metric not in report.metrics:
            raise MedzhError("no such metric", field="--metric", expected=", ".join(report.metrics), found=metric)
    ours, theirs = _values(first, metric), _values(second, metric)
    _refuse_other_items(ours, theirs)
    rows = tuple(Difference(*key, found.n, found.value, theirs[key].value) for key, found in ours.items())
    otherwise = display_differences(first.signature, second.signature)
    shared = {key: value for key, value in first.signature.items() if key not in {"prompt", *otherwise}}
    return Sensitivity(
        first.config,
        metric,
        ours[TOTAL].unit,
        (_prompt(first), _prompt(second)),
        (first.model, second.model),
        rows,
        shared,
        differences_written(otherwise, first.signature, second.signature),
    )


def _prompt(report: Report) -> str:
    """Name the prompt that was sent."""
    return report.signature.get("prompt", UNSTATED)


def _values(report: Report, metric: str) -> dict[GroupKey, Value]:
    """Give a metric over all items and then in each group."""
    by_group = {
        (breakdown, group): named[metric]
        for breakdown, groups in report.groups.items()
        for group, named in groups.items()
    }
    return {TOTAL: report.metrics[metric], **by_group}


def _refuse_other(first: Report, second: Report) -> None:
    differing = [key for key in value_differences(first.signature, second.signature) if key != "prompt"]
    if first.config != second.config and "config" not in differing:
        differing.insert(0, "config")
    if differing:
        found = differences_written(differing, first.signature, second.signature)
        raise MedzhError(
            f"the reports differ in more than the prompt: {', '.join(differing)} ({found})",
            field="signature",
            advice="score both alike",
        )
    if first.model and second.model and first.model != second.model:
        raise MedzhError("the reports are of different models", field="model", found=f"{first.model}, {second.model}")
    prompt = _prompt(first)
    if prompt == _prompt(second):
        advice = "score with --prompts FILE, the file that was sent" if prompt == UNSTATED else None
        raise MedzhError("both reports are of the same prompt", field="prompt", found=prompt, advice=advice)


def _refuse_other_items(ours: Mapping[GroupKey, Value], theirs: Mapping[GroupKey, Value]) -> None:
    for key in {**ours, **theirs}:
        one, other = ours.get(key), theirs.get(key)
        name = " ".join(key).strip() or "all"
        if one is None or other is None:
            raise MedzhError("only one report has the group", field="groups", found=name, advice="score the same data")
        if one.n != other.n:
            raise MedzhError(
                f"the reports count different pairs: {name} has n {one.n} and {other.n}",
                field="groups",
                advice="score the same data",
            )
