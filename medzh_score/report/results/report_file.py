"""A report that was written as JSON, read back: alone, or in a result folder."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.benchmark.answer_table import FormCount, WordingCount
from medzh_score.benchmark.tables import Table  # noqa: TC001 - msgspec looks the types of the fields up
from medzh_score.files.archives import SUMS
from medzh_score.files.document import read_document
from medzh_score.files.input_file import Input, InputFile
from medzh_score.files.json_text import NO_JSON
from medzh_score.messages.errors import MedzhError
from medzh_score.messages.privacy import quotable, withhold_texts
from medzh_score.predictions.collected import Coverage  # noqa: TC001
from medzh_score.report.report import SCHEMA, Report, RuleResult
from medzh_score.report.results.folder import AGAIN, REPORT, read_files
from medzh_score.rounds.audit import Audit  # noqa: TC001
from medzh_score.rounds.second_reading import SecondReading  # noqa: TC001
from medzh_score.statistics.values import Value  # noqa: TC001

if TYPE_CHECKING:
    from pathlib import Path

    from medzh_score.report.signature import Signature


SHAPE = "a report as `medzh-score score --to json` writes it"


class Fired(msgspec.Struct, frozen=True):
    """How often each wording, and each reason for none, decided."""

    answered: dict[str, int]
    unread: dict[str, int]


class Form(msgspec.Struct, frozen=True):
    """How predictions of one form were read."""

    predictions: int
    unread: int
    clear: int


class WrittenRule(msgspec.Struct, frozen=True):
    """What one rule found, as it is written."""

    metrics: dict[str, Value]
    groups: dict[str, dict[str, dict[str, Value]]]
    tables: dict[str, Table]
    fired: Fired
    forms: dict[str, Form]

    def read(self) -> RuleResult:
        """Give what the rule found."""
        fired = [WordingCount(name, answered=True, answers=count) for name, count in self.fired.answered.items()]
        fired += [WordingCount(name, answered=False, answers=count) for name, count in self.fired.unread.items()]
        forms = tuple(FormCount(name, *msgspec.structs.astuple(one)) for name, one in self.forms.items())
        return RuleResult(self.metrics, self.groups, self.tables, tuple(fired), forms)


class Headline(msgspec.Struct, frozen=True):
    """The metric by which systems are compared first."""

    name: str


class Versioned(msgspec.Struct, frozen=True):
    """What a report says of its shape."""

    schema: int


class WrittenReport(WrittenRule, frozen=True):
    """A report, as it is written."""

    config: str
    rule: str
    headline: Headline
    shown: tuple[str, ...]
    rules: dict[str, WrittenRule]
    coverage: Coverage
    second_reading: SecondReading | None
    audit: Audit | None
    inputs: tuple[Input, ...]
    arguments: dict[str, Any]
    signature: dict[str, str]
    model: str | None
    served_as: str | None
    private: bool
    notes: tuple[str, ...]

    def report(self) -> Report:
        """Give the report, the chosen rule first."""
        others = {name: one.read() for name, one in self.rules.items()}
        return Report(
            config=self.config,
            rule=self.rule,
            results={self.rule: self.read(), **others},
            coverage=self.coverage,
            inputs=self.inputs,
            arguments=self.arguments,
            signature=self.signature,
            model=self.model,
            headline=self.headline.name,
            served_as=self.served_as,
            notes=self.notes,
            second_reading=self.second_reading,
            audit=self.audit,
            shown=self.shown,
            private=self.private,
        )


def report_file(path: Path) -> Path:
    """Find the report that a user names: a file, or that of a result folder."""
    return path / REPORT if path.is_dir() else path


def read_report(path: Path) -> Report:
    """Read a report back, from its own file or from a result folder."""
    file = report_file(path)
    with InputFile(file) as opened:
        version = read_document(opened, Versioned, SHAPE).schema
        if version != SCHEMA:
            problem, advice = "is of another version", "score again with this version"
            raise MedzhError(problem, file=file, field="schema", expected=str(SCHEMA), found=version, advice=advice)
        written: WrittenReport = read_document(opened, WrittenReport, SHAPE)
    if written.private:
        withhold_texts()
    if (contradiction := _contradiction(written, file)) is not None:
        raise contradiction
    return written.report()


def _contradiction(written: WrittenReport, file: Path) -> MedzhError | None:
    """Find what a report says that does not fit what else it says."""
    if written.headline.name not in written.metrics:
        known = ", ".join(written.metrics)
        return MedzhError(
            "is no metric of it", file=file, field="headline", expected=known, found=written.headline.name
        )
    if written.rule in written.rules:
        return MedzhError("has the chosen rule twice", file=file, field="rules", found=written.rule)
    if lacking := sorted(set(written.shown) - set(written.metrics)):
        return MedzhError("is no metric of it", file=file, field="shown", found=", ".join(lacking))
    for one in (written, *written.rules.values()):
        for breakdown, groups in one.groups.items():
            for group, named in groups.items():
                if lacking := sorted(set(one.metrics) - set(named)):
                    field = f"groups.{breakdown}.{group}"
                    return MedzhError("metrics are missing", file=file, field=field, expected=", ".join(lacking))
        for name, table in one.tables.items():
            if any(len(row) != len(table.columns) for row in table.rows):
                return MedzhError("a row is not as long as the column heads", file=file, field=f"tables.{name}")
    return None


@dataclass(frozen=True)
class Identity:
    """What a result folder is of."""

    folder: Path
    digest: str  # of all files
    config: str
    chosen: str
    rules: tuple[str, ...]  # all by which it was read
    signature: Signature
    model: str | None


class _Written(msgspec.Struct, frozen=True):
    """The parts of a report that say what it is of."""

    config: str
    rule: str
    rules: dict[str, msgspec.Raw]
    signature: dict[str, str]
    model: str | None


def identity_of(folder: Path) -> Identity:
    """Read what a result folder is of; what it holds must have the hashes that are written there."""
    content = read_files(folder)[REPORT]
    try:
        written = msgspec.json.decode(content, type=_Written)
    except NO_JSON as error:
        read_report(folder / REPORT)  # says what is wrong with it
        raise MedzhError(f"is no report: {quotable(error)}", file=folder / REPORT, advice=AGAIN) from error
    digest = hashlib.sha256((folder / SUMS).read_bytes()).hexdigest()
    rules = (written.rule, *written.rules)
    return Identity(folder, digest, written.config, written.rule, rules, written.signature, written.model)
