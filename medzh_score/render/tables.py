"""Text in lines of a width, for names in Chinese, English or both and for sentences; no word is cut."""

from __future__ import annotations

import re
import shutil
import sys
from bisect import bisect_left
from typing import TYPE_CHECKING

from rich.cells import cell_len

from medzh_score.benchmark.items import WITHHELD
from medzh_score.ui.errors import printable
from medzh_score.ui.i18n import translated
from medzh_score.ui.numbers import cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from medzh_score.benchmark.config import Table


# Files and pipes: a line a row for other programs, and the same bytes on every machine.
UNLIMITED = 10_000
NARROWEST = 60


def width_for(out: str | None) -> int:
    """Find how wide a result may be that goes to a file, or to standard output."""
    if out not in {None, "-"} or sys.stdout is None or not sys.stdout.isatty():
        return UNLIMITED
    return max(NARROWEST, shutil.get_terminal_size().columns)


WIDE = "\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
OPENING, CLOSING = "（《「『【“‘", "，。、；：！？）》」』】”’/"  # end no line, and begin none, where there is room
# A line may break beside any Chinese character, between the words of other scripts, and after the bars of a signature.
PIECES = re.compile(rf"[{WIDE}]|[^\s|{WIDE}]+\|?|\|+|\s+")
BENEATH = "  "  # how the lines of a sentence after its first begin


def wrapped(text: str, width: int) -> str:
    """Break a name into as few lines as fit, and make these about equally long."""
    pieces = _together(PIECES.findall(text.strip()), width)
    fewest = _filled(pieces, width)
    limits = range(1, width + 1)
    narrowest = limits[bisect_left(limits, True, key=lambda limit: len(_filled(pieces, limit)) <= len(fewest))]  # noqa: FBT003
    return "\n".join(_filled(pieces, narrowest))


def in_lines(text: str, width: int) -> str:
    """Break a sentence into lines that are as full as can be; a word that is longer stands alone, and nothing acts."""
    text = printable(text)
    if cell_len(text) <= width:
        return text
    room = width - len(BENEATH)
    return f"\n{BENEATH}".join(_filled(_together(PIECES.findall(text), room), room))


def _longest_piece(text: str) -> int:
    return max(map(cell_len, PIECES.findall(text.strip())), default=0)


def _together(pieces: list[str], width: int) -> list[str]:
    joined: list[str] = []
    for piece in pieces:
        last = joined[-1] if joined else " "
        bound = (piece in CLOSING or last[-1] in OPENING) and not last.isspace() and not piece.isspace()
        if bound and cell_len(last + piece) <= width:
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined


def _filled(pieces: list[str], width: int) -> list[str]:
    lines: list[list[str]] = [[]]
    taken = 0  # columns of the last line, spaces at its end included
    for piece in pieces:
        wide = cell_len(piece)
        if lines[-1] and not piece.isspace() and taken + wide > width:
            lines.append([])
            taken = 0
        if lines[-1] or not piece.isspace():
            lines[-1].append(piece)
            taken += wide
    return ["".join(line).rstrip() for line in lines]


TITLES, HEADS, GROUPS = "titles", "heads", "groups"
# Of columns whose cells name groups of questions or claims.
GROUPED = frozenset(
    {"group", "class", "part", "partition", "right options", "kind", "type", "Atomic Type", "aspect", "source"}
)
COLUMN = "column "  # before its head: the section with the words of its cells


def translated_heads(columns: Sequence[str]) -> tuple[str, ...]:
    """Give the heads of columns."""
    return tuple(translated(head, HEADS) for head in columns)


def translated_rows(table: Table, decimals: int) -> list[tuple[str, ...]]:
    """Print the cells of a table; texts of others, such as names of models, stay as they are."""
    return [
        tuple(_translated_cell(head, value, decimals) for head, value in zip(table.columns, row, strict=True))
        for row in table.rows
    ]


NUMBER = re.compile(r"[-−+]?\d[\d,]*(?:\.\d+)?(?:%| pp| 个百分点)?|\[-?\d.*\]|– (?:\(\d+ runs?\)|（.*）)")
NO_NUMBER = frozenset({"", "-", "–"})


def is_numeric(cells: Sequence[str]) -> bool:
    """Return whether all cells of a column are numbers, intervals or blank."""
    return all(one in NO_NUMBER or NUMBER.fullmatch(one) for one in cells)


def translated_label(head: str, text: str) -> str:
    """Give a word of a column, such as a group, which stands in heads and figures, too."""
    return translated(text, GROUPS if head in GROUPED or text == WITHHELD else COLUMN + head)


def _translated_cell(head: str, value: str | float | None, decimals: int) -> str:
    return translated_label(head, value) if isinstance(value, str) else cell(value, decimals)


DECIMALS = 2
# Signs; what begins an entity; addresses, which are links without any sign; what begins a list.
MARKDOWN_SPECIAL = re.compile(
    r"([\\`*_{}\[\]<>|#~$]|&(?=#?\w+;)|:(?=//)|(?<=www)\.|(?<=[\w.+-])@|^[-+](?=[\s-]|$))", re.IGNORECASE
)


