"""What a predictions file begins with: by this its reader is found."""

from __future__ import annotations

import codecs
import csv
import json
import re
import zipfile
import zlib
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from medzh_score.files.csv_reader import csv_reader
from medzh_score.files.lines import decoded
from medzh_score.files.parquet_texts import parquet_faults
from medzh_score.messages.errors import MedzhError
from medzh_score.messages.privacy import quotable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import IO

    from medzh_score.files.input_file import InputFile

PARQUET, ZIP = b"PAR1", b"PK\x03\x04"
# What other files that are no text begin with, what they are, and what to do about it.
OTHERS = (
    (b"\xd0\xcf\x11\xe0", "is a workbook", 'save it from the spreadsheet as "CSV UTF-8"'),
    (b"ARROW1", "is an Arrow file", "write it as parquet or JSONL"),
    (b"(\xb5/\xfd", "is compressed with zstd", "unpack it, or compress it with gzip"),
    (b"BZh", "is compressed with bzip2", "unpack it, or compress it with gzip"),
    (b"\xfd7zXZ", "is compressed with xz", "unpack it, or compress it with gzip"),
    (b"\x80\x04\x95", "is a Python pickle, which is never opened", "write it as JSONL"),
    (b"%PDF", "is a PDF", "give the file that the tool wrote"),
)
LONGEST_LINE = 1 << 22  # bytes of a first line that are read whole
ENOUGH = 1 << 20  # bytes of a document in which its keys are looked for
LONGEST_TOKEN = 12  # characters: what is wrong so near to where reading ended may only be cut there
SPACE = re.compile(r"[ \t\r\n]*")
TRUNCATED = "truncated"  # msgspec's word for JSON that is right as far as it goes


class Head(NamedTuple):
    """What a file begins with.

    The keys are those of the first object of lines or of an array, of a document's first mebibyte, the columns of a
    table or of parquet, or the names in a zip; a value that does not end there is None. One document may stand on one
    line: then its form is ``lines``.
    """

    form: Literal["lines", "document", "table", "parquet", "zip"]
    first: Mapping[str, object]
    line: int = 1
    array: bool = False

    @property
    def is_json(self) -> bool:
        """Whether it is a JSON object or lines of them: one document may stand on one line."""
        return self.form in {"lines", "document"} and not self.array

    def has(self, *keys: str) -> bool:
        """Say whether all these keys are there."""
        return all(key in self.first for key in keys)


def head_of(file: InputFile) -> Head:
    """Look at what a file begins with; a large one is not read to its end."""
    path, stream = file.path, file.text()
    number, line = _first_line(stream, path)
    if not number:
        raise MedzhError("is empty", file=path, expected="predictions, one a line")
    if number == 1 and line.startswith(PARQUET):
        return Head("parquet", dict.fromkeys(_parquet_columns(file), ""))
    if number == 1 and line.startswith(ZIP):
        return Head("zip", dict.fromkeys(_zip_names(file), ""))
    for magic, problem, advice in OTHERS:
        if number == 1 and line.startswith(magic):
            raise MedzhError(problem, file=path, expected="a file of text", advice=advice)
    if not line.lstrip().startswith((b"{", b"[")):
        return Head("table", dict.fromkeys(columns(line), ""), number)
    return _json_head(line, stream, file, number)


def columns(line: bytes) -> list[str]:
    r"""Read the first line of a file as the head of a table; no names where it cannot be one.

    Examples
    --------
    >>> columns(b"id\tprediction\n")
    ['id', 'prediction']
    """
    text = line.decode("utf-8", "replace").partition("\r")[0].rstrip("\n")
    try:
        return [name.strip() for name in next(csv_reader([text], separator=separator_in(text)), [])]
    except csv.Error:
        return []


def separator_in(head: str) -> str:
    """Say what stands between the cells of a table."""
    return "\t" if head.count("\t") > head.count(",") else ","


def _first_line(stream: IO[bytes], path: Path) -> tuple[int, bytes]:
    """Read the first line that is not blank, and its number; 0 where there is none."""
    number = 0
    try:
        while line := stream.readline(LONGEST_LINE):
            number += 1
            if not line.isspace():
                return number, line
    except (OSError, EOFError, zlib.error) as error:
        raise _broken(path, number + 1, error) from error
    return 0, b""


