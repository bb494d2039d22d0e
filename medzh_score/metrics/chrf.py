"""chrF: the F of character n-grams, as sacreBLEU computes it for one pair of texts."""

from __future__ import annotations

from collections import Counter

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
    precisions, recalls = [], []
    for order in range(1, min(ORDER, len(said), len(meant)) + 1):
        ours, theirs = _grams(said, order), _grams(meant, order)
        matched = sum(min(count, ours[gram]) for gram, count in theirs.items())
        precisions.append(matched / (len(said) - order + 1))
        recalls.append(matched / (len(meant) - order + 1))
    precision, recall = (sum(shares) / max(len(shares), 1) for shares in (precisions, recalls))
    if not precision + recall:
        return 0.0
    factor = BETA**2
    return (1 + factor) * precision * recall / (factor * precision + recall)


def _grams(text: str, order: int) -> Counter[str]:
    return Counter(text[start : start + order] for start in range(len(text) - order + 1))
