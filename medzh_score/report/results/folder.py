"""What a result folder holds, and the hashes by which it is known to be whole."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from medzh_score.files.zipping import SUMS
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from pathlib import Path

REPORT, STATISTICS, ITEMS = "report.json", "statistics.parquet", "items.parquet"
HELD = (ITEMS, REPORT, STATISTICS)
NAMES = frozenset({*HELD, SUMS})
OUT = "move it out of the folder"
AGAIN = "save the result again, or copy the whole folder again"


def written_sums(folder: Path) -> str:
    """Write the hashes of what a folder holds, as ``sha256sum`` does."""
    return "".join(f"{digest_of(folder / name)}  {name}\n" for name in HELD)


def digest_of(path: Path) -> str:
    """Give the SHA-256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def is_result_folder(folder: Path) -> bool:
    """Say whether a folder holds what results hold, be it broken, and nothing else: it may be replaced."""
    names = {one.name for one in folder.iterdir()}
    return SUMS in names and names <= NAMES and all((folder / name).is_file() for name in names)


def check_names(folder: Path) -> None:
    """Refuse a folder that lacks a file, or holds something else."""
    if not folder.is_dir():
        problem = "is no folder" if folder.exists() else "is not there"
        raise MedzhError(problem, file=folder, expected="a result folder, as `medzh-score score --save` writes it")
    there = {one.name: one for one in folder.iterdir()}
    for name in sorted(NAMES - there.keys()):
        raise MedzhError("lacks a file of a result folder", file=folder, expected=name, advice=AGAIN)
    for name in sorted(there.keys() - NAMES):
        expected = ", ".join(sorted(NAMES))
        raise MedzhError("holds a file that is no part of a result", file=there[name], expected=expected, advice=OUT)
    for one in there.values():
        if one.is_symlink() or not one.is_file():
            raise MedzhError("is no file of its own", file=one, expected="a file, no link", advice=AGAIN)


def read_files(folder: Path) -> dict[str, bytes]:
    """Read what a result folder holds, and refuse what does not have the hash that is written there."""
    check_names(folder)
    try:
        stated = (folder / SUMS).read_bytes()
        found = {name: (folder / name).read_bytes() for name in HELD}
    except OSError as error:
        raise MedzhError(f"cannot be read: {error.strerror}", file=folder, advice=AGAIN) from error
    lines = {name: f"{hashlib.sha256(content).hexdigest()}  {name}" for name, content in found.items()}
    written = stated.decode("utf-8", "replace").splitlines()
    if [line.partition("  ")[2] for line in written] != list(HELD):
        expected = f"a line each for {', '.join(HELD)}"
        raise MedzhError("does not list the files of a result", file=folder / SUMS, expected=expected, advice=AGAIN)
    for line, (name, is_line) in zip(written, lines.items(), strict=True):
        if line != is_line:
            digest, found_digest = line.partition("  ")[0], is_line.partition("  ")[0]
            raise MedzhError(
                "is not the file that was saved",
                file=folder / name,
                expected=f"SHA-256 {digest}",
                found=found_digest,
                advice=AGAIN,
            )
    return found
