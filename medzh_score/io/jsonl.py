"""JSON and JSON Lines of a user's file: read, with what is wrong named by line; and written."""

from __future__ import annotations

import json
import re
import zlib
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from medzh_score.io.encodings import BIG5, EITHER, GB18030, likely_encoding
from medzh_score.io.limits import line_of, lines_of
from medzh_score.io.open_input import BLOCK, InputFile, conflict, is_marker
from medzh_score.ui.errors import CONTROLS, MedzhError
from medzh_score.ui.i18n import _, plain_text
from medzh_score.ui.privacy import quotable_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from typing import IO


LINE_FEED = ord("\n")
# What decoding raises where bytes are no JSON of a kind, or are nested deeply.
NO_JSON = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
QUOTED = re.compile(r"(?<=unknown field )\S.*|(?<=enum value )\S.*")
ONE_A_LINE = _("one JSON object per line")
HALF = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
TRUNCATED = "Input data was truncated"
INTERRUPTED = _("wait until generation ends; if it was interrupted, delete this line and generate the rest")
STEP = 1 << 18  # bytes that are unpacked at once
WIDE = 4  # a UTF-16 text of mostly ASCII holds a NUL in every second byte; one in four tells it from stray ones
# A text, which stays as it is, even one that never ends; or a constant outside of texts.
TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|(?P<constant>-?Infinity|NaN)', re.DOTALL)
CUT_OFF = _("wait until the file is written completely, or copy it again")

# How a message names what msgspec calls a type.
KINDS = {
    "str": _("a string"),
    "str | null": _("a string"),
    "int": _("an integer"),
    "float": _("a floating-point number"),
    "bool": _("true or false"),
    "array": _("a JSON array"),
    "object": _("a JSON object"),
    "object | null": _("a JSON object"),
    "null": "null",
}


def numbered_lines(file: InputFile) -> Iterator[tuple[int, bytes]]:
    """Go through the lines of a file that are not blank."""
    try:
        for number, line in enumerate(lines_of(file.text(), file.path), 1):
            if not line.isspace():
                yield number, line
    except (OSError, EOFError, zlib.error) as error:
        raise _breaks_off(file, error) from error


def numbered_blocks(file: InputFile) -> Iterator[tuple[int, int, bytes]]:
    """Go through a file in blocks of whole lines, for decoders that take many lines at once."""
    number, stream = 1, file.text()
    try:
        while block := stream.read(BLOCK):
            if not block.endswith(b"\n"):
                block += line_of(stream, file.path, number + _lines_in(block) - 1)
            lines = _lines_in(block)
            yield number, lines, block
            number += lines
    except (OSError, EOFError, zlib.error) as error:
        raise _breaks_off(file, error) from error


def _lines_in(block: bytes) -> int:
    # NumPy's: bytes.count looks at one byte after the other.
    ends = int(np.count_nonzero(np.frombuffer(block, np.uint8) == LINE_FEED))
    return ends + (not block.endswith(b"\n"))


def decoded_lines(path: Path, decoder: msgspec.json.Decoder[Any]) -> Iterator[Any]:
    """Open a file of JSON lines, and decode one after the other."""
    with InputFile(path) as file:
        for number, line in numbered_lines(file):
            yield decoded(decoder, line, file, number)


def _breaks_off(file: InputFile, error: Exception) -> MedzhError:
    number = line_in_gzip(file.stored())
    return MedzhError(
        _("cannot read the complete file: {error}", error=error), file=file.path, line=number, advice=CUT_OFF
    )


def decoded(decoder: msgspec.json.Decoder[Any], line: bytes, file: InputFile, number: int) -> Any:  # noqa: ANN401
    """Decode a line of JSON, or a value in it, or say what is wrong with it and where."""
    path = file.path
    try:
        return decoder.decode(line)
    except msgspec.ValidationError as error:
        raise wrong_field(str(error), path, number) from error
    except RecursionError as error:
        raise MedzhError(_("the nesting is too deep"), file=path, line=number, expected=ONE_A_LINE) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        # A Raw has no methods of bytes, whatever its type says.
        raise _broken(bytes(line), path, number, error, file.text()) from error


def wrong_field(message: str, path: Path, number: int) -> MedzhError:
    """Say which field is of the wrong kind, as msgspec does: ``Expected `str`, got `int` - at `$.id```."""
    place = re.search(r" - at `\$\.?(.*)`$", message)
    problem = message[: place.start()] if place else message
    missing = re.search(r"missing required field `(\w+)`", problem)
    kinds = re.match(r"Expected (.+), got (.+)", problem)
    least = re.match(r"Expected `int` >= (\d+)", problem)
    field = missing.group(1) if missing else (place.group(1) if place else None)
    if missing:
        return MedzhError(_("the field is missing"), file=path, line=number, field=field)
    if least:
        expected = _("an integer of at least {group}", group=least.group(1))
        return MedzhError(_("the value is too small"), file=path, line=number, field=field, expected=expected)
    if kinds:
        wanted, got = (part.replace("`", "") for part in kinds.groups())
        problem = _(
            "expected {expected}, found {found}",
            expected=KINDS.get(wanted, wanted),
            found=KINDS.get(got, got),
        )
        return MedzhError(problem, file=path, line=number, field=field)
    return MedzhError(what_is_wrong(problem), file=path, line=number, field=field)


