"""How every benchmark measures and what it prints: medians of interleaved repeats, one JSON object last."""

from __future__ import annotations

import gc
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence  # noqa: TC003 - scripts are read as they are run
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Rival:
    """What another way of doing the same work takes, how many times ours, and the least of that ratio we keep to."""

    name: str
    seconds: float
    ratio: float
    bound: float | None = None
    note: str = ""


def beside(
    ours: Callable[[], object],
    rivals: Mapping[str, Callable[[], object]],
    repeats: int,
    before: Callable[[], object] = gc.collect,
) -> tuple[float, dict[str, Rival]]:
    """Time ours and each rival in turn; give our median, and each rival's with the median of its ratios to ours."""
    own: list[float] = []
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in rivals}
    for _ in range(repeats):
        before()
        first = seconds(ours)
        own.append(first)
        for name, rival in rivals.items():
            taken[name].append((first, seconds(rival)))
    found = {
        name: Rival(
            name,
            statistics.median(other for _, other in pairs),
            statistics.median(other / first for first, other in pairs),
        )
        for name, pairs in taken.items()
    }
    return statistics.median(own), found


def seconds(work: Callable[[], object]) -> float:
    """Time one call, garbage of earlier ones collected."""
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def interleaved(
    ours: Callable[[], object], rival: Callable[[], object], repeats: int, before: Callable[[], object] = gc.collect
) -> tuple[float, float, float]:
    """Time both in turn; give the medians, and the median of the ratios of neighbours (rival over ours).

    What must be as at the start of a process, such as empty caches, is restored by ``before``, untimed.
    """
    own, found = beside(ours, {"": rival}, repeats, before)
    return own, found[""].seconds, found[""].ratio


def peak_mb(script: str, *arguments: object) -> float:
    """Run a script in a process of its own, and take the MB that it prints last: what its peak rises above imports."""
    command = [sys.executable, script, *map(str, arguments)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return round(float(done.stdout.splitlines()[-1]), 1)


def print_rise(work: Callable[[], object]) -> None:
    """Print by how many MB work raises the peak of this process."""
    before = peak_kilobytes()
    work()
    print((peak_kilobytes() - before) / 1024)


def peak_kilobytes() -> int:
    """Read this process's own peak; what getrusage gives would include the process that started it."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0])


def report(name: str, ours_s: float, rivals: Sequence[Rival], *, equal: bool, **more: object) -> None:
    """Print the result as the last line."""
    line = {
        "name": name,
        "ours_s": round(ours_s, 5),
        "rivals": [
            {
                "rival": one.name,
                "seconds": round(one.seconds, 5),
                "ratio": round(one.ratio, 3),
                "bound": one.bound,
                "note": one.note,
            }
            for one in rivals
        ],
        "equal": equal,
        **more,
    }
    print(json.dumps(line, ensure_ascii=False))
