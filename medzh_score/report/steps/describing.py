"""Last step of scoring: the report, with its signature, its inputs and what a reader should know."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from medzh_score.benchmark.config import rule_of
from medzh_score.files.input_file import input_of
from medzh_score.messages.errors import printable
from medzh_score.predictions.one_model import served_as
from medzh_score.report.cautions import (
    cautions_on_lacking,
    notes_on,
    notes_on_bounds,
    notes_on_kept,
    notes_on_length,
    notes_on_missing,
    notes_on_names,
    notes_on_others,
    notes_on_rounds,
    notes_on_variants,
)
from medzh_score.report.report import Report
from medzh_score.report.results.columns import Basis, RuleBasis
from medzh_score.report.signature import FILES, ROUND, signature_of, stated
from medzh_score.rounds.binding import notes_on_binding
from medzh_score.rounds.drawn import undrawn
from medzh_score.rounds.reading_items import OTHER, whose_answers
from medzh_score.rounds.second_reading import WITHOUT
from medzh_score.statistics.small_groups import FEWEST

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from medzh_score.benchmark.judgements import Judgements
    from medzh_score.benchmark.metrics import Metric
    from medzh_score.files.input_file import Input
    from medzh_score.predictions.options import Options
    from medzh_score.report.steps.computing import Computed
    from medzh_score.report.steps.reading import Read
    from medzh_score.report.steps.refusing import Settled
    from medzh_score.rounds.reading_predictions import Replies
    from medzh_score.statistics.values import Value


def describe(read: Read, settled: Settled, computed: Computed, options: Options) -> Report:
    """Put a report together."""
    config, collected = read.config, read.collected
    model, own = options.model or collected.model, whose_answers(config.rounds, read.judged, collected.model)
    others = {name: ", ".join(read.judged[name].raters) for name, whose in own.items() if whose == OTHER}
    by_whom = [model or "", *(f"{name}: {said}" for name, said in others.items())]
    report = Report(
        config=config.name,
        rule=read.rule.name,
        results=computed.results,
        coverage=computed.coverage,
        inputs=(*collected.inputs, *_other_inputs(read, options)),
        arguments=stated(options),
        signature=signature_of(read, settled.kept, own, options),
        model=printable("; ".join(by_whom)) or None,
        served_as=served_as(options.model, collected.model),
        notes=(
            *_notes(read, settled, computed, options),
            *notes_on_others(others, model),
            *read.came.notes(computed.audit, sorted(filter(None, {options.model, collected.model}))),
        ),
        headline=config.primary_metric(computed.results[config.primary_rule.name].metrics),
        second_reading=read.came.second,
        audit=computed.audit,
        shown=config.shown,
        private=config.private,
        _basis=_basis(read, computed),
    )
    if not config.private:
        return report
    notes = [f"private: no text stands here; groups under {FEWEST} items and tables of the config's own are withheld"]
    return replace(report, notes=(*notes, *report.notes))


def _basis(read: Read, computed: Computed) -> Basis:
    """Keep what a result folder holds beside the report, and nothing of the records but their ids."""
    config, tables = read.config, read.collected.tables
    rules = {
        name: RuleBasis(rule_of(config, name.removesuffix(f" {WITHOUT}")), tables[name], computed.statistics[name])
        for name in computed.results
    }
    layout = replace(read.layout, facts={}, texts={})
    return Basis(config.name, layout, read.ids, rules, read.asked, read.files)


def _notes(read: Read, settled: Settled, computed: Computed, options: Options) -> list[str]:
    """Say what of the predictions and the rounds about items a reader should know."""
    rounds, name, plain = read.config.rounds, read.rule.name, read.plain
    judged, table = read.came.judged[plain], read.collected.tables[plain]
    wrong = options.missing == "wrong"
    values = computed.results[name].metrics
    return [
        *notes_on(read.records, read.collected, computed.coverage),
        *_cautions(read.config.metrics, values, computed.statistics[name]),
        *notes_on_bounds(first := read.config.primary_metric(values), values[first]),
        *notes_on_length(read.rule, read.collected),
        *notes_on_names(read.collected),
        *(notes_on_missing(read.config, computed.coverage, settled.plain, values) if wrong else ()),
        *notes_on_variants(read.config, read.layout, read.collected, name),
        *notes_on_kept(settled.kept),
        *notes_on_rounds(
            rounds,
            judged,
            computed.statistics[plain],
            name,
            settled.plain,
            undrawn(judged, rounds, read.layout, table),
        ),
        *cautions_on_lacking(rounds, settled.lacking, options.missing),
        *notes_on_binding(rounds, read.judged),
    ]


def _cautions(metrics: Sequence[Metric], values: Mapping[str, Value], counts: NDArray[np.float64]) -> Iterator[str]:
    """Say what a config declares of its metrics, where the items that count make it true."""
    for one in metrics:
        silenced = one.caution_unless is not None and counts[..., one.caution_unless].any()
        if one.caution and values[one.name].value is not None and not silenced:
            yield one.caution


def _other_inputs(read: Read, options: Options) -> list[Input]:
    """Account for the sheets and the prompts file: what they say is in the numbers, or in the signature."""
    came: dict[str, Judgements | Replies] = {**read.judged, **read.came.replies}
    sheets = [replace(one, reader=ROUND + name) for name in options.rounds for one in came[name].inputs]
    return sheets + [input_of(path, kind) for kind in FILES for path in getattr(options, kind)]
