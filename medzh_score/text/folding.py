"""One form for texts that read the same."""

from __future__ import annotations

import unicodedata

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