def _broken(line: bytes, path: Path, number: int, why: Exception, before: Iterable[bytes]) -> MedzhError:
    """Say what is wrong with a line that a decoder of JSON refused, and what it most likely is."""
    bare = line.rstrip(b"\r\n")
    last = bare == line
    if is_marker(bare):
        return conflict(bare, path, number)
    if b"\x00" in bare:
        problem, expected = _("invalid JSON: the line contains NUL bytes"), ONE_A_LINE
        advice = _(
            "delete the line and generate it again; the disk was full or the machine stopped while the file "
            "was being written"
        )
        if bare.count(b"\x00") * WIDE > len(bare) > 1 and bare.strip(b"\x00"):
            problem, expected = _("the encoding is probably UTF-16"), "UTF-8"
            advice = _(
                "convert these lines to UTF-8, or make the shell write UTF-8; a Windows shell may have written them"
            )
        return MedzhError(problem, file=path, line=number, expected=expected, advice=advice)
    try:
        text = bare.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.reason != "unexpected end of data":
            return not_utf8(path, number, error, before)
        found = error.object[error.start : error.start + 4]
        return MedzhError(
            _("the line ends inside a character"),
            file=path,
            line=number,
            expected="UTF-8",
            found=found,
            advice=INTERRUPTED if last else _("copy or download it again"),
        )
    try:
        msgspec.json.decode(bare)
    except (msgspec.DecodeError, RecursionError) as error:
        why = error  # what it says of the line without its end: a text that is not closed would hold that
    return _not_json(text, path, number, why, last=last)


def _not_json(text: str, path: Path, number: int, why: Exception, *, last: bool) -> MedzhError:
    words = f"{why}"
    problem, advice = _("invalid JSON: {words}", words=words), None
    if text.startswith("\ufeff"):
        problem = _("invalid JSON: the line starts with a byte order mark")
        advice = _(
            "specify the files separately, or delete the byte order mark; each joined file starts with a byte "
            "order mark"
        )
    elif "\r" in text.strip():
        problem = _("invalid JSON: a carriage return is used as a line ending")
        advice = _("convert line endings to line feeds: tr '\\r' '\\n'")
    elif (half := _half_of_a_character(text)) is not None:
        problem = _("invalid JSON: {half} is an unpaired surrogate", half=half)
        advice = _("replace it with \\ufffd; the text was cut inside a character, such as an emoji")
    elif words == TRUNCATED and last:
        problem, advice = _("invalid JSON: the last line is incomplete"), INTERRUPTED
    elif words == TRUNCATED:
        problem = _("invalid JSON: the line is incomplete")
        advice = _("if generation was interrupted, delete the line; write line breaks inside a string as \\n")
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
    advice, likely = _("convert the file to UTF-8"), likely_encoding(error.object)
    if likely in (GB18030, BIG5):
        advice = _("convert the file: iconv -f {likely} -t UTF-8", likely=likely)
        if any(not line.isascii() for line in islice(before, number - 1)):
            problem = _("the encoding is probably {likely}, but earlier lines are UTF-8", likely=likely)
            advice = _("convert only this line and the lines after it to UTF-8; the file was written by two tools")
            return MedzhError(problem, file=path, line=number, expected="UTF-8", found=found, advice=advice)
    return MedzhError(no_utf8(likely), file=path, line=number, expected="UTF-8", found=found, advice=advice)


def no_utf8(likely: str | None) -> str:
    """Say that something is no UTF-8, and what it may be."""
    if likely is None:
        return _("invalid UTF-8")
    if likely == EITHER:
        return _("invalid UTF-8; the encoding may be GB18030 or Big5, but the text is too short to determine which")
    return _("invalid UTF-8; the encoding is probably {likely}", likely=likely)


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


def what_is_wrong(message: str) -> str:
    """Give what msgspec says of a value of the wrong kind, without the marks in which it puts names and types."""
    return QUOTED.sub(lambda found: quotable_key(found.group()), message.replace("`", ""))


def json_document(value: Any) -> bytes:  # noqa: ANN401 - all that msgspec encodes
    """Write an indented document: UTF-8, equal for equal input, ending in a newline."""
    encoded = msgspec.json.encode(value, enc_hook=plain_text)
    written = msgspec.json.format(encoded, indent=2) + b"\n"
    # Looked at before the line ends of the form come in: of what is printable nothing acts on a terminal.
    return written if encoded.decode("utf-8").isprintable() else visible(written.decode("utf-8")).encode("utf-8")


def visible(written: str) -> str:
    """Escape within JSON what it leaves as it is, and a terminal or UTF-8 does not take."""
    for one in sorted({*CONTROLS.findall(written)} - {"\n"}):
        written = written.replace(one, f"\\u{ord(one):04x}")
    return written


def without_constants(content: bytes) -> bytes:
    """Write null for NaN and Infinity."""
    if b"NaN" not in content and b"Infinity" not in content:
        return content
    return TOKEN.sub(lambda found: b"null" if found["constant"] else found[0], content)
