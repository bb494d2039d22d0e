"""What only its owner may read: files and folders of private configs."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING

from medzh_score.messages.at_work import OTHERS, at_work, withhold_texts
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def owner_only(*folders: Path) -> Iterator[None]:
    """Let files and folders that are made while the block runs be their owner's alone, as some that are there already.

    The block is a work in which a private config takes part.
    """
    for folder in folders:
        folder.chmod(0o700)
    with at_work():
        withhold_texts(())
        yield


def refuse_readable(path: Path) -> None:
    """Refuse what others than its owner can read or change, where the system knows of owners."""
    if os.name != "nt" and (mode := stat.S_IMODE(path.stat().st_mode)) & OTHERS:
        expected = "700" if path.is_dir() else "600"
        raise MedzhError(
            "can be read or changed by others, and is of a private config",
            file=path,
            expected=f"the mode {expected}",
            found=f"{mode:o}",
            advice=f"if nobody has read it: chmod {expected}; or name another place",
        )
