"""Words in both languages, of which a page shows those that its reader chose."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from medzh_score.messages.catalogue import FOLDER, in_chinese
from medzh_score.messages.errors import printable
from medzh_score.messages.languages import CHINESE, ENGLISH, results_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from markupsafe import Markup

Made = TypeVar("Made")


def said(text: str, section: str = FOLDER) -> Markup:
    """Give whole texts, or by a section a word, in both languages.

    Examples
    --------
    >>> said("95% interval", "heads")
    Markup('<span lang="en">95% interval</span><span lang="zh">95% 区间</span>')
    """
    return both(text, in_chinese(text, section))


@lru_cache(maxsize=1 << 14)
def both(english: str, chinese: str) -> Markup:
    """Give a text in both languages; one that is the same in both, such as a name, once.

    Examples
    --------
    >>> both("<1>", "<1>")
    Markup('&lt;1&gt;')
    """
    from markupsafe import Markup, escape

    if english == chinese:
        return escape(printable(english))
    pair = Markup('<span lang="en">{}</span><span lang="zh">{}</span>')
    return pair.format(printable(english), printable(chinese))


def in_both(make: Callable[[], Made]) -> tuple[Made, Made]:
    """Make something in English, then in Chinese."""
    with results_in(ENGLISH):
        english = make()
    with results_in(CHINESE):
        return english, make()
