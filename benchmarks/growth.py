"""How reading time grows with length: texts of the rules' own words, repeated, at three lengths.

Ten times the text may take about ten times as long, for the five kinds, for every rule of every config and for what
else reads texts: replies of later rounds, second readings, overlap, thinking that is taken off. One thing grows
faster by nature: the longest common subsequence of two texts of n and m tokens takes n * m / 64 steps of a word of 64
bits, so that two texts of ten times the length may take a hundred times as long, and no more; its bound in seconds is
that of all.

All texts are screened at 10, 1,000 and 10,000 characters: a constant, a line and a square are laid through the seconds
of the processor, and where these come to a quarter of the bound in seconds at 100,000, or to the bound for what grows
as a square by nature, the text is read at that length; so are, for each reader, the texts that seem slowest and
steepest. The screen errs towards reading: a busy machine only makes seconds longer, so those at 10,000 count as they
come, and of those at 1,000, which lower the square, the least of several counts, less a tenth. So nothing that grows
up to the square is passed by if it breaks the bound in seconds at the length beyond which no rule reads. What grows as
the cube takes 2.3 seconds there at most if it is passed by, for a square through 10,000 gives a ninth of that; of a
higher power it could take longer. More than fifteen times is passed by below these bounds alone, and so is what begins
beyond 10,000 characters. ``--every`` passes nothing by.

Python's collector of cycles is off, as in timeit: a pass over all that this process holds falls on long texts alone,
and has nothing to do with them. Progress goes to standard error, a reader a line. The last line has the text that takes
longest: its seconds at 100,000 characters, and how many times those at 10,000 they are.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import timing

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "cases"))

import labels
import long_texts
from labels import Row

import dataset_scripts
from dataset_scripts.recipe import SourceFile, dataset
from medzh_score.benchmark.answers import form_of
from medzh_score.benchmark.config import Table
from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.data.records import load_records
from medzh_score.extraction.whole_text import answer_text
from medzh_score.render.tables import as_text
from medzh_score.scoring.inspection import language_of
from medzh_score.stages.binding import StageItems
from medzh_score.stages.replies import our_rule, read_reply
from medzh_score.text.overlap import overlap

if TYPE_CHECKING:
    from collections.abc import Callable

    from medzh_score.benchmark.items import Query
    from medzh_score.benchmark.rules import Reads, Rule

MINI = Path(dataset_scripts.__file__).parent / "mini"
LENGTHS = (1_000, 10_000, 100_000)
OPTIONS = ("青霉素", "红霉素", "庆大霉素", "氯霉素", "利福平")
MOST_OF_PRODUCT = 100.0  # times, of what grows with the product of two lengths, each ten times as long
MOST_TIMES, MOST_SECONDS, TOO_SHORT = 15.0, 1.0, 0.002  # seconds below which a clock says little of growth
ATTEMPTS = 8
REPEATS = {1_000: 2, 10_000: 2, 100_000: 1}  # what seems to take too long is read again
SCREENED = {10: 4, 1_000: 4, 10_000: 1}  # how often a text is read at each length before more is known of it
SURELY = 0.9  # of the least of several times, which may still be too long
IN_ANY_CASE = 2  # texts of a reader that take longest, and as many that grow most


@dataclass(frozen=True)
class Growth:
    """Seconds of one rule on one text at each length."""

    rule: str
    text: str
    seconds: tuple[float, ...]
    most: float

    @property
    def times(self) -> float:
        """How many times as long the longest takes as one of a tenth."""
        return self.seconds[-1] / max(self.seconds[-2], TOO_SHORT)

    @property
    def holds(self) -> bool:
        """Whether both bounds are kept."""
        return self.times <= self.most and self.seconds[-1] <= MOST_SECONDS


@dataclass(frozen=True)
class Screened:
    """Seconds of one rule on the short texts, and what they let expect of the longest."""

    text: str
    seconds: tuple[float, ...]
    near: float

    @property
    def expected(self) -> float:
        """Seconds of the longest, by a constant, a line and a square through the three; never below the line."""
        start, short, tenfold = self.seconds
        square = max(0.0, (tenfold - start) - 10 * (SURELY * short - start)) / 90
        return start + 10 * (tenfold - start) + 9000 * square

    @property
    def times(self) -> float:
        """How many times as long the longest takes as one of a tenth, as far as that can be expected."""
        return self.expected / max(self.seconds[-1], TOO_SHORT)

    @property
    def suspicious(self) -> bool:
        """Whether the longest could come near the bound in seconds."""
        return self.expected > self.near


def kinds() -> dict[str, Callable[[str], object]]:
    """Give a reader of each kind; several letters are asked for, which is the longer way."""

    def reader(kind: str) -> Callable[[str], object]:
        return lambda text: labels.read(Row("", kind, text, None, options=OPTIONS, several=True, spoken=True))

    return {kind: reader(kind) for kind in labels.KINDS}


def rules() -> dict[str, Callable[[str], object]]:
    """Give every rule of every config, asked about the first record, or group of records, of its sample."""
    found: dict[str, Callable[[str], object]] = {}
    for name in config_names():
        config, recipe = find_config(name), dataset(name).recipe("mini")
        files = {file: SourceFile(file, path, "0" * 64, pinned=True) for file, path in recipe.embedded.items()}
        records = list(recipe.make(files, 0).splits["test"])
        asked = config.queries(records, config.layout(records))
        for one in {len(one.members) > 1: one for one in reversed(asked)}.values():
            of = f" of {len(one.members)}" if len(one.members) > 1 else ""
            for rule in config.rules:
                found[f"{name} {rule.name}{of}"] = lambda text, rule=rule, side=one.context: rule.read(text, side, 0)
    return found


def others() -> dict[str, Callable[[str], object]]:
    """Give what else reads texts: the rounds of every config that models answer, second readings, overlap, forms."""
    found: dict[str, Callable[[str], object]] = {
        "overlap of words": lambda text: overlap([text], [text[:200]]),
        **products(),
        "form": form_of,
        "language": language_of,
        "answer without thinking": answer_text,
    }
    for name in config_names():
        config, records = find_config(name), load_records("mini", name).rows
        layout = config.layout(records)
        members, first = next(iter(StageItems(records, layout).members.values())), config.queries(records, layout)[0]
        for later in config.stages:
            if (model := later.model) is not None:
                shown = later.context(members, ())
                found[f"{name} round {later.name}"] = lambda text, model=model, shown=shown: model.read(text, shown)
        if config.reads is not None:
            rest = (our_rule(config), first)
            found[f"{name} second reading"] = lambda text, reads=config.reads, rest=rest: _replied(reads, text, *rest)
    return found


def products() -> dict[str, Callable[[str], object]]:
    """Give what grows with the product of two lengths: the overlap of a long text with one as long, turned about."""
    return {
        "overlap of words, both long": lambda text: overlap([text], [text[::-1]]),
    }


def _replied(reads: Reads, text: str, rule: Rule, first: Query) -> object:
    return read_reply(reads, rule, text, first, 0)


def screened(read: Callable[[str], object], name: str, near: float) -> Screened:
    """Read short texts; again, where a busy machine may have made them seem to grow."""
    found = Screened(name, tuple(_least(read, name, *one) for one in SCREENED.items()), near)
    if found.suspicious:
        again = [_least(read, name, *one) for one in SCREENED.items()]
        found = Screened(name, tuple(map(min, found.seconds, again)), near)
    return found


def suspects(rule: str, read: Callable[[str], object]) -> list[str]:
    """Name the texts that a reader reads at every length."""
    near = MOST_SECONDS if rule in products() else MOST_SECONDS / 4
    every = [screened(read, name, near) for name in TEXTS[LENGTHS[0]]]
    slowest = sorted(every, key=lambda one: -one.expected)[:IN_ANY_CASE]
    steepest = sorted(every, key=lambda one: -one.times)[:IN_ANY_CASE]
    found = [one.text for one in every if one.suspicious]
    return list(dict.fromkeys(found + [one.text for one in (*slowest, *steepest)]))


def grow(rule: str, read: Callable[[str], object], name: str) -> Growth:
    """Read a text at every length; one that seems to break a bound is read again: a busy machine is never too fast."""
    most = MOST_OF_PRODUCT if rule in products() else MOST_TIMES
    measured = Growth(rule, name, _seconds(read, name), most)
    for _ in range(ATTEMPTS):
        if measured.holds or measured.seconds[-1] > 2 * MOST_SECONDS:
            break
        again = _seconds(read, name)
        measured = Growth(rule, name, tuple(map(min, measured.seconds, again)), most)
    return measured


def grown(rule: str, read: Callable[[str], object], *, every: bool) -> list[Growth]:
    """Read suspects, or every text, at all lengths, and write to standard error how that went."""
    found = [grow(rule, read, name) for name in (TEXTS[LENGTHS[0]] if every else suspects(rule, read))]
    slowest, steepest = max(one.seconds[-1] for one in found), max(one.times for one in found)
    broken = "\t".join(f"NOT {one.text}" for one in found if not one.holds)
    amounts = f"{len(found)} texts\t{1000 * slowest:.0f} ms\t{steepest:.1f} times"
    print(f"{rule}\t{amounts}\t{broken}", file=sys.stderr, flush=True)
    return found


def _seconds(read: Callable[[str], object], name: str) -> tuple[float, ...]:
    """Time every length; of a text that takes too long already, ten times as much stands for what is not waited for."""
    found: list[float] = []
    for length in LENGTHS:
        if found and found[-1] > MOST_SECONDS:
            found.append(10 * found[-1])
        else:
            found.append(_least(read, name, length, REPEATS[length]))
    return tuple(found)


def _least(read: Callable[[str], object], name: str, length: int, repeats: int) -> float:
    return min(_once(read, TEXTS[length][name]) for _ in range(repeats))


def _once(read: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    read(text)
    return time.process_time() - start


PARTS = {"kinds": kinds, "rules": rules, "others": others}
TEXTS = {length: long_texts.texts(length) for length in (*SCREENED, LENGTHS[-1])}


def main() -> None:
    """Measure and print the worst text of each rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS, action="append", help="of all readers, these")
    parser.add_argument("--all", action="store_true", help="show every text that breaks a bound")
    parser.add_argument("--every", action="store_true", help="pass no text by: some twenty minutes of the processor")
    given = parser.parse_args()
    readers = {rule: read for part in given.part or PARTS for rule, read in PARTS[part]().items()}
    gc.disable()
    of_readers = [grown(rule, read, every=given.every) for rule, read in readers.items()]
    every = [one for of in of_readers for one in of]
    shown = [max(of, key=lambda one: one.seconds[-1]) for of in of_readers]
    shown += [max(of, key=lambda one: one.times) for of in of_readers]
    shown += [one for one in every if given.all and not one.holds]
    columns = ("rule", "text", *(f"{length:,} characters, ms" for length in LENGTHS), "times", "holds")
    lines = [
        (one.rule, one.text, *(1000 * seconds for seconds in one.seconds), one.times, "yes" if one.holds else "NO")
        for one in dict.fromkeys(shown)
    ]
    print(
        as_text(
            Table("Time by length: the text that takes longest, and the one that grows most", columns, tuple(lines)), 1
        )
    )
    worst = max(every, key=lambda one: (not one.holds, one.seconds[-1]))
    timing.report(
        "growth",
        worst.seconds[-1],
        [timing.Rival(f"{LENGTHS[-2]:,} characters of {worst.text} by {worst.rule}", worst.seconds[-2], worst.times)],
        equal=all(one.holds for one in every),
        times=round(max(one.times for one in every), 2),
        slowest_s=round(max(one.seconds[-1] for one in every), 3),
    )


if __name__ == "__main__":
    main()
