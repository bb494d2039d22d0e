"""Last step of scoring: the report, with its signature, its inputs and what a reader should know."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from medzh_score.benchmark.config import rule_of
from medzh_score.io.open_input import input_of
from medzh_score.results.report import PrimaryMetric, Report, by_rules
from medzh_score.results.tables import RuleArtifacts, ScoringArtifacts
from medzh_score.scoring.options import FILES, ROUND, stated
from medzh_score.scoring.report_warnings import warnings_on
from medzh_score.scoring.signature import signature_of
from medzh_score.stages.binding import WITHOUT
from medzh_score.stages.read_labels import OTHER, Replies, judged_models
from medzh_score.ui.errors import printable

if TYPE_CHECKING:
    from medzh_score.benchmark.stages import Annotations
    from medzh_score.io.open_input import Input
    from medzh_score.scoring.compute import Computed
    from medzh_score.scoring.inputs import ScoringInputs
    from medzh_score.scoring.missing import Settled
    from medzh_score.scoring.options import ScoringOptions


def describe(read: ScoringInputs, settled: Settled, computed: Computed, options: ScoringOptions) -> Report:
    """Put a report together."""
    config, collected = read.config, read.collected
    model, own = options.model or collected.model, judged_models(config.stages, read.judged, collected.model)
    others = {name: ", ".join(read.judged[name].raters) for name, whose in own.items() if whose == OTHER}
    by_whom = [model or "", *(f"{name}: {said}" for name, said in others.items())]
    return Report(
        config=config.name,
        rule=read.rule.name,
        **by_rules(read.rule.name, computed.results),
        coverage=computed.coverage,
        inputs=(*collected.inputs, *_other_inputs(read, options)),
        arguments=stated(options),
        signature=signature_of(read, settled.kept, own, options),
        model=printable("; ".join(by_whom)) or None,
        served_as=_served_as(options.model, collected.model),
        warnings=tuple(warnings_on(read, settled, computed, options, others)),
        primary_metric=PrimaryMetric(config.primary_metric(computed.results[config.primary_rule.name].metrics)),
        second_reading=read.second,
        audit=computed.audit,
        shown=config.reporting.summary_metrics,
        private=config.private,
    ).with_changes(artifacts=_basis(read, computed))


def _basis(read: ScoringInputs, computed: Computed) -> ScoringArtifacts:
    """Keep what a result folder holds beside the report, and nothing of the records but their ids."""
    config, tables = read.config, read.collected.tables
    rules = {
        name: RuleArtifacts(rule_of(config, name.removesuffix(f" {WITHOUT}")), tables[name], computed.statistics[name])
        for name in computed.results
    }
    layout = replace(read.layout, item_values={}, item_texts={})
    return ScoringArtifacts(config.name, layout, read.ids, rules, read.asked, read.files)


def _other_inputs(read: ScoringInputs, options: ScoringOptions) -> list[Input]:
    """Account for the sheets and the prompts file: what they say is in the numbers, or in the signature."""
    came: dict[str, Annotations | Replies] = {**read.judged, **read.replies}
    sheets = [replace(one, reader=ROUND + name) for name in options.rounds for one in came[name].inputs]
    return sheets + [input_of(path, kind) for kind in FILES for path in getattr(options, kind)]


def _served_as(label: str | None, named: str | None) -> str | None:
    """Give the name in the files where the user's label of the system is another."""
    return printable(named) if label and named and label != named else None
