"""The report: everything that a scoring run found, in a flat and stable shape."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, Any

from medzh_score.files.json_text import json_document
from medzh_score.messages.errors import MedzhError, printable
from medzh_score.messages.privacy import withhold_texts
from medzh_score.messages.problems import discreet
from medzh_score.report.numbers import cells_of, runs_of
from medzh_score.report.signature import signed_by

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    import pandas as pd
    import pyarrow as pa

    from medzh_score.benchmark.answer_table import FormCount, WordingCount
    from medzh_score.benchmark.tables import Table
    from medzh_score.files.input_file import Input
    from medzh_score.predictions.collected import Coverage
    from medzh_score.report.results.columns import Basis, Texts
    from medzh_score.report.signature import Signature
    from medzh_score.rounds.audit import Audit
    from medzh_score.rounds.second_reading import SecondReading
    from medzh_score.statistics.values import Value

    TidyRow = dict[str, Any]
    Place = tuple[str | None, str | None, Mapping[str, Value]]


@dataclass(frozen=True)
class RuleResult:
    """What one rule found.

    Attributes
    ----------
    metrics : mapping of str to Value
        Over all items.
    groups : mapping
        From breakdown to group to the same.
    tables : mapping of str to Table
        The config's own.
    fired : tuple of Fired
        How often each of the rule's wordings, and each reason for none, decided.
    forms : tuple of Forms
        How predictions of each form of text were read: numbers are not to be made from formats.
    """

    metrics: Mapping[str, Value]
    groups: Mapping[str, Mapping[str, Mapping[str, Value]]]
    tables: Mapping[str, Table]
    fired: tuple[WordingCount, ...] = ()
    forms: tuple[FormCount, ...] = ()

    @property
    def unread(self) -> int:
        """Predictions in which this rule found no answer."""
        return sum(one.answers for one in self.fired if not one.answered)


SCHEMA = 1  # of `schemas/report.schema.json`, which says what the JSON holds


@dataclass(frozen=True)
class Report:
    """A scoring run.

    Attributes
    ----------
    config : str
        The config's name.
    rule : str
        The chosen rule; it stands in ``metrics``, ``groups``, ``tables`` and the signature.
    results : mapping of str to RuleResult
        By rule: the chosen one, then the others in the config's order.
    coverage : Coverage
        How the predictions cover what was asked.
    inputs : tuple of Input
        The files that were read.
    arguments : mapping
        What the user asked for.
    signature : dict of str to str
        How the numbers came to be.
    model : str or None
        Who answered, where the user or the files say it; beside the signature, not in it.
    served_as : str or None
        As the files name who answered, where the user calls the system otherwise.
    notes : tuple of str
        What the reader should know.
    headline : str
        The metric by which systems are compared first.
    shown : tuple of str
        The metrics that a page shows of groups and of rules beside the chosen one; empty for all. The JSON has the
        values of all.
    second_reading : SecondReading or None
        What a second reader made of what the chosen rule left unread; None where there is none.
    audit : Audit or None
        How often rules read wrongly; None where nobody looked.
    private : bool
        Whether the config is: then it holds no words that were read and no small groups.
    """

    config: str
    rule: str
    results: Mapping[str, RuleResult]
    coverage: Coverage
    inputs: tuple[Input, ...]
    arguments: Mapping[str, Any]
    signature: Signature
    model: str | None
    headline: str
    served_as: str | None = None
    notes: tuple[str, ...] = ()
    second_reading: SecondReading | None = None
    audit: Audit | None = None
    shown: tuple[str, ...] = ()
    private: bool = False
    _basis: Basis | None = field(default=None, repr=False, compare=False)

    @property
    def metrics(self) -> Mapping[str, Value]:
        """The metrics over all items, by the chosen rule."""
        return self.results[self.rule].metrics

    @property
    def groups(self) -> Mapping[str, Mapping[str, Mapping[str, Value]]]:
        """The metrics of each group, by the chosen rule."""
        return self.results[self.rule].groups

    @property
    def tables(self) -> Mapping[str, Table]:
        """The config's own tables, by the chosen rule."""
        return self.results[self.rule].tables

    def by_rule(self, name: str) -> Report:
        """Give the report with another of its rules as the chosen one.

        Parameters
        ----------
        name : str
            The rule.

        Raises
        ------
        MedzhError
            Where the report holds nothing that the rule read.
        """
        if name not in self.results:
            known = ", ".join(self.results)
            raise MedzhError(
                f"the report holds nothing that rule {name} read", field="--rule", expected=known, found=name
            )
        chosen = self.results[name]
        return replace(
            self,
            rule=name,
            results={name: chosen, **self.results},
            coverage=replace(self.coverage, unread=chosen.unread, clear=sum(one.clear for one in chosen.forms)),
            signature=signed_by(name, self.signature),
        )

    def as_dict(self) -> dict[str, Any]:
        """Give the report as plain mappings and lists.

        Gives ``schema`` (the version of this shape), ``config``, ``rule``, ``headline`` (name, value, unit, direction),
        ``shown``, ``metrics``, ``groups``, ``rules`` (the others), ``tables``, ``fired`` (``answered``, from each
        wording to how many answers it gave, and ``unread``, from each reason for none), ``forms`` (from each form of
        text to how many predictions are of it, unread and clear), ``coverage``, ``second_reading`` and ``audit`` (None
        without them), ``inputs``, ``arguments``, ``signature``, ``model``, ``served_as`` (None unless ``model`` is
        another name), ``private`` and ``notes``; undefined values are None with ``why``. No time stamp.
        """
        return {
            "schema": SCHEMA,
            "config": self.config,
            "rule": self.rule,
            "headline": _headline(self.headline, self.metrics[self.headline]),
            "shown": list(self.shown),
            **_plain(self.results[self.rule]),
            "rules": {name: _plain(result) for name, result in self.results.items() if name != self.rule},
            "coverage": asdict(self.coverage),
            "second_reading": None if self.second_reading is None else self.second_reading.as_dict(),
            "audit": None if self.audit is None else self.audit.as_dict(),
            "inputs": [asdict(file) for file in self.inputs],
            "arguments": dict(self.arguments),
            "signature": dict(self.signature),
            "model": self.model,
            "served_as": self.served_as,
            "private": self.private,
            "notes": list(self.notes),
        }

    def as_json(self) -> bytes:
        """Give the report as JSON: UTF-8, indented, equal for equal input, ending in a newline."""
        return json_document(self.as_dict())

    @discreet
    def save(self, folder: str | Path, *, overwrite: bool = False, texts: Texts = "none") -> None:
        """Write a result folder: this report, statistics, answers and hashes; whole or not at all.

        Equal input gives equal bytes. A folder that holds the same stays as it is.

        Parameters
        ----------
        folder : path
            Where to write. `Result.load` reads it back.
        overwrite : bool
            Whether a result folder that holds something else is replaced. No other folder ever is.
        texts : {"none", "spans", "full"}
            What of the predictions' texts stands beside the answers: nothing, what is inside the places where an answer
            was read, or all. The predictions files are read again for it.

        Raises
        ------
        MedzhError
            Where another folder stands, where it cannot be written, or where the report was itself read back.
        """
        from pathlib import Path

        from medzh_score.report.results.folder import save
        from medzh_score.report.withholding import refuse_texts

        refuse_texts(self.config, texts, private=self.private)
        if self.private:
            withhold_texts()
        save(Path(folder), self.as_json(), self._basis, overwrite=overwrite, texts=texts)

    def to_arrow(self) -> pa.Table:
        """Give every value as a row of a table of Arrow: one a metric, group and rule.

        Columns are config, model, rule, breakdown and group (null over all items), metric, value, low, high, interval,
        std, ddof, runs (in which it is defined), n, unit, direction, why, least, most, per_run and n_per_run: those of
        ``score --to csv``.
        """
        return arrow_table(tidy_rows(self.config, self.model, self.results))

    def to_pandas(self) -> pd.DataFrame:
        """Give the rows of `to_arrow` as a data frame; pandas must be installed."""
        return data_frame(tidy_rows(self.config, self.model, self.results))

    def __repr__(self) -> str:
        """Say in a line what was scored, by which rule, and the headline."""
        value = self.metrics[self.headline]
        return f"<Report {in_a_line(self.config, self.model, self.rule, self.headline, value)}>"

    def _repr_html_(self) -> str:
        return as_html(self.config, self.model, self.rule, self.metrics)


