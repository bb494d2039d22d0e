"""Digests: of files, and of what records say."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import TYPE_CHECKING

from medzh_score.files.input_file import regular

if TYPE_CHECKING:
    from pathlib import Path

CHUNK = 1 << 20
_WRITTEN = json.JSONEncoder(ensure_ascii=False).encode  # made once: a build calls it for every record
DIGITS = 10  # 40 bits: two of 12,000 contents meet once in about 15,000 builds, two of 50,000 once in about 900


def content_digest(content: object, key: bytes | None = None) -> str:
    """Give ten hex digits of what a record says: of its texts, folded, and never of its position.

    With a key they are those of an HMAC, which whoever lacks the key cannot compute of a guess.

    Examples
    --------
    >>> content_digest(["发热怎么办？"]) == content_digest(["发热怎么办？"])
    True
    """
    written = _WRITTEN(content).encode("utf-8")
    digest = hashlib.sha256(written) if key is None else hmac.new(key, written, hashlib.sha256)
    return digest.hexdigest()[:DIGITS]


def text_digest(text: str) -> bytes:
    """Give 16 bytes by which a text is known among millions, where all of them would not fit into memory."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def blob_sha1(path: Path) -> str:
    """Compute the git blob SHA-1 of a file's content, as ``git hash-object`` prints it."""
    digest = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
    return _feed(digest, path)


def sha256(path: Path) -> str:
    """Compute the SHA-256 of a file's content, 64 hex digits."""
    return _feed(hashlib.sha256(), path)


def _feed(digest: hashlib._Hash, path: Path) -> str:
    with regular(path).open("rb") as stream:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
