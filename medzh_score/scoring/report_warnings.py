"""What a reader of a report should know before quoting it: warnings as codes with parameters, and their sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.metrics import Ratio
from medzh_score.benchmark.stages import AUDIT, SECOND
from medzh_score.extraction.whole_text import LONGEST
from medzh_score.results.warnings import ReportWarning, note, warn
from medzh_score.stages.sampling import undrawn
from medzh_score.stats.values import MIN_GROUP_SIZE as FEWEST_ITEMS
from medzh_score.ui.errors import NAMED, MedzhError, printable
from medzh_score.ui.numbers import DECIMALS, rounded
from medzh_score.ui.privacy import quotable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import AnswerTable
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.items import ItemIndex
    from medzh_score.benchmark.rules import Rule
    from medzh_score.benchmark.stages import Annotations, Stage
    from medzh_score.data.records import Records
    from medzh_score.readers.align import AlignedAnswers, Coverage
    from medzh_score.scoring.compute import Computed
    from medzh_score.scoring.inputs import ScoringInputs
    from medzh_score.scoring.missing import MissingOutcome
    from medzh_score.scoring.options import ScoringOptions
    from medzh_score.stages.audit import Audit
    from medzh_score.stages.fallback import SecondReading
    from medzh_score.stages.replies import Replies
    from medzh_score.stats.values import Value

HIGH_UNPARSED_RATE = 0.20
MUCH_TRUNCATED = 0.05
FEWEST = 100  # answers, below which chance alone may set the identity apart
TIMES = 2  # as often as the others: permuted options cost a model that reads them far less


def warnings_on(  # noqa: C901 - all of them, in their order
    read: ScoringInputs, settled: MissingOutcome, computed: Computed, options: ScoringOptions, others: Mapping[str, str]
) -> Iterator[ReportWarning]:
    """Gather all that a reader should know; ``others`` says who else answered stages of the same model."""
    config, rule, plain, collected = read.config, read.rule.name, read.plain, read.collected
    judged, values = read.judged_by_rule[plain], computed.results[rule].metrics
    if config.private:
        yield note("private", fewest=FEWEST_ITEMS)
    yield from _on_data(read.records)
    yield from _on_answers(collected, computed.coverage)
    for text in config.reporting.warnings(computed.statistics[rule]):
        yield warn("config_caution", text=text)
    yield from _on_own_answers(config, computed.statistics[rule])
    first = config.primary_metric(values)
    yield from bounds_warnings(first, values[first])
    yield from _on_length(read.rule, collected)
    if unnamed := collected.unnamed:
        yield note("runs_name_no_model", some=len(unnamed), files=len(collected.inputs), first=unnamed[0])
    if options.missing == "wrong":
        yield from _on_missing(config, computed.coverage, settled.plain, values)
    yield from _on_variants(config, read.layout, collected, rule)
    if (kept := settled.kept) is not None and kept.units < kept.of:
        yield note("clusters_dropped", dropped=kept.of - kept.units, of=kept.of)
    not_drawn = undrawn(judged, config.stages, read.layout, collected.tables[plain])
    yield from stage_warnings(config.stages, judged, computed.statistics[plain], rule, settled.plain, not_drawn)
    yield from _lacking_warnings(config.stages, settled.lacking, options.missing)
    for stage in config.stages:
        found = read.judged.get(stage.name)
        if found is not None and found.others:
            yield note("stage_of_others", stage=stage.name, count=found.others)
        if found is not None and found.unverified:
            yield warn("stage_unverified", stage=stage.name, count=found.unverified)
    for name, by in others.items():
        yield warn("stage_control", stage=name, by=by, model=options.model or collected.model)
    models = sorted(filter(None, {options.model, collected.model}))
    if read.second is not None:
        yield from _on_fallback(read.second, read.replies.get(SECOND), models)
    if computed.audit is not None:
        yield from _on_audit(computed.audit, read.replies[AUDIT], models)


def _on_data(records: Records) -> Iterator[ReportWarning]:
    if records.origin.edited is not None:
        yield warn("rows_edited", recipe=records.origin.recipe)
    elif not records.origin.official:
        if records.origin.recipe == "official":
            yield warn("unpinned_data")
        else:
            yield warn("not_official_data", made=records.origin.recipe)
    elif (part := published_part(records.config)) is not None:
        yield warn("partly_published_data", part=part)


def published_part(config: str) -> str | None:
    """Say what the authors published of a benchmark, where that is not the whole."""
    from medzh_score.scoring.paper import load_paper

    try:
        return load_paper(config).published
    except MedzhError:
        return None


def _on_answers(collected: AlignedAnswers, coverage: Coverage) -> Iterator[ReportWarning]:
    if failures := collected.failures:
        yield warn("requests_failed", count=len(failures), first=failures[0])
    if coverage.unparsed > HIGH_UNPARSED_RATE * coverage.read:
        yield warn("high_unparsed_rate", unparsed=coverage.unparsed, read=coverage.read)
    if coverage.truncated > MUCH_TRUNCATED * coverage.read:
        yield warn("high_truncation_rate", truncated=coverage.truncated, read=coverage.read)


def _on_own_answers(config: Config, counts: NDArray[np.float64]) -> Iterator[ReportWarning]:
    """Say of each metric with answers of its own, such as the yes or no within a long one, how many are unparsed."""
    for metric in config.metrics:
        if metric.unparsed is not None and metric.share is not None:
            unparsed, read = (int(counts[..., column].sum()) for column in (metric.unparsed, metric.share))
            if unparsed:
                yield warn("metric_unparsed", metric=metric.name, unparsed=unparsed, read=read)


def bounds_warnings(name: str, value: Value) -> Iterator[ReportWarning]:
    """Say of the primary metric between what it lies, whatever answers are left open, unparsed or missing."""
    if value.least is not None and value.most is not None:
        ends = (value.most, value.least) if value.direction == "lower" else (value.least, value.most)
        worst, best = (rounded(end, DECIMALS[value.unit]) for end in ends)
        yield note("bounds_of_open_answers", metric=name, worst=worst, best=best)


def _on_length(rule: Rule, collected: AlignedAnswers) -> Iterator[ReportWarning]:
    if not collected.too_long:
        return
    lines = [f"{printable(one.file)}:{one.line} {quotable(printable(one.id))}" for one in collected.too_long[:NAMED]]
    named = ", ".join(lines) + (", …" if len(collected.too_long) > NAMED else "")
    code, count = "too_long_cut" if rule.whole else "too_long_unparsed", collected.coverage(rule.name).too_long
    yield warn(code, count=count, most=LONGEST, named=named)


def _on_missing(
    config: Config, coverage: Coverage, lacking: Mapping[str, NDArray[np.bool_]], values: Mapping[str, Value]
) -> Iterator[ReportWarning]:
    found = []
    if coverage.missing:
        found.append(warn("missing_scored_incorrect", missing=coverage.missing, expected=coverage.expected))
    for name, cells in lacking.items():
        if pick("--stage", config.stages, name).of_same_model and (count := int(cells.sum())):
            found.append(warn("responses_scored_incorrect", count=count, stage=name))
    yield from found
    blind = [
        metric.name
        for metric in config.metrics
        if metric.of_answers
        and (not config.reporting.summary_metrics or metric.name in config.reporting.summary_metrics)
        and values[metric.name].value is not None
    ]
    if found and blind:
        yield warn("denominators_from_answers", metrics=blind)


def _on_variants(config: Config, layout: ItemIndex, collected: AlignedAnswers, rule: str) -> Iterator[ReportWarning]:
    """Caution where the order as it stands is answered far better than all others, and nothing says what was asked.

    Letters are mapped back by the number of the variant. Where it is another than the rank of the permutation that was
    shown, they are mapped to other options, and all variants but the identity are right by chance alone.
    """
    table = collected.tables[rule]
    if collected.variants_stated or 0 not in table.variants or len(table.variants) == 1:
        return
    came = right = np.zeros(len(table.variants), np.int64)
    for one in table.by_run():
        there = (table.expected[:, np.newaxis] & ~one.missing)[layout.members[:, 0]]
        came = came + there.sum(axis=(0, 1))
        right = right + (_right_by_variant(config, layout, one) & there).sum(axis=(0, 1))
    identity = np.array(table.variants) == 0
    answers, others = int(came[identity].sum()), int(came[~identity].sum())
    if not answers or not others or answers + others < FEWEST:
        return
    first, rest = right[identity].sum() / answers, right[~identity].sum() / others
    if first and first >= TIMES * rest:
        shares = {"first": 100 * float(first), "rest": 100 * float(rest)}
        yield warn("variants_numbered_otherwise", answers=answers, others=others, **shares)


def _right_by_variant(config: Config, layout: ItemIndex, table: AnswerTable) -> NDArray[np.bool_]:
    formula = pick("metric", config.metrics, config.reporting.primary_metrics[0]).formula
    if not isinstance(formula, Ratio):
        raise TypeError(f"{config.name} has variants, and no share as its primary metric")
    parts = (config.statistics(layout, table.of_variant(variant), {}) for variant in table.variants)
    return np.stack([part[..., formula.numerator] != 0 for part in parts], axis=-1)


def stage_warnings(  # noqa: PLR0913, PLR0917 - all that a note counts
    stages: Sequence[Stage],
    judged: Mapping[str, Annotations],
    statistics: NDArray[np.float64],
    rule: str,
    lacking: Mapping[str, NDArray[np.bool_]] | None = None,
    not_drawn: Mapping[str, int] | None = None,
) -> Iterator[ReportWarning]:
    """Say of each stage about items how much came back, what came back without a value, and how many items count."""
    for stage in stages:
        if stage.name not in judged:
            continue
        who, own = judged[stage.name], stage.of_same_model
        values, undrawn_here = len(who.values), (not_drawn or {}).get(stage.name, 0)
        missing = int(lacking[stage.name].sum()) if lacking and stage.name in lacking else 0
        left_out = values - undrawn_here - _counted(stage, statistics)
        by = [f"{name} ({count})" for name, count in zip(who.annotators, who.by_annotator, strict=True)]
        params = {
            "stage": stage.name,
            "rule": rule,
            "judged": values,
            "read": values,
            "of": len(statistics),
            "by": by,
            "blank": who.unrated,
            "replaced": who.overridden,
            "not_drawn": undrawn_here,
            "missing": missing,
            "lacking": missing,
            "left_out": left_out,
            **_first_of("unreadable", who.unreadable),
            **_first_of("empty", who.empty),
            **_first_of("unanswered", who.unanswered),
        }
        parts = [
            "read" if own else ("judged_of" if stage.about == "records" else "judged") + ("_by" if stage.many else ""),
            *(("always_blank",) if stage.many or not own else ()),
            *(("unreadable",) if who.unreadable else ()),
            *(("empty",) if own and who.empty else ("unanswered",) if not own and who.unanswered else ()),
            *(("blank",) if own and who.unrated else ()),
            *((("missing" if own else "lacking"),) if missing else ()),
            *(("replaced",) if who.overridden else ()),
            *(("not_drawn",) if undrawn_here else ()),
            *((("left_out_own" if own else "left_out"),) if left_out else ()),
        ]
        yield ReportWarning("stage_labels", "note", params, tuple(parts))
        if who.unnamed:
            yield note("stage_names_no_model", count=who.unnamed, stage=stage.name)


def _first_of(name: str, keys: Sequence[tuple[str, int]]) -> dict[str, object]:
    named = [f"{item}#r{run}" if run else item for item, run in keys[:NAMED]]
    return {name: len(keys), f"{name}_first": [*named, *(["…"] if len(keys) > NAMED else [])]}


def _counted(stage: Stage, statistics: NDArray[np.float64]) -> int:
    counted = statistics[..., list(stage.columns)].sum(axis=-1)
    return int((counted.any(axis=1) if stage.about == "records" else counted).sum())


def _lacking_warnings(
    stages: Sequence[Stage], lacking: Mapping[str, Mapping[str, NDArray[np.bool_]]], missing: str
) -> Iterator[ReportWarning]:
    for stage in stages if missing == "wrong" else ():
        count = max((int(cells.sum()) for cells in lacking.get(stage.name, {}).values()), default=0)
        if count and not stage.of_same_model:
            yield warn("stage_lacks_worst" if stage.has_worst else "stage_lacks", count=count, stage=stage.name)


def _on_fallback(second: SecondReading, replies: Replies | None, models: Sequence[str]) -> Iterator[ReportWarning]:
    counts = {name: getattr(second, name) for name in ("expected", "read", "answered", "unreadable", "missing")}
    yield note("fallback", stage=SECOND, **_replied(replies), **counts)
    controls = second.controls
    if controls.interval is not None:
        low, high = (100 * end for end in controls.interval)
        yield note("fallback_controls", agreeing=controls.agreeing, of=controls.of, low=low, high=high)
    yield from _own_readers(SECOND, [*(() if replies is None else replies.names), second.reader], models)


def _on_audit(audit: Audit, replies: Replies, models: Sequence[str]) -> Iterator[ReportWarning]:
    yield note("audit", stage=AUDIT, audited=len(replies.values), unparsed=audit.unparsed, **_replied(replies))
    yield from _own_readers(AUDIT, replies.names, models)


def _replied(replies: Replies | None) -> dict[str, Any]:
    """Name those who answered, and count the answers that others replaced."""
    return {"by": [], "replaced": 0} if replies is None else {"by": [*replies.names], "replaced": replies.overridden}


def _own_readers(stage: str, names: Sequence[str], models: Sequence[str]) -> Iterator[ReportWarning]:
    own = {model.casefold() for model in models}
    for name in dict.fromkeys(name for name in names if name.casefold() in own):
        yield warn("model_read_itself", stage=stage, name=name)
