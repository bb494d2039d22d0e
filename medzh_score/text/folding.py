"""One form for texts that read the same."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

PARTING = "\0"
# What most texts are normalised for: replaced beforehand, they leave nothing to do, which is found out faster.
WIDE = tuple((wide, unicodedata.normalize("NFKC", wide)) for wide in "，：；？！（）％")

# Copies from PDFs have them in the place of the characters that look alike.
RADICALS = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0x2E80, 0x2FE0)}
RADICAL = re.compile("[\u2e80-\u2fdf]")


def without_radicals(text: str) -> str:
    """Put characters in the place of the radicals that look alike, one for one.

    Examples
    --------
    >>> without_radicals("⼈参Ａ")
    '人参Ａ'
    """
    return text.translate(RADICALS) if RADICAL.search(text) else text


def fold(text: str) -> str:
    """Bring texts that read the same to one form: compatibility characters and spaces do not count.

    Examples
    --------
    >>> fold("维生素Ａ 缺乏")
    '维生素A缺乏'
    """
    if not unicodedata.is_normalized("NFKC", text):
        for wide, narrow in WIDE:
            text = text.replace(wide, narrow)
        text = unicodedata.normalize("NFKC", text)
    return "".join(text.split())


def fold_all(texts: Sequence[str]) -> list[str]:
    """Fold several texts at once, which is faster: nothing is composed across the character that parts them.

    Examples
    --------
    >>> fold_all(["维生素Ａ 缺乏", ""])
    ['维生素A缺乏', '']
    """
    folded = fold(PARTING.join(texts)).split(PARTING)
    return folded if len(folded) == len(texts) else [fold(text) for text in texts]


NONE, BARE, SENTENCE, SENTENCES, MARKUP, JSON, REASONING, EMPTY = range(8)
# In the order of their numbers; the first is that of what did not come.
FORMS = ("none", "bare", "one sentence", "sentences", "markup", "JSON", "reasoning before", "empty")
MOST_BARE = 12  # characters: a word or a letter, maybe announced


def form_of(text: str) -> int:
    r"""Tell the form of a text; of several that it has, the one that a rule must take off first.

    Examples
    --------
    >>> texts = ("B", "答案是B选项，其余的都不正确。", "<think>A?</think>B", '{"answer": "B"}', "**B**\n因为……")
    >>> [FORMS[form_of(text)] for text in texts]
    ['bare', 'one sentence', 'reasoning before', 'JSON', 'markup']
    """
    if "<" in text or "{" in text or "*" in text or "\\" in text or "`" in text or "#" in text:  # few texts
        marked = _marked(text)
        if marked is not None:
            return marked
    said = text.strip()
    if len(said) <= MOST_BARE:
        return BARE if said else EMPTY
    return SENTENCES if "。" in text[:-1] or "\n" in said else SENTENCE


def _marked(text: str) -> int | None:
    if "<" in text and ("think" in text or "<|channel|>" in text):
        return REASONING
    if "{" in text and text.lstrip(" \n`json")[:1] in {"{", "["}:
        return JSON
    if "**" in text or "<" in text or "\\" in text or "`" in text or "\n#" in text or text[:1] == "#":
        return MARKUP
    return None
