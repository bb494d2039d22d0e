"""A page from a template: escaped, with its styles and scripts inside, and a policy that lets nothing else in."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from medzh_score.messages.catalogue import in_chinese
from medzh_score.messages.errors import MedzhError, printable
from medzh_score.messages.extras import how_to_add
from medzh_score.messages.languages import of_results
from medzh_score.show.cells import TITLES
from medzh_score.show.page.embedding import embedded
from medzh_score.show.page.words import both, said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jinja2 import Environment

PACKAGE = "medzh_score.show"
STYLE, SCRIPT = "page/page.css", "page/page.js"


def rendered_page(
    template: str, *, title: str, scripts: Sequence[str] = (), styles: Sequence[str] = (), **values: object
) -> bytes:
    """Render a page; equal values give equal bytes.

    Parameters
    ----------
    template : str
        By its path below ``medzh_score/show``.
    title : str
        In English, with its Chinese among the catalogue's titles.
    scripts, styles : sequence of str
        Those that the page needs beside that of all pages, by their paths below ``medzh_score/show``.
    **values
        What the template takes.

    Raises
    ------
    MedzhError
        Where Jinja2 is not installed.
    """
    style, sources = "".join(map(source, (STYLE, *styles))), [source(one) for one in (SCRIPT, *scripts)]
    page = environment().get_template(template)
    text = page.render(
        **values,
        title=(title, in_chinese(title, TITLES)),
        language=of_results.get(),
        policy=policy(style, sources),
        style=style,
        sources=sources,
    )
    return text.encode("utf-8")


def policy(style: str, scripts: Sequence[str]) -> str:
    """Write the content security policy: these styles and scripts act, and nothing is asked for anywhere.

    Examples
    --------
    >>> policy("", [])
    "default-src 'none'; style-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; script-src 'none'; \
img-src data:; base-uri 'none'; form-action 'none'"
    """
    allowed = " ".join(map(_digest, scripts)) or "'none'"
    own = f"style-src {_digest(style)}; script-src {allowed}"
    return f"default-src 'none'; {own}; img-src data:; base-uri 'none'; form-action 'none'"


def _digest(source: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode('utf-8')).digest()).decode('ascii')}'"


@cache
def source(name: str) -> str:
    """Read a style sheet or a script, by its path below ``medzh_score/show``."""
    return files(PACKAGE).joinpath(name).read_text(encoding="utf-8")


@cache
def environment() -> Environment:
    """Make what renders templates: everything is escaped, and a name that is not given is an error."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError as error:
        raise MedzhError(f"a page needs Jinja2: {error}", advice=how_to_add("html")) from error
    made = Environment(
        loader=PackageLoader("medzh_score", "show"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    made.globals |= {"said": said, "both": both, "embedded": embedded}
    return made


def _shown(value: object) -> object:
    """Let a text of somebody's show what would act in it; markup is ours."""
    return printable(value) if type(value) is str else value
