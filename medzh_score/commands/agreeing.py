"""What is done only once the user agrees: by an answer at the terminal, or by ``--yes``."""

from __future__ import annotations

import sys

from medzh_score.messages.errors import MedzhError


def agreed(question: str) -> bool:
    """Ask, in the user's language; refuse to go on where nobody is there to give an answer."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise MedzhError("nobody can be asked", field="--yes", advice="agree with --yes")
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes", "是"}
