"""How much of what models really write is read, and how rightly: by kind, form and stratum, and beside other tools.

    python benchmarks/reading_accuracy.py [--real FOLDER] [--kind letters] [--show missed] [--markdown]
        [--peer opencompass=PYTHON] [--peer evalscope=PYTHON]

The folder, or ``MEDZH_REAL``, holds labelled outputs as `labels` says; without it the made-up sets are measured alone.
Other tools read the same letters by their own functions: lm-evaluation-harness where it is installed, others by the
interpreter of an environment that has them, and a short reader that knows nothing but a letter behind 答案.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import reading_peers

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "cases"))

import labels
import tallies
from tallies import Judged, Tally

from medzh_score.benchmark.config import Table
from medzh_score.render.tables import as_markdown, as_text
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from labels import Row

COLUMNS = ("", "answers", "right %", "wrong", "invented", "wrong + invented %", "clear %", "clear right %")
PEER_COLUMNS = ("reader", "version", "answers", "right %", "wrong", "invented", "wrong + invented %", "a second")


def line(name: str, tally: Tally) -> tuple[object, ...]:
    """Give a line of a table."""
    unambiguous = (
        100 * tally.unambiguous if tally.given else None,
        100 * tally.clear_right if tally.unambiguous else None,
    )
    return (
        name,
        len(tally.judged),
        100 * tally.right,
        tally.count("wrong"),
        tally.count("invented"),
        100 * tally.not_right,
        *unambiguous,
    )


def table(title: str, parts: Mapping[str, Tally]) -> Table:
    """Make a table of named parts."""
    return Table(title, COLUMNS, tuple(line(name, tally) for name, tally in parts.items()))


def kinds(read: Mapping[str, Sequence[Judged]], title: str) -> list[Table]:
    """Make the first table: a line a kind, MedBench's manner of letters, and what is reported apart."""
    parts = {kind: tallies.whole(found) for kind, found in read.items() if found}
    every = [one for found in read.values() for one in found]
    if prior := [one for one in every if one.row.prior and not one.row.apart]:
        parts["letters, prior300"] = Tally(tuple(prior))
    parts |= tallies.by([one for one in every if one.row.apart], lambda row: f"{row.kind}, {row.part}")
    return [table(title, parts)]


def in_parts(read: Mapping[str, Sequence[Judged]]) -> list[Table]:
    """Make the tables by form, and that of the strata of letters."""
    made = [
        table(f"{kind} by form", tallies.by(tallies.whole(found).judged, lambda row: row.form))
        for kind, found in read.items()
        if found
    ]
    if strata := tallies.strata(read.get("letters", ())):
        made.append(table("letters by model and repository", strata))
        made.append(table("letters by model family", tallies.families(read["letters"])))
    return made


def peers(rows: Sequence[Row], ours: Sequence[Judged], others: Sequence[str]) -> Table:
    """Read the same letters by other tools."""
    start = time.process_time()
    for row in rows:
        labels.read(row)
    own = len(rows) / (time.process_time() - start)
    found = [("medzh-1", VERSION, tallies.whole(ours), own)] if ours else []
    jobs = [(row.text, row.options or (), row.several) for row in rows]
    read = reading_peers.peers(jobs, others)
    found += [
        (peer.name, peer.version, tallies.of_values(rows, peer.values), len(rows) / peer.seconds) for peer in read
    ]
    lines = tuple((name, version, *line(name, tally)[1:6], round(speed)) for name, version, tally, speed in found)
    return Table("The same letters, read by others", PEER_COLUMNS, lines)


def judge(rows: Mapping[str, Sequence[Row]]) -> dict[str, list[Judged]]:
    """Read all kinds; one whose function lacks is passed over."""
    read: dict[str, list[Judged]] = {}
    for kind, of_kind in rows.items():
        for grouped in (False, True):
            try:
                found = tallies.judge(row for row in of_kind if (row.part == labels.GROUP) is grouped)
                read.setdefault(kind, []).extend(found)
            except ImportError as lacking:
                print(f"{kind}: {lacking}", file=sys.stderr)
    return read


def show(read: Mapping[str, Sequence[Judged]], outcome: str) -> None:
    """Print the rows with an outcome, for those who mend the rules."""
    for one in (one for found in read.values() for one in found if one.outcome == outcome):
        row = one.row
        labeled = f"label {row.label!r} alt {row.alt!r}"
        print(f"=== {row.id} [{row.kind}, {row.form}] {labeled} extracted {one.value!r} ({one.reason})")
        print(*([f"    question: …{row.question[-200:]!r}"] if row.question else []), sep="\n")
        if row.options:
            print(f"    options: {row.options}, {'several' if row.several else 'one'}")
        print(row.text)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--real", default=os.environ.get("MEDZH_REAL"), help="folder of labelled real outputs")
    parser.add_argument("--kind", choices=labels.KINDS, action="append", help="of all, measure this kind")
    parser.add_argument("--show", choices=labels.OUTCOMES, help="print the rows with this outcome instead of tables")
    parser.add_argument("--made-up", action="store_true", help="show the made-up rows too")
    parser.add_argument("--markdown", action="store_true", help="print the tables in Markdown")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=PYTHON", help="another tool's interpreter")
    return parser.parse_args()


def main() -> None:
    """Measure and print."""
    given = arguments()
    chosen = given.kind or labels.KINDS
    real = {kind: rows for kind, rows in (labels.real_rows(Path(given.real)) if given.real else {}).items() if rows}
    real, made_up = ({kind: rows[kind] for kind in chosen if kind in rows} for rows in (real, labels.made_up_rows()))
    read = judge(real)
    if given.show:
        show(read, given.show)
        if given.made_up:
            show(judge(made_up), given.show)
        return
    tables = [*kinds(read, "Real outputs"), *kinds(judge(made_up), "Made-up answers"), *in_parts(read)]
    if "letters" in real:
        letters = [row for row in real["letters"] if not row.apart]
        tables.append(peers(letters, read.get("letters", ()), given.peer))
    for made in tables:
        print(as_markdown(made, decimals=1) if given.markdown else as_text(made, decimals=1), end="\n\n")


if __name__ == "__main__":
    main()
