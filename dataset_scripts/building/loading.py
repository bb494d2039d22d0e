"""The proof that ``load_dataset`` gives a build back, in a process of its own: offline, with a throw-away cache.

Where the libraries look for the hub and for their cache is read from the environment when they are imported.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import quotable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from datasets import Dataset
    from pyarrow.parquet import ParquetFile

ROWS = 10_000  # of a block
OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_DATASETS_DISABLE_PROGRESS_BARS": "1",
}


def loading_problems(folder: Path, configs: list[str]) -> list[str]:
    """Load every config of a build with ``load_dataset`` and compare it with the files."""
    with tempfile.TemporaryDirectory(prefix="medzh-check-") as cache:
        command = [sys.executable, "-P", "-m", __name__, str(folder), *configs]
        done = subprocess.run(  # noqa: S603 - this module itself
            command, env=os.environ | apart(Path(cache)), capture_output=True, encoding="utf-8", check=False
        )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return [
            _(
                "load_dataset: the test process ended with exit code {returncode}: {last}",
                returncode=done.returncode,
                last=quotable(last),
            )
        ]
    problems: list[str] = json.loads(done.stdout.splitlines()[-1])
    return problems


def apart(cache: Path) -> dict[str, str]:
    """Return the environment in which the libraries are offline and use a folder as cache."""
    return {**OFFLINE, "HF_HOME": str(cache), "HF_DATASETS_CACHE": str(cache / "datasets"), "PYTHONUTF8": "1"}


def _compare(folder: Path, config: str) -> list[str]:
    """Compare the output of load_dataset with the parquet files in the manifest."""
    from datasets import Features, load_dataset
    from pyarrow import parquet

    from medzh_score.benchmark.registry import data_name
    from medzh_score.data.records import read_manifest

    built = read_manifest(folder)["configs"][config]
    try:
        loaded = load_dataset(str(folder), data_name(config, built["recipe"]))
    except Exception as error:  # noqa: BLE001 - whatever it raises is the finding
        return [_("{config}: load_dataset: {words}", config=config, words=_words(error, built))]
    splits = built["splits"]
    if set(loaded) != set(splits):
        return [
            _(
                "{config}: splits from load_dataset: expected {splits}, found {loaded}",
                config=config,
                loaded=", ".join(loaded),
                splits=", ".join(splits),
            )
        ]
    problems = []
    for split, account in splits.items():
        files = [parquet.ParquetFile(folder / file["path"]) for file in account["files"]]
        if loaded[split].features != Features.from_arrow_schema(files[0].schema_arrow):
            problems.append(
                _(
                    "{config} {split}: the features from load_dataset differ from the features in the files",
                    config=config,
                    split=split,
                )
            )
        if not _equal(loaded[split], files):
            problems.append(
                _(
                    "{config} {split}: the records from load_dataset differ from the records in the files",
                    config=config,
                    split=split,
                )
            )
    return problems


def _words(error: Exception, built: Mapping[str, Any]) -> str:
    """Describe an error of a library; for a private config only its type, because it may quote the data."""
    kind = type(error).__name__
    return kind if "key" in built else f"{kind}: {' '.join(str(error).split())}"


def _equal(loaded: Dataset, files: Sequence[ParquetFile]) -> bool:
    """Compare rows block by block."""
    import pyarrow as pa

    place = 0
    for file in files:
        for batch in file.iter_batches(ROWS, use_threads=False):
            held = loaded.with_format("arrow")[place : place + len(batch)]
            if not held.equals(pa.Table.from_batches([batch])):
                return False
            place += len(batch)
    return place == len(loaded)


def problems_here(folder: Path, configs: Sequence[str]) -> list[str]:
    """Load every config in this process, whose environment is set."""
    from medzh_score.data.records import read_manifest

    problems, entries = [], read_manifest(folder)["configs"]
    for config in configs:
        try:
            problems += _compare(folder, config)
        except Exception as error:  # noqa: BLE001 - a damaged file is a finding, too
            problems.append(
                _(
                    "{config}: the comparison failed: {words}",
                    config=config,
                    words=_words(error, entries.get(config, {})),
                )
            )
    return problems


def _main(folder: str, *configs: str) -> None:
    sys.stdout.write("\n" + json.dumps(problems_here(Path(folder), configs)) + "\n")


if __name__ == "__main__":
    _main(*sys.argv[1:])
