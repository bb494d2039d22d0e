"""Builds and publishings killed at random moments: what stood is whole, and the next call gives the same bytes.

Every config is built by its sample over a build that stands; then a build is published over a release that stands, to
a hub on the loopback. Each is ended by SIGKILL before a drawn
step on the disk or the network, or at a drawn time of the processor. Nothing is lost: the build that stood, or the
release, has the bytes that it had and is as its manifest says, or the next is there as a whole, and the same command
finishes with the bytes of one that nobody killed.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import random
import shutil
import signal
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "hub"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "tools"))

import timing
from forked import forking
from hub_client import environment, served
from hub_samples import publishable

from dataset_scripts.building.build import build
from dataset_scripts.building.check import check
from dataset_scripts.digests import sha256
from dataset_scripts.recipe import dataset_names
from medzh_score.data.hub import folder_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from forked import Run
    from hub_state import Hub

    Content = dict[str, str]

HERE = Path(__file__).resolve().parent
PUBLISHINGS = 5  # of so many kills one is of a publishing
REPO = "org/medzh"
STANDS, NEXT = "1.0.0", "2.0.0"


@dataclass(frozen=True)
class Work:
    """What is killed.

    Attributes
    ----------
    name : str
        What it is called.
    words : tuple of str
        The command.
    restore : callable
        Puts back what stood before.
    state : callable
        Gives what stands, with the hash of each file.
    env : mapping
        The environment of the command.
    """

    name: str
    words: tuple[str, ...]
    restore: Callable[[], None]
    state: Callable[[], Content]
    env: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))


@dataclass(frozen=True)
class Kill:
    """What became of one kill; it has no stage where the command had ended before."""

    work: str
    stage: str | None
    problems: tuple[str, ...]


@dataclass(frozen=True)
class Tried:
    """What stands before a command and after it, and its status, steps and seconds."""

    work: Work
    before: Content
    whole: Mapping[str, float]
    after: Content


class Killer:
    """Carries commands out in processes of their own, as a whole or until a moment."""

    def __init__(self, run: Run, folder: Path) -> None:
        self._run, self._account = run, folder / "account.json"

    def whole(self, work: Work) -> dict[str, float]:
        """Carry a command out; give its status, its steps and its seconds."""
        return self._carried(work, "none", 0)[1]

    def killed(self, work: Work, kind: str, place: float) -> tuple[int, str | None]:
        """Carry a command out until a step or a second; give the status and the stage."""
        status, account = self._carried(work, kind, place)
        return status, account.get("stage")

    def _carried(self, work: Work, kind: str, place: float) -> tuple[int, dict]:
        env = {**work.env, "PYTHONPATH": os.pathsep.join([str(HERE), str(HERE.parent)])}
        self._account.unlink(missing_ok=True)
        done = self._run("-m", "killed_command", self._account, kind, place, *work.words, env=env)
        if not self._account.is_file() or not (written := self._account.read_text(encoding="ascii")):
            raise RuntimeError(f"{work.name} ended with status {done.returncode}: {done.stderr}")
        return done.returncode, json.loads(written)


def content(folder: Path) -> Content:
    """Give the hash of each file of a folder."""
    files = [path for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else []
    return {path.relative_to(folder).as_posix(): sha256(path) for path in files}


def tried(work: Work, killer: Killer) -> Tried:
    """Carry a command out once, so that it is known what stands before and after."""
    work.restore()
    before, whole = work.state(), killer.whole(work)
    return Tried(work, before, whole, work.state())


def kills_of(one: Tried, number: int, killer: Killer, draw: random.Random) -> Iterator[Kill]:
    """Kill a command again and again, and finish it each time."""
    work, whole = one.work, one.whole
    for _ in range(number):
        work.restore()
        restored = work.state()
        kind = draw.choice(("step", "time"))
        place = 1 + draw.randrange(int(whole["steps"])) if kind == "step" else draw.random() * whole["seconds"]
        status, stage = killer.killed(work, kind, place)
        stands = work.state()
        finished = killer.whole(work)["status"]
        refused = stands == one.after and finished == 1  # what is published is not published again
        faults = {
            "what stood was another": restored != one.before,
            f"it ended with status {status}": status not in {-signal.SIGKILL, whole["status"]},
            "what stands is neither what stood nor what was to come": stands not in (one.before, one.after),
            f"the next call ended with status {finished}": finished != whole["status"] and not refused,
            "the next call gave other bytes": work.state() != one.after,
        }
        problems = tuple(f"{work.name}, {kind} {place:.4g}: {fault}" for fault, found in faults.items() if found)
        yield Kill(work.name, stage if status == -signal.SIGKILL else None, problems)


def builds_in(folder: Path, configs: list[str], killer: Killer) -> Iterator[Tried]:
    """Try a build of every sample, over the samples with another seed."""
    out, saved = folder / "build" / "medzh", folder / "saved"
    for config in configs:
        build(config, "mini", out, seed=1)
    _check_whole(out)
    shutil.copytree(out.parent, saved, symlinks=True)

    def restore() -> None:
        shutil.rmtree(out.parent, ignore_errors=True)
        shutil.copytree(saved, out.parent, symlinks=True)

    def state() -> Content:
        return content(folder_of(out))

    for config in configs:
        words = ("build", config, "--recipe", "mini", "--output", str(out), "--quiet")
        one = tried(Work(f"{config} mini", words, restore, state), killer)
        _check_whole(out)
        yield one


def _check_whole(out: Path) -> None:
    """Refuse a build that is not whole: those that have its bytes are as whole as it is."""
    if problems := check(out).problems:
        raise RuntimeError("\n".join(problems))


def publishing(hub: Hub, folder: Path, killer: Killer) -> Work:
    """Prepare a publishing of another version over one that stands."""
    for name, seed in (("first", 0), ("second", 1)):
        build("sdak", "mini", folder / name / "medzh", seed=seed)
        (folder / f"{name}-publishable").mkdir()
        publishable(folder_of(folder / name / "medzh"), folder / f"{name}-publishable")
    env = environment(hub, folder / "home") | {"HF_HUB_DOWNLOAD_TIMEOUT": "60", "HF_HUB_ETAG_TIMEOUT": "60"}

    def released() -> Content:
        repo = hub.repos[REPO]
        commits = {tag: repo.find(oid) for tag, oid in repo.tags.items()}
        return {f"{tag}/{path}": digest for tag, commit in commits.items() for path, digest in commit.files.items()}

    def restore() -> None:
        hub.repos.clear()
        hub.repos.update(copy.deepcopy(saved))

    def words(name: str, version: str) -> tuple[str, ...]:
        return ("publish", REPO, "--version", version, "--data", str(folder / f"{name}-publishable"))

    saved: dict = {}
    if killer.whole(Work("the first publishing", words("first", STANDS), restore, released, env))["status"]:
        raise RuntimeError("nothing could be published")
    saved.update(copy.deepcopy(hub.repos))
    return Work("publishing", words("second", NEXT), restore, released, env)


def kills(number: int, configs: list[str], draw: random.Random) -> Iterator[Kill]:
    """Kill builds of every recipe, those of samples twice as often as the long ones, and publishings."""
    with TemporaryDirectory(prefix="medzh-kills-") as temporary, forking() as run:
        folder, of_publishing = Path(temporary), number // PUBLISHINGS
        killer = Killer(run, folder)
        works = list(builds_in(folder, configs, killer))
        turns = Counter(islice(cycle(range(len(works))), number - of_publishing))
        for place, one in enumerate(works):
            yield from kills_of(one, turns[place], killer, draw)
        with served() as hub:
            yield from kills_of(tried(publishing(hub, folder, killer), killer), of_publishing, killer, draw)


def main() -> int:
    """Kill, and say what became of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100, help="how many in all (default 100)")
    parser.add_argument("--seed", type=int, default=0, help="of the moments (default 0)")
    parser.add_argument("--configs", nargs="+", default=dataset_names(), help="only these (default: all)")
    given = parser.parse_args()
    found, start = [], time.monotonic()
    for kill in kills(given.kills, given.configs, random.Random(given.seed)):  # noqa: S311 - no secret
        found.append(kill)
        print(f"{len(found)}: {kill.work}: {kill.stage or 'had ended'}", *kill.problems, sep="\n  ", flush=True)
    lost = sum(bool(kill.problems) for kill in found)
    for stage, count in Counter(kill.stage or "had ended before" for kill in found).most_common():
        print(f"{count:4} {stage}")
    print(f"{len(found)} kills, {lost} with a loss")
    stages = len({kill.stage for kill in found if kill.stage})
    seconds = time.monotonic() - start
    timing.report(
        "kills", seconds, [timing.Rival(f"{len(found)} kills", 0, 0)], equal=not lost, stages=stages, seed=given.seed
    )
    return 1 if lost else 0


if __name__ == "__main__":
    raise SystemExit(main())
