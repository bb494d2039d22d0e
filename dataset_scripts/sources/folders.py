"""Sources that are folders of a user's files: which files count, and the hash of them all."""

from __future__ import annotations

import os
from hashlib import sha256 as digest_of
from pathlib import Path

from dataset_scripts.files.digests import sha256
from medzh_score.messages.errors import MedzhError


def files_in(folder: Path) -> dict[str, Path]:
    """List the files of a folder and of the folders in it."""
    if not folder.is_dir():
        problem = "is a file" if folder.exists() else "there is no such folder"
        raise MedzhError(problem, file=folder, expected="a folder", advice="name the folder that holds the files")
    found = {}
    for place, folders, names in os.walk(folder, onerror=_refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in (*folders, *(name for name in names if not name.startswith("."))):
            path = Path(place) / name
            _check(path, folder)
            if path.is_file():
                found[path.relative_to(folder).as_posix()] = path
    if not found:
        raise MedzhError("holds no files", file=folder, expected="at least one", advice="hidden files do not count")
    return dict(sorted(found.items()))


def folder_sha256(folder: Path) -> str:
    """Compute a SHA-256 of a folder: over path and hash of each of its files, in the order of the paths.

    Gives 64 hex digits. Where the folder stands, hidden files, and times do not matter.
    """
    digest = digest_of()
    for name, path in files_in(folder).items():
        digest.update(f"{name}\0{sha256(path)}\n".encode())
    return digest.hexdigest()


def _refuse(error: OSError) -> None:
    raise MedzhError(f"cannot be read: {error.strerror}", file=error.filename) from error


def _check(path: Path, folder: Path) -> None:
    # Unlike resolve, realpath does not raise where links run in a circle.
    if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        advice = "put the file itself there"
        raise MedzhError("is a link that leads out of the folder", file=path, found=str(path.readlink()), advice=advice)
    try:
        path.name.encode("utf-8")
    except UnicodeEncodeError as error:
        raise MedzhError(
            "its name is not UTF-8", file=path, found=os.fsencode(path.name), advice="rename it"
        ) from error
    if not path.is_file() and not path.is_dir():
        raise MedzhError("is neither a file nor a folder", file=path, advice="take it out of the folder")
