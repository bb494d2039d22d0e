"""Data inside a page, which its scripts read and no browser takes for markup."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from medzh_score.files.json_text import visible

if TYPE_CHECKING:
    from markupsafe import Markup

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
