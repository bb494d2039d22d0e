"""What a reader of a comparison should know: before its table, and after it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from medzh_score.comparison.comparability import RUNS
from medzh_score.prompting.sent import UNKNOWN
from medzh_score.scoring.options import FILES, ROUND
from medzh_score.stats.values import MIN_GROUP_SIZE
from medzh_score.ui.i18n import _, joined, pgettext
from medzh_score.ui.numbers import POINT, percent, rounded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.metrics import Metric
    from medzh_score.comparison.align import Aligned
    from medzh_score.comparison.comparability import Agreement
    from medzh_score.results.result import LabeledResult, Result
    from medzh_score.stats.pairwise import MetricComparison


MUCH = 5.0  # points
UNVERIFIED = "unverified"
# Of the warnings of a report: on what lacks, and on data that are not the paper's.
LACKING = {"stage_lacks_worst", "stage_lacks", "too_long_cut", "too_long_unparsed", "model_read_itself"}
NO_PAPER = {"rows_edited", "not_official_data", "unpinned_data", "partly_published_data"}
SYSTEMS = 2


def cautions_of(
    config: Config,
    rule: str,
    results: Sequence[LabeledResult[Result]],
    metrics: Sequence[Metric],
    found: Sequence[MetricComparison],
) -> tuple[str, ...]:
    """Return warnings on differences that have another cause than the systems, the gravest first."""
    notes = _same_predictions(results)
    for one in results:
        notes += _missing(one)
    whole = [one for one in found if not one.breakdown]
    shares = [sorted((standing.unparsed, standing.label) for standing in one.standings) for one in whole]
    widest = max(shares, key=lambda of_metric: of_metric[-1][0] - of_metric[0][0])
    (least, fewest), (most, label) = widest[0], widest[-1]
    if most - least > MUCH:
        ends = {"largest": rounded(most, 1), "label": label, "smallest": rounded(least, 1), "fewest": fewest}
        notes.append(_("Unparsed items: {largest}% for {label}, {smallest}% for {fewest}.", **ends))
    if (unknown := sum(one.result.report.signature.get("prompt") == UNKNOWN for one in results)) > 1:
        notes.append(_("The prompts of {unknown} systems are unknown. Score with --prompts FILE.", unknown=unknown))
    for one in results:
        notes += _by_rules(config, rule, one, metrics)
        if any(UNVERIFIED in value for value in one.result.report.signature.values()):
            notes.append(_("{label}: the annotations do not identify the annotated answers.", label=one.label))
    if config.private:
        few = {"min_group_size": MIN_GROUP_SIZE}
        notes.append(_("Private config: groups with fewer than {min_group_size} items are withheld.", **few))
    return tuple(notes)


def _same_predictions(results: Sequence[LabeledResult[Result]]) -> list[str]:
    labels = defaultdict[frozenset[str], list[str]](list)
    for one in results:
        inputs = one.result.report.inputs
        files = frozenset(file.sha256 for file in inputs if not file.reader.startswith((ROUND, *FILES)))
        if files:
            labels[files].append(one.label)
    notes = list[str]()
    for alike in (of_files for of_files in labels.values() if len(of_files) > 1):
        notes.append(_("Same predictions file: {systems}.", systems=", ".join(alike)))
    return notes


def _by_rules(config: Config, rule: str, one: LabeledResult[Result], metrics: Sequence[Metric]) -> list[str]:
    first, paper, results = config.primary_rule.name, config.paper_rule.name, one.result.report.results
    if paper == first or rule not in {paper, first} or not {paper, first} <= results.keys():
        return []
    notes = list[str]()
    for metric in metrics:
        theirs, ours = (results[name].metrics[metric.name].value for name in (paper, first))
        if theirs is not None and ours is not None and abs(ours - theirs) > MUCH * POINT[config.unit]:
            values = [f"{name} {percent(value, config.unit)}%" for name, value in ((paper, theirs), (first, ours))]
            named = {"label": one.label, "metric_name": metric.name, "values": joined(values)}
            notes.append(_("{label}: {metric_name} differs by more than 5 pp between rules: {values}.", **named))
    return notes


def _missing(one: LabeledResult[Result]) -> list[str]:
    report = one.result.report
    lacking = [warning for warning in report.warnings if warning.code in LACKING]
    notes = [_("{label}: {warning}", label=one.label, warning=warning.message) for warning in lacking]
    if missing := report.coverage.missing:
        values = {"label": one.label, "missing": missing, "expected": report.coverage.expected}
        notes.append(_("{label}: {missing} of {expected} predictions are missing.", **values))
    return notes


def notes_of(  # noqa: PLR0913, PLR0917 - all that was compared
    config: Config,
    rule: str,
    results: Sequence[LabeledResult[Result]],
    together: Aligned,
    agreed: Agreement,
    found: Sequence[MetricComparison],
) -> tuple[str, ...]:
    """Say how systems came to be comparable, and what differences amount to over groups."""
    notes = notes_on_data(results)
    if rule != (primary := config.primary_rule.name):
        notes.append(
            _(
                "Answers were extracted with rule {rule}, not with the primary rule ({primary}).",
                rule=rule,
                primary=primary,
            )
        )
    if len({len(one.result.runs) for one in results}) > 1:
        notes.append(_("The systems have different numbers of runs. Each cluster was averaged over runs first."))
    if left_out := together.of - together.units:
        lacking = "; ".join(
            _("{label}: {count} incomplete", label=label, count=count) for label, count in together.lacking.items()
        )
        values = {"excluded": config.reporting.screen.clusters(left_out), "of": together.of, "lacking": lacking}
        notes.append(_("Excluded: {excluded} of {of:,}, which are not complete in all systems ({lacking}).", **values))
    if shown := [key for key in agreed.differing if key != RUNS]:
        notes.append(
            _("The reports differ in display settings ({shown}). Values are not affected.", shown=", ".join(shown))
        )
    notes += _over_groups(found)
    return tuple(notes)


def data_warnings(results: Sequence[LabeledResult[Result]]) -> tuple[str, ...]:
    """Return the codes of the report warnings on data that are not the official benchmark, each once."""
    codes = {warning.code for one in results for warning in one.result.report.warnings if warning.code in NO_PAPER}
    return tuple(sorted(codes))


def notes_on_data(results: Sequence[LabeledResult[Result]]) -> list[str]:
    """Give what the reports note of data that are not the paper's, each once."""
    found = [warning for one in results for warning in one.result.report.warnings if warning.code in NO_PAPER]
    return sorted({warning.message: None for warning in found})


