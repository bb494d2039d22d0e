"""How long asking waits for a server that cannot answer now."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from medzh_score.prompts.codes import Key


@dataclass(frozen=True)
class Patience:
    """How often and after which pauses a request is tried again.

    Attributes
    ----------
    attempts : int
        How often a request is sent in all.
    pause : float
        Seconds before the second attempt, and twice as many before each further one; up to as many again are added by
        chance, so that not all come back at once.
    longest : float
        Seconds of a pause at most.
    longest_wait : float
        Seconds for which a server may ask with ``Retry-After``; one that asks for more is taken at its word, and
        asking ends.
    seed : int
        Of the chance in the pauses.
    """

    attempts: int = 8
    pause: float = 1.0
    longest: float = 60.0
    longest_wait: float = 600.0
    seed: int = 0

    def pause_after(self, attempt: int, key: Key) -> float:
        """Say for how many seconds a request waits after an attempt, of which the first is 1.

        Examples
        --------
        >>> from medzh_score.prompts.codes import Key
        >>> [1 <= Patience().pause_after(1, Key("a", 0, 0)) < 2, Patience().pause_after(99, Key("a", 0, 0))]
        [True, 60.0]
        """
        digest = hashlib.sha256(f"{self.seed}:{key.id}:{key.run}:{key.variant}:{attempt}".encode()).digest()
        chance = int.from_bytes(digest[:8], "big") / (1 << 64)
        doubled: float = 2.0 ** min(attempt - 1, 64)
        return min(self.pause * doubled * (1 + chance), self.longest)


class Gate:
    """Closed to all requests for as long as the server asks to be left alone; it knows whether one ever came there."""

    def __init__(self) -> None:
        self._opens, self.reached = 0.0, False

    def close(self, seconds: float) -> None:
        """Let nothing through for a while."""
        self._opens = max(self._opens, asyncio.get_running_loop().time() + seconds)

    async def passed(self) -> None:
        """Wait until it is open."""
        while (left := self._opens - asyncio.get_running_loop().time()) > 0:  # noqa: ASYNC110 - it is time that passes
            await asyncio.sleep(left)
