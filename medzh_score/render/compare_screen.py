"""The first screen of a comparison: the verdict on two systems, or the ranking of several, in 80 columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len

from medzh_score.benchmark.registry import difference_names
from medzh_score.comparison.comparability import MINI, OPEN, recipe_signed
from medzh_score.comparison.gate import STATUSES
from medzh_score.comparison.verdict import decide
from medzh_score.render.compare_tables import counted_items, metric_name, titled
from medzh_score.render.display import DAGGER, NONE, ordered, outcomes, p_value, points, span
from medzh_score.render.lines import aligned, bar, cut, short_names
from medzh_score.render.tables import in_lines, translated_label
from medzh_score.stats.permutation import SIGNIFICANCE
from medzh_score.ui.i18n import N_, _, _n, joined, pgettext, translated
from medzh_score.ui.numbers import TOPS, interval_text, percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.comparison.model import Comparison, Judged, Outcome
    from medzh_score.comparison.verdict import Verdict
    from medzh_score.render.display import DisplayOptions
    from medzh_score.stats.pairwise import Difference, MetricComparison, SystemResult


WIDTH = 80  # columns
LINES_OF_TWO, LINES_OF_SEVERAL = 20, 25
TWO = 2
WARNINGS, LEAST_WARNINGS = 5, 2
TOP = 10  # rows of a ranking
METRICS = 6  # rows of a comparison of two
NARROWEST_NAME, WIDEST_NAME = 9, 26  # columns
BARS = (18, 12, 0)  # columns of a bar from 0 to 100 percent: the widest that leaves room for names
ROOM_FOR_NAMES = 16
STYLES: dict[str, str] = {"ahead": "32", "behind": "31", "no_difference": "1", "undecided": "33"}

VERDICTS: dict[tuple[Verdict, str], str] = {
    ("ahead", "ahead"): N_("AHEAD on {metric}. {name} is {points} pp ahead (95% CI {interval}, adjusted {p})."),
    ("behind", "behind"): N_("BEHIND on {metric}. {name} is {points} pp behind (95% CI {interval}, adjusted {p})."),
    ("no_difference", "higher"): N_(
        "NO DIFFERENCE FOUND on {metric}. {name} is {points} pp higher (95% CI {interval}, adjusted {p}), which is not "
        "significant."
    ),
    ("no_difference", "lower"): N_(
        "NO DIFFERENCE FOUND on {metric}. {name} is {points} pp lower (95% CI {interval}, adjusted {p}), which is not "
        "significant."
    ),
    ("undecided", "higher"): N_(
        "UNDECIDED on {metric}. {name} is {points} pp higher (95% CI {interval}, adjusted {p})."
    ),
    ("undecided", "lower"): N_("UNDECIDED on {metric}. {name} is {points} pp lower (95% CI {interval}, adjusted {p})."),
}
REASONS = {
    "not_available": N_("The metric is not available for at least one system."),
    "no_direction": N_("The metric has no direction of improvement."),
    "no_test": N_("No test is possible."),
    "test_not_significant": N_("The test does not confirm the difference."),
    "interval_includes_zero": N_("The 95% CI includes 0."),
    "unparsed_could_reverse": N_("Unparsed answers could reverse the difference."),
}
DATA = {
    MINI: N_("mini sample, not the official benchmark: do not compare with published results"),
    OPEN: N_("open data, not the official benchmark: do not compare with published results"),
    "rows_edited": N_("edited records: do not compare with published results"),
    "unpinned_data": N_("data from an unpinned source: do not compare with published results"),
    "partly_published_data": N_("only a part of the benchmark: do not compare with published results"),
}
OUTCOMES: dict[Outcome, str] = {
    "pass": N_("PASS: {names}"),
    "undecided": N_("INCONCLUSIVE: {names}"),
    "fail": N_("FAIL: {names}"),
}


def screen(comparison: Comparison, options: DisplayOptions) -> str:
    """Write the first screen: at most 20 lines for two systems, 25 for several, of 80 columns."""
    order = ordered(comparison, options)
    top = [*_fold(_title(comparison, options, order), options), *gate_lines(comparison.judged, options)]
    if len(order) == TWO and comparison.found[0].differences:
        most = LINES_OF_TWO - len(top) - 1 - len(warning_lines(comparison, 1))
        bodies = (_of_two(comparison, options, metrics) for metrics in range(METRICS, 0, -1))
        body = next((body for body in bodies if len(body) <= most), _of_two(comparison, options, 1))
        room = LINES_OF_TWO - len(top) - len(body) - 1
    else:
        below = ["", *(part for line in _explained(comparison, options) for part in _fold(line, options))]
        rows = min(TOP, LINES_OF_SEVERAL - len(top) - len(below) - LEAST_WARNINGS - 4)
        body = [*_ranking(comparison, options, order, rows), *below]
        room = LINES_OF_SEVERAL - len(top) - len(body) - 1
    return "\n".join([*top, *warning_lines(comparison, room), "", *body]) + "\n"


def _title(comparison: Comparison, options: DisplayOptions, order: Sequence[int]) -> str:
    found = comparison.found[0]
    of = {"config": comparison.config, "rule": comparison.rule, "metric": metric_name(found), "count": len(order)}
    of["items"] = counted_items(comparison)
    of["runs"] = runs_of(comparison)
    if len(order) != TWO:
        return _("{config}: {count} systems on the same {items}, {runs}, rule {rule}", **of)
    of |= dict(zip(("first", "second"), short_names(_names(comparison, options), WIDEST_NAME), strict=True))
    return _("{config}: {first} and {second} on the same {items}, {runs}, rule {rule}", **of)


def runs_of(comparison: Comparison) -> str:
    """Count the runs of each system; the fewest and the most if they differ."""
    fewest, *others = sorted({system.runs for system in comparison.systems})
    if others:
        return _("{fewest} to {most} runs", fewest=fewest, most=others[-1])
    return _n("{n} run", "{n} runs", fewest)


def _names(comparison: Comparison, options: DisplayOptions) -> list[str]:
    return [options.name(system.label) for system in comparison.systems]


def _fold(text: str, options: DisplayOptions) -> list[str]:
    return in_lines(translated(text), min(options.width, WIDTH)).split("\n")


def gate_lines(judged: Sequence[Judged], options: DisplayOptions) -> list[str]:
    """Write the outcome of a regression check: what was checked, then the systems of each outcome, the worst first."""
    if not judged:
        return []
    first = judged[0]
    of = {"metric": first.metric, "baseline": options.name(first.baseline), "points": first.points}
    checked = _("Regression check of {metric} against {baseline}: not significantly worse", **of)
    if first.points is not None:
        checked = _("Regression check of {metric} against {baseline}: at most {points:g} pp worse", **of)
    lines = [translated(checked)]
    for outcome in sorted(OUTCOMES, key=list(STATUSES).index, reverse=True):
        if names := [options.name(one.label) for one in judged if one.outcome == outcome]:
            lines += [" " + translated(_(OUTCOMES[outcome], names=joined(names)))]
    return [cut(line, WIDTH) for line in lines]


def warning_lines(comparison: Comparison, room: int) -> list[str]:
    """Write the gravest warnings, each in one line; the last line counts the others."""
    named = (recipe_signed(comparison.signature), *comparison.data_warnings)
    warnings = [*[_(DATA[name]) for name in named if name in DATA][:1], *comparison.cautions]
    fitting = max(1, min(WARNINGS, room))
    if len(warnings) > fitting:
        more = len(warnings) - fitting + 1
        warnings = [*warnings[: fitting - 1], _n("{n} more warning: use --full", "{n} more warnings: use --full", more)]
    return [cut(f"! {translated(one)}", WIDTH) for one in warnings]


# Two systems


def _of_two(comparison: Comparison, options: DisplayOptions, metrics: int) -> list[str]:
    whole = [found for found in comparison.found if not found.breakdown]
    found, (one,) = whole[0], whole[0].differences
    shown = [each for each in whole if each.differences[0].value is not None][:metrics]
    lines = [*_fold(_sentence(found, one, options), options), ""]
    lines[0] = _colored(lines[0], decide(one, found.standings[0].value.direction).verdict, options)
    lines += _table_of_two(comparison.config, shown, options) if shown else []
    below = []
    if one.detectable is not None:
        of = {"points": percent(one.detectable, comparison.unit, options.percent_decimals)}
        below.append(_("Minimum detectable difference (80% power): {points} pp", **of))
    if one.depends_on_unparsed and one.bounds is not None:
        low, high = (
            points(end, comparison.unit, options.percent_decimals) for end in (one.bounds.low, one.bounds.high)
        )
        text = _(
            "{dagger} sensitive to unparsed answers: difference between {low} and {high}",
            dagger=DAGGER,
            low=low,
            high=high,
        )
        below.append(text)
    below += [*_unavailable(whole, shown), *_groups_of_two(comparison, found)]
    of_logs = comparison.items is None  # of other tools, whose texts are not read
    below.append(
        _("--full: ranks, groups, methods, signature")
        if of_logs
        else _("--full: ranks, groups, methods, signature; --items FILE: differing items")
    )
    return [*lines, "", *(part for line in below for part in _fold(line, options))]


def _sentence(found: MetricComparison, one: Difference, options: DisplayOptions) -> str:
    direction, unit = found.standings[0].value.direction, found.standings[0].value.unit
    verdict, reasons = decide(one, direction)
    explained = [_(REASONS[reason]) for reason in reasons]
    if one.value is None or direction is None:
        lead = _("UNDECIDED on {metric}.", metric=found.metric)
    elif not one.value:
        lead = _("NO DIFFERENCE FOUND on {metric}. Both systems have the same value.", metric=found.metric)
        explained = []
    else:
        sense = verdict if verdict in {"ahead", "behind"} else "higher" if one.value > 0 else "lower"
        p, decimals = p_value(one.corrected), options.percent_decimals
        low, high = (one.low, one.high) if one.value > 0 else (_negated(one.high), _negated(one.low))
        of = {
            "metric": found.metric,
            "name": cut(options.name(one.label), WIDEST_NAME),
            "points": percent(abs(one.value), unit, decimals),
            "interval": interval_text(low, high, unit, decimals),
            "p": f"p < {p[1:]}" if p.startswith("<") else f"p = {p}",
        }
        lead = _(VERDICTS[verdict, sense], **of)
    return joined([lead, *explained], " ")


def _negated(end: float | None) -> float | None:
    return None if end is None else -end


def _table_of_two(config: str, shown: Sequence[MetricComparison], options: DisplayOptions) -> list[str]:
    one = shown[0].differences[0]
    labels = (one.label, one.other)
    points = difference_names(config)
    rows = [_row_of_two(found, labels, options, in_points=found.metric in points) for found in shown]
    heads = ["%", "", "", *map(translated, TWO_HEADS)]
    shares = {standing.label: percent(standing.unparsed, "percent") for standing in shown[0].standings}
    unparsed, of_items = translated(pgettext("heads", "unparsed")), translated(pgettext("heads", "of the items"))
    rows.append([unparsed, *(shares[label] for label in labels), of_items, "", ""])
    wide = _room_for_two([heads, *rows])
    if wide < NARROWEST_NAME:  # --full has the last column
        heads, rows = heads[:-1], [row[:-1] for row in rows]
        wide = _room_for_two([heads, *rows])
    heads[1:3] = short_names([options.name(label) for label in labels], min(WIDEST_NAME, wide))
    return aligned([heads, *rows], LEFT_OF_TWO)


def _room_for_two(rows: Sequence[Sequence[str]]) -> int:
    """Return the columns that are left for each of the two names."""
    taken = sum(max(cell_len(row[place]) for row in rows) for place in (1, 2))
    return (WIDTH - max(map(cell_len, aligned(rows, LEFT_OF_TWO))) + taken) // TWO


LEFT_OF_TWO = (0, 3)


TWO_HEADS = (
    pgettext("heads", "difference [95% CI]"),
    pgettext("heads", "adj. p"),
    pgettext("heads", "won/lost/tied"),
)


def _row_of_two(
    found: MetricComparison, labels: Sequence[str], options: DisplayOptions, *, in_points: bool
) -> list[str]:
    standings = {standing.label: standing.value for standing in found.standings}
    (one,), unit = found.differences, found.standings[0].value.unit
    interval = interval_text(one.low, one.high, unit, options.percent_decimals)
    change = f"{points(one.value, unit, options.percent_decimals)} {interval}{f' {DAGGER}' * one.depends_on_unparsed}"
    values = [percent(standings[label].value, unit, options.percent_decimals) for label in labels]
    return [metric_name(found) + " (pp)" * in_points, *values, change, p_value(one.corrected), outcomes(one)]


def _unavailable(whole: Sequence[MetricComparison], shown: Sequence[MetricComparison]) -> Iterator[str]:
    """Name the metrics without a value, with the reason of the first, and those that the screen leaves to --full."""
    lacking = [found for found in whole if all(standing.value.value is None for standing in found.standings)]
    if lacking:
        reason = next((one.value.unavailable_reason for one in lacking[0].standings), None) or ""
        of = {"names": joined(found.metric for found in lacking[:TWO]), "reason": pgettext(None, reason)}
        if more := len(lacking[TWO:]):
            yield _("{names} and {more} more: not available: {reason}", more=more, **of)
        else:
            yield _("{names}: not available: {reason}", **of)
    if others := [found.metric for found in whole if found not in shown and found not in lacking]:
        yield _("Other metrics (use --full): {names}", names=joined(others))


GROUPS = 3


def _groups_of_two(comparison: Comparison, first: MetricComparison) -> Iterator[str]:
    """Write the largest differences of the first metric over the groups of each breakdown."""
    of_metric = [found for found in comparison.found if found.breakdown and found.metric == first.metric]
    for breakdown in dict.fromkeys(found.breakdown for found in of_metric):
        groups = [
            (found.group, found.differences[0].value)
            for found in of_metric
            if found.breakdown == breakdown and found.differences[0].value is not None
        ]
        largest = sorted(groups, key=lambda named: -abs(named[1] or 0.0))[:GROUPS]
        listed = [f"{translated_label(breakdown, group)} {points(value, comparison.unit)}" for group, value in largest]
        of = {"breakdown": pgettext("heads", breakdown), "groups": joined(listed), "n_groups": len(groups)}
        yield _("Largest differences among {n_groups} groups by {breakdown}: {groups}", **of)


# Several systems


RANKING_HEADS = (
    pgettext("heads", "rank"),
    pgettext("heads", "system"),
    pgettext("heads", "value"),
    pgettext("heads", "adj. p"),
    pgettext("heads", "unparsed"),
)


def _ranking(comparison: Comparison, options: DisplayOptions, order: Sequence[int], top: int) -> list[str]:
    found = comparison.found[0]
    shown = [found.standings[place] for place in order]
    if len(shown) > top:
        kept = [one for one in shown[top:] if one.label == found.baseline]
        shown = [*shown[: top - len(kept)], *kept]
    title = _("{metric} in %, best first", metric=metric_name(found))
    if found.metric in difference_names(comparison.config):
        title = titled(comparison, found)  # in percentage points; none is best
    more = len(order) - len(shown)
    below = [_n("{n} more system: use --full", "{n} more systems: use --full", more)] if more else []
    return [translated(title), *_ranked_rows(found, shown, options), *map(translated, below)]


def _ranked_rows(found: MetricComparison, shown: Sequence[SystemResult], options: DisplayOptions) -> list[str]:
    differences = {frozenset((one.label, one.other)): one for one in found.differences}
    against = _against(found)
    tied = _alike(found, against, differences)
    rank, system, value, p, unparsed = map(translated, RANKING_HEADS)
    to = pgettext("heads", "to best") if found.baseline is None else pgettext("heads", "to baseline")
    left, rows, width = (0, 1, 4), list[list[str]](), 0
    for wide in BARS:
        ticks = "0" + "50".center(wide - 4) + "100" if wide else ""
        rows = [[rank, system, "", value, ticks, translated(to), p, unparsed]]
        for standing in shown:
            cells = _ranked(standing, against, differences, options, wide)
            cells[2] = "≈" if standing.label in tied else ""
            rows.append(cells)
        width = cell_len(system) + WIDTH - max(map(cell_len, aligned(rows, left)))
        if width >= ROOM_FOR_NAMES:
            break
    names = short_names([options.name(standing.label) for standing in shown], min(WIDEST_NAME, width))
    for row, name in zip(rows[1:], names, strict=True):
        row[1] = name
    return aligned(rows, left)


def _against(found: MetricComparison) -> str | None:
    """Return the baseline, else the best system."""
    return found.baseline or next((one.label for one in found.standings if one.rank == 1), None)


def _ranked(
    standing: SystemResult,
    against: str | None,
    differences: dict[frozenset[str], Difference],
    options: DisplayOptions,
    wide: int,
) -> list[str]:
    value, one = standing.value, differences.get(frozenset((standing.label, against or "")))
    rank = NONE if standing.rank is None else f"{standing.rank} {span(standing.rank_low, standing.rank_high, 0)}"
    change = p = ""
    if one is not None and standing.label != against:
        signed = one.value if one.value is None or one.label == standing.label else -one.value
        change = points(signed, value.unit, options.percent_decimals) + DAGGER * one.depends_on_unparsed
        p = p_value(one.corrected)
    drawn = bar(value.value, value.low, value.high, TOPS[value.unit], wide)
    unparsed = f"{percent(standing.unparsed, 'percent', 0)}%"
    return [rank, "", "", percent(value.value, value.unit, options.percent_decimals), drawn, change, p, unparsed]


def _alike(
    found: MetricComparison, against: str | None, differences: dict[frozenset[str], Difference]
) -> frozenset[str]:
    """Name the systems that do not differ significantly from the best, or from the baseline, and that one."""
    alike = {
        standing.label
        for standing in found.standings
        if (one := differences.get(frozenset((standing.label, against or "")))) is not None
        and one.corrected is not None
        and one.corrected > SIGNIFICANCE
        and standing.label != against
    }
    return frozenset({*alike, against or ""} if alike else ())


def _explained(comparison: Comparison, options: DisplayOptions) -> Iterator[str]:
    found = comparison.found[0]
    tied = _alike(found, _against(found), {frozenset((one.label, one.other)): one for one in found.differences})
    if tied and found.baseline is None:
        yield _("≈ no significant difference from the best (adjusted p > 0.05)")
    if tied and found.baseline is not None:
        baseline = options.name(found.baseline)
        yield _("≈ no significant difference from {baseline} (adjusted p > 0.05)", baseline=baseline)
    if any(one.depends_on_unparsed for one in found.differences):
        yield _("{dagger} sensitive to unparsed answers", dagger=DAGGER)
    yield from _unavailable([one for one in comparison.found if not one.breakdown], [found])
    yield _("--full: intervals, all metrics, groups and pairs, methods, signature")


def _colored(line: str, verdict: Verdict, options: DisplayOptions) -> str:
    """Set the verdict, which is the beginning of the line in capitals, in bold and in color on a terminal."""
    if not options.color:
        return line
    return f"\x1b[1;{STYLES[verdict]}m{line}\x1b[0m"
