"""A board of 300 models on 10 configs: how long it takes, the second time when one result changed, and how large it is.

Results are written as scoring writes them, of statistics drawn at random: each item of a model has the row of some item
of the config's sample. `ours_s` is the first build and `again_s` the second; the rival is a build of the changed config
and all pages from nothing. `equal` says whether the second build left the bytes of a build from nothing, and whether
sizes and times are within their bounds: 5 MB for the overview and the pages of configs, 60 s, 5 s. `--cpu` sets the
time of processors against these bounds, for a machine that others use.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import timing

from medzh_score.benchmark.answers import answer, answer_table
from medzh_score.benchmark.items import ItemIndex
from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.data.records import load_records
from medzh_score.readers.files import PredictionFiles
from medzh_score.results.folder import save
from medzh_score.results.report import RuleResult
from medzh_score.results.result import Result
from medzh_score.results.tables import RuleArtifacts, ScoringArtifacts
from medzh_score.scoring.pipeline import score
from medzh_score.stats.sums import TOTAL
from medzh_score.stats.values import Bootstrap, breakdowns, values

if TYPE_CHECKING:
    from collections.abc import Sequence


ITEMS, SEED = 200, 20261123
MINI = Path(__file__).resolve().parent.parent / "dataset_scripts" / "mini"
MB, FIRST, AGAIN = 5.0, 60.0, 5.0  # bounds: size, seconds of the first build and of the second


@cache
def sample(config: str) -> Result:
    """Score a config's sample, and read the result back."""
    predictions = MINI / config / "predictions.jsonl"
    report = score(config, predictions, load_records("mini", config), bootstrap=0)
    folder = Path(tempfile.mkdtemp())
    try:
        report.save(folder / "sample")
        return Result.load(folder / "sample")
    finally:
        shutil.rmtree(folder)


def write_result(folder: Path, config: str, model: int, seed: int = SEED) -> None:
    """Write the result of a model, the later the less often as the sample's."""
    base, found = sample(config), find_config(config)
    draw = np.random.default_rng((seed, model, *config.encode()))
    places = np.arange(ITEMS) % len(base.layout.items)
    groups = {name: [labels[place] for place in places] for name, labels in base.layout.groups.items()}
    numbers = np.arange(ITEMS)
    layout = ItemIndex(
        tuple(f"item-{number:04}" for number in numbers), numbers[:, None], numbers, groups, base.layout.orders
    )
    other = draw.random(ITEMS) < model / 600
    rows = np.where(other, draw.integers(0, len(base.layout.items), ITEMS), places)
    statistics = {rule: counts[rows] for rule, counts in base.statistics.items()}
    by_rule = values(layout, np.stack([*statistics.values()]), found.metrics, bootstrap=Bootstrap(0), unit=found.unit)
    results = {name: RuleResult(of[TOTAL], breakdowns(of), {}) for name, of in zip(statistics, by_rule, strict=True)}
    report = base.report.with_changes(
        results=results,
        signature={**base.report.signature, "items": str(ITEMS)},
        model=f"model-{model:03}",
        coverage=replace(base.report.coverage, expected=ITEMS, read=ITEMS),
    )
    answers = answer_table(
        {(run, 0): [answer("drawn", "drawn")] * ITEMS for run in base.runs}, np.ones((ITEMS, 1), bool), {}
    )
    rules = {name: RuleArtifacts(None, answers, counts) for name, counts in statistics.items()}
    basis = ScoringArtifacts(config, layout, layout.items, rules, (), PredictionFiles(()))
    save(folder, report.as_json(), basis, overwrite=True, texts="none")


class Made(NamedTuple):
    """A result that is to be written."""

    folder: Path
    config: str
    model: int


def write(made: Made) -> None:
    """Write one."""
    write_result(made.folder, made.config, made.model)


class Taken(NamedTuple):
    """Seconds on the clock and of processors."""

    wall: float
    cpu: float


def build(results: Sequence[Path], site: Path) -> Taken:
    """Build a board, as the command does."""
    before, start = timing_of_children(), time.perf_counter()
    words = [sys.executable, "-m", "medzh_score", "board", *map(str, results), "-o", str(site), "--quiet"]
    subprocess.run(words, check=True)
    return Taken(time.perf_counter() - start, timing_of_children() - before)


def timing_of_children() -> float:
    """Give the seconds that processes that have ended took of processors."""
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def contents(site: Path) -> dict[str, bytes]:
    """Read all of a board."""
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in sorted(site.rglob("*")) if path.is_file()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=int, default=300, help="how many models")
    parser.add_argument("--cpu", action="store_true", help="bound the time of processors, not that of the clock")
    parser.add_argument("--keep", metavar="FOLDER", help="where results and boards are left")
    given = parser.parse_args()
    folder = Path(given.keep or tempfile.mkdtemp())
    try:
        configs = config_names()
        made = [
            Made(folder / "results" / f"{config}-{model:03}", config, model)
            for config in configs
            for model in range(given.models)
        ]
        with ProcessPoolExecutor() as processes:
            list(processes.map(write, made, chunksize=given.models))
        folders, site, whole = [one.folder for one in made], folder / "site", folder / "whole"
        first = build(folders, site)
        changed = made[given.models - 1]  # the first is the sample whatever is drawn
        write_result(changed.folder, changed.config, changed.model, SEED + 1)
        again = build(folders, site)
        scratch = build(folders, whole)
        found = contents(site)
    finally:
        same = contents(folder / "whole") == contents(folder / "site")
        if not given.keep:
            shutil.rmtree(folder)
    pages = [content for name, content in found.items() if name == "index.html" or name.startswith("configs/")]
    size = sum(map(len, pages)) / 1e6
    seconds = [one.cpu if given.cpu else one.wall for one in (first, again)]
    timing.report(
        "boards",
        first.wall,
        [timing.Rival("from nothing", scratch.wall, scratch.wall / first.wall)],
        equal=same and size <= MB and seconds[0] <= FIRST and seconds[1] <= AGAIN,
        again_s=round(again.wall, 2),
        cpu_s=[round(first.cpu, 2), round(again.cpu, 2)],
        mb=round(size, 2),
        whole_mb=round(sum(map(len, found.values())) / 1e6, 1),
        files=len(found),
    )


if __name__ == "__main__":
    main()
