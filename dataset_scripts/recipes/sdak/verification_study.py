"""SDAK's manual verification: does the evidence that a search finds support the factual claims? (Table 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataset_scripts.recipes.sdak.types import TYPES, find_type
from dataset_scripts.study import Drawn, Study, Tally, filled_rows, raters_note
from medzh_score.benchmark.draws import draw_first
from medzh_score.benchmark.tables import Table
from medzh_score.data.records import load_records
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

SAMPLE = 50
EVIDENCE = 10
VERDICTS = ("support", "neutral", "refute")


def draw(data: Path, sample: int, seed: int) -> Drawn:
    """Draw factual claims of each type, 50 in the paper (SDAK, section 3.3); the order of records does not matter."""
    records = load_records(data, "sdak", columns=("id", "type", "polarity", "claim"))
    factual = [record for record in records.rows if record["polarity"] == "factual"]
    rows, notes = [], [f"drawn from {records.origin}"]
    for name in _ordered(record["type"] for record in factual):
        pool = [record for record in factual if record["type"] == name]
        drawn = draw_first(pool, lambda record: str(record["id"]), sample, seed)
        rows += [{"id": record["id"], "type": name, "claim": record["claim"]} for record in drawn]
        if len(pool) < sample:
            notes.append(f"{name}: the build has {len(pool)} of {sample} factual claims")
    return Drawn(tuple(rows), tuple(notes))


def tally(sheet: Path) -> Tally:
    """Count the verdicts of each type in the form of Table 3 (SDAK, section 3.3), with percentages of all rated.

    They are None where none is rated; unrated claims are counted in the notes.
    """
    rows = filled_rows(sheet, ("id", "type", "verdict"))
    counts: dict[str, dict[str, int]] = {}
    for number, row in rows:
        verdict = row["verdict"].lower()
        if verdict and verdict not in VERDICTS:
            expected = " or ".join(VERDICTS)
            raise MedzhError(
                "is no verdict", file=sheet, line=number, field="verdict", expected=expected, found=row["verdict"]
            )
        of_type = counts.setdefault(find_type(row["type"]).name, dict.fromkeys((*VERDICTS, ""), 0))
        of_type[verdict] += 1
    total = {verdict: sum(of_type[verdict] for of_type in counts.values()) for verdict in (*VERDICTS, "")}
    rated = sum(total[verdict] for verdict in VERDICTS)
    lines: list[tuple[str | int | float | None, ...]] = [
        (name, *(counts[name][verdict] for verdict in VERDICTS)) for name in _ordered(counts)
    ]
    lines.append(("Total", *(total[verdict] for verdict in VERDICTS)))
    lines.append(("Percentage", *(100 * total[verdict] / rated if rated else None for verdict in VERDICTS)))
    unrated = [f"{name} {counts[name]['']}" for name in _ordered(counts) if counts[name][""]]
    by_type = f" ({', '.join(unrated)})" if unrated else ""
    notes = (f"{total['']} of {len(rows)} claims are not rated and not counted{by_type}", raters_note(rows, "verdict"))
    table = Table("Manual verification of factual claims", ("Atomic Type", *VERDICTS), tuple(lines))
    return Tally(table, notes, 2)


def _ordered(names: Iterable[str]) -> list[str]:
    """Sort types as Table 3 does, others behind them by name."""
    order = [kind.name for kind in TYPES]
    return sorted(set(names), key=lambda name: (order.index(name) if name in order else len(order), name))


STUDY = Study(
    name="verification",
    summary="50 factual claims of each type, to be judged by the first ten results of a search: Table 3",
    needs="data",
    source="a build folder with the config sdak",
    sample=SAMPLE,
    columns=(
        "id",
        "type",
        "claim",
        *(f"evidence_{number}" for number in range(1, EVIDENCE + 1)),
        "verdict",
        "rater",
    ),
    draw=draw,
    tally=tally,
)
