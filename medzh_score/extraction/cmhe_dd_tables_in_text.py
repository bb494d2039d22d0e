"""Tables that a diagnosis draws with bars: which of their rows and columns offer a disease."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.extraction.cmhe_dd_cues import KEPT_IN
from medzh_score.extraction.cmhe_dd_sections import is_passed_over

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Span = tuple[int, int]

ROW = re.compile(r"^[^\n|]*\|[^\n]*\|[^\n]*$", re.MULTILINE)
CELL = re.compile(r"[^|\n]+")
RULE = re.compile(r"[\s:|-]+")
NAMES = re.compile(r"诊断|疾病|病名|病种|编码|代码|disease|diagnosis|condition|icd|code")
APART = re.compile(r"鉴别|排除(?:依据|理由|要点|原因)")
OUT = re.compile(
    r"(?:已|可|应|基本|暂|能|予以?|较|很|极|最|可能性?|为)*(?:排除|除外|不支持|不符合?|不考虑|[低小否×✗✘❌❎✖]|不大"
    r"|不太可能|low|very low|unlikely|excluded|no)[。.]?"
)
OUT_AT_END = re.compile(r"[,。;:](?:故|可|已|均|基本|暂|予以?)*(?:排除|除外|不支持|不符合?|不考虑)[。.]?$")
STILL_IN = re.compile(KEPT_IN)


def passed_over(text: str) -> list[Span]:
    """Find what in the tables of a text offers no disease.

    Parameters
    ----------
    text : str
        Compact.

    Returns
    -------
    list of (int, int)
        From left to right: tables of what is told apart, rows with a cell that says that its disease is out, and cells
        beside the columns of diseases and of their codes where the head names one.
    """
    if "|" not in text:
        return []
    return [span for table in _tables(text) for span in _of_table(table)]


def _tables(text: str) -> Iterator[list[list[tuple[str, Span]]]]:
    """Give the tables, row by row, cell by cell with their places."""
    table: list[list[tuple[str, Span]]] = []
    behind = -1
    for row in ROW.finditer(text):
        if table and row.start() != behind:
            yield table
            table = []
        behind = row.end() + 1
        if not RULE.fullmatch(row[0]):
            table.append([(cell[0], cell.span()) for cell in CELL.finditer(text, row.start(), row.end())])
    if table:
        yield table


def _of_table(table: Sequence[Sequence[tuple[str, Span]]]) -> list[Span]:
    head, *rows = table
    if not rows:
        return []
    names = [place for place, (cell, _) in enumerate(head) if NAMES.search(cell)]
    if any(APART.search(cell) for cell, _ in head) and not any(
        "诊断" in cell and "鉴别" not in cell for cell, _ in head
    ):
        return [(head[0][1][0], rows[-1][-1][1][1])]
    out: list[Span] = []
    for row in rows:
        if any(_is_out(cell) for cell, _ in row) or (len(row) > 1 and is_passed_over(row[0][0])):
            out.append((row[0][1][0], row[-1][1][1]))
        elif names:
            out += [span for place, (_, span) in enumerate(row) if place not in names]
    return out


def _is_out(cell: str) -> bool:
    return STILL_IN.search(cell) is None and (OUT.fullmatch(cell) or OUT_AT_END.search(cell)) is not None
