"""A page from a template: escaped, with its styles and scripts inside, and a policy that lets nothing else in."""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from medzh_score.files.json_text import visible
from medzh_score.messages.catalogue import in_chinese
from medzh_score.messages.errors import MedzhError, printable
from medzh_score.messages.extras import how_to_add
from medzh_score.messages.languages import of_results
from medzh_score.show.cells import TITLES
from medzh_score.show.page.tables import both, said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jinja2 import Environment
    from markupsafe import Markup

PACKAGE = "medzh_score.show"
STYLE, SCRIPT = "page/page.css", "page/page.js"


def rendered_page(
    template: str, *, title: str, scripts: Sequence[str] = (), styles: Sequence[str] = (), **values: object
) -> bytes:
    """Render a page; equal values give equal bytes."""
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


# What would end the element or begin a comment in it; visible() escapes line ends of scripts and what acts otherwise.
ESCAPES = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "<>&"})


def embedded(name: str, value: Any) -> Markup:  # noqa: ANN401 - all that JSON knows
    r"""Put data into an element that scripts find by its name.

    Examples
    --------
    >>> print(embedded("a", ["</script>"]))
    <script type="application/json" id="data-a">["\u003c/script\u003e"]</script>
    """
    from markupsafe import Markup

    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).translate(ESCAPES)
    # Signs of markup are escapes by now.
    return Markup(f'<script type="application/json" id="data-{name}">{visible(written)}</script>')  # noqa: S704
