"""Ask a server of the user's: what it will cost, and what came of it."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from medzh_score.suites.asking.calls import calls_of
from medzh_score.suites.asking.connecting import check_installed
from medzh_score.suites.asking.keeping import keeping, so_far
from medzh_score.suites.asking.workers import Effort, Tally, Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from medzh_score.suites.asking.endpoint import Endpoint

    Prompts = Path | Iterable[Mapping[str, Any]]


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
    """Send the prompts that have no answer yet, and keep each answer as it comes.

    Parameters
    ----------
    prompts : Path or iterable of mapping
        Lines as ``medzh-score prompts`` writes them.
    answers : Path
        The file of native lines in which all answers stand in the end. Until all requests came to their end, what came
        stands in a file of this name with ``.part`` behind it, from which the next call goes on.
    endpoint : Endpoint
        Where they are sent.
    effort : Effort, optional
        How many at a time, how often each, and when it makes no sense to go on.
    progress : callable, optional
        Called after each request that came to its end.

    Returns
    -------
    Asked
        How many were answered and failed. A request that failed for good has a line that says why, and is sent again
        at the next call.

    Raises
    ------
    MedzhError
        If prompts or answers cannot be used, or the server cannot; what came before is kept.
    """
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
