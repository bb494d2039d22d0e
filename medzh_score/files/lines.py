"""Lines of a user's file: plain or gzip, with or without a byte order mark, with any line ends."""

from __future__ import annotations

import codecs
import gzip
import re
import zlib
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.files.broken_lines import MARKERS, ONE_A_LINE, broken, conflict, line_in_gzip
from medzh_score.files.named_files import likely_files
from medzh_score.messages.errors import MedzhError
from medzh_score.messages.progress import open_watched

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import IO

GZIP = b"\x1f\x8b"
BLOCK = 1 << 18
LINE_FEED = ord("\n")
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
ASCII_IN_UTF_16 = re.compile(rb"[!-~]\x00[\t-~]\x00|\x00[!-~]\x00[\t-~]")
START = 16  # bytes at which the beginning of a file is looked
CUT_OFF = "the file is still being written, or was not transferred whole: wait, or transfer it again"


def open_text(path: Path) -> IO[bytes]:
    """Open a file of text as bytes behind its byte order mark, unpacked if it is gzip."""
    try:
        plain = open_watched(path)
    except FileNotFoundError as error:
        raise MedzhError("there is no such file", file=path, advice="check the path") from error
    except IsADirectoryError as error:
        raise MedzhError("is a folder", file=path, expected="a file", advice=_in_folder(path)) from error
    except OSError as error:
        raise MedzhError(f"cannot be read: {error.strerror or error}", file=path) from error
    stream = plain
    try:
        stream = _unpacked(plain)
        start = stream.read(START)
        _refuse_start(start, path)
        stream.seek(len(codecs.BOM_UTF8) if start.startswith(codecs.BOM_UTF8) else 0)
    except BaseException as error:
        stream.close()
        if isinstance(error, (OSError, EOFError, zlib.error)):
            raise MedzhError(f"cannot be read: {error}", file=path) from error
        raise
    return stream


class _Unpacked(gzip.GzipFile):
    """A stream of unpacked bytes that closes the packed one with itself."""

    def __init__(self, plain: IO[bytes]) -> None:
        super().__init__(fileobj=plain, mode="rb")
        self._plain = plain

    def close(self) -> None:
        """Close both."""
        super().close()
        self._plain.close()


def _unpacked(plain: IO[bytes]) -> IO[bytes]:
    packed = plain.read(len(GZIP)) == GZIP
    plain.seek(0)
    return _Unpacked(plain) if packed else plain  # type: ignore[return-value] # a GzipFile is one for all we do


def _in_folder(path: Path) -> str:
    likely = likely_files(path)
    return f"name the file in it: {likely}" if likely else "name the file; no file in it looks like predictions"


def _refuse_start(start: bytes, path: Path) -> None:
    if start.startswith(UTF_16) or ASCII_IN_UTF_16.match(start):
        raise MedzhError("is UTF-16", file=path, expected="UTF-8", advice="save it as UTF-8")
    if start.removeprefix(codecs.BOM_UTF8).startswith(MARKERS):
        raise conflict(start.partition(b"\n")[0], path, 1)


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Go through the lines of a file that are not blank."""
    number = 0
    with open_text(path) as stream:
        try:
            for number, line in enumerate(stream, 1):
                if not line.isspace():
                    yield number, line
        except (OSError, EOFError, zlib.error) as error:
            raise _breaks_off(path, error) from error


def numbered_blocks(path: Path) -> Iterator[tuple[int, int, bytes]]:
    """Go through a file in blocks of whole lines, for decoders that take many lines at once."""
    import numpy as np

    number = 1
    with open_text(path) as stream:
        try:
            while block := stream.read(BLOCK):
                block += stream.readline()
                # NumPy's: bytes.count looks at one byte after the other.
                ends = int(np.count_nonzero(np.frombuffer(block, np.uint8) == LINE_FEED))
                lines = ends + (not block.endswith(b"\n"))
                yield number, lines, block
                number += lines
        except (OSError, EOFError, zlib.error) as error:
            raise _breaks_off(path, error) from error


def _breaks_off(path: Path, error: Exception) -> MedzhError:
    with path.open("rb") as packed:
        number = line_in_gzip(packed)
    return MedzhError(f"cannot be read to its end: {error}", file=path, line=number, advice=CUT_OFF)


def decoded(decoder: msgspec.json.Decoder[Any], line: bytes, path: Path, number: int) -> Any:  # noqa: ANN401
    """Decode a line of JSON, or a value in it, or say what is wrong with it and where."""
    try:
        return decoder.decode(line)
    except msgspec.ValidationError as error:
        raise _wrong_type(str(error), path, number) from error
    except RecursionError as error:
        raise MedzhError("is nested too deeply", file=path, line=number, expected=ONE_A_LINE) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        with open_text(path) as before:
            # A Raw has no methods of bytes, whatever its type says.
            raise broken(bytes(line), path, number, error, before) from error


def _wrong_type(message: str, path: Path, number: int) -> MedzhError:
    """Take msgspec's message apart: ``Expected `str`, got `int` - at `$.id```."""
    place = re.search(r" - at `\$\.?(.*)`$", message)
    problem = message[: place.start()] if place else message
    missing = re.search(r"missing required field `(\w+)`", problem)
    expected = re.match(r"Expected (.+), got (.+)", problem)
    least = re.match(r"Expected `int` >= (\d+)", problem)
    field = missing.group(1) if missing else (place.group(1) if place else None)
    if missing:
        return MedzhError("the field is missing", file=path, line=number, field=field)
    if least:
        return MedzhError(
            "is too small", file=path, line=number, field=field, expected=f"a whole number from {least.group(1)}"
        )
    if expected:
        wanted, got = (part.replace("`", "") for part in expected.groups())
        names = {"str": "a text", "int": "a whole number", "object": "a JSON object", "null": "null"}
        return MedzhError(
            f"is of the wrong kind; expected {names.get(wanted, wanted)}, found {names.get(got, got)}",
            file=path,
            line=number,
            field=field,
        )
    return MedzhError(problem.replace("`", ""), file=path, line=number, field=field)
