"""Common n-grams of pairs of spelled texts, counted as often as they stand and as kinds, of many pairs at once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

BITS = 62  # of a number that holds a pair, an n-gram and a side, and is not negative


@dataclass(frozen=True, eq=False)
class NGrams:
    """What n-grams pairs of texts have, each of shape (pairs, orders).

    Clipped are those in both, each as often as in the text that has it less often; the others are kinds.
    """

    clipped: NDArray[np.int64]
    common: NDArray[np.int64]
    predicted: NDArray[np.int64]
    referenced: NDArray[np.int64]


def ngrams(predictions: Sequence[str], references: Sequence[str], orders: int) -> NGrams:
    """Count the n-grams of pairs of spelled texts.

    Examples
    --------
    >>> found = ngrams(["aab"], ["aaab"], 2)
    >>> found.clipped.tolist(), found.common.tolist()
    ([[3, 2]], [[2, 2]])
    """
    texts = [text for pair in zip(predictions, references, strict=True) for text in pair]
    letters = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), "<u4").astype(np.int64)
    width = int(letters.max(initial=0)).bit_length()
    if len(predictions).bit_length() + orders * width + 1 <= BITS:
        return _packed(letters, np.array([len(text) for text in texts], np.int64), orders, width)
    if len(predictions) == 1:
        return _plain(predictions[0], references[0], orders)
    half = len(predictions) // 2
    parts = [ngrams(predictions[part], references[part], orders) for part in (slice(half), slice(half, None))]
    return NGrams(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(NGrams)))


def _packed(letters: NDArray[np.int64], lengths: NDArray[np.int64], orders: int, width: int) -> NGrams:
    """Count n-grams as numbers, sorted: by pair, by n-gram, by side, which is the last bit."""
    counts = np.zeros((len(fields(NGrams)), len(lengths) // 2, orders), np.int64)
    text = np.repeat(np.arange(len(lengths)), lengths)
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(letters))  # letters from here to the text's end
    side, grams = text & 1, text >> 1
    for order in range(orders):
        grams = grams[: len(letters) - order] << width | letters[order:]
        numbers = (grams << 1 | side[: len(grams)])[left[: len(grams)] > order]
        if len(numbers):
            numbers.sort()
            counts[:, :, order] = _counted(numbers, counts.shape[1], width * (order + 1))
    return NGrams(*counts)


def _counted(numbers: NDArray[np.int64], pairs: int, width: int) -> list[NDArray[np.int64]]:
    """Count runs of equal n-grams of a pair: first the prediction's, then the reference's."""
    grams = numbers >> 1
    starts = np.flatnonzero(np.concatenate([[True], grams[1:] != grams[:-1]]))
    pair = grams[starts] >> width
    referenced = np.add.reduceat(numbers & 1, starts)
    predicted = np.diff(starts, append=len(numbers)) - referenced
    both = np.flatnonzero((predicted > 0) & (referenced > 0))
    clipped = np.minimum(predicted[both], referenced[both])
    common = np.bincount(pair[both], minlength=pairs)
    only_predicted = np.bincount(pair[referenced == 0], minlength=pairs)
    only_referenced = np.bincount(pair[predicted == 0], minlength=pairs)
    summed = np.bincount(pair[both], clipped, pairs).astype(np.int64)  # sums of floats, exact below 2 ** 53
    return [summed, common, common + only_predicted, common + only_referenced]


def _plain(prediction: str, reference: str, orders: int) -> NGrams:
    """Count the n-grams of one pair of more letters than a number can hold four of."""
    counts = []
    for order in range(1, orders + 1):
        predicted, referenced = (
            Counter(text[start : start + order] for start in range(len(text) - order + 1))
            for text in (prediction, reference)
        )
        both = predicted & referenced
        counts.append((both.total(), len(both), len(predicted), len(referenced)))
    return NGrams(*np.array(counts, np.int64).T[:, np.newaxis])