def _headline(name: str, value: Value) -> dict[str, Any]:
    """Give the metric by which systems are compared first; why it is undefined, where it is."""
    why = {"why": value.why} if value.value is None else {}
    return {"name": name, "value": value.value, "unit": value.unit, "direction": value.direction, **why}


def _plain(result: RuleResult) -> dict[str, Any]:
    return {
        "metrics": _values(result.metrics),
        "groups": {
            breakdown: {group: _values(named) for group, named in groups.items()}
            for breakdown, groups in result.groups.items()
        },
        "tables": {
            name: {"title": table.title, "columns": list(table.columns), "rows": [list(row) for row in table.rows]}
            for name, table in result.tables.items()
        },
        "unread": result.unread,
        "clear": sum(one.clear for one in result.forms),
        "fired": {
            "answered": {one.wording: one.answers for one in result.fired if one.answered},
            "unread": {one.wording: one.answers for one in result.fired if not one.answered},
        },
        "forms": forms_as_dict(result.forms),
    }


def forms_as_dict(forms: Sequence[FormCount]) -> dict[str, dict[str, int]]:
    """Give how predictions of each form were read as plain mappings."""
    return {one.form: {"predictions": one.predictions, "unread": one.unread, "clear": one.clear} for one in forms}


MAY_LACK = frozenset({"why", "least", "most"})


