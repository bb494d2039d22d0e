"""A figure as PNG or SVG, equal byte for byte for equal figures on equal machines."""

from __future__ import annotations

import io
import logging
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Any, Literal

from medzh_score.errors import MedzhError
from medzh_score.rendering.glyphs import fonts_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes

    from medzh_score.figures import Figure

Form = Literal["png", "svg"]
FORMS: tuple[Form, ...] = ("png", "svg")
SIZE = (6.4, 4.8)  # inches, without the legend
ROW = 0.25  # inches of a line of the legend
DPI = 200
TITLE_WIDTH = 64  # characters
LONGEST = 48  # characters of a label
COLOURS = 10  # of matplotlib's own cycle
MARKERS = "os^Dv<>"  # their number and that of the colours share no factor: 70 different curves
STYLE: dict[Any, Any] = {
    "axes.grid": True,
    "grid.alpha": 0.3,
    "svg.fonttype": "none",  # text stays text: it can be searched, and shows where the reader has the font
    "svg.hashsalt": "medzh",
    "text.parse_math": False,  # a dollar sign in a model's name begins no formula
}
# Neither a date nor a version of the program that drew.
METADATA: dict[Form, dict[str, Any]] = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None}}


@dataclass(frozen=True)
class Drawing:
    """A drawn figure.

    Attributes
    ----------
    content : bytes
        Of the file.
    lacking : str
        The characters that no font of this machine has; in their place a PNG shows boxes.
    """

    content: bytes
    lacking: str


def draw(figure: Figure, form: Form) -> Drawing:
    """Draw a figure.

    Parameters
    ----------
    figure : Figure
        What it shows.
    form : {"png", "svg"}
        Of the file.

    Returns
    -------
    Drawing
        No display is opened, and the settings of the user's own matplotlib do not show.

    Raises
    ------
    MedzhError
        If matplotlib is not installed, or the environment names a backend that it does not know.
    """
    with _quiet():
        try:
            import matplotlib as mpl
            from matplotlib.figure import Figure as Sheet
        except ImportError as error:
            raise MedzhError(
                f"drawing needs matplotlib: {error}", advice="install it: pip install 'medzh-score[plot]'"
            ) from error
        except ValueError as error:
            raise MedzhError(f"matplotlib does not start: {error}", advice="unset MPLBACKEND") from error
        labels = [_shortened(curve.label) for curve in figure.curves]
        texts = [figure.title, figure.x, figure.y, figure.level, *labels]
        families, lacking = fonts_for("".join(texts))
        with mpl.rc_context():
            mpl.rcdefaults()
            mpl.rcParams.update({**STYLE, "font.family": "sans-serif", "font.sans-serif": families})
            width, height = SIZE
            sheet = Sheet(figsize=(width, max(height, ROW * (len(labels) + 2))), dpi=DPI)
            _fill(sheet.subplots(), figure, labels)
            stream = io.BytesIO()
            sheet.savefig(stream, format=form, metadata=METADATA[form], bbox_inches="tight")
    return Drawing(stream.getvalue(), lacking)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep matplotlib from talking about caches, its settings file and each glyph that it lacks."""
    log = logging.getLogger("matplotlib")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        log.setLevel(level)


def _shortened(label: str) -> str:
    half = LONGEST // 2
    return label if len(label) <= LONGEST else f"{label[:half]}…{label[1 - half :]}"


def _fill(axes: Axes, figure: Figure, labels: list[str]) -> None:
    """Draw the curves, with the legend beside them, where it hides none."""
    lines = []
    for index, curve in enumerate(figure.curves):
        colour, marker = f"C{index % COLOURS}", MARKERS[index % len(MARKERS)]
        lines += axes.plot(*zip(*curve.points, strict=True), color=colour, marker=marker, markersize=4)
        if curve.level is not None:
            axes.axhline(curve.level, color=colour, linestyle="--", linewidth=1)
    axes.set_ylim(bottom=0)
    if any(curve.level is not None for curve in figure.curves):
        lines += axes.plot([], [], color="0.4", linestyle="--", linewidth=1)
        labels = [*labels, f"dashed: {figure.level} over all predictions"]
    # The texts are set afterwards: matplotlib leaves out labels that begin with an underscore.
    legend = axes.legend(lines, ["-"] * len(lines), loc="upper left", bbox_to_anchor=(1.02, 1), borderaxespad=0)
    written = [axes.set_title(""), axes.set_xlabel(""), axes.set_ylabel(""), *legend.get_texts()]
    title = fill(figure.title, TITLE_WIDTH)
    for text, content in zip(written, [title, figure.x, figure.y, *labels], strict=True):
        text.set_text(content)
