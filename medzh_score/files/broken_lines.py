"""What is wrong with a line that is no JSON: named as what it most likely is, with what to do about it."""

from __future__ import annotations

import json
import re
import zlib
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from medzh_score.files.encodings import BIG5, EITHER, GB18030, likely_encoding
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import IO

ONE_A_LINE = "one JSON object a line"
MARKERS = (b"<<<<<<< ", b">>>>>>> ", b"||||||| ")
BETWEEN = (b"=======", b"|||||||", b"<<<<<<<", b">>>>>>>")
CONFLICT = re.compile(r"^<<<<<<< .*^=======\r?$.*^>>>>>>> ", re.MULTILINE | re.DOTALL)
HALF = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
TRUNCATED = "Input data was truncated"
INTERRUPTED = (
    "generation was interrupted, or still goes on: wait for its end, or delete this line and generate the rest"
)
STEP = 1 << 18  # bytes that are unpacked at once
WIDE = 4  # a UTF-16 text of mostly ASCII holds a NUL in every second byte; one in four tells it from stray ones


def is_marker(line: bytes) -> bool:
    """Say whether a line is a conflict marker of version control.

    Examples
    --------
    >>> is_marker(b"<<<<<<< HEAD"), is_marker(b"======="), is_marker(b"<<<<<<<HEAD")
    (True, True, False)
    """
    return line.startswith(MARKERS) or line.rstrip() in BETWEEN


def conflict(line: bytes, path: Path, number: int) -> MedzhError:
    """Refuse a file with the marks of two versions that were not merged."""
    return MedzhError(
        "is a conflict marker of version control",
        file=path,
        line=number,
        found=line.decode("utf-8", "replace").strip(),
        advice="two versions of the file were not merged: keep the lines of one, and delete the markers",
    )


def broken(line: bytes, path: Path, number: int, why: Exception, before: Iterable[bytes] = ()) -> MedzhError:
    """Say what is wrong with a line that a decoder of JSON refused."""
    bare = line.rstrip(b"\r\n")
    if is_marker(bare):
        return conflict(bare, path, number)
    if b"\x00" in bare:
        return _with_nul(bare, path, number)
    try:
        text = bare.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data":
            return _inside_character(path, number, error, last=bare == line)
        return not_utf8(path, number, error, before)
    try:
        msgspec.json.decode(bare)
    except (msgspec.DecodeError, RecursionError) as error:
        why = error  # what it says of the line without its end: a text that is not closed would hold that
    return _not_json(text, path, number, why, last=bare == line)


def _inside_character(path: Path, number: int, error: UnicodeDecodeError, *, last: bool) -> MedzhError:
    return MedzhError(
        "breaks off inside a character",
        file=path,
        line=number,
        expected="UTF-8",
        found=error.object[error.start : error.start + 4],
        advice=INTERRUPTED if last else "transfer the file again",
    )


def _with_nul(bare: bytes, path: Path, number: int) -> MedzhError:
    if bare.count(b"\x00") * WIDE > len(bare) > 1 and bare.strip(b"\x00"):
        return MedzhError(
            "is not JSON in UTF-8 but, it seems, in UTF-16",
            file=path,
            line=number,
            expected="UTF-8",
            advice="a shell on Windows may have written it: let it write UTF-8, or convert these lines",
        )
    return MedzhError(
        "is not JSON: it holds NUL bytes",
        file=path,
        line=number,
        expected=ONE_A_LINE,
        advice="the disk was full, or the machine stopped while it was written: delete the line and generate it again",
    )


def _not_json(text: str, path: Path, number: int, why: Exception, *, last: bool) -> MedzhError:
    problem, advice = "is not JSON", f"{why}"
    if text.startswith("\ufeff"):
        problem = "is not JSON: a byte order mark stands before it"
        advice = "files were joined, each with a mark at its beginning: name them one by one, or delete the mark"
    elif "\r" in text.strip():
        problem = "is not JSON: a carriage return stands where a line should end"
        advice = "let lines end in a line feed: tr '\\r' '\\n'"
    elif (half := _half_of_a_character(text)) is not None:
        problem = f"is not JSON: {half} is half of a character"
        advice = "the text was cut inside a character, such as an emoji: put \\ufffd in its place"
    elif advice == TRUNCATED and last:
        problem, advice = "is not JSON: the last line was not written to its end", INTERRUPTED
    elif advice == TRUNCATED:
        problem = "is not JSON: it ends too early"
        advice = "a line break within a text must be written \\n; where generation was interrupted, delete the line"
    return MedzhError(problem, file=path, line=number, expected=ONE_A_LINE, found=text.strip(), advice=advice)


def _half_of_a_character(text: str) -> str | None:
    """Find an escape of half a character, where that is all that keeps the line from being JSON."""
    found = HALF.search(text.encode("utf-8"))
    if found is None:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    halves = re.search(r"[\ud800-\udfff]", json.dumps(value, ensure_ascii=False))
    return None if halves is None else repr(halves.group())[1:-1]


def not_utf8(path: Path, number: int, error: UnicodeDecodeError, before: Iterable[bytes] = ()) -> MedzhError:
    """Refuse a line in another encoding, and name the likely one."""
    found = error.object[error.start : error.start + 4]
    advice, likely = "convert the file to UTF-8", likely_encoding(error.object)
    if likely in (GB18030, BIG5):
        advice = f"convert the file: iconv -f {likely} -t UTF-8"
        if any(not line.isascii() for line in islice(before, number - 1)):
            problem = f"is not UTF-8 but, it seems, {likely}, while lines before it are UTF-8"
            advice = "convert the lines from here on alone: the file was written by two tools"
            return MedzhError(problem, file=path, line=number, expected="UTF-8", found=found, advice=advice)
    return MedzhError(no_utf8(likely), file=path, line=number, expected="UTF-8", found=found, advice=advice)


def no_utf8(likely: str | None) -> str:
    """Say that something is no UTF-8, and what it may be."""
    if likely is None:
        return "is not UTF-8"
    if likely == EITHER:
        return "is not UTF-8; it may be GB18030 or Big5, and is too short to tell"
    return f"is not UTF-8 but, it seems, {likely}"


def line_in_gzip(stream: IO[bytes]) -> int:
    """Find the line inside which compressed content breaks off."""
    lines = 1
    unpacked = zlib.decompressobj(wbits=31)
    try:
        while packed := unpacked.unconsumed_tail or stream.read(STEP):
            lines += unpacked.decompress(packed, STEP).count(b"\n")
            while unpacked.eof and unpacked.unused_data:
                rest, unpacked = unpacked.unused_data, zlib.decompressobj(wbits=31)
                lines += unpacked.decompress(rest, STEP).count(b"\n")
    except zlib.error:
        pass
    return lines
