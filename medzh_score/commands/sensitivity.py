"""medzh-score sensitivity: a metric under two prompts, by type (the form of SDAK's Figure 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options

if TYPE_CHECKING:
    import argparse

    from medzh_score.benchmark.tables import Table
    from medzh_score.report.sensitivity import Difference, Sensitivity

DESCRIPTION = """\
Compare two reports of the same pairs that differ in the prompt and in nothing else: the metric under each prompt and
the difference, second minus first, over all pairs and by type.
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser("sensitivity", help="compare two prompts", description=DESCRIPTION)
    parser.add_argument("first", metavar="A.json", help="the report of one prompt, as `score --to json` writes it")
    parser.add_argument("second", metavar="B.json", help="the report of the other prompt")
    parser.add_argument("--metric", metavar="NAME", default="FactAcc", help="which metric (default FactAcc)")
    parser.add_argument(
        "--items",
        nargs=2,
        metavar=("A.jsonl", "B.jsonl"),
        help="what `score --items` wrote for each: adds intervals of the differences (FactAcc only)",
    )
    options.add_seed(parser, "the resamples")
    options.add_output(parser, description="form (default: text)")
    options.add_width(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from pathlib import Path

    from medzh_score.files.writing import open_output
    from medzh_score.report.numbers import DECIMALS
    from medzh_score.report.results.report_file import read_report
    from medzh_score.report.sensitivity import compare
    from medzh_score.show.document import document

    found = compare(read_report(Path(arguments.first)), read_report(Path(arguments.second)), arguments.metric)
    if arguments.items:
        from medzh_score.report.sensitivity_interval import with_intervals
        from medzh_score.statistics.values import Bootstrap

        first, second = map(Path, arguments.items)
        found = with_intervals(found, first, second, Bootstrap(seed=arguments.seed))
    if arguments.to == "json":
        content = _as_json(found)
    else:
        heading = f"{found.config}: sensitivity of {found.metric} to the prompt, {found.unit}"
        tables, notes = [_table(found)], _notes(found)
        width = options.width_of(arguments)
        content = document(arguments.to, heading, tables, notes, DECIMALS[found.unit], width).encode()
    with open_output(arguments.out) as stream:
        stream.write(content)
    return 0


def _table(found: Sensitivity) -> Table:
    from medzh_score.benchmark.tables import Table
    from medzh_score.report.numbers import DECIMALS, rounded

    breakdowns = list(dict.fromkeys(row.breakdown for row in found.rows if row.breakdown))
    decimals = DECIMALS[found.unit]

    def label(row: Difference) -> str:
        return (row.group if len(breakdowns) == 1 else f"{row.breakdown}: {row.group}") if row.breakdown else "all"

    def interval(row: Difference) -> list[str | None]:
        if found.interval is None:
            return []
        if row.low is None or row.high is None:
            return [None]
        return [f"{rounded(row.low, decimals)} to {rounded(row.high, decimals)}"]

    head = breakdowns[0] if len(breakdowns) == 1 else "group"
    columns = [head, "n", *found.prompts, "difference", *([] if found.interval is None else ["95% interval"])]
    rows = [(label(row), row.n, row.first, row.second, row.difference, *interval(row)) for row in found.rows]
    return Table(f"{found.metric} under {found.prompts[0]} and {found.prompts[1]}", tuple(columns), tuple(rows))


def _notes(found: Sensitivity) -> list[str]:
    from medzh_score.report.numbers import DECIMALS, cell
    from medzh_score.report.signature import written

    decimals, notes = DECIMALS[found.unit], []
    notes.append(f"difference: {found.prompts[1]} minus {found.prompts[0]}, same pairs")
    if found.largest is not None:
        group, size = found.largest
        notes.append(
            f"over {len(found.defined)} groups: mean difference {cell(found.mean, decimals)}, mean absolute difference "
            f"{cell(found.mean_absolute, decimals)}, largest absolute difference {cell(abs(size), decimals)} ({group})"
        )
    if found.interval is not None:
        notes.append(f"interval of the difference: {found.interval}")
    if found.shown_otherwise:
        notes.append(f"the reports differ in how values are shown ({found.shown_otherwise}): no value moves")
    if any(found.models):
        notes.append(f"model: {' and '.join(dict.fromkeys(model or 'unstated' for model in found.models))}")
    return [*notes, f"signature, but for the prompt: {written(found.signature)}"]


def _as_json(found: Sensitivity) -> bytes:
    from dataclasses import asdict

    import msgspec

    largest = found.largest
    facts = {
        **asdict(found),
        "rows": [{**asdict(row), "difference": row.difference} for row in found.rows],
        "mean_difference": found.mean,
        "mean_absolute_difference": found.mean_absolute,
        "largest_absolute_difference": None if largest is None else {"group": largest[0], "value": abs(largest[1])},
    }
    return msgspec.json.format(msgspec.json.encode(facts), indent=2) + b"\n"
