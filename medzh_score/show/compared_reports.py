"""The reports of one figure: read, named, and refused where they were not scored alike."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.messages.catalogue import worded
from medzh_score.messages.errors import MedzhError, printable
from medzh_score.messages.privacy import Name
from medzh_score.report.results.result import saved_report
from medzh_score.report.signature import differences_written, display_differences, value_differences

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.report.report import Report

# What moves values and the reports of one figure may differ in: how the model was asked. Who judged is no such thing:
# half of a score may be the judge's.
MAY_DIFFER = frozenset({"prompt", "form", "system", "shots", "decoding", "asked", "asked again"})
ALONE = "this report"  # which nothing names: a figure is the same wherever its report stands


@dataclass(frozen=True)
class Drawn:
    """A report that stands in a figure, under a label that is unique there."""

    path: Path
    label: str
    report: Report

    def value_of(self, metric: str) -> float | None:
        """Give a metric over all items."""
        metrics = self.report.metrics
        if metric not in metrics:
            known = ", ".join(metrics)
            raise MedzhError("has no such metric", file=self.path, field="metrics", expected=metric, found=known)
        return metrics[metric].value


@dataclass(frozen=True)
class Compared:
    """The reports of one figure, and in which keys their signatures differ, of those in which they may."""

    reports: tuple[Drawn, ...]
    differing: tuple[str, ...]


def compared(config: Config, paths: Sequence[Path]) -> Compared:
    """Read the reports of one figure."""
    resolved = [path.resolve() for path in paths]
    for path in paths:
        if resolved.count(path.resolve()) > 1:
            raise MedzhError("the report is named twice", file=path, expected="each once")
    reports = [_report(config, path) for path in paths]
    differing: list[str] = []
    for path, report in zip(paths[1:], reports[1:], strict=True):
        differing += _allowed(paths[0], reports[0], path, report)
    drawn = tuple(map(Drawn, paths, _labels(paths, reports), reports))
    return Compared(drawn, tuple(dict.fromkeys(differing)))


def _report(config: Config, path: Path) -> Report:
    report = saved_report(path)
    if report.config != config.name:
        raise MedzhError(
            "is a report of another config", file=path, field="config", expected=config.name, found=Name(report.config)
        )
    return report


def _allowed(first_path: Path, first: Report, path: Path, report: Report) -> list[str]:
    """Name the keys in which two signatures differ, if they may."""
    keys = value_differences(first.signature, report.signature)
    refused = [key for key in keys if key not in MAY_DIFFER]
    if refused:
        found = differences_written(refused, first.signature, report.signature)
        raise MedzhError(
            f"cannot be compared with {first_path}: the reports differ in {', '.join(refused)} ({found})",
            file=path,
            field="signature",
            advice="score both alike",
        )
    return keys + display_differences(first.signature, report.signature)


def _labels(paths: Sequence[Path], reports: Sequence[Report]) -> list[str]:
    """Name each report by its model, else by its file; by both where models repeat. One alone needs no file."""
    if len(reports) == 1:
        return [printable(reports[0].model or worded(ALONE))]
    names = [report.model or path.name for path, report in zip(paths, reports, strict=True)]
    often = Counter(names)
    return [
        printable(name if often[name] == 1 else f"{name} ({path})") for name, path in zip(names, paths, strict=True)
    ]
