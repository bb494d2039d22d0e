"""What all figures are drawn on: a sheet with the fonts that their texts need, written as PNG, SVG or PDF."""

from __future__ import annotations

import hashlib
import io
import logging
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Any, Literal

from medzh_score.render.tables import TITLES, wrapped
from medzh_score.ui.errors import MedzhError, how_to_add, printable
from medzh_score.ui.i18n import ENGLISH, _, current, translated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Sheet
    from matplotlib.font_manager import FontEntry


Form = Literal["png", "svg", "pdf"]
FORMS: tuple[Form, ...] = ("png", "svg", "pdf")
ROW = 0.25  # inches of a line of the legend
DPI = 200
FOOTER, FOOTER_GAP = 7, 0.12  # points, and inches above
TITLE_WIDTH = 64  # characters
LONGEST = 48  # characters of a label
TRUETYPE = 42  # whole outlines, which publishers take and readers can search
TYPE_3 = 3  # glyphs as drawings, for outlines that a font of type 42 cannot hold; readers can search these, too
COLORS = 10  # of matplotlib's own cycle, and the classes m0 to m9 of pages
MARKERS = "os^Dv<>"
STYLE: dict[Any, Any] = {
    "axes.grid": True,
    "grid.alpha": 0.3,
    "svg.fonttype": "none",  # text stays text: it can be searched, and shows where the reader has the font
    "svg.hashsalt": "medzh",
    "text.parse_math": False,  # a dollar sign in a model's name begins no formula
}
# Neither a date nor a version of the program that drew.
METADATA: dict[Form, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


@dataclass(frozen=True)
class Drawing:
    """The file of a figure, and the characters that no font here has: all but an SVG shows boxes in their place."""

    content: bytes
    lacking: str


def drawing(
    form: Form, size: tuple[float, float], texts: str, fill: Callable[[Sheet], None], footer: str = ""
) -> Drawing:
    """Draw on an empty sheet with a footer; no display is opened, and the user's matplotlib settings do not apply."""
    with _quiet():
        try:
            import matplotlib as mpl
            from matplotlib.figure import Figure as Sheet
        except ImportError as error:
            raise MedzhError(
                _("figures require matplotlib: {error}", error=error), advice=how_to_add("plot")
            ) from error
        except ValueError as error:
            raise MedzhError(
                _("matplotlib does not start: {error}", error=error), advice=_("unset MPLBACKEND")
            ) from error
        families, lacking = fonts_for(texts + footer)
        with mpl.rc_context():
            mpl.rcdefaults()
            mpl.rcParams.update({**STYLE, "font.family": [*families, "sans-serif"], "font.sans-serif": families})
            mpl.rcParams["pdf.fonttype"] = TYPE_3 if _postscript_outlines(families) else TRUETYPE
            sheet = Sheet(figsize=size, dpi=DPI)
            fill(sheet)
            _write_footer(sheet, footer)
            stream = io.BytesIO()
            sheet.savefig(stream, format=form, metadata=METADATA[form], bbox_inches="tight")
    return Drawing(stream.getvalue(), lacking)


def _write_footer(sheet: Sheet, footer: str) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    sheet.draw_without_rendering()  # so that the layout is known
    sheet.set_layout_engine("none")
    box = sheet.get_tightbbox(FigureCanvasAgg(sheet).get_renderer())  # type: ignore[no-untyped-call]
    width, height = sheet.get_size_inches()
    place = box.x0 / width, (box.y0 - FOOTER_GAP) / height
    sheet.text(*place, "", va="top", fontsize=FOOTER, color="0.35").set_text(printable(footer))


@contextmanager
def _quiet() -> Iterator[None]:
    logs = [logging.getLogger(name) for name in ("matplotlib", "fontTools")]
    levels = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for log, level in zip(logs, levels, strict=True):
            log.setLevel(level)


def model_color(label: str) -> int:
    """Return the number of a model's color, from its name: the same on every page, whatever other models are on it."""
    return _digest(label)[0] % COLORS


def line_styles(labels: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return color and marker of each model, by its name; where two models of a figure agree, one has the next free."""
    first = {model_color(label): label for label in sorted(labels, reverse=True)}
    ordered = sorted(labels, key=lambda label: (first[model_color(label)] != label, label))
    colors: list[int] = []
    markers: list[int] = []
    for label in ordered:
        colors.append(_least_used(model_color(label), colors, COLORS))
        beside = [marker for color, marker in zip(colors, markers, strict=False) if color == colors[-1]]
        markers.append(_least_used(_digest(label)[1] % len(MARKERS), beside or markers, len(MARKERS)))
    return {
        label: {"color": f"C{color}", "marker": MARKERS[marker], "markersize": 5}
        for label, color, marker in zip(ordered, colors, markers, strict=True)
    }


def _digest(label: str) -> bytes:
    return hashlib.sha256(label.encode("utf-8", "surrogatepass")).digest()


def _least_used(first: int, used: Sequence[int], count: int) -> int:
    """Return the first of the numbers below a count, from one of them on, that are used least."""
    return min(((first + step) % count for step in range(count)), key=used.count)


def in_title_lines(text: str) -> str:
    """Break a line of a title, which is in the language of results then."""
    if current.get() == ENGLISH:
        return fill(printable(text), TITLE_WIDTH)
    return wrapped(printable(translated(translated(text), TITLES)), TITLE_WIDTH)


def sheet_size(width: float, height: float, rows: int) -> tuple[float, float]:
    """Make room for a legend of so many rows beside the axes."""
    return width, max(height, ROW * (rows + 2))


def write_texts(axes: Axes, drawn: Sequence[Any], labels: Sequence[str], *texts: str) -> None:
    """Write title, names of the axes and, beside them, where it hides none of the drawn, the legend.

    The texts are set afterwards: matplotlib leaves out labels that begin with an underscore.
    """
    legend = axes.legend(drawn, ["-"] * len(drawn), loc="upper left", bbox_to_anchor=(1.02, 1), borderaxespad=0)
    written = [axes.set_title(""), axes.set_xlabel(""), axes.set_ylabel(""), *legend.get_texts()]
    for text, content in zip(written, [*texts, *labels], strict=True):
        text.set_text("\n".join(map(printable, content.split("\n"))))


def shortened(label: str) -> str:
    """Cut the middle out of a label that is too long for a legend."""
    label, half = printable(label), LONGEST // 2
    return label if len(label) <= LONGEST else f"{label[:half]}…{label[1 - half :]}"


BASE = "DejaVu Sans"  # comes with matplotlib, so that figures without other characters look the same everywhere
REGULAR = (400, "normal", "regular", "book", "roman")
# Fonts that draw a box in place of every character.
LAST_RESORT = ("lastresort", "last resort", ".")


def fonts_for(text: str) -> tuple[list[str], str]:
    """Find fonts for a text: the Chinese one that the extra ``plot`` installs before those of this machine."""
    from matplotlib.font_manager import findfont

    lacking = {ord(character) for character in text if not character.isspace()} - _characters(findfont(BASE))
    families = [BASE]
    for candidates in (_installed, _of_this_machine):
        entries = candidates() if lacking else ()
        for best in sorted(entries, key=lambda entry: (-len(lacking & _characters(entry.fname)), *_order(entry)))[:1]:
            found = lacking & _characters(best.fname)
            families += [best.name] if found else []
            lacking -= found
    return families, "".join(map(chr, sorted(lacking)))


def _postscript_outlines(families: Sequence[str]) -> bool:
    from fontTools.ttLib import TTFont
    from matplotlib.font_manager import findfont

    return any("glyf" not in TTFont(findfont(family), fontNumber=0, lazy=True) for family in families)


def _installed() -> Sequence[FontEntry]:
    from matplotlib.font_manager import fontManager

    try:
        from pylopdf_fonts_zh_cn import sans_path
    except ImportError:
        return ()
    path = str(sans_path())
    if all(entry.fname != path for entry in fontManager.ttflist):
        fontManager.addfont(path)
    return [entry for entry in fontManager.ttflist if entry.fname == path]


def _of_this_machine() -> Sequence[FontEntry]:
    from matplotlib.font_manager import fontManager

    return [entry for entry in fontManager.ttflist if not entry.name.casefold().startswith(LAST_RESORT)]


def _order(entry: FontEntry) -> tuple[bool, bool, str, str]:
    return entry.style != "normal", entry.weight not in REGULAR, entry.name, entry.fname


def _characters(path: str) -> AbstractSet[int]:
    from matplotlib.font_manager import get_font

    try:
        return get_font(path).get_charmap().keys()
    except (OSError, RuntimeError):  # a damaged font, or one that was taken away since matplotlib listed it
        return frozenset()
