"""Archives of others: what they would unpack to is known before anything is, and no member gives more than it says."""

from __future__ import annotations

import io
import os
import zipfile
from typing import IO, TYPE_CHECKING, Any, cast

from medzh_score.files.bounds import ARCHIVE, check_unpacked, check_whole
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from pathlib import Path

PACKED = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})  # of other ways a block unpacks without a bound
BLOCK = 1 << 20


class BoundedZip(zipfile.CompleteDirs):
    """A zip file, at its path or open already, whose members unpack within bounds, in proportion and in all."""

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
        """Unpack some more."""
        block = self._member.read1(len(buffer))
        buffer[: len(block)] = block
        return len(block)

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def close(self) -> None:
        """Close both."""
        super().close()
        self._member.close()