def as_text(
    table: Table, decimals: int = DECIMALS, width: int = UNLIMITED, *, heads: Sequence[str] | None = None
) -> str:
    """Draw a table for the terminal; what is too wide is folded in its column. Chinese characters take two columns.

    ``heads`` replaces the translated headings of the columns.
    """
    import io

    from rich import box
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    shown = (heads or translated_heads(table.columns), *translated_rows(table, decimals))
    top, *rows = (tuple(map(printable, row)) for row in shown)
    widths = _widths([top, *rows], width)
    close = None in widths  # too wide: columns stand closer, before names are broken
    if close:
        widths = _widths([top, *rows], width + len(top) - 1)
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=close)
    for place, (head, wide) in enumerate(zip(top, widths, strict=True)):
        numeric = place > 0 and is_numeric([row[place] for row in rows])
        grid.add_column(Text(head), justify="right" if numeric else "left", overflow="fold", width=wide)
    for row in rows:
        grid.add_row(*(Text(_in_column(cell, wide)) for cell, wide in zip(row, widths, strict=True)))
    stream = io.StringIO()
    wide = 1 + max(width, 5 * len(table.columns))  # one for the edge, which is blank; narrower, rich leaves some out
    Console(file=stream, width=wide, no_color=True, emoji=False, highlight=False, force_terminal=False).print(grid)
    drawn = "\n".join(line.rstrip() for line in stream.getvalue().splitlines()).strip("\n")
    return f"{in_lines(translated(table.title, TITLES), width)}\n{drawn}\n"


def _in_column(text: str, width: int | None) -> str:
    if width is None or cell_len(text) <= width:
        return text
    return "\n".join(_filled(_together(PIECES.findall(text), width), width))


def _widths(rows: Sequence[Sequence[str]], width: int) -> list[int | None]:
    least, natural = (
        [max(map(measured, column)) for column in zip(*rows, strict=True)] for measured in (_longest_piece, cell_len)
    )
    spare = width + 2 - 3 * len(least) - sum(least)
    if spare < 0:
        return [None] * len(least)
    wants = [most - one for most, one in zip(natural, least, strict=True)]
    spare = min(spare, sum(wants))
    return [one + want * spare // max(sum(wants), 1) for one, want in zip(least, wants, strict=True)]


def markdown_escaped(text: str) -> str:
    """Escape what Markdown would read as a sign of its own, and keep it in one line."""
    return MARKDOWN_SPECIAL.sub(r"\\\1", printable(text.replace("\n", " ")))


def as_markdown(table: Table, decimals: int = DECIMALS) -> str:
    """Write a table in Markdown; every cell is escaped."""
    rows = [translated_heads(table.columns), *translated_rows(table, decimals)]
    head, *piped = ["| " + " | ".join(map(markdown_escaped, row)) + " |" for row in rows]
    piped = [head, "|" + " --- |" * len(table.columns), *piped]
    return "\n".join([f"**{markdown_escaped(translated(table.title, TITLES))}**", "", *piped]) + "\n"


def as_latex(table: Table, decimals: int = DECIMALS) -> str:
    """Write a table for LaTeX with booktabs; every cell is escaped."""
    from medzh_score.render.latex import latex_escaped, latex_table

    rows = [list(map(latex_escaped, row)) for row in translated_rows(table, decimals)]
    caption = latex_escaped(translated(table.title, TITLES))
    return latex_table(caption, list(map(latex_escaped, translated_heads(table.columns))), [rows])


WIDEST_PROSE = 110


def document(  # noqa: PLR0913, PLR0917 - the parts of a page, and how it is drawn
    form: str,
    heading: str,
    tables: Iterable[Table],
    notes: Sequence[str],
    decimals: int = DECIMALS,
    width: int = UNLIMITED,
) -> str:
    """Put tables under a heading and notes under the tables; as text no wider than that."""
    heading, notes = translated(heading), list(map(translated, notes))
    if form == "markdown":
        listed = "\n".join(f"- {markdown_escaped(note)}" for note in notes)
        blocks = [markdown_escaped(heading), *(as_markdown(table, decimals) for table in tables), listed]
    elif form == "latex":
        from medzh_score.render.latex import latex_escaped

        paragraphs = [rf"\noindent {latex_escaped(note)}" for note in notes]
        head = rf"\noindent {latex_escaped(heading)}"
        blocks = [head, *(as_latex(table, decimals) for table in tables), "\n\n".join(paragraphs)]
    else:
        prose = min(width, WIDEST_PROSE)
        listed = "\n".join(in_lines(f"- {note}", prose) for note in notes)
        blocks = [in_lines(heading, prose), *(as_text(table, decimals, width) for table in tables), listed]
    return "\n\n".join(block.rstrip("\n") for block in blocks if block) + "\n"
