"""Zip files of which equal content gives equal bytes."""

from __future__ import annotations

import hashlib
import io
import zipfile
from typing import TYPE_CHECKING

from medzh_score.files.writing import open_for_writing
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

EARLIEST = (1980, 1, 1, 0, 0, 0)  # the format knows no earlier time, and a real one would change the bytes
READABLE = 0o644 << 16
SUMS = "SHA256SUMS"
STORED = (".whl", ".parquet", ".gz", ".zip")  # packed already


def write_zip(path: Path, members: Mapping[str, bytes | Path]) -> dict[str, str]:
    """Write a zip file whole, with the SHA-256 of each member in ``SHA256SUMS``."""
    digests: dict[str, str] = {}
    with open_for_writing(path) as stream, zipfile.ZipFile(stream, "w") as archive:
        for name in sorted(members):
            content = _content(members[name])
            digests[name] = hashlib.sha256(content).hexdigest()
            archive.writestr(_entry(name), content)
        sums = "".join(f"{digest}  {name}\n" for name, digest in sorted(digests.items()))
        archive.writestr(_entry(SUMS), sums.encode("utf-8"))
    return digests


def zip_bytes(members: Mapping[str, bytes]) -> bytes:
    """Make a zip file of members as they are."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in members.items():
            archive.writestr(_entry(name), content)
    return stream.getvalue()


def _content(member: bytes | Path) -> bytes:
    if isinstance(member, bytes):
        return member
    try:
        return member.read_bytes()
    except OSError as error:
        raise MedzhError(f"cannot be read: {error.strerror}", file=member) from error


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, EARLIEST)
    entry.external_attr = READABLE
    entry.create_system = 3  # Unix, wherever it is written
    entry.compress_type = zipfile.ZIP_STORED if name.endswith(STORED) else zipfile.ZIP_DEFLATED
    return entry
