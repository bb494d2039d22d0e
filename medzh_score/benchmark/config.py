"""What a config declares to be scored, and the tables and figures that it has beside its metrics."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, Protocol

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.items import one_query_per_record
from medzh_score.benchmark.rules import Rule, replaced_by
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import Nn_, _, _n

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import AnswerTable
    from medzh_score.benchmark.columns import Holds
    from medzh_score.benchmark.items import ItemIndex, Query, Record
    from medzh_score.benchmark.metrics import Metric
    from medzh_score.benchmark.prompts import Prompting
    from medzh_score.benchmark.rules import Reads
    from medzh_score.benchmark.stages import Annotations, Stage


class HasValue(Protocol):
    """What was found of a metric."""

    @property
    def value(self) -> float | None:
        """The value; None where there is none."""


def no_tables(*_unused: object) -> dict[str, Table]:
    """Return no further tables."""
    return {}


def no_lines(_tables: Mapping[str, Table]) -> tuple[str, ...]:
    """Return no further lines."""
    return ()


@dataclass(frozen=True)
class Screen:
    """The additional content of the short report of a config."""

    question: str = ""  # what the config measures, in at most 58 columns; empty for the title of the config
    counted: tuple[str, str] = Nn_("{n:,} item", "{n:,} items")  # one item, and several
    breakdown: str | None = None  # the breakdown that is shown, by the primary metric
    # from a metric or rule whose values need annotations to the stage that collects them
    stages: Mapping[str, str] = field(default_factory=dict)
    # from the tables of the config to one-line summaries of them
    lines: Callable[[Mapping[str, Table]], Sequence[str]] = no_lines
    cluster: tuple[str, str] | None = None  # one cluster, and several; None if each item is one

    def clusters(self, n: int) -> str:
        """Count clusters in the words of the config."""
        return _n(*(self.cluster or self.counted), n)


@dataclass(frozen=True)
class Reporting:
    """The additional content of the reports of a config."""

    # the metric by which systems are compared first, and those that take its place, the first that has a value, where
    # it has none for lack of people or a judge
    primary_metrics: tuple[str, ...]
    # from one item's statistics in one run, shape (k,), to a word for the items file; ``right`` where it is
    verdict: Callable[[NDArray[np.float64]], str]
    # from the layout, an `AnswerTable`, its statistics, shape (items, runs, k), and the annotations to the config's
    # own tables
    tables: Callable[[ItemIndex, AnswerTable, NDArray[np.float64], Mapping[str, Annotations]], Mapping[str, Table]] = (
        no_tables
    )
    # the metrics that a page shows of groups and of rules beside the chosen one; empty for all. JSON has all
    summary_metrics: tuple[str, ...] = ()
    # the metrics whose value for one item the items file shows, where an item is not simply right or wrong
    item_metrics: tuple[str, ...] = ()
    shares: frozenset[str] = frozenset()  # columns of the config's own tables whose fractions people read in percent
    figures: tuple[Plot | Radar | Scatter, ...] = ()  # that are drawn from its reports
    # gives what else enters the signature, such as the tokenizer with its version
    signature_entries: Callable[[], Mapping[str, str]] = dict
    # from the statistics, shape (items, runs, k), to what a report warns of, such as that a constant answer does well
    warnings: Callable[[NDArray[np.float64]], Sequence[str]] = lambda _statistics: ()
    screen: Screen = Screen()


@dataclass(frozen=True)
class Config:
    """The declaration of a config for scoring.

    A subclass can override methods such as `with_dictionary`.
    """

    name: str  # as in ``load_dataset`` and on the command line
    title: str  # one line on what it measures
    unit: Literal["percent", "fraction"]  # of its metrics, as in the paper
    # the columns of a record that scoring reads, and what each must hold: it is refused where it does not
    columns: Mapping[str, Holds]
    prompting: Prompting  # how its records become prompts
    # the first is the primary rule, by which systems are compared; others, the paper's first, stand beside it
    rules: tuple[Rule, ...]
    layout: Callable[[Sequence[Record]], ItemIndex]  # from the records to an `ItemIndex`
    # from the layout, an `AnswerTable` and the annotations of stages by name to an array, shape (items, runs, k)
    statistics: Callable[[ItemIndex, AnswerTable, Mapping[str, Annotations]], NDArray[np.float64]]
    metrics: tuple[Metric, ...]  # in the order of the paper
    reporting: Reporting
    # from the records and the layout to all that a prediction can answer
    queries: Callable[[Sequence[Record], ItemIndex], Sequence[Query]] = one_query_per_record
    stages: tuple[Stage, ...] = ()  # after the first answers, in order
    # how answers can be read by somebody else than a rule; None where no rule reads any from the text
    reads: Reads | None = None
    # whether nobody else may see its records or what was answered: see the manual's page on private benchmarks
    private: bool = False

    def __repr__(self) -> str:
        """Return one line: a config holds functions and tables."""
        rules = ", ".join(rule.name for rule in self.rules)
        return f"<{type(self).__name__} {self.name}: {len(self.metrics)} metrics, rules {rules}>"

    @property
    def primary_rule(self) -> Rule:
        """The primary rule, by which systems are compared."""
        return self.rules[0]

    @property
    def paper_rule(self) -> Rule:
        """The official rule, or the primary rule without one."""
        return self.rules[min(1, len(self.rules) - 1)]

    def primary_metric(self, *found: Mapping[str, HasValue]) -> str:
        """Return the primary metric: the first one that has a value in all results."""
        names = self.reporting.primary_metrics
        return next((name for name in names if all(one[name].value is not None for one in found)), names[0])

    @property
    def every_stage(self) -> tuple[Stage, ...]:
        """All stages, including fallback extraction and the audit."""
        from medzh_score.benchmark.stages import prediction_stages

        return (*self.stages, *prediction_stages(self.reads))

    def with_dictionary(self, path: Path) -> Config:  # noqa: ARG002 - of those that read by one
        """Return the config with the disease-name dictionary of the user."""
        raise MedzhError(_("the config does not use a disease-name dictionary"), field="--dictionary", found=self.name)


def rule_of(config: Config, name: str | None) -> Rule:
    """Choose a rule of a config by its name, the default by None; of a former name say what replaced it."""
    replaced_by(config.rules, name)
    return pick("--rule", config.rules, name)


def led_by(config: Config, name: str | None) -> Config:
    """Give a config whose primary rule is that of a name; as it is by None."""
    chosen = rule_of(config, name)
    return replace(config, rules=(chosen, *(rule for rule in config.rules if rule is not chosen)))


def by_dictionary(config: Config, paths: Sequence[Path]) -> Config:
    """Give the config that reads answers by names that the user brought with ``--dictionary``."""
    if len(paths) > 1:
        raise MedzhError(
            _("only one file is allowed"), field="--dictionary", found=", ".join(path.name for path in paths)
        )
    return config.with_dictionary(paths[0])


@dataclass(frozen=True)
class Table:
    """A table with a title."""

    title: str  # what it shows
    columns: tuple[str, ...]  # the heads
    # texts, whole numbers, numbers, and None for what has no value
    rows: tuple[tuple[str | int | float | None, ...], ...]


@dataclass(frozen=True)
class Figure:
    """What all figures have."""

    name: str  # as in ``--figure NAME``
    summary: str  # one sentence: what it shows, and which figure of the paper it is


@dataclass(frozen=True)
class Plot(Figure):
    """A figure that is drawn from a table of one report or several, a line a report."""

    table: str  # the report's table that it is drawn from
    x: str  # x and y: columns of that table
    y: str
    run: str  # the column that numbers the runs; a line is the mean over runs
    level: str  # the metric whose value is drawn as a dashed line beside each curve


@dataclass(frozen=True)
class Radar(Figure):
    """A figure that is drawn from the groups of one report or several, a line a report."""

    breakdown: str  # whose groups are the axes, in the report's order
    metric: str  # what is drawn on them where ``--metric`` is not given


@dataclass(frozen=True)
class Scatter(Figure):
    """A figure of two metrics against each other, a point a report, with the R² of a straight line through them."""

    x: str  # x and y: the metrics
    y: str