def _values(named: Mapping[str, Value]) -> dict[str, dict[str, Any]]:
    return {
        name: {key: part for key, part in vars(value).items() if key not in MAY_LACK or part is not None}
        for name, value in named.items()
    }


HEADS = ("metric", "value", "95% interval", "std", "n")


def in_a_line(config: str, model: str | None, rule: str, headline: str, value: Value) -> str:
    """Say what was scored, by which rule, and the headline."""
    cells = cells_of(value)
    interval = f" (95% interval {cells.interval})" if value.low is not None else ""
    found = "undefined" if value.value is None else f"{cells.value}{interval}"
    return f"{_subject(config, model, rule)}: {headline} {found}, {value.n} items"


def as_html(config: str, model: str | None, rule: str, metrics: Mapping[str, Value]) -> str:
    """Put metrics over all items into a table of HTML; why one is undefined, or has no interval, is its row's title."""
    head = "".join(f"<th>{one}</th>" for one in HEADS)
    rows = "".join(_row(name, value) for name, value in metrics.items())
    caption = escape(_subject(config, model, rule))
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _subject(config: str, model: str | None, rule: str) -> str:
    return f"{config}{f' of {printable(model)}' if model else ''}, rule {rule}"


def _row(name: str, value: Value) -> str:
    why = f' title="{escape(value.why)}"' if value.why is not None else ""
    cells = "".join(f"<td>{escape(str(one))}</td>" for one in cells_of(value))
    return f"<tr{why}><th>{escape(name)}</th>{cells}</tr>"


NUMBERS, COUNTS = ("value", "low", "high", "std", "least", "most"), ("ddof", "runs", "n")
NUMBERS_OF_RUNS, COUNTS_OF_RUNS = "per_run", "n_per_run"
COLUMNS = (
    *("config", "model", "rule", "breakdown", "group", "metric"),
    *("value", "low", "high", "interval", "std", "ddof", "runs", "n", "unit", "direction", "why", "least", "most"),
    *(NUMBERS_OF_RUNS, COUNTS_OF_RUNS),
)


def tidy_rows(config: str, model: str | None, results: Mapping[str, RuleResult]) -> Iterator[TidyRow]:
    """Give the rows of a report, rule by rule: of each first those of all items, which have no breakdown and no group.

    ``runs`` counts the runs in which a metric is defined; all else is as in the report.
    """
    for rule, result in results.items():
        places: list[Place] = [(None, None, result.metrics)]
        places += [(name, group, found) for name, groups in result.groups.items() for group, found in groups.items()]
        for breakdown, group, named in places:
            of = {"config": config, "model": model, "rule": rule, "breakdown": breakdown, "group": group}
            for metric, value in named.items():
                yield {**of, "metric": metric, **asdict(value), "runs": runs_of(value)}


def arrow_table(rows: Iterable[TidyRow]) -> pa.Table:
    """Put rows into a table of Arrow."""
    import pyarrow as pa

    types = dict.fromkeys(COLUMNS, pa.string())
    types |= dict.fromkeys(NUMBERS, pa.float64()) | dict.fromkeys(COUNTS, pa.int64())
    types |= {NUMBERS_OF_RUNS: pa.list_(pa.float64()), COUNTS_OF_RUNS: pa.list_(pa.int64())}
    return pa.Table.from_pylist(list(rows), schema=pa.schema(list(types.items())))


def data_frame(rows: Iterable[TidyRow]) -> pd.DataFrame:
    """Put rows into a data frame."""
    try:
        import pandas as pd  # noqa: F401 - pyarrow needs it, and says less of how to install it
    except ImportError as error:
        raise MedzhError(f"a data frame needs pandas: {error}", advice="install it: pip install pandas") from error
    frame: pd.DataFrame = arrow_table(rows).to_pandas()
    return frame
