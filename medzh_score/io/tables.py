"""Tables of text: CSV files and sheets that go out to people, as workbooks too, and come back filled in."""

from __future__ import annotations

import csv
import io
import re
import zlib
from collections import Counter
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Self

from medzh_score.io.encodings import GB18030, likely_encoding
from medzh_score.io.jsonl import no_utf8
from medzh_score.io.limits import RAISE, bound, lines_of
from medzh_score.io.open_input import CONFLICT, conflict, is_marker
from medzh_score.ui.errors import CONTROLS, MedzhError, printable
from medzh_score.ui.i18n import _, in_chinese, pgettext, translated
from medzh_score.ui.privacy import quotable_key
from medzh_score.ui.progress import defer_note, display_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.io.open_input import InputFile

# A spreadsheet runs a cell that starts like this as a formula; the leading apostrophe keeps it a text.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
LAID_OUT = "\t\r\n"  # controls that belong into a cell
DIGITS = 9
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # how .xlsx and .ods begin, and how .xls does
SEPARATORS = {",": "comma", "\t": "tab"}
WIDE = re.compile("[\u0800-\U0010ffff]")  # characters of three bytes and more in UTF-8
ENOUGH = 1 << 22  # bytes by which an encoding is told
AS_CSV = _('save the spreadsheet as "CSV UTF-8" with commas as separators')
LARGEST_CELL = 1 << 23  # characters of a row and so of a cell, where models and crawled files fill cells
ORDINARY_CELL = 1 << 17  # characters, where a longer cell shows a quotation mark that is never closed
LONGEST_CELL = 32_767  # characters, which a workbook allows
NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
TIMES = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
NO_TIME = b"1980-01-01T00:00:00Z"  # a real one would change the bytes


