"""Run every benchmark, print one table of their last lines, and write it to results.json, which the manual shows.

    python benchmarks/all.py [NAME ...]

Names choose some of them; what the others gave before stays in results.json.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

from medzh_score.benchmark.config import Table
from medzh_score.render.tables import as_text

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results.json"
NOT_BENCHMARKS = {"all", "timing", "texts", "tcmd_texts", "overlap_texts"} | {
    "reading_accuracy",  # a table of shares, not of seconds
    "reading_peers",
    "ablation",
    "fuzz",  # cases, and no rival
    "kills",
    "killed_command",
}
COLUMNS = ("benchmark", "ours, s", "beside", "its s", "times ours", "bound", "equal")


def main() -> int:
    """Run, print, write, and fail where values differ from a rival's."""
    names = sorted({path.stem for path in HERE.glob("*.py")} - NOT_BENCHMARKS)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="benchmarks to run, all by default")
    chosen = parser.parse_args().names or names
    if unknown := sorted(set(chosen) - set(names)):
        parser.error(f"no benchmark {', '.join(unknown)}: expected some of {', '.join(names)}")
    before = json.loads(RESULTS.read_text(encoding="utf-8"))["benchmarks"] if RESULTS.exists() else []
    found = {line["name"]: line for line in before if line["name"] in names}
    failed = []
    for name in chosen:
        print(f"running {name}", flush=True)
        done = subprocess.run([sys.executable, HERE / f"{name}.py"], check=False, stdout=subprocess.PIPE, text=True)
        if not done.stdout.strip():
            failed.append(name)
            continue
        found[name] = {**json.loads(done.stdout.splitlines()[-1]), "load": round(os.getloadavg()[1], 1)}
        written = {"machine": machine(), "benchmarks": [found[name] for name in sorted(found)]}
        RESULTS.write_text(json.dumps(written, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")
    rows = tuple(row for name in chosen if name in found for row in rows_of(found[name]))
    print(as_text(Table("Benchmarks", COLUMNS, rows), decimals=2))
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 0 if not failed and all(found[name]["equal"] for name in chosen) else 1


def rows_of(line: dict[str, Any]) -> list[tuple[object, ...]]:
    """Give a row for each rival of a benchmark."""
    return [
        (line["name"], line["ours_s"], one["rival"], one["seconds"], one["ratio"], one["bound"], str(line["equal"]))
        for one in line["rivals"]
    ]


def machine() -> dict[str, object]:
    """Say what was measured on."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines() if Path("/proc/cpuinfo").exists() else []
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return {
        "processor": model or platform.processor() or platform.machine(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "python": platform.python_version(),
        "system": platform.system(),
    }


if __name__ == "__main__":
    raise SystemExit(main())
