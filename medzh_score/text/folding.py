"""One form for texts that read the same."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

PARTING = "\0"
# What most texts are normalised for: replaced beforehand, they leave nothing to do, which is found out faster.
WIDE = tuple((wide, unicodedata.normalize("NFKC", wide)) for wide in "，：；？！（）％")


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
