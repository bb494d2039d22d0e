"""One form for texts that read the same."""

from __future__ import annotations

import unicodedata


def fold(text: str) -> str:
    """Bring texts that read the same to one form: compatibility characters and spaces do not count.

    Parameters
    ----------
    text : str
        A stem, a question, an option or an answer.

    Examples
    --------
    >>> fold("维生素Ａ 缺乏")
    '维生素A缺乏'
    """
    return "".join(unicodedata.normalize("NFKC", text).split())
