"""Files in the cache of a hub, whose names there are hashes of what they hold."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

BLOBS = "blobs"  # the folder of a repository's contents, to which the names in its snapshots are links
HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def refuse_other_blob(path: Traversable, content: bytes, advice: str) -> None:
    """Refuse content of a snapshot that does not have the hash by which the hub calls it.

    Of large files that is the SHA-256, of others that of git, which counts a head in. Where links cannot be made, a
    snapshot holds copies, and no hash is known.
    """
    if not isinstance(path, Path) or not path.is_symlink():
        return
    blob = path.resolve()
    if blob.parent.name != BLOBS or HASH.fullmatch(blob.name) is None:
        return
    found = hashlib.sha256(content).hexdigest()
    if len(blob.name) < len(found):
        found = hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
    if found != blob.name:
        problem = "is not the file that the hub gave: it was changed or damaged in the cache"
        raise MedzhError(problem, file=path, expected=blob.name, found=found, advice=advice)
