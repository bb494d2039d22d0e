"""The secret of a private config: ``NAME.secret``, beside its source.

Who may read the one may read the other, and both are copied, kept and lost together. Nothing that is built holds it.
"""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from dataset_scripts.building.keying import Keyed
from medzh_score.files.whole_folders import locked
from medzh_score.files.writing import owner_only, refuse_readable, write_bytes
from medzh_score.messages.errors import MedzhError
from medzh_score.messages.progress import say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dataset_scripts.recipe import SourceFile

ENDING = ".secret"
BYTES = 32
FORM = re.compile(rb"[0-9a-f]{64}\n")
PATIENCE = 10  # seconds for which another build that makes the secret is waited for


def secret_of(config: str, files: Iterable[SourceFile], key: str | None) -> bytes:
    """Read the secret beside the sources; it is made where there is none, and no build stands with the key of one."""
    places = list(dict.fromkeys(_beside(file.path, config) for file in files))
    there = [path for path in places if path.exists()]
    if not there and key is not None:
        problem = "is not there, and the build that stands was made by it"
        advice = "bring it back, or every id becomes another; if it is lost for good, move the build away first"
        raise MedzhError(problem, file=places[0], advice=advice)
    if not there:
        return _made_secret(config, places[0])
    found = {read_secret(path) for path in there}
    if len(found) > 1:
        problem, advice = "has several secrets beside its sources", "keep the one by which it was built first"
        raise MedzhError(problem, field=config, found=", ".join(map(str, there)), advice=advice)
    (secret,) = found
    if key not in {None, Keyed(secret).key}:
        problem = "is not the secret by which the build that stands was made"
        raise MedzhError(problem, file=there[0], advice="bring that one back, or move the build away first")
    return secret


def _made_secret(config: str, path: Path) -> bytes:
    """Make a secret, and say so; of two builds at once the second takes that of the first."""
    if not os.access(path.parent, os.W_OK):
        problem, advice = "cannot be written", "the secret stands beside the source: copy that to a folder of your own"
        raise MedzhError(problem, file=path, advice=advice)
    with owner_only(), locked(path.with_name(f".{path.name}.lock"), path, "wait until it ends", PATIENCE):
        if path.exists():
            return read_secret(path)
        secret = secrets.token_bytes(BYTES)
        write_bytes(path, written(secret).encode("ascii"))
    say([f"the secret of {config} was made beside its source: keep it with the data, for all ids depend on it"])
    return secret


def written(secret: bytes) -> str:
    """Write a secret as it stands in its file."""
    return f"{secret.hex()}\n"


def read_secret(path: Path) -> bytes:
    """Read a secret, which nobody but its owner may be able to; it is shown nowhere."""
    refuse_readable(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise MedzhError(f"cannot be read: {error.strerror}", file=path) from error
    if not FORM.fullmatch(content):
        problem, advice = "is no secret of a private config", "bring back the file that was made there"
        raise MedzhError(problem, file=path, expected="one line of 64 hex digits", advice=advice)
    return bytes.fromhex(content.decode("ascii"))


def _beside(source: Path, config: str) -> Path:
    return Path(os.path.abspath(source)).with_name(f"{config}{ENDING}")  # noqa: PTH100 - links stay where they are
