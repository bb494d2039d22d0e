"""How Sphinx builds the manual, in both languages; ``docs/build.py`` says where each stands."""

from __future__ import annotations

import sys
from pathlib import Path

from medzh_score.version import VERSION

sys.path.insert(0, str(Path(__file__).parent))

project = "medzh"
author = "The medzh authors"
copyright = author  # noqa: A001 - Sphinx's own name
version = release = VERSION
extensions = ["myst_parser", "numpydoc", "sphinx.ext.autodoc", "chinese_search"]
myst_heading_anchors = 3
autodoc_typehints = "none"  # numpydoc says the types
numpydoc_show_class_members = False
html_theme = "furo"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
# English pages hold Chinese, too: without a name for its font a browser may take one for handwriting.
CHINESE_FONTS = '"PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "Source Han Sans SC"'
html_theme_options = {
    "light_css_variables": {
        "font-stack": f"Arial, Helvetica, {CHINESE_FONTS}, sans-serif",
        "font-stack--monospace": f'Menlo, Consolas, "DejaVu Sans Mono", {CHINESE_FONTS}, monospace',
    }
}
pygments_style = "tango"
templates_path = ["_templates"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/other_language.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
