"""How every benchmark measures and what it prints: medians of interleaved repeats, one JSON object last."""

from __future__ import annotations

import gc
import json
import statistics
import time
from collections.abc import Callable  # noqa: TC003 - scripts are read as they are run


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
    pairs = []
    for _ in range(repeats):
        before()
        pairs.append((seconds(ours), seconds(rival)))
    ratio = statistics.median(rival_s / ours_s for ours_s, rival_s in pairs)
    return statistics.median(pair[0] for pair in pairs), statistics.median(pair[1] for pair in pairs), ratio


def report(  # noqa: PLR0913 - the fields of the line
    name: str, ours_s: float, rival: str, rival_s: float, ratio: float, *, equal: bool, **more: object
) -> None:
    """Print the result as the last line."""
    line = {
        "name": name,
        "ours_s": round(ours_s, 5),
        "rival": rival,
        "rival_s": round(rival_s, 5),
        "ratio": round(ratio, 3),
        "equal": equal,
        **more,
    }
    print(json.dumps(line, ensure_ascii=False))
