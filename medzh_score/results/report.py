"""The report: everything that a scoring run found. Its JSON is what is written, and what is read back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping  # noqa: TC003 - msgspec looks the types of the fields up
from dataclasses import asdict, replace
from html import escape
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.benchmark.answers import FormCount, WordingCount
from medzh_score.benchmark.config import Table  # noqa: TC001
from medzh_score.io.jsonl import json_document
from medzh_score.io.open_input import Input  # noqa: TC001
from medzh_score.readers.align import Coverage  # noqa: TC001
from medzh_score.results.folder import refuse_texts, save
from medzh_score.results.warnings import ReportWarning  # noqa: TC001
from medzh_score.stages.audit import Audit  # noqa: TC001
from medzh_score.stages.fallback import SecondReading  # noqa: TC001
from medzh_score.stats.values import Value
from medzh_score.ui.errors import MedzhError, printable, redact_errors
from medzh_score.ui.i18n import _, plain_text
from medzh_score.ui.privacy import withhold_texts

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd
    import pyarrow as pa

    from medzh_score.results.tables import ScoringArtifacts, Texts

    TidyRow = dict[str, Any]

Metrics = dict[str, Value]
SCHEMA = 1  # of `schemas/report.schema.json`, which says what the JSON holds
MAY_LACK = ("unavailable_reason", "least", "most")  # parts of a value that JSON has only where there are any
FIRST = ("schema", "config", "rule", "primary_metric", "summary_metrics")  # of a report's JSON


class PatternCounts(msgspec.Struct, frozen=True):
    """How often each wording gave an answer, and each reason was the one for none."""

    answered: dict[str, int] = {}
    unparsed: dict[str, int] = {}


class FormatCounts(msgspec.Struct, frozen=True):
    """How predictions of one form of text were read."""

    predictions: int
    unparsed: int
    unambiguous: int


class RuleResult(msgspec.Struct, frozen=True):
    """What one rule found.

    Attributes
    ----------
    metrics : mapping of str to Value
        Over all items.
    groups : mapping
        The same by breakdown and group.
    tables : mapping of str to Table
        The config's own.
    unparsed, unambiguous : int
        Predictions in which this rule found no answer, and those whose answer is unambiguous.
    pattern_counts : PatternCounts
        How often each of the rule's wordings, and each reason for none, decided.
    response_formats : mapping of str to FormatCounts
        How predictions of each form of text were read: numbers are not to be made from formats.
    """

    metrics: Metrics
    groups: dict[str, dict[str, Metrics]]
    tables: dict[str, Table]
    unparsed: int = 0
    unambiguous: int = 0
    pattern_counts: PatternCounts = msgspec.field(name="pattern_counts", default_factory=PatternCounts)
    response_formats: dict[str, FormatCounts] = msgspec.field(name="response_formats", default_factory=dict)

    @property
    def matches(self) -> tuple[WordingCount, ...]:
        """The counts of wordings, then those of reasons for none."""
        counts = ((True, self.pattern_counts.answered), (False, self.pattern_counts.unparsed))
        return tuple(WordingCount(name, answered, times) for answered, of in counts for name, times in of.items())

    @property
    def forms(self) -> tuple[FormCount, ...]:
        """The counts of forms."""
        return tuple(FormCount(name, *msgspec.structs.astuple(one)) for name, one in self.response_formats.items())

    def as_dict(self) -> dict[str, Any]:
        """Give it as plain mappings and lists; what has no value says why."""
        plain: dict[str, Any] = msgspec.to_builtins(self, enc_hook=plain_text)
        for named in (plain["metrics"], *(values for groups in plain["groups"].values() for values in groups.values())):
            for name, value in named.items():
                named[name] = {key: part for key, part in value.items() if key not in MAY_LACK or part is not None}
        return plain


def rule_result(
    metrics: Metrics,
    groups: Mapping[str, dict[str, Metrics]],
    tables: Mapping[str, Table],
    matches: Iterable[WordingCount] = (),
    forms: Iterable[FormCount] = (),
) -> RuleResult:
    """Put together what one rule found."""
    counts, formats = PatternCounts({}, {}), {one.form: FormatCounts(*one[1:]) for one in forms}
    for one in matches:
        (counts.answered if one.answered else counts.unparsed)[one.wording] = one.answers
    unambiguous = sum(one.unambiguous for one in formats.values())
    return RuleResult(metrics, dict(groups), dict(tables), sum(counts.unparsed.values()), unambiguous, counts, formats)


class PrimaryMetric(msgspec.Struct, frozen=True):
    """The metric by which systems are compared first."""

    name: str


class Report(RuleResult, frozen=True, dict=True, repr_omit_defaults=True, kw_only=True):
    """The report of a scoring run.

    Attributes
    ----------
    metrics : mapping of str to Value
        The values by the rule of the report, over all items.
    groups : mapping
        The same by breakdown and group.
    tables : mapping of str to Table
        Further tables of the config.
    unparsed, unambiguous : int
        The numbers of unparsed predictions and of unambiguous answers, by the rule of the report.
    pattern_counts : PatternCounts
        The number of matches of each pattern, and of each reason for an unparsed prediction.
    response_formats : mapping of str to FormatCounts
        The answer extraction by response format.
    schema : int
        The version of this structure.
    primary_metric : PrimaryMetric
        The metric that ranks systems.
    config : str
        The name of the config.
    rule : str
        The extraction rule of ``metrics``, ``groups``, ``tables`` and the signature.
    rules : mapping of str to RuleResult
        The values by the other rules, in the order of the config.
    coverage : Coverage
        The coverage of the queries by predictions.
    inputs : tuple of Input
        The input files.
    arguments : mapping
        The arguments of the user.
    signature : dict of str to str
        All settings that affect the numbers.
    model : str or None
        The name of the system, if known. It is not part of the signature.
    served_as : str or None
        The model name in the files, if the user named the system differently.
    warnings : tuple of ReportWarning
        The warnings as codes with parameters; `notes` has the sentences.
    summary_metrics : tuple of str
        The metrics that pages show for groups and other rules; empty for all. The JSON contains all values.
    fallback : SecondReading or None
        The result of the fallback extraction; None without a fallback extractor.
    audit : Audit or None
        The extraction audit; None without one.
    private : bool
        Whether the config is private: the report then contains no texts and no small groups.
    """

    schema: int = SCHEMA
    config: str
    rule: str
    primary_metric: PrimaryMetric = msgspec.field(name="primary_metric")
    summary_metrics: tuple[str, ...]
    rules: dict[str, RuleResult]
    coverage: Coverage
    fallback: SecondReading | None
    audit: Audit | None
    inputs: tuple[Input, ...]
    arguments: dict[str, Any]
    signature: dict[str, str]
    model: str | None
    served_as: str | None
    private: bool
    warnings: tuple[ReportWarning, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """The sentences of the warnings."""
        return tuple(warning.message for warning in self.warnings)

    @property
    def primary_name(self) -> str:
        """The name of the primary metric."""
        return self.primary_metric.name

    @property
    def results(self) -> dict[str, RuleResult]:
        """The results by rule, that of the report first."""
        return {self.rule: RuleResult(*(getattr(self, one) for one in RuleResult.__struct_fields__)), **self.rules}

    def by_rule(self, name: str) -> Report:
        """Return the report for another of its rules.

        Parameters
        ----------
        name : str
            The rule.

        Raises
        ------
        MedzhError
            If the report has no values by this rule.
        """
        results = self.results
        if name not in results:
            known = ", ".join(results)
            raise MedzhError(
                _("the report has no results of rule {rule}", rule=name),
                field="--rule",
                expected=known,
                found=name,
            )
        coverage = replace(self.coverage, unparsed=results[name].unparsed, unambiguous=results[name].unambiguous)
        signature = signed_by(name, self.signature)
        return self.with_changes(rule=name, coverage=coverage, signature=signature, results=results)

    def with_changes(self, *, artifacts: ScoringArtifacts | None = None, **changes: Any) -> Report:  # noqa: ANN401 - as the fields are
        """Return a report with other attributes, or other ``results`` by rule; it can be saved."""
        if (results := changes.pop("results", None)) is not None:
            changes |= by_rules(changes.get("rule", self.rule), results)
        changed = msgspec.structs.replace(self, **changes)
        changed.__dict__["artifacts"] = artifacts or self.__dict__.get("artifacts")
        return changed

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain mappings and lists.

        The keys are ``schema`` (the version of this structure), ``config``, ``rule``, ``primary_metric`` (name, value,
        unit, direction), ``summary_metrics``, ``metrics``, ``groups``, ``rules`` (the others), ``tables``,
        ``pattern_counts`` (``answered``, from each pattern to the number of its answers, and ``unparsed``, from each
        reason to the number of predictions without an answer), ``response_formats`` (from each response format to the
        numbers of all, unparsed and unambiguous predictions), ``coverage``, ``fallback`` and ``audit`` (None without
        them), ``inputs``, ``arguments``, ``signature``, ``model``, ``served_as`` (None unless ``model`` is another
        name), ``private`` and ``warnings``. A value that is not available is None with ``unavailable_reason``. There is
        no time stamp.
        """
        plain, value = RuleResult.as_dict(self), self.metrics[self.primary_name]
        unavailable_reason = {"unavailable_reason": value.unavailable_reason} if value.value is None else {}
        plain["primary_metric"] |= {
            "value": value.value,
            "unit": value.unit,
            "direction": value.direction,
            **unavailable_reason,
        }
        plain["rules"] = {name: result.as_dict() for name, result in self.rules.items()}
        plain |= {name: None if one is None else one.as_dict() for name, one in self._accounts().items()}
        return {name: plain[name] for name in FIRST} | plain

    def _accounts(self) -> dict[str, SecondReading | Audit | None]:
        return {"fallback": self.fallback, "audit": self.audit}

    def as_json(self) -> bytes:
        """Return the report as JSON in UTF-8, indented; equal input gives equal bytes."""
        return json_document(self.as_dict())

    @redact_errors
    def save(self, folder: str | Path, *, overwrite: bool = False, include_text: Texts = "none") -> None:
        """Write a result folder with the report, statistics, answers and hashes, in one step.

        Equal input gives equal bytes. A folder with the same content is not changed.

        Parameters
        ----------
        folder : path
            The result folder. `Result.load` reads it.
        overwrite : bool
            Whether a result folder with other content is replaced. Other folders are never replaced.
        include_text : {"none", "spans", "full"}
            The text of the predictions to store: none, the matched text, or all. The predictions files are read again
            for it.

        Raises
        ------
        MedzhError
            If the path is another folder or cannot be written, or if the report was loaded from a file.
        """
        from pathlib import Path

        refuse_texts(self.config, include_text, private=self.private)
        if self.private:
            withhold_texts()
        save(Path(folder), self.as_json(), self.__dict__.get("artifacts"), overwrite=overwrite, texts=include_text)

    def to_text(self, *, full: bool = False) -> str:
        """Return the report as text, as ``medzh-score show`` writes it; with ``full`` all tables."""
        from importlib import import_module

        written: str = import_module("medzh_score.render.report").rendered(self, "text", full=full)  # a higher layer
        return written

    def to_arrow(self) -> pa.Table:
        """Return every value as a row of an Arrow table, one per metric, group and rule.

        Columns are config, model, rule, breakdown and group (null over all items), metric, value, low, high, interval,
        std, ddof, runs (in which it is defined), n, unit, direction, unavailable_reason, least, most, per_run and
        n_per_run: those of ``score --to csv``.
        """
        import pyarrow as pa

        types = dict.fromkeys(COLUMNS, pa.string())
        types |= dict.fromkeys(NUMBERS, pa.float64()) | dict.fromkeys(COUNTS, pa.int64())
        types |= {NUMBERS_OF_RUNS: pa.list_(pa.float64()), COUNTS_OF_RUNS: pa.list_(pa.int64())}
        return pa.Table.from_pylist(list(tidy_rows(self)), schema=pa.schema(list(types.items())))

    def to_pandas(self) -> pd.DataFrame:
        """Return the rows of `to_arrow` as a data frame, which requires pandas."""
        try:
            import pandas as pd  # noqa: F401 - pyarrow needs it, and says less of how to install it
        except ImportError as error:
            raise MedzhError(
                _("data frames require pandas: {error}", error=error), advice=_("run: pip install pandas")
            ) from error
        frame: pd.DataFrame = self.to_arrow().to_pandas()
        return frame

    def __repr__(self) -> str:
        """Return one line with config, model, rule and primary metric."""
        from medzh_score.results.numbers import cells_of

        value = self.metrics[self.primary_name]
        cells = cells_of(value)
        interval = f" (95% CI {cells.interval})" if value.low is not None else ""
        found = "not available" if value.value is None else f"{cells.value}{interval}"
        return f"<Report {self._subject()}: {self.primary_name} {found}, {value.n} items>"

    def _subject(self) -> str:
        return f"{self.config}{f' of {printable(self.model)}' if self.model else ''}, rule {self.rule}"

    def _repr_html_(self) -> str:
        """Put metrics over all items into a table; why one is undefined, or has no interval, is its row's title."""
        from medzh_score.benchmark.registry import difference_names
        from medzh_score.results.numbers import cells_of

        points = difference_names(self.config)
        head = "".join(f"<th>{one}</th>" for one in HEADS)
        rows = ""
        for name, value in self.metrics.items():
            unavailable_reason = (
                f' title="{escape(value.unavailable_reason)}"' if value.unavailable_reason is not None else ""
            )
            cells = "".join(f"<td>{escape(str(one))}</td>" for one in cells_of(value, points=name in points))
            rows += f"<tr{unavailable_reason}><th>{escape(name)}</th>{cells}</tr>"
        caption = escape(self._subject())
        return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def by_rules(chosen: str, results: Mapping[str, RuleResult]) -> dict[str, Any]:
    """Give the parts of a report that rules found: those of the chosen one, and beside them the others."""
    others = {name: result for name, result in results.items() if name != chosen}
    return {part: getattr(results[chosen], part) for part in RuleResult.__struct_fields__} | {"rules": others}


