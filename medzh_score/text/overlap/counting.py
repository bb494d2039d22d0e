"""How predictions and references overlap: counts of pairs, of which every score is made."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.messages.errors import MedzhError
from medzh_score.text.overlap.letters import as_letters, new_letters
from medzh_score.text.overlap.ngrams import ngrams
from medzh_score.text.segmentation import checked_engine, cut_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from medzh_score.text.segmentation import Engine

ORDERS, SET_ORDERS = 4, 2  # the longest n-grams that are counted as often as they stand, and as kinds
CHUNK = 20_000  # characters that are counted at once


@dataclass(frozen=True, eq=False)
class Overlap:
    """Counts of pairs of prediction and reference, by two countings: axes are the pairs, then the orders.

    The strict counting takes all tokens but white space, n-grams (n from 1 to 4) as often as they stand, in both as
    often as in the text that has them less often. That of rouge-chinese (``set_``, ``chinese_``) takes n-grams (n = 1,
    2) as kinds, over tokens among which it puts empty ones at ends of lines. A text without tokens has zeros.
    """

    clipped: NDArray[np.int64]
    predicted: NDArray[np.int64]
    reference_length: NDArray[np.int64]
    set_common: NDArray[np.int64]
    set_predicted: NDArray[np.int64]
    set_referenced: NDArray[np.int64]
    chinese_lcs: NDArray[np.int64]
    chinese_predicted: NDArray[np.int64]
    chinese_referenced: NDArray[np.int64]


def overlap(predictions: Sequence[str], references: Sequence[str]) -> Overlap:
    """Count how predictions and references overlap in words, as jieba cuts them.

    Examples
    --------
    >>> counts = overlap(["多饮水，多休息"], ["多饮水"])
    >>> counts.clipped.tolist(), counts.reference_length.tolist()
    ([[1, 0, 0, 0]], [1])
    """
    if len(predictions) != len(references):
        raise MedzhError("not a reference for each prediction", expected=str(len(predictions)), found=len(references))
    engine = checked_engine((*predictions, *references))
    cuts, length = [0], 0
    for place, pair in enumerate(zip(predictions, references, strict=True), 1):
        length += sum(map(len, pair))
        if length >= CHUNK or place == len(predictions):
            cuts.append(place)
            length = 0
    parts = [_chunk(predictions[start:stop], references[start:stop], engine) for start, stop in pairwise(cuts)]
    parts = parts or [_chunk([], [], engine)]
    return Overlap(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Overlap)))


def _chunk(predictions: Sequence[str], references: Sequence[str], engine: Engine) -> Overlap:
    tokens = cut_by(engine, (*predictions, *references))
    strict: list[tuple[str, str]] = []
    chinese: list[tuple[str, str]] = []
    for place, (prediction, reference) in enumerate(zip(predictions, references, strict=True)):
        letters = new_letters()
        strict_prediction, chinese_prediction = as_letters(prediction, tokens[place], letters)
        strict_reference, chinese_reference = as_letters(reference, tokens[len(predictions) + place], letters)
        strict.append((strict_prediction, strict_reference))
        chinese.append((chinese_prediction, chinese_reference))
    return _of_spelled(strict, chinese)


def _of_spelled(strict: Sequence[tuple[str, str]], chinese: Sequence[tuple[str, str]]) -> Overlap:
    """Count spelled pairs, by both countings where rouge-chinese sees other tokens."""
    found = ngrams([pair[0] for pair in strict], [pair[1] for pair in strict], ORDERS)
    sets = np.stack([found.common, found.predicted, found.referenced])[:, :, :SET_ORDERS]
    places = [place for place, pair in enumerate(chinese) if pair != strict[place]]
    if places:
        others = [chinese[place] for place in places]
        of_others = ngrams([pair[0] for pair in others], [pair[1] for pair in others], SET_ORDERS)
        sets[:, places] = np.stack([of_others.common, of_others.predicted, of_others.referenced])
    lengths = _lengths(strict)
    predicted = np.maximum(lengths[0][:, np.newaxis] - np.arange(ORDERS), 0)
    return Overlap(
        found.clipped, predicted, lengths[1], sets[0], sets[1], sets[2], _subsequences(chinese), *_lengths(chinese)
    )


def _lengths(pairs: Sequence[tuple[str, str]]) -> NDArray[np.int64]:
    return np.array([[len(pair[side]) for pair in pairs] for side in (0, 1)], np.int64)


def _subsequences(pairs: Sequence[tuple[str, str]]) -> NDArray[np.int64]:
    from rapidfuzz.distance import LCSseq

    return np.array([LCSseq.similarity(prediction, reference) for prediction, reference in pairs], np.int64)
