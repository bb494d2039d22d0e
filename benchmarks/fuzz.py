"""Damaged files: real files of all forms, changed at random, read by every command that reads them.

Stops at the first traceback, "unexpected", hang over 2 s of the processor, growth over 300 MB, sign that acts on a
terminal, or number that is another one without a word; keeps the damaged file, and prints how many cases it tried.
"""

from __future__ import annotations

import argparse
import faulthandler
import random
import shutil
import sys
import tempfile
import time
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "cases"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "tools"))

import timing
from fuzzing.answers import of_answers, of_forms, of_results
from fuzzing.files import of_builds, of_own_files, of_sheets, of_suites
from fuzzing.mutations import mutations_for
from fuzzing.published import of_cards, of_pages
from fuzzing.running import ended
from fuzzing.sources import of_checks, of_sources
from fuzzing.targets import reseal, work_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fuzzing.running import Ending
    from fuzzing.targets import Target

LONGEST = (
    900  # seconds of a case, however busy the machine is, whatever it does: what runs in a library is not interrupted
)
MAKERS = (
    of_answers,
    of_forms,
    of_results,
    of_pages,
    of_cards,
    of_builds,
    of_suites,
    of_sheets,
    of_own_files,
    of_sources,
    of_checks,
)


class Sound:
    """A target, and how its command ends where nothing is damaged."""

    def __init__(self, target: Target, folder: Path) -> None:
        self.target = target
        for _ in range(2):  # the first call imports and fills caches
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(target.folder, folder)
            self.ending = ended(partial(target.call, folder))
        shutil.rmtree(folder)
        if self.ending.fault or self.ending.status == 2 or (target.numbers and self.ending.status):
            raise RuntimeError(f"{target.name} is not sound: {self.ending}")


def tried(sound: Sound, folder: Path, draw: random.Random) -> tuple[str, str | None]:
    """Damage one file of a copy, run the command, and say what was done and what is wrong with the ending."""
    target = sound.target
    shutil.copytree(target.folder, folder)
    path = folder / draw.choice(target.files)
    before = path.read_bytes()
    mutation = draw.choice(mutations_for(before))
    after = mutation.damage(before, draw)
    path.write_bytes(after)
    if target.resealed:
        reseal(folder, before, after)
    ending = ended(partial(target.call, folder))
    done = f"{target.name}: {path.relative_to(folder)}: {mutation.name}"
    if ending.fault is None and target.numbers and ending.status == 0 and (target.sealed or not mutation.silent):
        return done, _changed(sound.ending, ending)
    return done, ending.fault


def _changed(sound: Ending, ending: Ending) -> str | None:
    """Say of a number that is another one that nobody said so."""
    same = ending.numbers == sound.numbers
    return None if same or ending.notes != sound.notes else "another number, and nothing was said"


class Faults:
    """What was found: each kind once, with the files that showed it."""

    def __init__(self) -> None:
        self.kinds: dict[str, int] = {}

    def add(self, case: str, fault: str, folder: Path) -> None:
        """Print a fault of a new kind, and keep its files."""
        kind = fault[-200:]
        if kind not in self.kinds:
            kept = Path(tempfile.mkdtemp(prefix="fuzz-kept-")) / "case"
            shutil.copytree(folder, kept)
            print(f"{case}: {fault}\n  kept in {kept}", flush=True)
        self.kinds[kind] = self.kinds.get(kind, 0) + 1


def fuzzed(sounds: Sequence[Sound], case: Path, given: argparse.Namespace, seed: int, faults: Faults) -> int:
    """Try until the time is over; gives the number of cases."""
    draw, count = random.Random(seed), 0  # noqa: S311 - no secret
    start = time.process_time()
    while time.process_time() - start < given.seconds and (given.all or not faults.kinds):
        count += 1
        faulthandler.dump_traceback_later(LONGEST, exit=True)
        done, fault = tried(draw.choice(sounds), case, draw)
        faulthandler.cancel_dump_traceback_later()
        if fault is not None:
            faults.add(f"case {count} of seed {seed}: {done}", fault, case)
        shutil.rmtree(case)
    print(f"seed {seed}: {count:,} cases", flush=True)
    return count


def main() -> int:
    """Try with every seed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="of the processor, for each seed (default 60)")
    parser.add_argument(
        "--seed", type=int, nargs="+", default=[0], help="of all draws, one after the other (default 0)"
    )
    parser.add_argument("--only", default="", help="targets whose names hold this")
    parser.add_argument("--all", action="store_true", help="go on behind a fault, and print each kind once")
    given = parser.parse_args()
    faults = Faults()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as temporary:
        work, case = work_in(Path(temporary)), Path(temporary) / "case"
        every = chain.from_iterable(maker(work) for maker in MAKERS)
        sounds = [Sound(one, case) for one in every if given.only in one.name]
        start = time.process_time()
        count = sum(fuzzed(sounds, case, given, seed, faults) for seed in given.seed)
        spent = time.process_time() - start
    found = sum(faults.kinds.values())
    print(f"{count:,} cases of {len(sounds)} commands, {found} faults")
    timing.report("fuzz", spent, [timing.Rival(f"{count} cases", 0, 0)], equal=not found, cases=count, seed=given.seed)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
