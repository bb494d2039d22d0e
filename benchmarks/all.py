"""Run every benchmark and make one table of their last lines."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from medzh_score.benchmark.config import Table
from medzh_score.render.tables import as_text

HERE = Path(__file__).resolve().parent
NOT_BENCHMARKS = {"all.py", "timing.py", "texts.py", "tcmd_texts.py", "overlap_texts.py"} | {
    "reading_accuracy.py",  # a table of shares, not of seconds
    "reading_peers.py",
    "ablation.py",
    "fuzz.py",  # cases, and no rival
    "kills.py",
    "killed_command.py",
}
COLUMNS = ("name", "ours_s", "rival", "rival_s", "ratio", "equal")


def main() -> int:
    """Run, print, and fail where values differ from the rival's."""
    results = []
    for script in sorted(HERE.glob("*.py")):
        if script.name not in NOT_BENCHMARKS:
            print(f"running {script.name}", flush=True)
            done = subprocess.run([sys.executable, script], check=True, stdout=subprocess.PIPE, text=True)
            results.append(json.loads(done.stdout.splitlines()[-1]))
    rows = tuple((*(result[name] for name in COLUMNS[:-1]), str(result["equal"])) for result in results)
    print(as_text(Table("Benchmarks", COLUMNS, rows), decimals=3))
    return 0 if all(result["equal"] for result in results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
