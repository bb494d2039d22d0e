"""Lines of a user's file, with any line ends, and what is wrong with one."""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from medzh_score.files.bounds import line_of, lines_of
from medzh_score.files.broken_lines import ONE_A_LINE, broken, line_in_gzip
from medzh_score.files.input_file import BLOCK, InputFile
from medzh_score.files.json_text import what_is_wrong
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LINE_FEED = ord("\n")
CUT_OFF = "the file is still being written, or was not transferred whole: wait, or transfer it again"


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
    """Count the lines of a block, the last of which may lack its end."""
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
    return MedzhError(f"cannot be read to its end: {error}", file=file.path, line=number, advice=CUT_OFF)


def decoded(decoder: msgspec.json.Decoder[Any], line: bytes, file: InputFile, number: int) -> Any:  # noqa: ANN401
    """Decode a line of JSON, or a value in it, or say what is wrong with it and where."""
    path = file.path
    try:
        return decoder.decode(line)
    except msgspec.ValidationError as error:
        raise wrong_field(str(error), path, number) from error
    except RecursionError as error:
        raise MedzhError("is nested too deeply", file=path, line=number, expected=ONE_A_LINE) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        # A Raw has no methods of bytes, whatever its type says.
        raise broken(bytes(line), path, number, error, file.text()) from error


def wrong_field(message: str, path: Path, number: int) -> MedzhError:
    """Say which field is of the wrong kind, as msgspec does: ``Expected `str`, got `int` - at `$.id```."""
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
        names = {
            "str": "a text",
            "str | null": "a text",
            "int": "a whole number",
            "float": "a decimal number",
            "bool": "true or false",
            "array": "a JSON array",
            "object": "a JSON object",
            "null": "null",
        }
        return MedzhError(
            f"is of the wrong kind; expected {names.get(wanted, wanted)}, found {names.get(got, got)}",
            file=path,
            line=number,
            field=field,
        )
    return MedzhError(what_is_wrong(problem), file=path, line=number, field=field)
