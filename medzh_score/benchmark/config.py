"""What a config declares to be scored: how texts become answers, answers statistics, and statistics metrics."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Protocol

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.rules import Rule, replaced_by
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.asking import Asker, Asking, Prompt
    from medzh_score.benchmark.columns import Holds
    from medzh_score.benchmark.figures import Bars, Plot, Radar, Scatter
    from medzh_score.benchmark.judgements import Judgements
    from medzh_score.benchmark.layout import Asked, Layout, Record
    from medzh_score.benchmark.metrics import Metric
    from medzh_score.benchmark.rounds import Round
    from medzh_score.benchmark.second_readers import Reads
    from medzh_score.benchmark.tables import Table


class HasValue(Protocol):
    """What was found of a metric."""

    @property
    def value(self) -> float | None:
        """The value; None where there is none."""


@dataclass(frozen=True)
class Config:
    """Everything that the scoring side knows of a benchmark.

    Attributes
    ----------
    name : str
        As in ``load_dataset`` and on the command line.
    title : str
        One line on what it measures.
    unit : {"percent", "fraction"}
        Of its metrics, as in the paper.
    columns : mapping of str to Holds
        The columns of a record that scoring reads, and what each must hold: it is refused where it does not.
    prompts : tuple of Prompt
        The first is the default.
    decoding : mapping
        The paper's settings.
    icl : tuple of str
        How examples can be chosen, the default first; empty where prompts have none.
    shots : int
        How many examples stand before each question where ``--shots`` is not given.
    rules : tuple of Rule
        The first is the primary rule, by which systems are compared; others, the paper's first, stand beside it.
    layout : callable
        From the records to a `Layout`.
    asker : callable
        From the records and how they are asked to the prompts.
    asked : callable
        From the records and the layout to all that a prediction can answer.
    statistics : callable
        From the layout, an `AnswerTable` and the judgements of later rounds by name to an array, shape
        (items, runs, k).
    metrics : tuple of Metric
        In the order of the paper.
    verdict : callable
        From one item's statistics in one run, shape (k,), to a word for the items file; ``right`` where it is.
    rounds : tuple of Round
        Later rounds, in order.
    tables : callable
        From the layout, an `AnswerTable`, its statistics, shape (items, runs, k), and the judgements to the config's
        own tables.
    plots : tuple of Plot, Radar, Bars or Scatter
        Figures that are drawn from its reports.
    headline : str
        The metric by which systems are compared first.
    stand_ins : tuple of str
        The metrics that take its place, the first that has a value, where it has none for lack of people or a judge.
    shown : tuple of str
        The metrics that a page shows of groups and of rules beside the chosen one; empty for all. JSON has all.
    item_metrics : tuple of str
        The metrics whose value for one item the items file shows, where an item is not simply right or wrong.
    signed : callable
        Gives what else enters the signature, such as the tokenizer with its version.
    with_dictionary : callable or None
        From the files of ``--dictionary`` to the config that reads answers by them; None where none can be given.
    reads : Reads or None
        How answers can be read by somebody else than a rule; None where no rule reads any from the text.
    right : callable or None
        Of a config with variants: from the layout and an `AnswerTable` to which answers are right, an array of bool,
        shape (items, runs, variants); an item's first member is the record that was asked.
    private : bool
        Whether nobody else may see its records or what was answered: see the manual's page on private benchmarks.
    """

    name: str
    title: str
    unit: Literal["percent", "fraction"]
    columns: Mapping[str, Holds]
    prompts: tuple[Prompt, ...]
    decoding: Mapping[str, float]
    rules: tuple[Rule, ...]
    layout: Callable[[Sequence[Record]], Layout]
    asker: Callable[[Sequence[Record], Asking], Asker]
    asked: Callable[[Sequence[Record], Layout], Sequence[Asked]]
    statistics: Callable[[Layout, AnswerTable, Mapping[str, Judgements]], NDArray[np.float64]]
    metrics: tuple[Metric, ...]
    tables: Callable[[Layout, AnswerTable, NDArray[np.float64], Mapping[str, Judgements]], Mapping[str, Table]]
    verdict: Callable[[NDArray[np.float64]], str]
    headline: str
    stand_ins: tuple[str, ...] = ()
    rounds: tuple[Round, ...] = ()
    plots: tuple[Plot | Radar | Bars | Scatter, ...] = ()
    icl: tuple[str, ...] = ()
    shots: int = 0
    shown: tuple[str, ...] = ()
    item_metrics: tuple[str, ...] = ()
    signed: Callable[[], Mapping[str, str]] = dict
    with_dictionary: Callable[[Sequence[Path]], Config] | None = None
    reads: Reads | None = None
    right: Callable[[Layout, AnswerTable], NDArray[np.bool_]] | None = None
    private: bool = False

    @property
    def primary_rule(self) -> Rule:
        """The rule by which systems are compared."""
        return self.rules[0]

    @property
    def paper_rule(self) -> Rule:
        """The rule that is nearest to the paper: its authors', or the primary one where there is none."""
        return self.rules[min(1, len(self.rules) - 1)]

    def primary_metric(self, *found: Mapping[str, HasValue]) -> str:
        """Name the metric by which systems are compared first: the headline, or a stand-in for want of its values."""
        names = (self.headline, *self.stand_ins)
        return next((name for name in names if all(one[name].value is not None for one in found)), self.headline)

    @property
    def every_round(self) -> tuple[Round, ...]:
        """All later rounds: its own, and those about single predictions."""
        from medzh_score.benchmark.about_predictions import rounds_about_predictions

        return (*self.rounds, *rounds_about_predictions(self.reads))


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
    if config.with_dictionary is None:
        raise MedzhError("reads no answers by a dictionary", field="--dictionary", found=config.name)
    if len(paths) > 1:
        raise MedzhError("is one file", field="--dictionary", found=", ".join(path.name for path in paths))
    return config.with_dictionary(paths)
