"""Reports that were saved: read back whole, or only what they are of."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from medzh_score.io.archive import SUMS
from medzh_score.io.documents import read_document
from medzh_score.io.jsonl import NO_JSON
from medzh_score.io.open_input import InputFile
from medzh_score.results.folder import AGAIN, REPORT, read_files
from medzh_score.results.report import SCHEMA, Report
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import quotable, withhold_texts

if TYPE_CHECKING:
    from pathlib import Path


SHAPE = _("a report written by `medzh-score score --to json`")


class _Version(msgspec.Struct, frozen=True):
    schema: int


def report_file(path: Path) -> Path:
    """Find the report that a user names: a file, or that of a result folder."""
    return path / REPORT if path.is_dir() else path


def read_report(path: Path) -> Report:
    """Read a report back, from its own file or from a result folder."""
    file = report_file(path)
    with InputFile(file) as opened:
        version = read_document(opened, _Version, SHAPE).schema
        if version != SCHEMA:
            problem, advice = _("unsupported version"), _("score again with this version")
            raise MedzhError(problem, file=file, field="schema", expected=str(SCHEMA), found=version, advice=advice)
        report: Report = read_document(opened, Report, SHAPE)
    if report.private:
        withhold_texts()
    if (contradiction := _contradiction(report, file)) is not None:
        raise contradiction
    return report


def _contradiction(report: Report, file: Path) -> MedzhError | None:
    if report.primary_name not in report.metrics:
        known = ", ".join(report.metrics)
        return MedzhError(
            _("the report has no such metric"),
            file=file,
            field="primary_metric",
            expected=known,
            found=report.primary_name,
        )
    if report.rule in report.rules:
        return MedzhError(_("the selected rule occurs twice"), file=file, field="rules", found=report.rule)
    if lacking := sorted(set(report.summary_metrics) - set(report.metrics)):
        return MedzhError(
            _("the report has no such metric"), file=file, field="summary_metrics", found=", ".join(lacking)
        )
    for one in report.results.values():
        for breakdown, groups in one.groups.items():
            for group, named in groups.items():
                if lacking := sorted(set(one.metrics) - set(named)):
                    field = f"groups.{breakdown}.{group}"
                    return MedzhError(_("metrics are missing"), file=file, field=field, expected=", ".join(lacking))
        for name, table in one.tables.items():
            if any(len(row) != len(table.columns) for row in table.rows):
                return MedzhError(
                    _("a row does not have the same number of columns as the header"), file=file, field=f"tables.{name}"
                )
    return None


@dataclass(frozen=True)
class Identity:
    """What a result folder is of: read without the values, of which a leaderboard has many."""

    digest: str  # of all files
    config: str
    rules: tuple[str, ...]  # the chosen one first
    signature: dict[str, str]
    model: str | None


class _Identity(msgspec.Struct, frozen=True):
    config: str
    rule: str
    rules: dict[str, msgspec.Raw]
    signature: dict[str, str]
    model: str | None


def identity_of(folder: Path) -> Identity:
    """Read what a result folder is of; what it holds must have the hashes that are written there."""
    content = read_files(folder)[REPORT]
    try:
        written = msgspec.json.decode(content, type=_Identity)
    except NO_JSON as error:
        read_report(folder / REPORT)  # says what is wrong with it
        raise MedzhError(
            _("the file is not a report: {error}", error=quotable(error)), file=folder / REPORT, advice=AGAIN
        ) from error
    digest = hashlib.sha256((folder / SUMS).read_bytes()).hexdigest()
    return Identity(digest, written.config, (written.rule, *written.rules), written.signature, written.model)
