"""BM25Okapi with the weights of rank-bm25, to the last bit, from postings instead of a scan of all documents."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

NAME = "bm25-okapi"
K1, B, EPSILON = 1.5, 0.75, 0.25  # the defaults of rank-bm25's BM25Okapi, which the paper used as they are


@dataclass(frozen=True, eq=False)
class Index:
    """What BM25 knows of a collection of documents.

    Tokens are numbered by first occurrence; ``starts`` says where the postings of each start, and last where all end. A
    posting is a document, ascending for each token, with what the token adds to its score.
    """

    vocabulary: Mapping[str, int]
    starts: NDArray[np.int64]
    documents: NDArray[np.int64]
    weights: NDArray[np.float64]
    size: int


def bm25_index(documents: Iterable[Sequence[str]]) -> Index:
    """Index documents, each a list of tokens."""
    vocabulary: dict[str, int] = {}
    numbers, lengths = array("i"), array("q")  # a fraction of what lists would hold
    for document in documents:
        numbers.extend([vocabulary.setdefault(token, len(vocabulary)) for token in document])
        lengths.append(len(document))
    if not numbers:
        raise MedzhError(_("the texts to search contain no tokens"), expected=_("texts with words"))
    length, total = np.array(lengths), len(numbers)
    size = len(length)
    places = np.array(numbers, np.int64)
    del numbers
    places *= size
    places += np.repeat(np.arange(size), length)
    postings, frequency = np.unique(places, return_counts=True)  # by token, then by document
    del places
    token, document_of = np.divmod(postings, size)
    del postings
    starts = np.searchsorted(token, np.arange(len(vocabulary) + 1))
    # One expression, in rank-bm25's order: floating-point sums depend on it.
    norm = K1 * (1 - B + B * length / (total / size))
    weights = _idf(np.diff(starts).tolist(), size)[token] * (frequency * (K1 + 1) / (frequency + norm[document_of]))
    return Index(vocabulary, starts, document_of, weights, size)


def _idf(counts: Sequence[int], size: int) -> NDArray[np.float64]:
    """Weigh tokens by how many documents hold them; in order of first occurrence, as the average's sum is made."""
    idf = [math.log(size - count + 0.5) - math.log(count + 0.5) for count in counts]
    total = 0.0
    for value in idf:  # sum() rounds otherwise from Python 3.12 on
        total += value
    floor = EPSILON * (total / len(idf))
    return np.array([floor if value < 0 else value for value in idf])


def scores(index: Index, query: Iterable[str]) -> NDArray[np.float64]:
    """Score all documents for a query: 0 where a document has none of its tokens."""
    found = np.zeros(index.size)
    for token in query:
        number = index.vocabulary.get(token)
        if number is not None:
            postings = slice(index.starts[number], index.starts[number + 1])
            found[index.documents[postings]] += index.weights[postings]
    return found


def top(index: Index, query: Iterable[str], count: int, allowed: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
    """Find the documents of the highest scores."""
    return highest(scores(index, query), count, allowed)


def highest(values: NDArray[np.float64], count: int, allowed: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
    """Find the places of the highest scores."""
    candidates = np.arange(len(values)) if allowed is None else np.flatnonzero(allowed)
    if 0 < count < len(candidates):
        last = np.partition(values[candidates], -count)[-count]
        candidates = candidates[values[candidates] >= last]
    return candidates[np.argsort(-values[candidates], kind="stable")][:count]
