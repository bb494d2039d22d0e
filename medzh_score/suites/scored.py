"""Which results of a suite are there, and whether they are of what is there now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.suites.places import result_of

if TYPE_CHECKING:
    from pathlib import Path


def unread_of(suite: Path, model: str, config: str) -> int | None:
    """Give how many answers of a result are unread; None where there is none, or of other answers than are there."""
    folder = result_of(suite, model, config)
    if not folder.is_dir():
        return None
    raise NotImplementedError
