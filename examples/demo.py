"""What ``make demo`` shows: one report, two systems compared, all open sets, and what comes next.

The answers are those of simulated systems (`simulated.py`): no number is about a model.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from simulated import ANSWERS, CARELESS, CONFIGS, GOOD, SYSTEMS

from dataset_scripts.recipes.open_sets import OPEN
from medzh_score import compare, score
from medzh_score.benchmark.config import Table
from medzh_score.data.records import load_records
from medzh_score.render.compare import rendered as comparison_rendered
from medzh_score.render.display import DisplayOptions
from medzh_score.render.report import rendered
from medzh_score.render.tables import as_text
from medzh_score.results.numbers import cells_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.results.report import Report

SHOWN = "cmhe_hd"
WHAT = (
    "Open data are counterparts of benchmarks, not the benchmarks. The three systems are simulated with a fixed seed."
)
NEXT = """\
Next, your own model. `medzh-score prompts sdak --data open --output prompts.jsonl` writes the prompts. Save each
response as a line {"id": "...", "prediction": "..."}, and call `medzh-score score sdak answers.jsonl --data open`.
The benchmark itself: `medzh-build fetch sdak`, `medzh-build build sdak --recipe official`, and score without --data.
First: `source .venv/bin/activate`.
"""


def file_of(config: str, system: str) -> Path:
    """Name the answers of a system."""
    return ANSWERS / f"{config}-{system}.jsonl"


def overview() -> Table:
    """Set the first metric of every open set, of each system."""
    rows = []
    for config in CONFIGS:
        reports: list[Report] = [score(config, file_of(config, system), OPEN) for system in SYSTEMS]
        primary = reports[0].primary_name
        values = [cells_of(report.metrics[primary]).value for report in reports]
        rows.append((config, len(load_records(OPEN, config).rows), primary, *values))
    title = "Primary metric of each open set"
    return Table(title, ("open set", "records", "metric", *SYSTEMS), tuple(rows))


def page(folder: Path) -> Iterator[str]:
    """Give what is shown, part by part; results are saved in a folder."""
    yield WHAT
    folders = [folder / system for system in (GOOD, CARELESS)]
    for system, place in zip((GOOD, CARELESS), folders, strict=True):
        report = score(SHOWN, file_of(SHOWN, system), OPEN, model=system, save=place, overwrite=True)
    command = f"medzh-score score {SHOWN} examples/answers/{file_of(SHOWN, CARELESS).name} --data open"
    yield f"$ {command} --model {CARELESS}\n\n{rendered(report, 'text')}"
    compared = comparison_rendered(compare(folders), "text", DisplayOptions())
    yield f"$ medzh-score compare {folders[0]} {folders[1]}\n\n{compared}"
    yield as_text(overview(), 2).strip("\n")
    yield NEXT


def main() -> None:
    """Print the parts, an empty line between them."""
    for part in page(Path(sys.argv[1])):
        print(part.rstrip("\n"), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
