"""How many answers a second are read on one core, beside the rules of a former commit, on what models really wrote.

    python benchmarks/reading_speed.py --real FOLDER [--commit 103b6e7]

The former rules are taken out of git into a temporary folder, and run in a process of their own with the same
interpreter, in turn with ours; each repeat starts with empty caches, and reads every text once before any is read
again. Without real outputs (``MEDZH_REAL``) the made-up sets are read. Texts that the former rules cannot take (more
than eight options, none) are left out for both.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).resolve()
ROOT = HERE.parents[1]
COMMIT, REPEATS = "103b6e7", 7
LEAST = {"letters": 2.0, "verdict": 1.0, "yes_no": 1.0, "diagnosis": 1.0, "score": 1.0}
MOST_OPTIONS = 8
FORMER = {"letters": "option_letters"}


def jobs(folder: str | None) -> dict[str, list[dict[str, Any]]]:
    """Give what is read of each kind, as plain values that both processes understand."""
    sys.path.insert(0, str(ROOT / "tests" / "cases"))
    import labels

    rows = labels.real_rows(Path(folder)) if folder else labels.made_up_rows()
    return {
        kind: [
            {
                "text": row.text,
                "options": row.options,
                "several": row.several,
                "question": row.question,
                "spoken": row.spoken,
                "scale": row.scale,
            }
            for row in of_kind
            if not row.apart and (kind != "letters" or len(row.options or ()) <= MOST_OPTIONS)
        ]
        for kind, of_kind in rows.items()
        if of_kind
    }


def ours(kind: str) -> Callable[[dict[str, Any]], object]:
    """Give the function of this tree."""
    from medzh_score import extraction

    if kind == "letters":
        read, asks = extraction.read_letters, extraction.asks_for_wrong
        return lambda job: read(job["text"], job["options"], several=job["several"], wrong=asks(job["question"]))
    if kind == "score":
        read = extraction.read_score
        return lambda job: read(job["text"], *job["scale"])
    if kind == "yes_no":
        read = extraction.read_yes_no
        return lambda job: read(job["text"], spoken=job["spoken"])
    read = getattr(extraction, f"read_{kind}")
    return lambda job: read(job["text"])


def former(kind: str) -> Callable[[dict[str, Any]], object]:
    """Give the function of the former commit, its newest rule; those of later commits are called as ours."""
    import importlib

    if hasattr(importlib.import_module("medzh_score.extraction"), "read_letters"):
        return ours(kind)
    read = importlib.import_module(f"medzh_score.extraction.{FORMER.get(kind, kind)}").read
    if kind == "letters":
        return lambda job: read(job["text"], job["options"], several=job["several"])
    if kind == "score":
        scale = importlib.import_module("medzh_score.between").Between
        return lambda job: read(job["text"], scale(*job["scale"]))
    return lambda job: read(job["text"])


def forget() -> None:
    """Empty the caches of all rules, so that each repeat starts as a user does."""
    for name, module in list(sys.modules.items()):
        if name.startswith("medzh_score"):
            for function in vars(module).values():
                if hasattr(function, "cache_clear"):
                    function.cache_clear()


def warm(read: Callable[[dict[str, Any]], object], of_kind: list[dict[str, Any]]) -> None:
    """Build automata and tables, which a process does once, untimed."""
    for job in of_kind[:3]:
        read(job)


def work(whose: str) -> None:
    """Answer each kind asked for on standard input with the seconds that reading all of it took."""
    reader = {"ours": ours, "former": former}[whose]
    todo = {kind: [_as_asked(job) for job in of_kind] for kind, of_kind in json.loads(sys.stdin.readline()).items()}
    for line in sys.stdin:
        kind = line.strip()
        read = reader(kind)
        forget()
        warm(read, todo[kind])
        start = time.process_time()
        for job in todo[kind]:
            read(job)
        print(time.process_time() - start, flush=True)


def _as_asked(job: dict[str, Any]) -> dict[str, Any]:
    """Give the options as a tuple again, which both rules remember them by."""
    return {**job, "options": tuple(job["options"]) if job["options"] else None}


def worker(whose: str, tree: Path, todo: dict[str, list[dict[str, Any]]]) -> subprocess.Popen[str]:
    """Start a process that reads by the packages of a tree."""
    paths = os.pathsep.join([str(tree), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": paths}
    command = [sys.executable, str(HERE), "--work", whose]
    started = subprocess.Popen(
        command, env=environment, cwd=tree, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert started.stdin  # noqa: S101 - it is a pipe
    started.stdin.write(json.dumps(todo) + "\n")
    started.stdin.flush()
    return started


def seconds(process: subprocess.Popen[str], kind: str) -> float:
    """Let a process read all of a kind."""
    assert process.stdin  # noqa: S101 - it is a pipe
    assert process.stdout  # noqa: S101 - it is a pipe
    process.stdin.write(f"{kind}\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def unpack(commit: str, folder: str) -> Path:
    """Take the packages of a commit out of git."""
    done = subprocess.run(
        ["git", "archive", commit, "medzh_score", "schemas"],  # noqa: S607 - git is found as a user finds it
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return Path(folder)


def measure(todo: dict[str, list[dict[str, Any]]], commit: str) -> dict[str, tuple[float, float, float]]:
    """Give by kind the median seconds of ours and the former, and the median of the ratios of neighbours."""
    with tempfile.TemporaryDirectory() as folder:
        our, their = worker("ours", ROOT, todo), worker("former", unpack(commit, folder), todo)
        found = {}
        for kind in todo:
            pairs = [(seconds(our, kind), seconds(their, kind)) for _ in range(REPEATS)]
            ratio = statistics.median(rival / own for own, rival in pairs)
            found[kind] = (*(statistics.median(side) for side in zip(*pairs, strict=True)), ratio)
        for process in (our, their):
            process.communicate()
    return found


def main() -> None:
    """Measure and print."""
    import timing

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--real", default=os.environ.get("MEDZH_REAL"), help="folder of labelled real outputs")
    parser.add_argument("--commit", default=COMMIT, help="whose rules are the rival")
    parser.add_argument("--kind", action="append", choices=LEAST, help="of all, measure this kind")
    parser.add_argument("--work", choices=("ours", "former"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        work(given.work)
        return
    todo = {kind: of_kind for kind, of_kind in jobs(given.real).items() if kind in (given.kind or LEAST)}
    found = measure(todo, given.commit)
    for kind, (own, rival, ratio) in found.items():
        count = len(todo[kind])
        print(f"{kind}\t{count} texts\t{count / own:,.0f} a second\tformerly {count / rival:,.0f}\tratio {ratio:.2f}")
    own, rival = (sum(times[side] for times in found.values()) for side in (0, 1))
    timing.report(
        "reading_speed",
        own,
        [timing.Rival(f"the rules of {given.commit}", rival, rival / own)],
        equal=all(ratio >= LEAST[kind] for kind, (*_, ratio) in found.items()),
        texts="real" if given.real else "made up",
        ratios={kind: round(ratio, 2) for kind, (*_, ratio) in found.items()},
        answers_a_second={kind: round(len(todo[kind]) / times[0]) for kind, times in found.items()},
    )


if __name__ == "__main__":
    main()
