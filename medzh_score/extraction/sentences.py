"""Where the sentences of a prepared text begin and end."""

from __future__ import annotations

import re

_END = re.compile(r"[。！!？?；;\n]|\.(?=\s)")
_LABEL = re.compile(r"[：:】\]]\s*\Z")
_LONGEST = 400  # no more than this is looked back, so that no text takes more than one pass


def sentence(text: str, place: int) -> tuple[int, int]:
    """Give where the sentence around a place begins and ends.

    Parameters
    ----------
    text : str
        The text.
    place : int
        In it.

    Examples
    --------
    >>> sentence("对。不对。", 3)
    (2, 5)
    """
    ending = _END.search(text, place)
    return sentence_start(text, place), ending.end() if ending else len(text)


def sentence_start(text: str, place: int) -> int:
    """Give where the sentence around a place begins.

    Parameters
    ----------
    text : str
        The text.
    place : int
        In it.
    """
    low = max(0, place - _LONGEST)
    return max((end.end() for end in _END.finditer(text, low, place)), default=low)


def with_label(text: str, begin: int) -> int:
    r"""Give where the line before a sentence begins, if it is a label, else the sentence itself.

    Parameters
    ----------
    text : str
        The text.
    begin : int
        Where the sentence begins.

    Examples
    --------
    >>> with_label("答案：\n对", 4), with_label("答案\n对", 3)
    (0, 3)
    """
    return sentence_start(text, begin - 1) if _LABEL.search(text, max(0, begin - 12), begin) else begin
