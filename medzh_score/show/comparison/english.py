"""Caption and methods in English."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.show.comparison.cells import DAGGER, UNREAD_DECIMALS, number
from medzh_score.show.comparison.facts import facts_of, listed_decoding

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from medzh_score.report.comparison.comparison import Comparison
    from medzh_score.report.comparison.summary import Summary
    from medzh_score.show.comparison.facts import Facts, Family
    from medzh_score.show.comparison.showing import Showing

BOLD = "Bold: the best value."
ALIKE = "≈: not told apart from the best by the corrected test."
PRINTED = "Rows that stand apart are printed in a paper: another sample, another rule, not tested."
TESTS = {
    "randomisation": "an approximate randomisation test",
    "mcnemar mid-p": "McNemar's test (mid-p)",
    "randomised tukey": "the randomised Tukey test",
}


def caption(comparison: Comparison, facts: Facts, showing: Showing) -> list[str]:
    """Name what is shown, and how it was found: test, correction, family, n, rule, share unread, decoding."""
    by = f", by {' and '.join(facts.breakdowns)}" if facts.breakdowns else ""
    return [
        f"{_and(facts.metrics)} ({comparison.unit}){by}, of {len(comparison.systems)} systems.",
        f"{_counted(comparison, facts)}.",
        f"Read by rule {_rule(comparison)}{_beside(facts)}.",
        f"Intervals are 95 %: {_intervals(comparison, facts)}.",
        *_tested(comparison, facts, showing),
        *([f"Unread: {_unread(facts)} of what is counted of a system."] if facts.unread else []),
        *_asked(comparison, facts, showing),
        *([dagger(facts, showing)] if facts.depends else []),
    ]


def dagger(facts: Facts, showing: Showing) -> str:
    """Explain the dagger."""
    to = "" if facts.baseline is None else f" to {showing.name(facts.baseline)}"
    return f"{DAGGER}: depends on unread answers, which may turn the sign of the difference{to}."


def methods(comparison: Comparison, facts: Facts, showing: Showing) -> str:
    """Describe for a paper what was done."""
    decimals = showing.decimals(comparison.unit)
    found = [f"{_range(ends, decimals)} ({metric})" for metric, ends in facts.detectable.items()]
    turned = f"differences whose sign they may turn are marked {DAGGER}" if facts.depends else "they turn no sign"
    sentences = [
        f"We compared {len(comparison.systems)} systems on {_counted(comparison, facts)}.",
        f"Answers were read by rule {_rule(comparison)}{_version(comparison)}.",
        f"{_and(facts.metrics)} are given with 95 % intervals: {_intervals(comparison, facts)}.",
        *_tested_in_full(comparison, facts, showing),
        "Ranks have 95 % intervals from the same resamples." if comparison.bootstrap else "",
        f"In 80 of 100 cases the comparison would find a difference of {'; '.join(found)}." if found else "",
        f"What the rule could not read ({_unread(facts)} of what is counted) counts as not right; {turned}."
        if facts.unread
        else "",
        *_asked(comparison, facts, showing),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _tested_in_full(comparison: Comparison, facts: Facts, showing: Showing) -> list[str]:
    if not facts.tests:
        return []
    tests, corrected = _tests(facts), _corrected(facts)
    swaps = f" ({_counts(facts.swaps)} draws, seed {comparison.seed})" if facts.swaps else ""
    return [
        f"We compared {_whom(facts, showing)} two-sided and paired by unit, with {tests}{swaps}.",
        f"p values were corrected for multiple comparisons {corrected}.",
    ]


def summary_caption(summary: Summary, showing: Showing) -> list[str]:
    """Name the headline of each config and how it was found; the correction over all configs."""
    columns = []
    for column in summary.columns:
        facts = facts_of(column)
        columns.append(
            f"{_named(column)}: {_and(facts.metrics)} ({column.unit}), {_n(facts)}, rule "
            f"{_rule(column)}{_beside(facts)}, unread {_unread(facts)}, intervals {_values(column, facts)}"
        )
    sentences = [f"Brackets: 95 % intervals. {'; '.join(columns)}."]
    every = [facts_of(column) for column in summary.columns]
    if summary.baseline is not None:
        baseline = showing.name(summary.baseline)
        tests = dict.fromkeys(TESTS[test] for facts in every for test in facts.tests)
        swaps = sorted({count for facts in every for count in facts.swaps})
        drawn = f", {_counts(dict.fromkeys(swaps[:1] + swaps[-1:]))} draws, seed {summary.columns[0].seed}"
        how = f"two-sided, paired by unit, {'; '.join(tests)}{drawn if swaps else ''}; " if tests else ""
        sentences.append(f"Differences to {baseline}: {how}p corrected by Holm, one family of {summary.family:,}.")
    sentences += [dagger(facts, showing) for facts in every if facts.depends][:1]
    return sentences


def _tested(comparison: Comparison, facts: Facts, showing: Showing) -> list[str]:
    if not facts.tests:
        return []
    swaps = f", {_counts(facts.swaps)} draws, seed {comparison.seed}" if facts.swaps else ""
    return [
        f"Significance ({_whom(facts, showing)}): two-sided, paired by unit, {_tests(facts)}{swaps}.",
        f"p values are corrected for multiple comparisons {_corrected(facts)}.",
    ]


def _whom(facts: Facts, showing: Showing) -> str:
    if facts.baseline is not None:
        return f"each system with {showing.name(facts.baseline)}"
    return "all pairs of systems"


def _tests(facts: Facts) -> str:
    return "; ".join(TESTS[test] + _of(metrics) for test, metrics in facts.tests.items())


def _corrected(facts: Facts) -> str:
    return "; ".join(_family(family) + _of(metrics) for family, metrics in facts.families.items())


def _family(family: Family) -> str:
    how = "by Holm" if family.correction == "holm" else "by the largest difference of each draw (randomised Tukey)"
    return f"{how}, a family of {family.size:,}"


def _intervals(comparison: Comparison, facts: Facts) -> str:
    resampled = "the same bootstrap" if "bootstrap" in facts.intervals else _resamples(comparison)
    kinds = {"tango": "Tango's score interval, exact where fewer than ten units differ", "bootstrap": resampled}
    alike = "; ".join(kinds[kind] + _of(metrics) for kind, metrics in facts.of_differences.items())
    return _values(comparison, facts) + (f"; of differences {alike}" if alike else "")


def _values(comparison: Comparison, facts: Facts) -> str:
    kinds = {"wilson": "Wilson's", "bootstrap": _resamples(comparison)}
    return "; ".join(kinds[kind] + _of(metrics) for kind, metrics in facts.intervals.items()) or "none"


def _resamples(comparison: Comparison) -> str:
    return f"percentile bootstrap over units, {comparison.bootstrap:,} resamples, seed {comparison.seed}"


def _asked(comparison: Comparison, facts: Facts, showing: Showing) -> list[str]:
    lines = [f"Decoding: {listed_decoding(facts, showing)}."]
    if comparison.allowed:
        lines.append(f"The systems differ in {_and(comparison.allowed)}, as was allowed.")
    if comparison.left_out:
        lines.append(f"{comparison.left_out:,} units that a system lacks are left out.")
    return lines


def _counted(comparison: Comparison, facts: Facts) -> str:
    return f"{comparison.units:,} units of {_named(comparison)}, {_n(facts)}"


def _n(facts: Facts) -> str:
    """Say how many items each value is of, which may be fewer than the units have."""
    return "n = " + ", ".join(f"{_counts(ends)} items{_of(metrics)}" for ends, metrics in facts.counted.items())


def _unread(facts: Facts) -> str:
    return f"{_range(facts.unread, UNREAD_DECIMALS)} %"


def _range(ends: Sequence[float], decimals: int) -> str:
    return " to ".join(dict.fromkeys(number(end, decimals) for end in ends))


def _counts(ends: Iterable[int]) -> str:
    return " to ".join(f"{end:,}" for end in ends)


def _of(metrics: Sequence[str]) -> str:
    return f" ({', '.join(metrics)})" if metrics else ""


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _named(comparison: Comparison) -> str:
    data = comparison.signature.get("data")
    return f"{comparison.config} ({data})" if data else comparison.config


def _rule(comparison: Comparison) -> str:
    return comparison.signature.get("rule", comparison.rule)


def _beside(facts: Facts) -> str:
    return f" (beside it the values by {_and(facts.beside)}, which are not compared)" if facts.beside else ""


def _version(comparison: Comparison) -> str:
    version = comparison.signature.get("medzh_score")
    return f" of medzh-score {version}" if version else ""
