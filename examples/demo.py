"""What ``make demo`` shows: the sample built, one report, two models compared, all configs, and what comes next."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dataset_scripts.building.samples import build_samples
from dataset_scripts.recipe import dataset_names
from medzh_score import compare, score
from medzh_score.benchmark.tables import Table
from medzh_score.data.hub import MANIFEST
from medzh_score.data.records import read_manifest
from medzh_score.report.numbers import cells_of
from medzh_score.show.comparison.rendering import rendered as comparison_rendered
from medzh_score.show.comparison.showing import Showing
from medzh_score.show.reports import rendered
from medzh_score.show.tables import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.report.report import Report

ROOT = Path(__file__).resolve().parents[1]
ANSWERS = ROOT / "dataset_scripts" / "mini"
# What the build depends on; the samples that come along are made from the same.
MADE_OF = ("dataset_scripts", "medzh_score", "schemas", "cards")
SHOWN = "pemebench_medqa"
# Of configs whose metrics rest on a second stage, on people or on judges: what came back.
ROUNDS = {
    "care_mi": {"correctness": "ratings-correctness.csv", "interpretability": "ratings-interpretability.csv"},
    "cmhe_ce": {"choose": "choose.jsonl"},
    "cmhe_dd": {"codes": "judge-codes.jsonl judge-codes-again.jsonl"},
    "pemebench": {
        "entities": "judge-entities.jsonl",
        "hallucination": "judge-hallucination.jsonl judge-hallucination-again.jsonl",
    },
}
EXPLAINED = "   (how many are right by our rule; `bare` takes a letter alone)"
NEXT = """\
Next, your own model. `medzh-score prompts sdak --data mini --out prompts.jsonl` writes what to ask; save each answer as
a line {"id": "...", "prediction": "..."}; then call `medzh-score score sdak answers.jsonl --data mini`. The benchmark:
`medzh-build fetch sdak`, `medzh-build build sdak --recipe official`, and no --data. First: `source .venv/bin/activate`.
"""


def is_built(build: Path) -> bool:
    """Say whether a build is younger than all that it is made of."""
    manifest = build / MANIFEST
    if not manifest.exists():
        return False
    files = (file for name in MADE_OF for file in (ROOT / name).rglob("*") if "__pycache__" not in file.parts)
    return manifest.stat().st_mtime >= max(file.stat().st_mtime for file in files)


def answers_scored(config: str, build: Path) -> Report:
    """Score the answers that come with a config's sample."""
    folder = ANSWERS / config
    rounds = {name: [folder / file for file in files.split()] for name, files in ROUNDS.get(config, {}).items()}
    return score(config, folder / "predictions.jsonl", str(build), rounds=rounds)


def overview(build: Path) -> Table:
    """Set the first metric of every config beside how much of it was read."""
    rows = []
    for config, entry in read_manifest(build)["configs"].items():
        report = answers_scored(config, build)
        found, coverage = cells_of(report.metrics[report.headline]), report.coverage
        records = sum(split["records"] for split in entry["splits"].values())
        rows.append((config, records, report.headline, found.value, found.interval, found.n, coverage.unread))
    return Table("", ("config", "records", "metric", "value", "95% interval", "n", "unread"), tuple(rows))


def page(build: Path) -> Iterator[str]:
    """Give what is shown, part by part."""
    if is_built(build):
        yield f"{build}: nothing changed since it was built."
    else:
        build_samples(build)
        yield f"{build}: built {len(dataset_names())} configs of hand-written samples, which are not the benchmarks."
    systems = {"model-a": "predictions.jsonl", "model-b": "predictions-second.jsonl"}
    folders = [build.with_name(label) for label in systems]
    for (label, file), folder in zip(systems.items(), folders, strict=True):
        answers = ANSWERS / SHOWN / file
        report = score(SHOWN, answers, str(build), model=label, save=folder, overwrite=True)
    command = f"medzh-score score {SHOWN} {answers.relative_to(ROOT)} --data mini --model {label}"
    yield f"$ {command}{EXPLAINED}\n{rendered(report, 'text')}"
    head, _, differences, *_ = comparison_rendered(compare(folders), "text", Showing()).split("\n\n")
    title = head.partition("\n")[0]
    yield f"$ medzh-score compare {folders[0]} {folders[1]}      (its differences alone)\n{title}\n{differences}"
    yield as_text(overview(build), 2).strip("\n")
    yield NEXT


def main() -> None:
    """Print the parts, an empty line between them."""
    for part in page(Path(sys.argv[1])):
        print(part.rstrip("\n"), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
