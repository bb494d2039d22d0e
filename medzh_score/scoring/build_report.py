"""Last step of scoring: the report, and the items file with the answers and the verdict of each item and run."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from medzh_score.benchmark.answers import WITHOUT
from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.config import rule_of
from medzh_score.benchmark.stages import UNNAMED
from medzh_score.io.atomic import open_for_writing
from medzh_score.io.open_input import input_of
from medzh_score.readers.align import SINGLE, spelled
from medzh_score.results.report import PrimaryMetric, Report, by_rules
from medzh_score.results.tables import DigestSources, RuleArtifacts, ScoringArtifacts, sha256_of
from medzh_score.scoring.options import FILES, ROUND, stated
from medzh_score.scoring.report_warnings import warnings_on
from medzh_score.scoring.signature import signature_of
from medzh_score.ui.errors import printable
from medzh_score.ui.i18n import plain_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import AnswerTable
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.stages import Annotations, Stage
    from medzh_score.io.open_input import Input
    from medzh_score.prompting.ids import AnswerKey
    from medzh_score.scoring.compute import Computed
    from medzh_score.scoring.inputs import ScoringInputs
    from medzh_score.scoring.missing import MissingOutcome
    from medzh_score.scoring.options import ScoringOptions
    from medzh_score.stages.replies import Replies


SAME, OTHER, UNKNOWN = "the same model", "another model", "an unknown model"


def build_report(read: ScoringInputs, settled: MissingOutcome, computed: Computed, options: ScoringOptions) -> Report:
    """Put a report together."""
    config, collected, named = read.config, read.collected, read.collected.model
    model, own = options.model or collected.model, _judged_models(config.stages, read.judged, collected.model)
    others = {name: ", ".join(read.judged[name].annotators) for name, whose in own.items() if whose == OTHER}
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
        served_as=printable(named) if options.model and named and named != model else None,
        warnings=tuple(warnings_on(read, settled, computed, options, others)),
        primary_metric=PrimaryMetric(config.primary_metric(computed.results[config.primary_rule.name].metrics)),
        fallback=read.second,
        audit=computed.audit,
        summary_metrics=config.reporting.summary_metrics,
        private=config.private,
    ).with_changes(artifacts=_basis(read, computed))


def _basis(read: ScoringInputs, computed: Computed) -> ScoringArtifacts:
    config, tables = read.config, read.collected.tables
    rules = {
        name: RuleArtifacts(rule_of(config, name.removesuffix(f" {WITHOUT}")), tables[name], computed.statistics[name])
        for name in computed.results
    }
    layout = replace(read.layout, item_values={}, item_texts={})
    sources = read.collected.digests, _asked_as(read), cache(partial(_query_digest, read)), partial(_labels, read)
    digests = None if config.private else DigestSources(*sources)
    return ScoringArtifacts(config.name, layout, read.ids, rules, read.asked, read.files, digests)


def _asked_as(read: ScoringInputs) -> list[str]:
    """Find the id under which each record was asked: its group's, or its own."""
    ids, ways = [""] * len(read.ids), read.collected.ways
    for one in read.asked:
        alone = one.part_of is not None
        if alone == (ways.get(one.part_of if one.part_of is not None else one.id) == SINGLE):
            for member in one.members:
                ids[member] = one.id
    return ids


def _query_digest(read: ScoringInputs, identifier: str, variant: int) -> str | None:
    text = read.questions.text_of(identifier, variant)
    return None if text is None else sha256_of(text)


def _labels(read: ScoringInputs, rule: str, item: str, key: AnswerKey) -> dict[str, Any]:
    """Give the labels that bind to a prediction, by stage and annotator."""
    found: dict[str, Any] = {}
    for name, came in read.judged_by_rule[rule].items():
        if pick("--stage", read.config.stages, name).about == "answers":
            found[name] = came.by_name((item, key.run))
    for name, replies in read.replies.items():
        if key in replies.values:
            found[name] = {replies.sources[key].name: replies.values[key]._asdict()}
    return {name: labels for name, labels in found.items() if labels}