def _over_groups(found: Sequence[MetricComparison]) -> list[str]:
    by_breakdown: dict[tuple[str, str], list[MetricComparison]] = {}
    for one in found:
        if one.breakdown and len(one.standings) == SYSTEMS:
            by_breakdown.setdefault((one.metric, one.breakdown), []).append(one)
    notes = []
    for (metric, breakdown), groups in by_breakdown.items():
        first, unit = groups[0].differences[0], groups[0].standings[0].value.unit
        named = [(one.group, difference.value) for one in groups for difference in one.differences]
        defined = [(group, value) for group, value in named if value is not None]
        if not defined:
            continue
        mean, absolute = (sum(of(value) for _unused, value in defined) / len(defined) for of in (float, abs))
        group, largest = max(defined, key=lambda one: abs(one[1]))
        notes.append(
            _(
                "{metric}, {first_label} minus {other}, over {n_defined} groups of {breakdown}: mean "
                "difference {mean} pp, mean absolute difference {absolute} pp, largest absolute difference "
                "{largest} pp ({group}).",
                metric=metric,
                first_label=first.label,
                other=first.other,
                n_defined=len(defined),
                breakdown=pgettext("heads", breakdown),
                mean=percent(mean, unit),
                absolute=percent(absolute, unit),
                largest=percent(abs(largest), unit),
                group=pgettext("groups", group),
            )
        )
    return notes
