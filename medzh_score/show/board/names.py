"""How pages of a board name what they link to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from medzh_score.messages.errors import printable
from medzh_score.report.signature import WITHHELD_KEY
from medzh_score.show.board.places import model_page
from medzh_score.show.page.words import said

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup


def link(page: str, name: Markup | str, *, up: str = "../") -> Markup:
    """Link to a page; those in folders go up first."""
    from markupsafe import Markup

    shown = name if isinstance(name, Markup) else printable(name)
    return Markup('<a href="{}{}"><bdi>{}</bdi></a>').format(up, page, shown)


def model_link(label: str, *, up: str = "../") -> Markup:
    """Link to a model's page."""
    return link(model_page(label), label, up=up)


def data_badge(signature: Mapping[str, str], *, mini: bool) -> Markup:
    """Say which data these are; that mini data are no benchmark stands with each mention of them."""
    from markupsafe import Markup, escape

    if mini:
        data = Markup('<strong class="mini">{}</strong>').format(said("mini data, no benchmark"))
    else:
        data = escape(signature.get("data", ""))
    return Markup("{} · <strong>{}</strong>").format(data, said("private")) if WITHHELD_KEY in signature else data


def apart_said(table: Mapping[str, Any]) -> list[Markup]:
    """Say for which keys a table stands apart, with what both tables have there."""
    from markupsafe import Markup

    keys = Markup("<code>{}</code>: <bdi>{}</bdi> ≠ <bdi>{}</bdi>")
    return [keys.format(*map(printable, (one["key"], one["here"], one["first"]))) for one in table["apart"]]
