"""What a reader of a comparison should know: before its table, and after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.rules import OURS
from medzh_score.report.comparison.agreement import RUNS
from medzh_score.report.numbers import cell, rounded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.metrics import Metric
    from medzh_score.report.comparison.agreement import Agreement
    from medzh_score.report.comparison.alignment import Aligned
    from medzh_score.report.comparison.named_results import NamedResult
    from medzh_score.statistics.comparison.found import Difference, MetricComparison

MUCH = 5.0  # points
POINT = {"percent": 1.0, "fraction": 0.01}
DECIMALS = {"percent": 2, "fraction": 3}
UNVERIFIED = "unverified"
LACKING = "Caution: "  # as a report begins a note on what lacks in a round
NO_PAPER = "compare with no paper."  # as it ends one on data that are not the paper's
SYSTEMS = 2


def cautions_of(
    config: Config,
    rule: str,
    results: Sequence[NamedResult],
    metrics: Sequence[Metric],
    found: Sequence[MetricComparison],
) -> tuple[str, ...]:
    """Say what may make a difference that is none of the systems'."""
    notes = [*_unread(found)]
    for one in results:
        notes += [*_by_rules(config, rule, one, metrics), *_missing(one)]
        if any(UNVERIFIED in value for value in one.result.report.signature.values()):
            notes.append(f"{one.label}: its judgements do not say which answers they are of (unverified).")
    return tuple(notes)


def _unread(found: Sequence[MetricComparison]) -> Iterator[str]:
    shares = sorted((standing.unread, standing.label) for standing in found[0].standings)
    (least, fewest), (most, label) = shares[0], shares[-1]
    if most - least > MUCH:
        yield (
            f"The shares of unread answers differ by more than 5 points: {rounded(most, 1)} % of {label},"
            f" {rounded(least, 1)} % of {fewest}."
        )


def _by_rules(config: Config, rule: str, one: NamedResult, metrics: Sequence[Metric]) -> Iterator[str]:
    """Caution where our rule and the paper's give a system other values."""
    paper, results = config.rules[0].name, one.result.report.results
    if paper == OURS or rule not in {paper, OURS} or not {paper, OURS} <= results.keys():
        return
    for metric in metrics:
        theirs, ours = (results[name].metrics[metric.name].value for name in (paper, OURS))
        if theirs is not None and ours is not None and abs(ours - theirs) > MUCH * POINT[config.unit]:
            decimals = DECIMALS[config.unit]
            yield (
                f"{one.label}: {metric.name} is {rounded(theirs, decimals)} by {paper} and"
                f" {rounded(ours, decimals)} by {OURS}."
            )


def _missing(one: NamedResult) -> Iterator[str]:
    coverage = one.result.report.coverage
    if coverage.missing:
        yield f"{one.label}: {coverage.missing} of {coverage.expected} predictions are missing."
    for note in one.result.report.notes:
        if note.startswith(LACKING):
            yield f"{one.label}: {note.removeprefix(LACKING)}"


def notes_of(
    rule: str,
    results: Sequence[NamedResult],
    together: Aligned,
    agreed: Agreement,
    found: Sequence[MetricComparison],
) -> tuple[str, ...]:
    """Say how systems came to be comparable, and what differences amount to over groups."""
    notes = notes_on_data(results)
    if rule != OURS and all(one.result.report.rule == rule for one in results):
        notes.append(f"Answers were read by {rule}, the reports' own rule.")
    if len({len(one.result.runs) for one in results}) > 1:
        notes.append(
            "The systems have unequal numbers of runs: what each unit contributes was averaged over runs first."
        )
    if left_out := together.of - together.units:
        lacking = "; ".join(f"{label} lacks {count}" for label, count in together.lacking.items())
        notes.append(f"{left_out} of {together.of} units are left out, which not all systems have whole: {lacking}.")
    if shown := [key for key in agreed.differing if key != RUNS]:
        notes.append(f"The reports differ in how values are shown ({', '.join(shown)}): no value moves.")
    notes += _over_groups(found)
    return tuple(notes)


def notes_on_data(results: Sequence[NamedResult]) -> list[str]:
    """Give what the reports note of data that are not the paper's, each once."""
    return sorted({note for one in results for note in one.result.report.notes if note.endswith(NO_PAPER)})


def _over_groups(found: Sequence[MetricComparison]) -> Iterator[str]:
    """Sum up, where two systems are compared, the differences over the groups of each breakdown."""
    by_breakdown: dict[tuple[str, str], list[tuple[str, Difference]]] = {}
    for one in found:
        if one.breakdown and len(one.standings) == SYSTEMS:
            for difference in one.differences:
                by_breakdown.setdefault((one.metric, one.breakdown), []).append((one.group, difference))
    units = {one.metric: one.standings[0].value.unit for one in found}
    for (metric, breakdown), differences in by_breakdown.items():
        defined = [(group, one.value) for group, one in differences if one.value is not None]
        if not defined:
            continue
        values, decimals = [value for _, value in defined], DECIMALS[units[metric]]
        group, largest = max(defined, key=lambda named: abs(named[1]))
        first = differences[0][1]
        yield (
            f"{metric}, {first.label} minus {first.other}, over {len(defined)} groups of {breakdown}:"
            f" mean difference {cell(sum(values) / len(values), decimals)},"
            f" mean absolute difference {cell(sum(map(abs, values)) / len(values), decimals)},"
            f" largest absolute difference {cell(abs(largest), decimals)} ({group})."
        )
