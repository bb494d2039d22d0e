"""Scores of counted overlap: plain functions from counts of any leading axes to shares of 1."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    Scores = NDArray[np.float64]

NO_DIVISION_BY_ZERO = 1e-8  # what rouge-chinese adds to the sum of precision and recall


def rouge_chinese(common: ArrayLike, predicted: ArrayLike, referenced: ArrayLike) -> tuple[Scores, Scores, Scores]:
    """Score as rouge-chinese does, to the last bit: its F is a little lower than the harmonic mean.

    In [0, 1]; 0 where there is nothing to divide by (where a text is empty the library raises an error).

    Examples
    --------
    >>> [float(value) for value in rouge_chinese(2, 4, 2)]
    [0.5, 1.0, 0.6666666622222223]
    """
    precision, recall = share(common, predicted), share(common, referenced)
    return precision, recall, 2.0 * ((precision * recall) / (precision + recall + NO_DIVISION_BY_ZERO))


def unigram_precision(clipped: ArrayLike, predicted: ArrayLike) -> Scores:
    """Score BLEU-1 without brevity penalty, the pooled precision, in [0, 1]; 0 where nothing was predicted."""
    return share(np.asarray(clipped)[..., 0], np.asarray(predicted)[..., 0])


def corpus_bleu(
    clipped: ArrayLike, predicted: ArrayLike, prediction_length: ArrayLike, reference_length: ArrayLike, order: int
) -> Scores:
    """Score cumulative BLEU of summed counts: brevity penalty, and one added to counts of n from 2 on.

    It is what sacrebleu gives for tokens with spaces between, over 100::

        BLEU(tokenize="none", smooth_method="add-k", smooth_value=1, max_ngram_order=order).corpus_score(…).score

    In [0, 1]; 0 where no token is common. The bits are sacrebleu's on Python
    3.11, but that what its logarithms leave above 1 is 1; from Python 3.12 on its sum of them is rounded otherwise.

    Examples
    --------
    >>> round(float(corpus_bleu([3, 2], [4, 3], 4, 4, order=2)), 12)
    0.75
    """
    common, total = np.asarray(clipped)[..., :order], np.asarray(predicted)[..., :order]
    added = np.minimum(np.arange(order), 1)
    percent = 100.0 * (common + added) / np.maximum(total + added, 1)
    logarithms = _each(math.log, np.where(common[..., :1] > 0, percent, 1.0))
    total_logarithm = logarithms[..., 0]
    for place in range(1, order):
        total_logarithm = total_logarithm + logarithms[..., place]
    score = brevity_penalty(prediction_length, reference_length) * _each(math.exp, total_logarithm / order) / 100
    return np.where(common[..., 0] > 0, np.minimum(score, 1.0), 0.0)


def brevity_penalty(prediction_length: ArrayLike, reference_length: ArrayLike) -> Scores:
    """Punish predictions that are shorter than their references.

    Examples
    --------
    >>> brevity_penalty([2, 0], [1, 1]).tolist()
    [1.0, 0.0]
    """
    length = np.asarray(prediction_length)
    shorter = np.minimum(1 - np.asarray(reference_length) / np.maximum(length, 1), 0.0)
    return np.where(length > 0, _each(math.exp, shorter), 0.0)


def share(part: ArrayLike, whole: ArrayLike) -> Scores:
    """Divide, and take nothing of nothing for 0.

    Examples
    --------
    >>> share([1, 0], [2, 0]).tolist()
    [0.5, 0.0]
    """
    return np.where(np.greater(whole, 0), np.divide(part, np.maximum(whole, 1)), 0.0)


def _each(function: Callable[[float], float], values: Any) -> Scores:  # noqa: ANN401 - numbers or arrays of them
    """Apply a function of Python's math: numpy's own are rounded otherwise on other processors."""
    return np.asarray(np.frompyfunc(function, 1, 1)(values), np.float64)
