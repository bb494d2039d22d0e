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

OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_DATASETS_DISABLE_PROGRESS_BARS": "1",
}


def loading_problems(folder: Path, configs: list[str]) -> list[str]:
    """Load every config of a build with ``load_dataset`` and compare it with the files."""
    with tempfile.TemporaryDirectory(prefix="medzh-check-") as cache:
        places = {"HF_HOME": cache, "HF_DATASETS_CACHE": str(Path(cache) / "datasets"), "PYTHONUTF8": "1"}
        command = [sys.executable, "-P", "-m", __name__, str(folder), *configs]
        done = subprocess.run(  # noqa: S603 - this module itself
            command, env={**os.environ, **OFFLINE, **places}, capture_output=True, encoding="utf-8", check=False
        )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return [f"load_dataset: the process that tried it ended with status {done.returncode}: {last}"]
    problems: list[str] = json.loads(done.stdout.splitlines()[-1])
    return problems


def _compare(folder: Path, config: str) -> list[str]:
    """Say how what load_dataset gives differs from the parquet files that the manifest names."""
    from datasets import Features, load_dataset
    from pyarrow import parquet

    from medzh_score.benchmark.registry import data_name
    from medzh_score.data.records import read_manifest

    built = read_manifest(folder)["configs"][config]
    try:
        loaded = load_dataset(str(folder), data_name(config, built["recipe"]))
    except Exception as error:  # noqa: BLE001 - whatever it raises is the finding
        return [f"{config}: load_dataset: {type(error).__name__}: {' '.join(str(error).split())}"]
    splits = built["splits"]
    if set(loaded) != set(splits):
        return [f"{config}: load_dataset gives the splits {', '.join(loaded)}; expected {', '.join(splits)}"]
    problems = []
    for split, account in splits.items():
        tables = [parquet.ParquetFile(folder / file["path"]).read() for file in account["files"]]
        if loaded[split].features != Features.from_arrow_schema(tables[0].schema):
            problems.append(f"{config} {split}: load_dataset gives other features than the files hold")
        if loaded[split].to_list() != [row for table in tables for row in table.to_pylist()]:
            problems.append(f"{config} {split}: load_dataset gives other records than the files hold")
    return problems


def _main(folder: str, *configs: str) -> None:
    problems = []
    for config in configs:
        try:
            problems += _compare(Path(folder), config)
        except Exception as error:  # noqa: BLE001 - a damaged file is a finding, too
            problems.append(f"{config}: cannot be compared: {' '.join(str(error).split())}")
    sys.stdout.write("\n" + json.dumps(problems) + "\n")


if __name__ == "__main__":
    _main(*sys.argv[1:])
