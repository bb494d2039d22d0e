"""The search of the Chinese manual: a text is found by any two characters in a row.

Sphinx cuts Chinese pages into words by jieba, but what a reader types is not cut in the browser: 未提取到答案 would be
one word that stands in no index. Pairs of characters are cut alike on both sides, without a dictionary. The stemmer
that Sphinx 9.0 writes for Chinese has a name that nothing defines, which ends the whole search; so here is none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sphinx.search import SearchLanguage

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PIECES = re.compile(r"[\u3400-\u9fff]+|[a-zA-Z0-9_]+")
FIRST_CHINESE = "\u3400"


class PairsOfCharacters(SearchLanguage):
    """Words of letters as they are, and Chinese in pairs of characters."""

    lang = "zh"
    language_name = "Chinese"
    js_splitter_code = r"""
var splitQuery = (query) =>
  (query.match(/[\u3400-\u9fff]+|[a-zA-Z0-9_]+/g) || []).flatMap((piece) =>
    piece < "\u3400" || piece.length < 2
      ? [piece]
      : Array.from({ length: piece.length - 1 }, (_, place) => piece.slice(place, place + 2))
  );
"""

    def split(self, input: str) -> list[str]:  # noqa: A002 - Sphinx's own name
        """Cut a text as ``splitQuery`` cuts what a reader types."""
        words = []
        for piece in PIECES.findall(input):
            pairs = [piece[place : place + 2] for place in range(len(piece) - 1)]
            words += [piece] if piece < FIRST_CHINESE else pairs
        return words

    def stem(self, word: str) -> str:
        """Leave words as they are, in lower case: so the browser looks for them."""
        return word.lower()


def setup(app: Sphinx) -> dict[str, bool]:
    """Let it be the search of pages in Chinese."""
    app.add_search_language(PairsOfCharacters)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
