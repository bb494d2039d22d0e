"""One form for texts that read the same."""

from __future__ import annotations

import unicodedata


def fold(text: str) -> str:
    """Bring texts that read the same to one form: compatibility characters and spaces do not count.

    Examples
    --------
    >>> fold("维生素Ａ 缺乏")
    '维生素A缺乏'
    """
    return "".join(unicodedata.normalize("NFKC", text).split())
