"""Writing a board: file by file, each whole, and only where what it is made of has changed."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.files.whole_folders import PATIENCE, locked, not_written
from medzh_score.files.writing import KEPT, write_bytes
from medzh_score.show.board.manifest import Written, read_manifest, write_manifest
from medzh_score.show.board.names import FOLDERS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    Content = Callable[[str], bytes]


@dataclass(frozen=True)
class Part:
    """Files of a board that are made together.

    Attributes
    ----------
    paths : tuple of str
        Below the board's folder.
    made_of : str
        The digest of all that they depend on.
    make : callable
        Gives their bytes, in the order of the paths, from a function that gives those of parts before this one.
    """

    paths: tuple[str, ...]
    made_of: str
    make: Callable[[Content], Sequence[bytes]]


@dataclass(frozen=True)
class Done:
    """How many files of a board were written, kept and removed."""

    written: int
    kept: int
    removed: int


def write_site(site: Path, parts: Sequence[Part]) -> Done:
    """Make what changed, then write it in the order of the parts, and remove what is no part any more.

    Where something cannot be made, nothing is written. A kill while files are written leaves each whole, of the old or
    the new state; the next call does the rest.
    """
    try:
        site.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise not_written(site, error) from error
    with locked(site.with_name(f".{site.name[:KEPT]}.lock"), site, "wait until it ends", PATIENCE):
        there = read_manifest(site)
        changed = [part for part in parts if not _is_kept(site, part, there)]
        names = {path for part in parts for path in part.paths}
        gone = sorted(there.keys() - names)
        if changed or gone:
            _write(site, changed, gone, there)
    written = sum(len(part.paths) for part in changed)
    return Done(written, len(names) - written, len(gone))


def _is_kept(site: Path, part: Part, there: Mapping[str, Written]) -> bool:
    """Say whether all files of a part stand as they were written, of what they are made of now."""
    return all(
        path in there and there[path].made_of == part.made_of and there[path].sha256 == _digest(site / path)
        for path in part.paths
    )


def _digest(path: Path) -> str | None:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def _made(site: Path, changed: Sequence[Part]) -> dict[str, bytes]:
    """Make the files of parts; what they need of others is read where it stands."""
    made: dict[str, bytes] = {}

    def content(path: str) -> bytes:
        return made[path] if path in made else (site / path).read_bytes()

    for part in changed:
        made |= zip(part.paths, part.make(content), strict=True)
    return made


def _write(site: Path, changed: Sequence[Part], gone: Sequence[str], there: Mapping[str, Written]) -> None:
    made = _made(site, changed)
    try:
        for folder in FOLDERS:
            (site / folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise not_written(site, error) from error
    files = dict(there)
    files |= {path: Written(part.made_of, "") for part in changed for path in part.paths}
    write_manifest(site, files)  # first: what is written from here on is known to be the board's, whatever happens
    for part in changed:
        for path in part.paths:
            write_bytes(site / path, made[path])
            files[path] = Written(part.made_of, hashlib.sha256(made[path]).hexdigest())
    for path in gone:
        with suppress(FileNotFoundError):
            (site / path).unlink()
        del files[path]
    write_manifest(site, files)
