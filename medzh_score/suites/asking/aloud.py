"""Asking as a command does it: what it will cost, how far it is, and what came of it, on standard error."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from medzh_score.messages.catalogue import translated
from medzh_score.messages.errors import printable
from medzh_score.messages.progress import counting_bars, say, shows_progress
from medzh_score.suites.asking.ask import ask
from medzh_score.suites.asking.connecting import proxy_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from medzh_score.suites.asking.ask import Asked, Cost, Prompts
    from medzh_score.suites.asking.endpoint import Endpoint
    from medzh_score.suites.asking.workers import Effort, Tally

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
