"""Scoring a suite by one worker, by two, and by two of Dask: systems on TCMD in 120 variants, 55,200 answers of each.

The test split has the paper's size. Four systems are scored by default; --systems 200 is the whole, eleven million
answers. Results of all are compared byte by byte. In the place of the rivals stands one worker, beside two of this
machine and beside two of a Dask scheduler. Peaks are those of the workers as the system counts them. With --growth
N, one file of N answers and one of ten times as many are scored, too: the same answers in so many runs, by one process.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import timing
from tcmd_texts import clauses, sized, splits

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "tools"))

from made_builds import made_build

from medzh_score.cli.main import main as medzh_score

TEST = {"A1": 212, "A2": 142, "A3": 102, "B1": 144}
TRAIN = {"A1": 1580, "A2": 536, "A3": 60, "B1": 675}
A_RUN = 55_200  # answers of a system
SHAPES = ("答案：{}。", "{}。", "答案是{}。", "故选{}。", "正确答案：{}。")
LETTERS, SEED, SAMPLING = "ABCDE", 20260103, 0.05


@dataclass(frozen=True)
class Took:
    """What scoring took: seconds by the clock and of processors, the highest peak of a worker in MB, and the digest."""

    wall: float
    cpu: float
    peak: float
    digest: str


def suite_of(folder: Path, systems: int) -> Path:
    """Plan a suite, write its prompts, and put answers of all systems in their places."""
    rows = [row for records in splits().values() for row in records]
    build = made_build(folder / "medzh", {"tcmd": {"test": sized(rows, TEST), "train": sized(rows, TRAIN)}})
    suite, labels = folder / "suite", [f"system-{number:03d}" for number in range(systems)]
    plan = ["--models", *labels, "--configs", "tcmd", "--variants", "all", "--data", str(build)]
    status = medzh_score(["suite", "plan", str(suite), *plan, "--quiet"])  # which writes the prompts, too
    if status:
        raise SystemExit(status)
    prompts = sorted(keys_of(suite / "prompts" / "tcmd" / "answer.jsonl"))
    words = clauses()
    for number, label in enumerate(labels):
        answer(suite / "answers" / label / "tcmd" / "answer.jsonl", prompts, words, number)
    return suite


def keys_of(path: Path) -> list[tuple[str, int]]:
    """List ids and variants of prompts."""
    with path.open(encoding="utf-8") as lines:
        return [(line["id"], line.get("variant", 0)) for line in map(json.loads, lines)]


def answer(path: Path, prompts: list[tuple[str, int]], words: list[str], number: int) -> None:
    """Write a system's answers: a letter in one of several forms, or one for each question of a group, then clauses."""
    draw = random.Random(SEED + number)  # noqa: S311 - a benchmark
    path.parent.mkdir(parents=True)
    with path.open("w", encoding="utf-8") as stream:
        for name, variant in prompts:
            shown = draw.choice(LETTERS) if draw.random() < 0.3 else LETTERS[len(name) % 5]
            text = draw.choice(SHAPES).format(shown) + draw.choice(words) + draw.choice(words)
            if "-a3" in name or "-b1" in name:
                text = f"（1）{shown}（2）{draw.choice(LETTERS)}（3）{draw.choice(LETTERS)}"
            line = {"id": name, "variant": variant, "prediction": text, "model": "org/system"}
            stream.write(json.dumps(line, ensure_ascii=False) + "\n")


def score(suite: Path, *by: str) -> Took:
    """Score in processes of its own, watching the peaks of the workers; what was scored is removed."""
    shutil.rmtree(suite / "results", ignore_errors=True)
    return watched(["suite", "score", str(suite), *by], suite / "results")


def score_by_dask(suite: Path) -> Took:
    """Score on two workers of a scheduler of this machine."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, worker_dashboard_address=None
    ) as cluster:
        return score(suite, "--scheduler", cluster.scheduler_address)


def watched(arguments: list[str], results: Path) -> Took:
    """Run the command in a process of its own, watching the peaks of it and its workers."""
    before, start, peaks = _processor_seconds(), time.perf_counter(), {}
    with subprocess.Popen([sys.executable, "-m", "medzh_score", *arguments, "--quiet"]) as process:
        while process.poll() is None:
            peaks |= _peaks(process.pid)
            time.sleep(SAMPLING)
    if process.returncode:
        raise SystemExit(process.returncode)
    wall = time.perf_counter() - start
    files = sorted(path for path in results.rglob("*") if path.is_file())
    digests = [f"{path.relative_to(results)} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in files]
    digest = hashlib.sha256("\n".join(digests).encode()).hexdigest()
    return Took(wall, _processor_seconds() - before, max(peaks.values()), digest)


def grown(folder: Path, suite: Path, answers: int) -> dict[str, float]:
    """Score one file of so many answers, as near as whole runs come to it."""
    runs, path = max(1, round(answers / A_RUN)), folder / "grown.jsonl"
    lines = (suite / "answers" / "system-000" / "tcmd" / "answer.jsonl").read_text(encoding="utf-8").splitlines()
    with path.open("w", encoding="utf-8") as stream:
        for run in range(runs):
            stream.writelines(f'{{"run": {run}, {line[1:]}\n' for line in lines)
    score_it = ["score", "tcmd", str(path), "--data", str(folder / "medzh"), "--model", "org/system"]
    took = watched([*score_it, "--output", str(folder / "grown.txt")], folder / "none")
    path.unlink()
    return {"answers": runs * A_RUN, "cpu_s": round(took.cpu, 1), "wall_s": round(took.wall, 1), "peak_mb": took.peak}


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _peaks(parent: int) -> dict[str, float]:
    """Read the peaks of a process and its children, in MB, by their numbers."""
    found = {}
    try:
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii").split()
        for one in (str(parent), *children):
            status = Path(f"/proc/{one}/status").read_text(encoding="ascii")
            if "VmHWM:" in status:
                found[one] = int(status.split("VmHWM:")[1].split()[0]) / 1024
    except OSError:
        pass  # it ended meanwhile
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--systems", type=int, default=4, help="how many systems")
    parser.add_argument("--growth", type=int, metavar="N", help="also score files of N answers and ten times as many")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    try:
        suite = suite_of(folder, given.systems)
        one, two = score(suite, "--workers", "1"), score(suite, "--workers", "2")
        dask = score_by_dask(suite)
        growth = [grown(folder, suite, times * given.growth) for times in (1, 10)] if given.growth else []
    finally:
        shutil.rmtree(folder)
    timing.report(
        "suites",
        two.wall,
        [
            timing.Rival("one worker, beside two local ones", one.wall, one.wall / two.wall, bound=1.7),
            timing.Rival("one worker, beside two of Dask", one.wall, one.wall / dask.wall, bound=1.7),
        ],
        equal=one.digest == two.digest == dask.digest,
        dask_s=round(dask.wall, 1),
        answers=given.systems * A_RUN,
        cpu_s=[round(one.cpu, 1), round(two.cpu, 1)],
        peak_mb=[round(one.peak), round(two.peak)],
        growth=growth,
    )


if __name__ == "__main__":
    main()
