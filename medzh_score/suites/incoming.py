"""The files that a user adds: named, matched by patterns, or found in folders."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.files.named_files import LIKELY, in_natural_order, matching
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def files_in(names: Sequence[str]) -> list[Path]:
    """List files in a stable order, each once; of a folder all below it that can hold answers."""
    return list(dict.fromkeys(file for name in names for one in matching(name) for file in _files(Path(one))))


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        if not path.exists():
            raise MedzhError("there is no such file", file=path)
        yield path
        return
    names = [str(one) for one in path.rglob("*") if one.is_file() and _is_likely(one)]
    if not names:
        raise MedzhError("is a folder without files that can hold answers", file=path, expected=", ".join(LIKELY))
    yield from map(Path, in_natural_order(names))


def _is_likely(path: Path) -> bool:
    return Path(path.name.removesuffix(".gz")).suffix in LIKELY and not path.name.startswith(".")
