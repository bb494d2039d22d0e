"""A table as a page shows it: heads and cells in both languages, and which columns sort as numbers."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeVar

from medzh_score.io.jsonl import visible
from medzh_score.render.tables import TITLES, is_numeric, translated_heads, translated_rows
from medzh_score.ui.errors import MedzhError, how_to_add, printable
from medzh_score.ui.i18n import CHINESE, ENGLISH, _, current, in_chinese, joined, language, pgettext

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jinja2 import Environment
    from markupsafe import Markup

    from medzh_score.benchmark.config import Table


Made = TypeVar("Made")


def said(text: str, section: str | None = None) -> Markup:
    """Give whole texts, or by a section a word, in both languages."""
    return both(text, in_chinese(text, section))


@lru_cache(maxsize=1 << 14)
def both(english: str, chinese: str) -> Markup:
    """Give a text in both languages; one that is the same in both, such as a name, once."""
    from markupsafe import Markup, escape

    if english == chinese:
        return escape(printable(english))
    pair = Markup('<span lang="en">{}</span><span lang="zh">{}</span>')
    return pair.format(printable(english), printable(chinese))


def in_both(make: Callable[[], Made]) -> tuple[Made, Made]:
    """Make something in English, then in Chinese."""
    with language(ENGLISH):
        english = make()
    with language(CHINESE):
        return english, make()


@dataclass(frozen=True)
class PageHead:
    """The head of a column; numbers sort by value and are right-aligned.

    ``best`` is the direction of the first sort, so that the best value comes first: ascending or descending.
    """

    text: Markup | str
    numeric: bool = False
    best: str = "ascending"


@dataclass(frozen=True)
class TableView:
    """A table of a page: plain texts are escaped, markup stays; the first cell of a row is its head."""

    title: Markup | str
    heads: tuple[PageHead, ...]
    rows: tuple[tuple[Markup | str, ...], ...]


def view_of(table: Table, decimals: int) -> TableView:
    """Show a table of results, with words and numbers as every other form has them."""
    heads, rows = in_both(lambda: translated_heads(table.columns)), in_both(lambda: translated_rows(table, decimals))
    cells = tuple(tuple(map(both, *pair)) for pair in zip(*rows, strict=True))
    numeric = [place > 0 and is_numeric([row[place] for row in rows[0]]) for place in range(len(table.columns))]
    return TableView(
        said(table.title, TITLES),
        tuple(PageHead(both(*pair), one) for *pair, one in zip(*heads, numeric, strict=True)),
        cells,
    )


PAGES = "html/templates"  # below the package
STYLE, SCRIPT = "page.css", "page.js"


def rendered_page(
    template: str, *, title: str, scripts: Sequence[str] = (), styles: Sequence[str] = (), **values: object
) -> bytes:
    """Render a page; equal values give equal bytes."""
    style, sources = "".join(map(source, (STYLE, *styles))), [source(one) for one in (SCRIPT, *scripts)]
    page = environment().get_template(template)
    text = page.render(
        **values,
        title=(title, in_chinese(title, TITLES)),
        language=current.get(),
        policy=policy(style, sources),
        style=style,
        sources=sources,
    )
    return text.encode("utf-8")


def policy(style: str, scripts: Sequence[str]) -> str:
    """Write the content security policy: these styles and scripts act, and nothing is asked for anywhere."""
    allowed = " ".join(map(_digest, scripts)) or "'none'"
    own = f"style-src {_digest(style)}; script-src {allowed}"
    return f"default-src 'none'; {own}; img-src data:; base-uri 'none'; form-action 'none'"


def _digest(source: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode('utf-8')).digest()).decode('ascii')}'"


@cache
def source(name: str) -> str:
    """Read a style sheet or a script, by its path in ``medzh_score/html/templates``."""
    return files("medzh_score").joinpath(PAGES, name).read_text(encoding="utf-8")


@cache
def environment() -> Environment:
    """Make what renders templates: everything is escaped, and a name that is not given is an error."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError as error:
        raise MedzhError(_("pages require Jinja2: {error}", error=error), advice=how_to_add("html")) from error
    made = Environment(
        loader=PackageLoader("medzh_score", PAGES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    made.globals |= {"said": said, "both": both, "embedded": embedded, "_": _, "joined": joined, "pgettext": pgettext}
    return made


def _shown(value: object) -> object:
    """Let a text of somebody's show what would act in it; markup is ours."""
    return printable(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


# What would end the element or begin a comment in it; visible() escapes line ends of scripts and what acts otherwise.
ESCAPES = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "<>&"})


def embedded(name: str, value: Any) -> Markup:  # noqa: ANN401 - all that JSON knows
    """Put data into an element that scripts find by its name."""
    from markupsafe import Markup

    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).translate(ESCAPES)
    # Signs of markup are escapes by now.
    return Markup(f'<script type="application/json" id="data-{name}">{visible(written)}</script>')  # noqa: S704
