"""The first screen of a summary: a regression check first, then the primary metric of each config."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len

from medzh_score.comparison.gate import STATUSES
from medzh_score.comparison.verdict import decide
from medzh_score.render.compare_screen import OUTCOMES as OF_OUTCOME
from medzh_score.render.compare_screen import WIDTH, runs_of
from medzh_score.render.compare_tables import metric_name
from medzh_score.render.display import DAGGER, p_value, points
from medzh_score.render.lines import aligned, cut, short_names
from medzh_score.render.tables import in_lines
from medzh_score.ui.i18n import N_, _, _n, joined, pgettext, translated
from medzh_score.ui.numbers import MISSING, interval_text, percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.comparison.across_configs import Summary
    from medzh_score.comparison.model import Comparison, Outcome
    from medzh_score.comparison.verdict import Verdict
    from medzh_score.render.display import DisplayOptions
    from medzh_score.stats.pairwise import SystemResult


LINES = 30
WARNINGS = 3
ROWS = 12
WITH_INTERVALS = 2  # systems
NARROWEST, WIDEST = 6, 20  # columns of the name of a system
OUTCOMES: dict[Outcome, str] = {
    "pass": N_("Regression check: PASS"),
    "undecided": N_("Regression check: INCONCLUSIVE"),
    "fail": N_("Regression check: FAIL"),
}
VERDICTS: dict[Verdict, str] = {
    "ahead": pgettext("verdict", "ahead"),
    "behind": pgettext("verdict", "behind"),
    "no_difference": pgettext("verdict", "no difference found"),
    "undecided": pgettext("verdict", "undecided"),
}


def summary_screen(summary: Summary, options: DisplayOptions) -> str:
    """Write the first screen of a summary: at most 30 lines of 80 columns."""
    gate = _gate(summary, options)
    rules = joined(dict.fromkeys(column.rule for column in summary.columns))
    of = {
        "systems": _n("{n} system", "{n} systems", len(summary.systems)),
        "configs": _n("{n} config", "{n} configs", len(summary.columns)),
        "rules": rules,
        "runs": joined(dict.fromkeys(map(runs_of, summary.columns))),
    }
    title = _("{systems} on {configs}, primary metrics in %, never averaged; {runs}; rule: {rules}", **of)
    head = [*gate, *in_lines(translated(title), WIDTH).split("\n"), *_warnings(summary)]
    below = [*_missing(summary, options), _("--full: all intervals, differences, warnings and signatures")]
    foot = [cut(translated(line), WIDTH) for line in below]
    table = _table(summary, options)
    room = LINES - len(head) - len(table) - len(foot) - 3
    differences = _differences(summary, options, room) if summary.baseline is not None and room >= LEAST_ROOM else []
    parts = [[cut(line, WIDTH) for line in head], table, differences, foot]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


LEAST_ROOM = 5  # lines of the smallest table of differences


def _gate(summary: Summary, options: DisplayOptions) -> list[str]:
    if not summary.gated:
        return []
    lines = [translated(_(OUTCOMES[summary.outcome]))]
    judged = [(column.config, one) for column in summary.columns for one in column.judged]
    for outcome in reversed(STATUSES):
        names = [f"{config} {options.name(one.label)}" for config, one in judged if one.outcome == outcome]
        if names:
            lines += [" " + translated(_(OF_OUTCOME[outcome], names=joined(names)))]
    return lines


def _warnings(summary: Summary) -> list[str]:
    warned = [
        f"! {column.config}{translated(': ')}{translated(one)}" for column in summary.columns for one in column.cautions
    ]
    samples = [column.config for column in summary.columns if column.data_warnings]
    lines = []
    if samples:
        text = _(
            "not the official benchmark: {configs}. Do not compare with published results", configs=joined(samples)
        )
        if len(samples) == len(summary.columns):
            text = _("no config has official benchmark data: do not compare with published results")
        lines.append(f"! {translated(text)}")
    room = WARNINGS - len(lines)
    if len(warned) > room:
        more = len(warned) - room + 1
        others = translated(_n("{n} more warning: use --full", "{n} more warnings: use --full", more))
        warned = [*warned[: room - 1], f"! {others}"]
    return lines + warned


def _missing(summary: Summary, options: DisplayOptions) -> Iterator[str]:
    named = [(options.name(label), configs) for label, configs in summary.missing.items()]
    if len(named) == 1:
        yield _("{name} has no results on {configs}", name=named[0][0], configs=joined(named[0][1]))
    elif named:
        yield _("no results on some configs: {names}", names=joined(name for name, _unused in named))


def _table(summary: Summary, options: DisplayOptions) -> list[str]:
    """Make configs the rows if all systems fit next to each other, else systems the rows."""
    names = [options.name(label) for label in summary.systems]
    heads = [f"{column.config}  {metric_name(column.found[0])}" for column in summary.columns]
    counts = [_counted(column) for column in summary.columns]
    cells = [
        [_cell(column, label, options, len(names) <= WITH_INTERVALS) for label in summary.systems]
        for column in summary.columns
    ]
    left = max(map(cell_len, heads)) + 2 + max(map(cell_len, counts))
    each = (WIDTH - 1 - left) // len(names) - 2
    if each >= max(NARROWEST, *(cell_len(cell) for row in cells for cell in row)):
        shown = ["", "n", *short_names(names, min(each, WIDEST))]
        return aligned([shown, *([head, n, *row] for head, n, row in zip(heads, counts, cells, strict=True))])
    return _by_system(summary, names, cells)


def _counted(column: Comparison) -> str:
    """Count what is in the denominators of the primary metric; the fewest and the most if systems differ."""
    counts = [one.value.n for one in column.found[0].standings]
    return "–".join(f"{n:,}" for n in sorted({min(counts), max(counts)}))


def _by_system(summary: Summary, names: Sequence[str], cells: Sequence[Sequence[str]]) -> list[str]:
    named = short_names(names, WIDEST)
    rooms = [
        max(6, cell_len(column.found[0].metric) + 2, *map(cell_len, column.config.split("_")))
        for column in summary.columns
    ]
    count, taken = 0, 1 + max(map(cell_len, named))
    while count < len(rooms) and taken + rooms[count] + 2 <= WIDTH:
        taken += rooms[count] + 2
        count += 1
    columns = summary.columns[:count]
    parts = [column.config.split("_", 1) for column in columns]
    heads = [["", *(part[0] for part in parts)], ["", *("".join(part[1:]) for part in parts)]]
    heads.append(["", *(metric_name(column.found[0]) for column in columns)])
    heads.append(["", *(f"n = {_counted(column)}" for column in columns)])
    rows = [[name, *(row[place] for row in cells[:count])] for place, name in enumerate(named)]
    lines = aligned([*(head for head in heads if any(head)), *rows[:ROWS]])
    if len(rows) > ROWS:
        lines.append(
            " " + translated(_n("{n} more system: use --full", "{n} more systems: use --full", len(rows) - ROWS))
        )
    if left := [column.config for column in summary.columns[count:]]:
        lines.append(" " + cut(translated(_("more configs (see --full): {configs}", configs=joined(left))), WIDTH - 1))
    return lines


def _cell(column: Comparison, label: str, options: DisplayOptions, with_interval: bool) -> str:  # noqa: FBT001 - private
    standing = _standing(column, label)
    if standing is None:
        return MISSING
    value = standing.value
    text = percent(value.value, value.unit, options.percent_decimals)
    if with_interval and value.low is not None:
        text += f" {interval_text(value.low, value.high, value.unit, options.percent_decimals)}"
    return text


def _standing(column: Comparison, label: str) -> SystemResult | None:
    return next((one for one in column.found[0].standings if one.label == label), None)


LEFT = (0, 1, 5)  # columns of differences that are aligned to the left


def _differences(summary: Summary, options: DisplayOptions, room: int) -> list[str]:
    """Write the differences to the baseline with the verdict on each."""
    rows = []
    for column in summary.columns:
        found = column.found[0]
        for one in found.differences:
            verdict = decide(one, found.standings[0].value.direction).verdict
            change = points(one.value, column.unit, options.percent_decimals) + DAGGER * one.depends_on_unparsed
            interval = interval_text(one.low, one.high, column.unit, options.percent_decimals)
            p = p_value(one.corrected)
            rows.append(
                [column.config, options.name(one.label), change, interval, p, translated(VERDICTS[verdict], "verdict")]
            )
    heads = ("", "", *map(translated, DIFFERENCE_HEADS))
    bare = [[row[0], "", *row[2:]] for row in (heads, *rows)]
    names = short_names([row[1] for row in rows], min(WIDEST, WIDTH - 2 - max(map(cell_len, aligned(bare, LEFT)))))
    rows = [[row[0], name, *row[2:]] for row, name in zip(rows, names, strict=True)]
    baseline = options.name(summary.baseline or "")
    of = {"baseline": cut(baseline, WIDEST), "family": summary.family}
    title = _("Differences from {baseline}; p adjusted for {family} comparisons", **of)
    shown = rows if len(rows) <= room - 2 else rows[: room - 3]
    lines = [translated(title), *aligned([heads, *shown], LEFT)]
    if len(shown) < len(rows):
        lines.append(
            " "
            + translated(
                _n("{n} more difference: see --full", "{n} more differences: see --full", len(rows) - len(shown))
            )
        )
    return lines


DIFFERENCE_HEADS = (
    pgettext("heads", "pp"),
    "95% CI",
    pgettext("heads", "adj. p"),
    pgettext("heads", "verdict"),
)
