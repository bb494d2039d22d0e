"""Answers that are announced only for a case: 如果剂量过大，答“是”."""

from __future__ import annotations

import re

SUPPOSED = re.compile(
    r"如果|假如|假设|倘若|要是|若|的话|时\s*$|[则就]|\b(?:if|when|unless|provided|suppos\w+|assuming)\b", re.IGNORECASE
)
SENTENCE_START = re.compile(r"[。！？；!?;\n]|\.\s")


def is_supposed(text: str, begin: int) -> bool:
    """Say whether what begins after a comma is said only in the case that the sentence has named before.

    Parameters
    ----------
    text : str
        A response.
    begin : int
        Where the answer is announced.

    Examples
    --------
    >>> is_supposed("如果剂量过大，答“是”", 7), is_supposed("剂量过大，答“是”", 5)
    (True, False)
    """
    before = text[:begin].rstrip()
    return before[-1:] in ("，", ",") and SUPPOSED.search(SENTENCE_START.split(before[:-1])[-1]) is not None
