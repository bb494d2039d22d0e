"""Zip files: what they would unpack to is known before anything is, and no member gives more than it says."""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from typing import IO, TYPE_CHECKING, Any, cast

from medzh_score.io.atomic import open_for_writing
from medzh_score.io.limits import ARCHIVE, check_unpacked, check_whole
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PACKED = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})  # of other ways a block unpacks without a bound
BLOCK = 1 << 20
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
        raise MedzhError(_("cannot read the file: {why}", why=_(error.strerror or str(error))), file=member) from error


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, EARLIEST)
    entry.external_attr = READABLE
    entry.create_system = 3  # Unix, wherever it is written
    entry.compress_type = zipfile.ZIP_STORED if name.endswith(STORED) else zipfile.ZIP_DEFLATED
    return entry


class BoundedZip(zipfile.CompleteDirs):
    """A zip file, at its path or open already, whose members unpack within limits, in proportion and in all."""

    def __init__(self, path: Path, stream: IO[bytes] | None = None, most: int = ARCHIVE) -> None:
        super().__init__(path if stream is None else stream)
        self.path = path
        unpacked, file = sum(one.file_size for one in self.infolist()), cast("IO[bytes]", self.fp)
        try:
            check_whole(unpacked, most, path)
            check_unpacked(unpacked, file.seek(0, os.SEEK_END), path)
        except MedzhError:
            self.close()
            raise

    def open(self, name: str | zipfile.ZipInfo, *mode: Any, **others: Any) -> IO[bytes]:  # noqa: ANN401 - as zipfile's own
        """Open a member; however much is asked for at once, it is unpacked in blocks."""
        member = super().open(name, *mode, **others)
        entry = name if isinstance(name, zipfile.ZipInfo) else self.getinfo(name)
        if entry.compress_type not in PACKED:
            raise NotImplementedError("That compression method is not supported")
        return cast("IO[bytes]", io.BufferedReader(_Member(member), BLOCK))


class _Member(io.RawIOBase):
    """A member that is read block by block: read to its end at once, zipfile would first unpack it beyond that."""

    def __init__(self, member: IO[bytes]) -> None:
        self._member = cast("zipfile.ZipExtFile", member)

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - of any kind
        block = self._member.read1(len(buffer))
        buffer[: len(block)] = block
        return len(block)

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        super().close()
        self._member.close()
