"""Strict readers of JSON sources, with one object per line or one array; errors contain the line."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from codecs import BOM_UTF8
from typing import TYPE_CHECKING, Any

from medzh_score.io.limits import lines_of, unpacked
from medzh_score.io.workbooks import open_sheets, rows_in
from medzh_score.ui.errors import MedzhError, shown
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import quotable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


UTF_8 = "utf-8"
ADVICE = _("correct the line, or provide another file")
BLANKS = frozenset(" \t\r\n")  # white space in JSON
SHOWN = 40
GZIP = b"\x1f\x8b"
CUT = ("unexpected end of data", "incomplete multibyte sequence")
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # how .xlsx, .ods and .zip begin, and how .xls does


def read_objects(path: Path, encoding: str = UTF_8) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read a file with one JSON object per line."""
    for number, line in enumerate(decoded_lines(path, encoding), start=1):
        if not line.strip():
            continue
        try:
            value = _DECODER.decode(line)
            if "\\u" in line:
                _check_storable(value)
        except (ValueError, RecursionError) as error:
            raise _no_json(error, path, number, line) from error
        yield number, _object(path, number, value)


def read_array(path: Path, encoding: str = UTF_8) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read a file that is one JSON array of objects."""
    text = "\n".join(decoded_lines(path, encoding))
    mark, place = _mark(text, 0)
    line, counted = 1, 0
    if mark != "[":
        raise _no_array(path, line, _("an opening bracket"), text[place - 1 :])
    if _mark(text, place)[0] == "]":
        mark, place = _mark(text, place)
    while mark in {"[", ","}:
        start = _past_blank(text, place)
        line, counted = line + text.count("\n", counted, start), start
        try:
            value, place = _DECODER.raw_decode(text, start)
            _check_storable(value)
        except (ValueError, RecursionError) as error:
            raise _no_json(error, path, line, text[start : start + SHOWN]) from error
        yield line, _object(path, line, value)
        mark, place = _mark(text, place)
    if mark != "]" or _mark(text, place)[0]:
        expected = _("a comma or the closing bracket") if mark != "]" else _("no text after the array")
        raise _no_array(path, line + text.count("\n", counted, place), expected, text[place - (mark != "]") :])


def decoded_lines(path: Path, encoding: str = UTF_8) -> Iterator[str]:
    """Read the lines of a file."""
    name = encoding.upper()
    for number, line in enumerate(_raw_lines(path), start=1):
        content = line.removeprefix(BOM_UTF8) if number == 1 and encoding == UTF_8 else line
        try:
            yield content.removesuffix(b"\n").decode(encoding)
        except UnicodeDecodeError as error:
            bad = content[error.start : error.start + 8]
            cut = not content.endswith(b"\n") and error.end == len(content) and error.reason in CUT
            problem = _("the line ends inside a character") if cut else _("the line is not valid {name}", name=name)
            advice = _("copy or download it again") if cut else _("save the file as UTF-8")
            raise MedzhError(problem, file=path, line=number, expected=name, found=bad, advice=advice) from error


def text_suffix(path: Path) -> str:
    """Give the suffix that says what a file of text holds, in lower case: that before ``.gz``, if there is one.

    >>> from pathlib import Path
    >>> text_suffix(Path("own.JSONL.gz")), text_suffix(Path("own.csv"))
    ('.jsonl', '.csv')
    """
    name = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    return name.suffix.lower()


def _raw_lines(path: Path) -> Iterator[bytes]:
    """Read a file line by line: some are larger than the memory."""
    try:
        with path.open("rb") as stream:
            start = stream.read(max(map(len, WORKBOOKS)))
            if start.startswith(WORKBOOKS):
                advice = _("save the sheet as UTF-8 CSV, or extract the file")
                raise MedzhError(
                    _("the file is a workbook or an archive"), file=path, expected=_("a text file"), advice=advice
                )
            stream.seek(0)
            if start.startswith(GZIP):
                yield from lines_of(unpacked(stream, path), path)
            else:
                yield from lines_of(stream, path)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise MedzhError(
            _("the file cannot be decompressed: {error}", error=error), file=path, advice=_("copy or download it again")
        ) from error
    except OSError as error:
        raise MedzhError(
            _("cannot read the file: {why}", why=_(error.strerror or str(error))),
            file=path,
            advice=_("specify a readable file"),
        ) from error


def _no_json(error: ValueError | RecursionError, path: Path, number: int, start: str) -> MedzhError:
    if isinstance(error, UnicodeEncodeError):
        half = str(error.object)[error.start : error.end]
        return MedzhError(
            _("the text contains an unpaired surrogate"), file=path, line=number, found=half, advice=ADVICE
        )
    problem, expected = _("invalid JSON: {error}", error=error), _("one JSON object")
    return MedzhError(problem, file=path, line=number, expected=expected, found=start[:SHOWN], advice=ADVICE)


def _object(path: Path, number: int, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise MedzhError(
            _("wrong type"), file=path, line=number, expected=_("one JSON object"), found=value, advice=ADVICE
        )
    return value


def _check_storable(value: object) -> None:
    json.dumps(value, ensure_ascii=False).encode("utf-8")


def _mark(text: str, place: int) -> tuple[str, int]:
    """Return the next character that is not blank, empty at the end, and the position after it."""
    place = _past_blank(text, place)
    return text[place : place + 1], place + 1


def _past_blank(text: str, place: int) -> int:
    while text[place : place + 1] in BLANKS:
        place += 1
    return place


def _no_array(path: Path, line: int, expected: str, found: str) -> MedzhError:
    return MedzhError(
        _("the file is not a JSON array of objects"),
        file=path,
        line=line,
        expected=expected,
        found=found[:SHOWN],
        advice=ADVICE,
    )


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _unused in pairs]
        raise ValueError(
            f"the key {shown(next(name for name in names if names.count(name) > 1))} occurs twice in an object"
        )
    return made


def _refuse(constant: str) -> Any:  # noqa: ANN401 - never returns
    raise ValueError(f"{constant} is not a JSON number")


_DECODER = json.JSONDecoder(object_pairs_hook=_without_twins, parse_constant=_refuse)  # made once: lines are many


def first_sheet(file: Path) -> list[list[str]]:
    """Read the first sheet of a workbook.

    Blank cells are empty texts, and formulas are their stored values.
    """
    try:
        content = io.BytesIO(file.read_bytes())
    except OSError as error:
        raise MedzhError(_("cannot read the file: {why}", why=_(error.strerror or str(error))), file=file) from error
    try:
        sheet = open_sheets(content, file)[0]
        return [["" if cell is None else str(cell) for cell in row] for row in rows_in(sheet, file)]
    except MedzhError:
        raise
    except Exception as error:  # damaged archives, XML and cells raise about twenty types of errors
        problem = _("the spreadsheet cannot be read: {name}: {error}", name=type(error).__name__, error=quotable(error))
        raise MedzhError(problem, file=file, expected=_("an .xlsx workbook")) from error
