"""How building and checking grow with the number of records: made ones of TCMD, at three sizes.

Each build and each check is a process of its own, as a user starts it; its seconds are those of the processor, for
machines are busy, and its memory is the highest that it or a process that it started held. Ten times the records may
take ten times as long; the last line has the largest size, and ten times what the middle one took as its rival.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import timing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MINI = Path(__file__).resolve().parents[1] / "dataset_scripts" / "mini" / "tcmd" / "TCMD.jsonl"
SIZES = (5_000, 50_000, 500_000)
SEED = 0
TRAIN = 4  # of five groups, as many as the paper has
MOST_SECONDS = {"build": 110.0, "check": 40.0}  # at 500,000 records; of fewer the share
MOST_MB = 1_000.0
MOST_TIMES = 12.0  # for ten times the records


@dataclass(frozen=True)
class Cost:
    """What one command took: seconds of the processor, and the highest memory in MB."""

    command: str
    records: int
    seconds: float
    mb: float

    @property
    def holds(self) -> bool:
        """Whether it keeps both bounds."""
        return self.mb <= MOST_MB and self.seconds <= MOST_SECONDS[self.command] * max(self.records / SIZES[-1], 0.1)


def groups() -> list[list[dict[str, Any]]]:
    """Give the groups of the sample, whose questions the made ones are."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in MINI.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found[row["group_id"]].append(row)
    return list(found.values())


def made(records: int) -> Iterator[dict[str, Any]]:
    """Make rows of the interchange form: a drawn group of the sample, whose texts bear the number of the new one."""
    sample, rows, number = groups(), 0, 0
    while rows < records:
        digest = hashlib.sha256(f"{SEED}:{number}".encode()).digest()
        drawn = sample[int.from_bytes(digest[:4], "big") % len(sample)]
        split = "train" if digest[4] % 5 < TRAIN else "test"
        for row in drawn:
            stem = row["stem"] and f"{row['stem']}（{number}）"
            question = f"{row['question']}（{number}）"
            yield {**row, "group_id": f"made-{number}", "split": split, "stem": stem, "question": question}
        rows, number = rows + len(drawn), number + 1


def measured(command: str, records: int, *arguments: object) -> Cost:
    """Run a command in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dataset_scripts", command, *map(str, arguments)], stdout=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} of {records:,} records ended with status {process.returncode}")
    return Cost(command, records, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def costs(sizes: Sequence[int], folder: Path) -> Iterator[Cost]:
    """Build and check made records of each size."""
    for records in sizes:
        source, out = folder / f"{records}.jsonl", folder / f"build-{records}"
        with source.open("w", encoding="utf-8") as stream:
            stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in made(records))
        build = ("tcmd", "--recipe", "official", "--source", source, "--output", out)
        for cost in (measured("build", records, *build), measured("check", records, out)):
            print(f"{cost.records:>9,} records: {cost.command} {cost.seconds:7.1f} s {cost.mb:7.0f} MB", flush=True)
            yield cost


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, nargs="+", default=SIZES, help="how many, in ascending order")
    given = parser.parse_args()
    with TemporaryDirectory(prefix="medzh-scale-") as folder:
        found = {(cost.command, cost.records): cost for cost in costs(given.records, Path(folder))}
    largest, before = given.records[-1], given.records[-2:][0]
    build, check = found["build", largest], found["check", largest]
    scale = largest / before
    times = [found[command, largest].seconds / found[command, before].seconds for command in MOST_SECONDS]
    linear = max(times) <= scale * MOST_TIMES / 10
    timing.report(
        "build_scale",
        build.seconds,
        [
            timing.Rival(
                f"{before:,} records, times {scale:g}",
                found["build", before].seconds * scale,
                found["build", before].seconds * scale / build.seconds,
            )
        ],
        equal=linear and all(cost.holds for cost in found.values()),
        records=largest,
        build_mb=round(build.mb),
        check_s=round(check.seconds, 1),
        check_mb=round(check.mb),
        times=[round(one, 1) for one in times],
    )


if __name__ == "__main__":
    main()
