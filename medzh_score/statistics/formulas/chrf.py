"""chrF: the F of character n-grams, as sacreBLEU computes it for one pair of texts."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

ORDER, BETA = 6, 2


def chrf(hypothesis: str, reference: str) -> float:
    """Compare two texts by their character n-grams of 1 to 6 characters, recall twice as important as precision.

    Parameters
    ----------
    hypothesis, reference : str
        White space is left out.

    Returns
    -------
    float
        From 0 to 1; 0 where either has no character. Equal to sacreBLEU's chrF2 over 100.

    References
    ----------
    Popović 2015, chrF: character n-gram F-score for automatic MT evaluation.

    Examples
    --------
    >>> chrf("妊娠剧吐可致脱水", "妊娠剧吐可致脱水"), chrf("麻疹", "脱水")
    (1.0, 0.0)
    """
    said, meant = ("".join(text.split()) for text in (hypothesis, reference))
    if not said or not meant:
        return 0.0
    # Only where all characters are the reference's can an n-gram be one of its own: long answers are mostly others.
    shared = re.findall(f"[{re.escape(''.join(sorted(set(meant))))}]+", said)
    orders = range(1, min(ORDER, len(said), len(meant)) + 1)
    matched = [sum((_grams(shared, order) & _grams([meant], order)).values()) for order in orders]
    precision = sum(count / (len(said) - order + 1) for order, count in zip(orders, matched, strict=True)) / len(orders)
    recall = sum(count / (len(meant) - order + 1) for order, count in zip(orders, matched, strict=True)) / len(orders)
    if not precision + recall:
        return 0.0
    factor = BETA**2
    return (1 + factor) * precision * recall / (factor * precision + recall)


def _grams(texts: Iterable[str], order: int) -> Counter[str]:
    return Counter(text[start : start + order] for text in texts for start in range(len(text) - order + 1))
