"""How pages of a board name what they link to."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

from medzh_score.messages.errors import printable
from medzh_score.report.signature import WITHHELD_KEY
from medzh_score.show.page.tables import said

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup


OVERVIEW, READING, MANIFEST = "index.html", "reading.html", "board.json"
ALL_SHEET, ALL_DATA = "data/board.csv", "data/board.json"
FOLDERS = ("configs", "data", "models")
LETTERS = re.compile(r"[^a-z0-9.]+")
LONGEST = 40


def config_page(config: str) -> str:
    """Name the page of a config."""
    return f"configs/{config}.html"


def config_data(config: str) -> str:
    """Name what can be read of a config, as JSON: all that its page shows."""
    return f"data/{config}.json"


def config_sheet(config: str) -> str:
    """Name the same as CSV."""
    return f"data/{config}.csv"


def model_page(label: str) -> str:
    """Name the page of a model: what any file system takes of its label, and a digest, so that no two share one.

    Examples
    --------
    >>> model_page("GLM-4 <9B>"), model_page("甲")
    ('models/glm-4-9b-a1baa26e.html', 'models/model-33e3580c.html')
    """
    readable = LETTERS.sub("-", label.lower()).strip("-.")[:LONGEST].rstrip("-.") or "model"
    return f"models/{readable}-{hashlib.sha256(label.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}.html"


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
