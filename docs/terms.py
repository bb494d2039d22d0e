"""The table of terms, written where a page asks for it: ``{terms}``; ``terms.toml`` holds the terms."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from declared import from_markdown
from sphinx.util.docutils import SphinxDirective

from medzh_score.benchmark.config import Table
from medzh_score.render.tables import as_markdown

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

TERMS = Path(__file__).parent / "terms.toml"
HEADS = {"en": ("In both languages", "English", "Chinese", "means"), "zh": ("中英对照", "英文", "中文", "含义")}


class Terms(SphinxDirective):
    """All terms, in the order of the file."""

    def run(self) -> list[nodes.Node]:
        """Write the table."""
        language = "zh" if self.config.language.startswith("zh") else "en"
        terms = tomllib.loads(TERMS.read_text(encoding="utf-8"))["terms"]
        rows = tuple((term["english"], term["chinese"], term["means"][language]) for term in terms)
        title, *heads = HEADS[language]
        return from_markdown(self, as_markdown(Table(title, tuple(heads), rows)), TERMS.name)


def setup(app: Sphinx) -> dict[str, bool]:
    """Let pages use the directive."""
    app.add_directive("terms", Terms)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
