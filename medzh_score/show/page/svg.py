"""Shapes of a chart, which classes of the style sheet colour: style attributes do not act on a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.messages.errors import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    Pair = tuple[str, str]
    Point = tuple[float, float]


@dataclass(frozen=True)
class Chart:
    """A chart: its title and what else a reader should know, its size in pixels, and what is drawn."""

    title: Markup
    notes: tuple[Markup, ...]
    width: float
    height: float
    shapes: tuple[Markup, ...]


def _element(name: str, kind: str, **numbers: float) -> Markup:
    from markupsafe import Markup

    written = " ".join(f'{key}="{number:.1f}"' for key, number in numbers.items())
    return Markup("<{} class='{}' {}/>").format(name, kind, Markup(written))  # noqa: S704 - numbers


def line(kind: str, start: Point, end: Point) -> Markup:
    """Draw a line."""
    return _element("line", kind, x1=start[0], y1=start[1], x2=end[0], y2=end[1])


def box(kind: str, corner: Point, width: float, height: float) -> Markup:
    """Draw a box from its upper left corner."""
    return _element("rect", kind, x=corner[0], y=corner[1], width=width, height=height)


def dot(kind: str, place: Point) -> Markup:
    """Draw a dot."""
    return _element("circle", kind, cx=place[0], cy=place[1], r=4)


def path(kind: str, points: Sequence[Point], *, closed: bool = False) -> Markup:
    """Draw a line through points."""
    from markupsafe import Markup

    written = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return Markup("<{} class='{}' points='{}'/>").format("polygon" if closed else "polyline", kind, written)


def text(kind: str, place: Point, words: Pair) -> Markup:
    """Write words of both languages; the class says where they are anchored."""
    from markupsafe import Markup

    english, chinese = map(printable, words)
    both = [(english, "")] if english == chinese else [(english, Markup(" lang='en'")), (chinese, Markup(" lang='zh'"))]
    element = Markup("<text class='{}' x='{:.1f}' y='{:.1f}'{}>{}</text>")
    return Markup("").join(element.format(kind, *place, language, said) for said, language in both)


def named(shape: Markup, words: Pair) -> Markup:
    """Let a shape say what it is where a pointer rests on it."""
    from markupsafe import Markup

    return Markup("<g><title>{}</title>{}</g>").format(" / ".join(dict.fromkeys(map(printable, words))), shape)
