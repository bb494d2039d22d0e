"""Ask a server of the user's: what it will cost, and what came of it."""

from __future__ import annotations

import asyncio
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from medzh_score.messages.catalogue import translated
from medzh_score.messages.errors import printable
from medzh_score.messages.progress import counting_bars, say, shows_progress
from medzh_score.suites.asking.calls import calls_of
from medzh_score.suites.asking.connecting import check_installed, proxy_for
from medzh_score.suites.asking.keeping import keeping, so_far
from medzh_score.suites.asking.workers import Effort, Tally, Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from medzh_score.suites.asking.calls import Endpoint

    Prompts = Path | Iterable[Mapping[str, Any]]
    from collections.abc import Iterator

    from medzh_score.suites.asking.workers import Tally


@dataclass(frozen=True)
class Cost:
    """What is to be sent: so many calls with so many characters of prompts; so many answers are there already."""

    calls: int
    characters: int
    there: int


@dataclass(frozen=True)
class Asked:
    """What came of asking.

    Attributes
    ----------
    answered, failed : int
        How many requests were answered, and how many failed for good.
    left : int
        How many came to no end, because a signal ended all.
    refused : mapping of str to int
        Settings that the server named when it refused a request, and how often.
    seconds : float
        How long it took.
    signal : int, optional
        The signal.
    """

    answered: int
    failed: int
    left: int
    refused: Mapping[str, int]
    seconds: float
    signal: int | None


def cost(prompts: Prompts, answers: Path, endpoint: Endpoint) -> Cost:
    """Say what asking would send; nothing is sent, and nothing written."""
    calls = calls_of(prompts, endpoint)
    before = so_far(answers, calls)
    due = [call for call in calls if before.lacks(call)]
    return Cost(len(due), sum(call.characters for call in due), len(calls) - len(due))


def ask(
    prompts: Prompts,
    answers: Path,
    endpoint: Endpoint,
    effort: Effort | None = None,
    progress: Callable[[Tally], None] = lambda _: None,
) -> Asked:
    """Send the prompts that have no answer yet, and keep each answer as it comes."""
    check_installed()
    calls = calls_of(prompts, endpoint)
    with keeping(answers, calls) as keeper:
        due = [call for call in calls if keeper.before.lacks(call)]
        workers, begin = Workers(endpoint, effort or Effort(), keeper, progress), time.monotonic()
        if due:
            asyncio.run(workers.send_all(due))
        tally = workers.tally
        if not tally.left and keeper.arrived:
            keeper.finish()
    return Asked(tally.answered, tally.failed, tally.left, tally.refused, time.monotonic() - begin, tally.signal)


LACKING = 3  # the status of a command after which something is missing still
SIGNALLED = 128  # what a shell adds to the number of the signal that ended a command


def say_cost(name: str, costs: Cost, endpoint: Endpoint) -> None:
    """Say what will be sent, where and by which way, before anything is."""
    notes = [f"{name}: {costs.calls:,} calls to {endpoint.base_url}, {costs.characters:,} characters of prompts"]
    if costs.there:
        notes.append(f"{name}: {costs.there:,} answers are there already")
    if proxy := proxy_for(endpoint):
        notes.append(f"by way of the proxy {urlsplit(proxy).hostname}, which the environment names")
    say(notes)


def ask_aloud(name: str, prompts: Prompts, answers: Path, endpoint: Endpoint, effort: Effort) -> int:
    """Ask, show how far it is, say what came of it, and give the status with which a command ends."""
    with _bar(name) as progress:
        asked = ask(prompts, answers, endpoint, effort, progress)
    say(outcome(name, asked))
    if asked.signal is not None:
        return SIGNALLED + asked.signal
    return LACKING if asked.failed else 0


def outcome(name: str, asked: Asked) -> list[str]:
    """Say what came of asking."""
    rate = asked.answered / asked.seconds if asked.seconds else 0.0
    notes = [f"{name}: {asked.answered:,} answers came in {asked.seconds:,.0f} s, {rate:.1f} a second"]
    if asked.failed:
        notes.append(f"{name}: {asked.failed:,} requests failed for good: the same command sends them again")
    for setting, times in asked.refused.items():
        notes.append(f"{name}: the server refused the setting {setting} in {times:,} requests")
    if asked.signal is not None:
        notes.append(f"{name}: ended by a signal, {asked.left:,} requests are left: the same command goes on")
    return notes


@contextmanager
def _bar(name: str) -> Iterator[Callable[[Tally], None]]:
    """Show a bar on standard error where that is a terminal, and nothing elsewhere."""
    if not shows_progress():
        yield lambda _tally: None
        return
    begin = time.monotonic()
    with counting_bars() as bars:
        task = bars.add_task(printable(name), total=None, beside="")

        def progress(tally: Tally) -> None:
            done = tally.answered + tally.failed
            rate = done / max(time.monotonic() - begin, 1e-9)
            failures = f" {translated('failed')}: {tally.failed:,}" if tally.failed else ""
            bars.update(task, completed=done, total=tally.due, beside=f"{rate:.1f}/s{failures}")

        yield progress