def signed_by(rule: str, signature: Mapping[str, str]) -> dict[str, str]:
    """Give a signature as it is of another of the report's rules, which all have one digest."""
    _unused, plus, digest = signature["rule"].partition("+")
    return {**signature, "rule": f"{rule}{plus}{digest}"}


HEADS = ("metric", "value", "95% interval", "std", "n")
NUMBERS, COUNTS = ("value", "low", "high", "std", "least", "most"), ("ddof", "runs", "n")
NUMBERS_OF_RUNS, COUNTS_OF_RUNS = "per_run", "n_per_run"
COLUMNS = (
    *("config", "model", "rule", "breakdown", "group", "metric"),
    *(
        "value",
        "low",
        "high",
        "interval",
        "std",
        "ddof",
        "runs",
        "n",
        "unit",
        "direction",
        "unavailable_reason",
        "least",
        "most",
    ),
    *(NUMBERS_OF_RUNS, COUNTS_OF_RUNS),
)


def tidy_rows(report: Report) -> Iterator[TidyRow]:
    """Give the rows of a report, rule by rule: of each first those of all items, which have no breakdown and no group.

    ``runs`` counts the runs in which a metric is defined; all else is as in the report.
    """
    for rule, result in report.results.items():
        places: list[tuple[str | None, str | None, Metrics]] = [(None, None, result.metrics)]
        places += [(name, group, found) for name, groups in result.groups.items() for group, found in groups.items()]
        for breakdown, group, named in places:
            of = {"config": report.config, "model": report.model, "rule": rule, "breakdown": breakdown, "group": group}
            for metric, value in named.items():
                yield {**of, "metric": metric, **asdict(value), "runs": value.runs}
