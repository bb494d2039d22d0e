"""Lines of a screen: aligned, folded, cut or filled to a width in terminal columns, with a style on a terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len, set_cell_size

from medzh_score.render.tables import UNLIMITED, in_lines
from medzh_score.ui.errors import printable
from medzh_score.ui.i18n import translated

if TYPE_CHECKING:
    from collections.abc import Sequence


LINES = 25  # of a screen
DEFAULT_WIDTH, WIDEST = 80, 100  # in files and pipes, and on a wide terminal
BOLD = "bold"
ARROWS = {"higher": "↑", "lower": "↓"}
WORD = re.compile(r"""(?:[^\s'"]|'[^']*'|"[^"]*")+""")  # of a command, with what is quoted in it


class Line(NamedTuple):
    """A line of the screen with its style on a terminal."""

    text: str
    style: str = ""


def screen_width(width: int) -> int:
    """Find the width of a short report: 80 columns in files and pipes, at most 100 on a terminal."""
    return DEFAULT_WIDTH if width == UNLIMITED else min(width, WIDEST)


def folded(texts: Sequence[str], width: int, style: str = "", indent: str = " ") -> list[Line]:
    """Fold sentences at a width."""
    room = width - len(indent)
    return [Line(indent + line, style) for text in texts for line in in_lines(translated(text), room).split("\n")]


def drawn(lines: Sequence[Line], *, colored: bool) -> str:
    """Write lines, with their styles if the terminal shows colors."""
    return "".join(f"{_styled(one) if colored else printable(one.text)}\n" for one in lines)


def cut(text: str, width: int) -> str:
    """Cut a line to a width, without control characters."""
    text = printable(text).rstrip()
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + "…"


def aligned(rows: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> list[str]:
    """Align columns, two spaces apart; those of ``left`` to the left. A wide character takes two columns."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        parts = []
        for place, (text, width) in enumerate(zip(row, widths, strict=True)):
            spaces = " " * (width - cell_len(text))
            parts.append(text + spaces if place in left else spaces + text)
        lines.append((" " + "  ".join(part for part, width in zip(parts, widths, strict=True) if width)).rstrip())
    return lines


def with_arrow(metric: str, direction: str | None) -> str:
    """Name a metric with the arrow of its direction."""
    return f"{metric} {ARROWS[direction]}" if direction else metric


def bar(value: float | None, low: float | None, high: float | None, top: float, width: int) -> str:
    """Draw a value and its interval on a bar from 0 to the largest value; blank if the value is not on it."""
    if not width or value is None or not 0 <= value <= top:
        return " " * width
    cells = ["·"] * width
    first, last, place = (
        None if end is None else int(min(max(end / top, 0), 1) * (width - 1) + 0.5) for end in (low, high, value)
    )
    if first is not None and last is not None:
        cells[first : last + 1] = ["├", *"─" * (last - first - 1), "┤"][: last - first + 1]
    cells[place or 0] = "●"
    return "".join(cells)


def _styled(line: Line) -> str:
    text = printable(line.text)
    if not line.style:
        return text
    from rich.color import ColorSystem
    from rich.style import Style

    return Style.parse(line.style).render(text, color_system=ColorSystem.STANDARD)


def padded(text: str, width: int, *, right: bool = False) -> str:
    """Fill a text with blanks to a width, or cut it."""
    if cell_len(text) > width:
        return cut(text, width)
    blank = " " * (width - cell_len(text))
    return blank + text if right else text + blank


def command_lines(command: str, width: int) -> list[str]:
    r"""Fold a command at its options; lines that end in a backslash run as they are printed."""
    lines = [""]
    for word in _with_values(WORD.findall(command)):
        if lines[-1] and cell_len(f"{lines[-1]} {word} \\") > width:
            lines[-1] += " \\"
            lines.append(f"  {word}")
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return lines


def _with_values(words: Sequence[str]) -> list[str]:
    """Keep an option and its value together."""
    found: list[str] = []
    for word in words:
        if found and found[-1].startswith("-") and " " not in found[-1] and not word.startswith("-"):
            found[-1] += f" {word}"
        else:
            found.append(word)
    return found


NOTABLE = 2  # characters of an end that is worth cutting


def short_names(names: Sequence[str], width: int) -> list[str]:
    """Shorten names to a width in columns so that they remain different.

    The middle of a long name is cut, or the end that the long names share.
    """
    long = [name for name in names if cell_len(name) > width]
    shared = _shared_end(long) if len(long) > 1 else ""
    for suffix in (shared, "") if len(shared) >= NOTABLE else ("",):
        for tail in (width // 2 - 1, width - 2, 0):
            found = [
                name if cell_len(name) <= width else _shortened(_without(name, suffix), width, tail) for name in names
            ]
            if len(set(found)) == len(set(names)):
                return found
    return [_shortened(f"{number} {name}", width, 0) for number, name in enumerate(names, 1)]


def _shared_end(names: Sequence[str]) -> str:
    """Return the end that all names share, from a sign between words on."""
    ends = [names[0][start:] for start, character in enumerate(names[0]) if character in "-_ /"]
    return next((end for end in ends if all(name.endswith(end) for name in names)), "")


def _without(name: str, suffix: str) -> str:
    return name.removesuffix(suffix) + "…" if suffix and name != suffix else name


def _shortened(name: str, width: int, tail: int) -> str:
    if cell_len(name) <= width:
        return name
    end = name
    while cell_len(end) > tail:
        end = end[1:]
    return set_cell_size(name, width - 1 - cell_len(end)).rstrip() + "…" + end
