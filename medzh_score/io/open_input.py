"""A user's file, opened once: gone through as often as its reader must, and hashed as its bytes pass."""

from __future__ import annotations

import codecs
import hashlib
import io
import re
import zlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Self

from medzh_score.io.limits import StreamWrapper, unpacked
from medzh_score.io.workbooks import as_csv, is_workbook
from medzh_score.ui.errors import MedzhError, printable
from medzh_score.ui.i18n import _
from medzh_score.ui.progress import open_watched

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from pathlib import Path
    from typing import IO


GZIP, ZIP = b"\x1f\x8b", b"PK\x03\x04"
BLOCK = 1 << 18
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
ASCII_IN_UTF_16 = re.compile(rb"[!-~]\x00[\t-~]\x00|\x00[!-~]\x00[\t-~]")
START = 64  # bytes at which the beginning of a file is looked
POINTER = b"version https://git-lfs.github.com/"
PAGE = re.compile(rb"\s*<(?:!doctype\s+html|html|head|\?xml[^>]*>\s*<!doctype\s+html)\b", re.IGNORECASE)
# Conflict markers of version control.
MARKERS = (b"<<<<<<< ", b">>>>>>> ", b"||||||| ")
BETWEEN = (b"=======", b"|||||||", b"<<<<<<<", b">>>>>>>")
CONFLICT = re.compile(r"^<<<<<<< .*^=======\r?$.*^>>>>>>> ", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Input:
    """What was read: its name, SHA-256 and reader."""

    name: str
    sha256: str
    reader: str


class InputFile:
    """A file that is open while the block runs; its streams are one, so that each is done with before the next."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._raw = _Hashed(open_watched(regular(path)))
        except FileNotFoundError as error:
            raise MedzhError(_("the file does not exist"), file=path, advice=_("check the path")) from error
        except IsADirectoryError as error:
            raise MedzhError(_("the path is a folder"), file=path, expected=_("a file")) from error
        except OSError as error:
            raise MedzhError(
                _("cannot read the file: {why}", why=_(error.strerror or str(error))), file=path
            ) from error
        self._bytes = io.BufferedReader(self._raw, BLOCK)

    def __enter__(self) -> Self:
        """Give itself."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close it."""
        self._bytes.close()

    def stored(self) -> IO[bytes]:
        """Go to the beginning of its bytes, packed as they may be."""
        self._bytes.seek(0)
        return self._bytes

    def text(self) -> IO[bytes]:
        """Go to the beginning of its text, as bytes behind the byte order mark.

        What is gzip is unpacked; of a workbook the text is its first sheet as CSV.
        """
        try:
            if self.is_workbook:
                return io.BytesIO(self._sheet)
            stream = self.stored()
            if stream.read(len(GZIP)) == GZIP:
                stream = unpacked(self.stored(), self.path)
            stream.seek(0)
            start = stream.read(START)
            _refuse_start(start, self.path)
            stream.seek(len(codecs.BOM_UTF8) if start.startswith(codecs.BOM_UTF8) else 0)
        except (OSError, EOFError, zlib.error) as error:
            raise MedzhError(_("cannot read the file: {why}", why=error), file=self.path) from error
        return stream

    @cached_property
    def is_workbook(self) -> bool:
        """Whether it is a workbook in the form of .xlsx."""
        return self.stored().read(len(ZIP)) == ZIP and is_workbook(self.stored())

    @cached_property
    def _sheet(self) -> bytes:
        return as_csv(self.stored(), self.path)

    def sha256(self) -> str:
        """Give the hash of all its bytes; those at which nobody looked are read for it."""
        self._bytes.seek(self._raw.hashed)
        while self._bytes.read(BLOCK):
            pass
        return self._raw.digest.hexdigest()

    def read_as(self, reader: str) -> Input:
        """Account for it."""
        return Input(printable(self.path.name), self.sha256(), reader)


class _Hashed(StreamWrapper):
    """A file that hashes each byte when it passes for the first time; what is skipped is hashed when it is read."""

    def __init__(self, plain: io.RawIOBase | io.BufferedIOBase) -> None:
        super().__init__(plain)
        self._plain = plain
        self.digest, self.hashed = hashlib.sha256(), 0

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override] # of no other kind here
        """Read, and hash what no reading before reached."""
        begin = self._plain.tell()
        count = self._plain.readinto(buffer) or 0
        if begin <= self.hashed < begin + count:
            self.digest.update(memoryview(buffer)[self.hashed - begin : count])
            self.hashed = begin + count
        return count


def _refuse_start(start: bytes, path: Path) -> None:
    if start.startswith(UTF_16) or ASCII_IN_UTF_16.match(start):
        raise MedzhError(_("the encoding is UTF-16"), file=path, expected="UTF-8", advice=_("save the file as UTF-8"))
    if start.removeprefix(codecs.BOM_UTF8).startswith(MARKERS):
        raise conflict(start.partition(b"\n")[0], path, 1)
    refuse_stand_in(start, path)


def refuse_stand_in(start: bytes, path: Path | Traversable) -> None:
    """Refuse what came in the place of a file: a pointer that Git LFS left, or the page that a server sent."""
    start = start.removeprefix(codecs.BOM_UTF8)
    if start.startswith(POINTER):
        problem, advice = _("the file is a Git LFS pointer, not the file itself"), _("fetch the file: git lfs pull")
        raise MedzhError(problem, file=path, advice=advice)
    if PAGE.match(start):
        problem = _("the file is an HTML page, not the file itself")
        advice = _("download the raw file, and check the message on the page")
        raise MedzhError(problem, file=path, advice=advice)


def input_of(path: Path, reader: str) -> Input:
    """Account for a file of which nothing else is read here."""
    with InputFile(path) as file:
        return file.read_as(reader)


def regular(path: Path) -> Path:
    """Give a path, unless something else than a file or a folder stands there."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        advice = _("save the input to a file first; predictions can also be piped in with -")
        raise MedzhError(_("the path is a pipe, a device or a socket"), file=path, expected=_("a file"), advice=advice)
    return path


def is_marker(line: bytes) -> bool:
    """Say whether a line is a conflict marker of version control."""
    return line.startswith(MARKERS) or line.rstrip() in BETWEEN


def conflict(line: bytes, path: Path, number: int) -> MedzhError:
    """Refuse a file with the marks of two versions that were not merged."""
    return MedzhError(
        _("the line is a conflict marker of version control"),
        file=path,
        line=number,
        found=line.decode("utf-8", "replace").strip(),
        advice=_("keep the lines of one version and delete the conflict markers; the file has unmerged versions"),
    )
