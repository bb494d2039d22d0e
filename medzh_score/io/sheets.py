"""Sheets that people fill in: headings in both languages, as CSV or as a workbook with choices and a guide."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from medzh_score.io.archive import zip_bytes
from medzh_score.io.tables import HEADINGS, LONGEST_CELL, NO_TIME, NOT_XML, TIMES, csv_text, headings, inert
from medzh_score.io.workbooks import ESCAPED, GUIDES
from medzh_score.ui.errors import MedzhError, printable
from medzh_score.ui.i18n import CHINESE, _, current, pgettext, translated
from medzh_score.ui.privacy import quotable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

WIDE, MIDDLE, NARROW = 60, 24, 14  # characters of a column
LONG = 20  # characters, from which a column is wide


def headed(column: str) -> str:
    """Return the heading of a column as a part of a message, which has it in the language of the message."""
    return HEADINGS.get(column, column)


GUIDE = (  # what holds for every sheet
    _("Write your name in the column {column}.", column=headed("annotator")),
    _("Leave a row blank if you cannot decide. Blank rows are listed when the sheet is read."),
    _("Do not change ids or answer hashes. You may add columns for notes and change the order of columns and rows."),
)


@dataclass(frozen=True)
class Sheet:
    """A sheet for people: its columns by their names in code, its rows, and what may be filled in.

    ``choices`` are the values of a column, which a workbook offers; ``limits`` are the least and the largest number.
    """

    columns: tuple[str, ...]
    rows: tuple[Mapping[str, object], ...]
    guide: tuple[str, ...]
    choices: Mapping[str, Sequence[str]] = field(default_factory=dict)
    limits: Mapping[str, tuple[float, float]] = field(default_factory=dict)


def as_csv_sheet(sheet: Sheet, name: str | None) -> bytes:
    """Write a sheet as CSV with headings in the language of the command.

    A file is for spreadsheet programs: with a byte order mark, and no cell is a formula. Standard output is for
    programs and has the texts unchanged.
    """
    heads = headings(sheet.columns)
    rows = ([row.get(column, "") for column in sheet.columns] for row in sheet.rows)
    if name is None or name == "-":
        return csv_text(heads, (dict(zip(heads, row, strict=True)) for row in rows)).encode("utf-8")
    cells = (dict(zip(heads, map(inert, row), strict=True)) for row in rows)
    return csv_text(heads, cells).encode("utf-8-sig")


def as_workbook(sheet: Sheet, name: str, else_csv: str = "--output FILE.csv") -> bytes:
    """Write a sheet as a workbook: every cell a text, choices to pick from, a guide; equal sheets give equal bytes."""
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    book = Workbook()
    page: Any = book.active
    page.title = translated(pgettext("sheet titles", "Sheet"))
    page.freeze_panes = "A2"
    rows = [headings(sheet.columns)]
    rows += [[str(row.get(column, "")) for column in sheet.columns] for row in sheet.rows]
    for number, row in enumerate(rows, 1):
        for place, value in enumerate(row, 1):
            if len(value) > LONGEST_CELL:
                raise MedzhError(
                    _("the cell of {row} is too long for a workbook", row=quotable(row[0])),
                    file=name,
                    line=number,
                    field=rows[0][place - 1],
                    expected=_("at most {longest_cell} characters", longest_cell=LONGEST_CELL),
                    found=f"{len(value)}",
                    advice=_("write the sheet as CSV: {else_csv}", else_csv=else_csv),
                )
            cell = page.cell(number, place)
            cell.value = _writable(value)
            cell.data_type = "s"  # a text, whatever it begins with: never a formula
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            cell.font = Font(bold=number == 1)
    for place, column in enumerate(sheet.columns, 1):
        longest = max(len(str(row.get(column, ""))) for row in (*sheet.rows, {}))
        width = WIDE if longest > LONG and column != "id" else MIDDLE if longest > NARROW else NARROW
        page.column_dimensions[get_column_letter(place)].width = width
        _offer(page, sheet, column, get_column_letter(place))
    _add_guide(book, sheet.guide)
    stream = io.BytesIO()
    book.save(stream)
    with zipfile.ZipFile(stream) as archive:
        members = {one: archive.read(one) for one in archive.namelist()}
    members["docProps/core.xml"] = TIMES.sub(NO_TIME, members["docProps/core.xml"])
    return zip_bytes(members)


def _writable(value: str) -> str:
    shown = NOT_XML.sub(lambda found: printable(found.group()), value)
    return ESCAPED.sub(lambda found: f"_x005F{found.group()}", shown)


def _offer(page: Any, sheet: Sheet, column: str, letter: str) -> None:  # noqa: ANN401 - openpyxl's own
    """Let people pick a value of a column, or warn of a number out of range."""
    from openpyxl.worksheet.datavalidation import DataValidation

    if column in sheet.choices:
        shown = [translated(value, "sheet values") for value in sheet.choices[column]]
        rule = DataValidation("list", formula1=f'"{",".join(shown)}"', allow_blank=True)
    elif column in sheet.limits:
        low, high = sheet.limits[column]
        rule = DataValidation(
            "decimal", operator="between", formula1=f"{low:g}", formula2=f"{high:g}", allow_blank=True
        )
    else:
        return
    page.add_data_validation(rule)
    rule.add(f"{letter}2:{letter}{len(sheet.rows) + 1}")


def _add_guide(book: Any, guide: Iterable[str]) -> None:  # noqa: ANN401 - openpyxl's own
    from openpyxl.styles import Alignment

    page = book.create_sheet(GUIDES[current.get() == CHINESE])
    page.column_dimensions["A"].width = 100
    for line in guide:
        page.append([translated(line)])
        page.cell(page.max_row, 1).alignment = Alignment(wrap_text=True, vertical="top")
