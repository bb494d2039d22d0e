"""Files that are what they seem: a pipe, a device or a socket may never end, and can be read once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from pathlib import Path


def regular(path: Path) -> Path:
    """Give a path, unless something else than a file or a folder stands there."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        advice = "write it to a file first; predictions can be piped in as -"
        raise MedzhError("is a pipe, a device or a socket", file=path, expected="a file", advice=advice)
    return path