def sheet_bytes(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> bytes:
    """Write a sheet for people: UTF-8 with a byte order mark, in which no cell is a formula."""
    cells = ({name: inert(value) for name, value in row.items()} for row in rows)
    return csv_text(columns, cells).encode("utf-8-sig")


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """Write rows for programs: texts as they are, but nothing in them acts on a terminal."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, restval="")
    writer.writeheader()
    writer.writerows({name: _escaped(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def _escaped(value: object) -> object:
    if not isinstance(value, str):
        return value
    return CONTROLS.sub(lambda found: found.group() if found.group() in LAID_OUT else printable(found.group()), value)


def inert(value: object) -> object:
    """Keep a cell from being run as a formula."""
    return "'" + value if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value


def read_rows(
    file: InputFile, required: Sequence[str], *, untouched: Sequence[str] = (), separator: str = ","
) -> Iterator[tuple[int, dict[str, str]]]:
    """Read the rows of a sheet that came back, by the names in its head, with their lines."""
    path, ended = file.path, 0
    if file.text().read(max(map(len, WORKBOOKS))).startswith(WORKBOOKS):
        raise MedzhError(_("the file is a workbook"), file=path, expected=_("a text file"), advice=AS_CSV)
    encoding = _encoding(file)  # before the text is gone to again: its streams are one
    text = io.TextIOWrapper(file.text(), encoding=encoding, newline="")
    rows = csv_reader(lines_of(text, path), separator=separator, strict=True)
    try:
        head = [column_of(name) for name in next(rows, [])]
        _check_head(head, required, path)
        ended = 1 if file.is_workbook else rows.line_num
        for row in filter(None, rows):
            ended = ended + 1 if file.is_workbook else rows.line_num  # of a workbook the row, whatever its cells hold
            _check_row(row, head, separator, path, ended)
            cells = dict.fromkeys(head, "") | dict(zip(head, row, strict=False))
            if any(value.strip() for value in cells.values()):
                yield ended, {name: cell if name in untouched else cell.strip() for name, cell in cells.items()}
    except UnicodeDecodeError as error:
        raise _not_utf8(file) from error
    except MedzhError as error:
        if error.file is None:  # of the reader, which knows no file
            error.file, error.line = str(path), ended + 1
        raise
    except csv.Error as error:
        advice = _('write each " inside a cell as "" and enclose the cell in quotation marks')
        raise MedzhError(_("invalid CSV: {error}", error=error), file=path, line=ended + 1, advice=advice) from error
    except (OSError, EOFError, zlib.error) as error:
        problem, line = _("cannot read the complete file: {error}", error=error), rows.line_num + 1
        raise MedzhError(problem, file=path, line=line, advice=_("copy or download it again")) from error
    finally:
        if not text.closed:
            text.detach()  # which would close the file with itself


def _encoding(file: InputFile) -> str:
    """Say in which encoding a sheet is: UTF-8, or GB18030, in which WPS saves CSV, where it is surely that.

    What is UTF-8 by a Chinese character, of three bytes, is that; two of 头痛 in GB18030 are letters of UTF-8, too.
    """
    other, strange, length = list[bytes](), False, 0
    with suppress(OSError, EOFError, zlib.error):  # what is packed may break off: reading says where
        for line in lines_of(file.text(), file.path):
            if not line.isascii():
                try:
                    if WIDE.search(line.decode("utf-8")):
                        return "utf-8"  # also where other lines are not: reading refuses those
                except UnicodeDecodeError:
                    strange = True
                if length < ENOUGH:
                    other.append(line)
                    length += len(line)
    if strange and likely_encoding(b"".join(other)) == GB18030:
        defer_note(_("{display_name}: decoded as GB18030", display_name=display_name(file.path)))
        return "gb18030"
    return "utf-8"


def _check_head(head: Sequence[str], required: Sequence[str], path: Path) -> None:
    expected = ", ".join(required)
    if len(head) == 1 and head[0] not in required and any(mark in head[0] for mark in ";\t"):
        problem = _("the columns are not separated by commas")
        raise MedzhError(problem, file=path, line=1, expected=expected, found=head[0], advice=AS_CSV)
    if not {*required} <= {*head}:
        raise MedzhError(_("a column is missing"), file=path, line=1, expected=expected, found=quotable_key(*head))
    for name, count in Counter(head).items():
        if name and count > 1:
            raise MedzhError(_("duplicate column"), file=path, line=1, found=quotable_key(name))


def _check_row(row: Sequence[str], head: Sequence[str], separator: str, path: Path, number: int) -> None:
    """Refuse cells beyond the head, and two versions that were not merged: on rows of their own, or in a cell."""
    first = row[0].encode("utf-8", "replace")
    if is_marker(first):
        raise conflict(first, path, number)
    if any("<<<<<<< " in cell and CONFLICT.search(cell) for cell in row):
        raise conflict(b"<<<<<<<", path, number)
    if any(cell.strip() for cell in row[len(head) :]):
        problem = _("the row has more cells than the header")
        advice = _(
            "enclose cells that contain the separator ({separators}) in quotation marks",
            separators=SEPARATORS[separator],
        )
        raise MedzhError(problem, file=path, line=number, expected=_("{n_head} cells", n_head=len(head)), advice=advice)


def _not_utf8(file: InputFile) -> MedzhError:
    """Find the line: the decoder reads ahead of the rows; what the encoding is, all of them tell."""
    path, other = file.path, []
    for number, line in enumerate(lines_of(file.text(), path), 1):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError:
            other.append((number, line))
    likely = likely_encoding(b"".join(line for _unused, line in other))
    return MedzhError(no_utf8(likely), file=path, line=other[0][0], expected="UTF-8", advice=AS_CSV)


def number_in(row: Mapping[str, str], column: str, path: Path, number: int) -> int:
    """Read the run or the variant that a row is of; 0 where it does not say."""
    written = row.get(column) or "0"
    if not written.isdecimal() or len(written) > DIGITS:
        problem, expected = _("invalid {column}", column=column), _("an integer of at least 0")
        raise MedzhError(problem, file=path, line=number, field=column, expected=expected, found=written)
    return int(written)


class CsvReader:
    """A reader that states its limit for each row, and leaves the process's as it was; a whole row has a limit, too."""

    def __init__(self, lines: Iterable[str], largest: int, separator: str, *, strict: bool) -> None:
        self._reader = csv.reader(self._counted(lines), delimiter=separator, strict=strict)
        self._largest = bound(largest)
        self._length = 0  # of the row that is being read

    def _counted(self, lines: Iterable[str]) -> Iterator[str]:
        longest = bound(LARGEST_CELL)
        for line in lines:
            self._length += len(line)
            if self._length > longest:
                raise MedzhError(_("a row is longer than {longest:,} characters", longest=longest), advice=RAISE)
            yield line

    def __iter__(self) -> Self:
        """Give itself."""
        return self

    def __next__(self) -> list[str]:
        """Read a row."""
        before, self._length = csv.field_size_limit(self._largest), 0
        try:
            return next(self._reader)
        finally:
            csv.field_size_limit(before)

    @property
    def line_num(self) -> int:
        """How many lines were read."""
        return int(self._reader.line_num)


def csv_reader(
    lines: Iterable[str], *, largest: int = LARGEST_CELL, separator: str = ",", strict: bool = False
) -> CsvReader:
    """Open a reader of rows."""
    return CsvReader(lines, largest, separator, strict=strict)


# The headings by the names of the columns in code; a name that is not here is its own heading.
HEADINGS = {
    "id": pgettext("sheet", "id"),
    "run": pgettext("sheet", "run"),
    "variant": pgettext("sheet", "variant"),
    "answer_hash": pgettext("sheet", "answer_hash"),
    "annotator": pgettext("sheet", "annotator"),
    "prompt": pgettext("sheet", "prompt"),
    "prediction": pgettext("sheet", "prediction"),
    "question": pgettext("sheet", "question"),
    "response": pgettext("sheet", "response"),
    "choices": pgettext("sheet", "choices"),
    "answer": pgettext("sheet", "answer"),
    "choice": pgettext("sheet", "choice"),
    "codes": pgettext("sheet", "codes"),
    "entities": pgettext("sheet", "entities"),
    "opposed": pgettext("sheet", "opposed"),
    "correctness": pgettext("sheet", "correctness"),
    "interpretability": pgettext("sheet", "interpretability"),
    "factual_supported": pgettext("sheet", "factual_supported"),
    "counterfactual_supported": pgettext("sheet", "counterfactual_supported"),
    "error_type": pgettext("sheet", "error_type"),
    "type": pgettext("sheet", "type"),
    "factual_claim": pgettext("sheet", "factual_claim"),
    "factual_response": pgettext("sheet", "factual_response"),
    "counterfactual_claim": pgettext("sheet", "counterfactual_claim"),
    "counterfactual_response": pgettext("sheet", "counterfactual_response"),
    "reference": pgettext("sheet", "reference"),
    "evidence": pgettext("sheet", "evidence"),
    "guide": pgettext("sheet", "guide"),
    "label": pgettext("sheet", "label"),
    "label_en": pgettext("sheet", "label_en"),
    "option_a": pgettext("sheet", "option_a"),
    "option_b": pgettext("sheet", "option_b"),
    "option_c": pgettext("sheet", "option_c"),
    "option_d": pgettext("sheet", "option_d"),
    "explanation": pgettext("sheet", "explanation"),
}
FORMER = {"rater": "annotator", "code": "answer_hash"}  # headings of earlier versions


def headings(columns: Iterable[str]) -> list[str]:
    """Return the headings of columns in the language of the command."""
    return [translated(HEADINGS.get(column, column), "sheet") for column in columns]


def column_of(heading: str) -> str:
    """Return the name of a column by its heading, in either language; any other heading is a name."""
    written = heading.strip()
    return _columns_by_heading().get(written, written)


@cache
def _columns_by_heading() -> dict[str, str]:
    return {**FORMER, **{in_chinese(heading, "sheet"): column for column, heading in HEADINGS.items()}}