def _other_inputs(read: ScoringInputs, options: ScoringOptions) -> list[Input]:
    came: dict[str, Annotations | Replies] = {**read.judged, **read.replies}
    sheets = [replace(one, reader=ROUND + name) for name in options.stages for one in came[name].inputs]
    return sheets + [input_of(path, kind) for kind in FILES for path in getattr(options, kind)]


def write_items(path: Path, read: ScoringInputs, statistics: Mapping[str, NDArray[np.float64]]) -> None:
    """Write a JSON line per item and run, missing ones included, in the order of the items' ids.

    Where an item is not simply right or wrong, ``scores`` stands in the place of ``right``: the config's metrics of
    items, each the metric's formula on the item's own statistics, null where it is undefined.
    """
    encoder = msgspec.json.Encoder(enc_hook=plain_text)
    with open_for_writing(path) as stream:
        for line in _lines(read, statistics):
            stream.write(encoder.encode(line) + b"\n")


def _lines(read: ScoringInputs, statistics: Mapping[str, NDArray[np.float64]]) -> Iterator[dict[str, Any]]:
    from medzh_score.scoring.withholding import redact_label  # needed only where items are written

    config, rule, layout, ids = read.config, read.rule.name, read.layout, read.ids
    scores = {name: item_scores(config, counts) for name, counts in statistics.items()}
    came_back = read.judged_by_rule[rule]
    stages = [pick("--stage", config.stages, name) for name in came_back]
    for index, item in enumerate(layout.items):
        groups = {breakdown: labels[index] for breakdown, labels in layout.groups.items()}
        for position, run in enumerate(read.table.runs):
            by_rule = {
                name: {
                    "verdict": config.reporting.verdict(statistics[name][index, position]),
                    **_scored(config, scores[name][index][position]),
                    "answers": list(_answers(table, layout.members[index], ids, run)),
                }
                for name, table in read.collected.tables.items()
            }
            told = _scored(config, scores[rule][index][position])
            top = told or {"right": by_rule[rule]["verdict"] == "right"}
            came: dict[str, Any] = {}
            for later in stages:
                key, found = (item, run if later.about == "answers" else 0), came_back[later.name]
                labels = found.by_name(key) or None if later.many else found.values.get(key)
                came[later.name] = redact_label(config, labels)
            more = {"stages": came} if came else {}
            yield {"item": item, "run": run, "groups": groups, "rule": rule, **top, "rules": by_rule, **more}


def item_scores(config: Config, counts: NDArray[np.float64]) -> list[list[list[float]]]:
    """Compute the metrics of items, shape (items, runs, metrics); nan where undefined, which JSON writes as null."""
    formulas = [pick("metric", config.metrics, name).formula for name in config.reporting.item_metrics]
    if not formulas:
        return np.zeros((*counts.shape[:2], 0)).tolist()  # type: ignore[no-any-return]
    return np.stack([formula(counts) for formula in formulas], axis=2).tolist()  # type: ignore[no-any-return]


def _scored(config: Config, scores: Sequence[float]) -> dict[str, Any]:
    return {"scores": dict(zip(config.reporting.item_metrics, scores, strict=True))} if scores else {}


def _answers(
    table: AnswerTable, members: NDArray[np.int64], ids: Sequence[str], run: int
) -> Iterator[dict[str, str | int | None]]:
    for position, variant in enumerate(table.variants):
        column = table.columns[run, variant]
        for member in members[table.expected[members, position]].tolist():
            answer = column[member]
            found = ("missing", None, None) if answer is None else (answer.reason, answer.value, answer.note)
            yield {"id": ids[member], "variant": variant, "answer": found[1], "found_by": found[0], "note": found[2]}


def _judged_models(stages: Iterable[Stage], judged: Mapping[str, Annotations], model: str | None) -> dict[str, str]:
    """Say whose answers came back in stages of the same model.

    By stage: `SAME`, `OTHER` where a control is run, or `UNKNOWN` where either side does not name its model.
    """
    whose = {}
    for stage in stages:
        if stage.of_same_model and stage.name in judged:
            named = {source.name for source in judged[stage.name].sources}
            unknown = model is None or not named or UNNAMED in named
            same = model is not None and {spelled(name) for name in named} == {spelled(model)}
            whose[stage.name] = UNKNOWN if unknown else SAME if same else OTHER
    return whose