def _json_head(line: bytes, stream: IO[bytes], file: InputFile, number: int) -> Head:
    """Take the first line as an object; where it breaks off, what follows as the rest of a document."""
    try:
        first: Any = msgspec.json.decode(line)
    except msgspec.DecodeError as error:
        first = _with_constants(line)
        cut = len(line) == LONGEST_LINE and not line.endswith(b"\n")  # maybe within a number, which is wrong then
        if first is None and (cut or TRUNCATED in str(error)):
            return _document_head(line, stream, file, number)
    except (RecursionError, UnicodeDecodeError):
        first = None
    if first is None:
        decoded(msgspec.json.Decoder(), line, file, number)  # which says what is wrong with it
    if isinstance(first, list):
        return Head("document", first[0] if first and isinstance(first[0], dict) else {}, number, array=True)
    return Head("lines", first, number)


def _with_constants(line: bytes) -> object:
    """Read a line in which NaN stands, as Python writes it; None where that is not all that is wrong with it."""
    try:
        return json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None


def _document_head(line: bytes, stream: IO[bytes], file: InputFile, number: int) -> Head:
    """Look for keys in the beginning of a document, and read the values that end there."""
    try:
        more = stream.read(ENOUGH)
    except (OSError, EOFError, zlib.error) as error:
        raise _broken(file.path, number + 1, error) from error
    text = codecs.getincrementaldecoder("utf-8")("replace").decode(line + more)
    array = text.lstrip().startswith("[")
    cut_at = len(text) - LONGEST_TOKEN if len(more) == ENOUGH else len(text.rstrip())
    first, wrong = _keys(text, text.index("{") + 1, cut_at) if "{" in text else ({}, None)
    at = 0 if wrong is None else text.count("\n", 0, wrong)
    if not more.strip() or (wrong is not None and (not at or (not array and _begins_line(text, wrong)))):
        # The line was none of a document: what follows does not go on where it breaks off.
        decoded(msgspec.json.Decoder(), line, file, number)
    if wrong is not None:
        raise MedzhError("is not JSON", file=file.path, line=number + at, found=text[wrong : wrong + 40])
    return Head("document" if line.endswith(b"\n") else "lines", first, number, array)


def _begins_line(text: str, wrong: int) -> bool:
    """Say whether what does not go on begins an object on a line of its own, behind one that breaks off, or is one."""
    if text[wrong] != "{" or text[wrong - 1] != "\n":
        return False
    *earlier, last = text[:wrong].rstrip().split("\n")
    return not earlier or _with_constants(last.encode("utf-8")) is not None


def _keys(text: str, at: int, cut_at: int) -> tuple[dict[str, object], int | None]:
    """Read the keys and values of an object as far as the text goes, and say where it is wrong, if it is."""
    decoder, found = json.JSONDecoder(), dict[str, object]()
    at = _behind_space(text, at)
    while text[at : at + 1] not in {"}", ""}:
        try:
            key, behind = decoder.raw_decode(text, at)
            if not isinstance(key, str):
                return found, at
            at = _behind_space(text, behind)
            if text[at : at + 1] != ":":
                return found, at
            found[key] = None
            value, at = decoder.raw_decode(text, _behind_space(text, at + 1))
        except json.JSONDecodeError as error:
            breaks_off = error.msg.startswith("Unterminated") or error.pos >= cut_at
            return found, None if breaks_off else error.pos
        except (RecursionError, ValueError):  # the latter for numbers of thousands of digits
            break
        if at >= cut_at:
            break  # of a number there may be more
        found[key] = value
        at = _behind_space(text, at)
        if text[at : at + 1] == ",":
            at = _behind_space(text, at + 1)
        elif text[at : at + 1] != "}":
            return found, at
    return found, None


def _behind_space(text: str, at: int) -> int:
    found = SPACE.match(text, at)
    return at if found is None else found.end()


def _parquet_columns(file: InputFile) -> list[str]:
    from pyarrow import parquet

    try:
        return list(parquet.read_schema(file.stored()).names)
    except parquet_faults() as error:
        raise MedzhError(
            f"is no parquet file: {quotable(error)}", file=file.path, advice="transfer the file again"
        ) from error


def _zip_names(file: InputFile) -> list[str]:
    try:
        with zipfile.ZipFile(file.stored()) as archive:
            return archive.namelist()
    except (OSError, zipfile.BadZipFile, NotImplementedError) as error:
        raise MedzhError(
            f"is a broken zip file: {quotable(error)}", file=file.path, advice="transfer the file again"
        ) from error


def _broken(path: Path, number: int, error: Exception) -> MedzhError:
    return MedzhError(f"cannot be read to its end: {error}", file=path, line=number, advice="transfer the file again")
