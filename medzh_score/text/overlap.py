"""How predictions and references overlap: counts of pairs, of which every score is made."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from medzh_score.text.tokens import checked_engine, cut_by
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from medzh_score.text.tokens import Engine

    Letters = defaultdict[str, str]
    Scores = NDArray[np.float64]


ORDERS, SET_ORDERS = 4, 2  # the longest n-grams that are counted as often as they stand, and as kinds
CHUNK = 20_000  # characters that are counted at once
BITS = 62  # of a number that holds a pair, an n-gram and a side, and is not negative
SENTENCE_ENDS = "。！？?"  # it breaks a line after each
DOTS = "......"  # and after six dots, which may break a token
# In a spelled text white space is a space or ends a line; letters stand for the marks, an empty token and a break.
END_LETTERS = "\1\2\3\4"
EMPTY, BREAK = "\5", "\6"
EMPTY_LINE = re.compile(f"(?:(?<=[{END_LETTERS}{BREAK}\n]) *|^ +)\n")
# After six dots the next character cannot begin another six.
DOTTED = re.compile(r"(\.{6})(.?)")
FIRST = 33  # after the letters that mean something
LONGEST = 1_000_000  # tokens of a pair; there are 1,114,112 letters
SPACES = (
    "\t\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028"
    "\u2029\u202f\u205f\u3000"
)
MEANT = {
    **dict.fromkeys(SPACES, " "),
    **dict(zip(SENTENCE_ENDS, END_LETTERS, strict=True)),
    "\n": "\n",
    "\r\n": " \n",
}
NO_DIVISION_BY_ZERO = 1e-8  # what rouge-chinese adds to the sum of precision and recall


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
    """Count how predictions and references overlap in words, as jieba cuts them."""
    if len(predictions) != len(references):
        raise MedzhError(
            _("the number of references differs from the number of predictions"),
            expected=str(len(predictions)),
            found=len(references),
        )
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
        letters = _new_letters()
        strict_prediction, chinese_prediction = _as_letters(prediction, tokens[place], letters)
        strict_reference, chinese_reference = _as_letters(reference, tokens[len(predictions) + place], letters)
        strict.append((strict_prediction, strict_reference))
        chinese.append((chinese_prediction, chinese_reference))
    return _of_spelled(strict, chinese)


def _of_spelled(strict: Sequence[tuple[str, str]], chinese: Sequence[tuple[str, str]]) -> Overlap:
    """Count spelled pairs, by both countings where rouge-chinese sees other tokens."""
    found = _ngrams([pair[0] for pair in strict], [pair[1] for pair in strict], ORDERS)
    sets = np.stack([found.common, found.predicted, found.referenced])[:, :, :SET_ORDERS]
    places = [place for place, pair in enumerate(chinese) if pair != strict[place]]
    if places:
        others = [chinese[place] for place in places]
        of_others = _ngrams([pair[0] for pair in others], [pair[1] for pair in others], SET_ORDERS)
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


@dataclass(frozen=True, eq=False)
class NGrams:
    """What n-grams pairs of texts have, each of shape (pairs, orders).

    Clipped are those in both, each as often as in the text that has it less often; the others are kinds.
    """

    clipped: NDArray[np.int64]
    common: NDArray[np.int64]
    predicted: NDArray[np.int64]
    referenced: NDArray[np.int64]


def _ngrams(predictions: Sequence[str], references: Sequence[str], orders: int) -> NGrams:
    """Count the n-grams of pairs of spelled texts."""
    texts = [text for pair in zip(predictions, references, strict=True) for text in pair]
    letters = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), "<u4").astype(np.int64)
    width = int(letters.max(initial=0)).bit_length()
    if len(predictions).bit_length() + orders * width + 1 <= BITS:
        return _packed(letters, np.array([len(text) for text in texts], np.int64), orders, width)
    if len(predictions) == 1:
        return _plain(predictions[0], references[0], orders)
    half = len(predictions) // 2
    parts = [_ngrams(predictions[part], references[part], orders) for part in (slice(half), slice(half, None))]
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


def _with_empty_tokens(text: str) -> str:
    """Put in the empty tokens, and leave white space out.

    rouge-chinese is given the tokens with spaces between, so every line but the first has at least a space, and is a
    token even if it has nothing else; a first line may be truly empty, and is none. White space at the end is no line.
    """
    lines = EMPTY_LINE.sub(EMPTY, text.rstrip(" \n"))
    return lines.replace(" ", "").replace("\n", "").replace(BREAK, "")


def broken(token: str) -> list[str]:
    """Break a token after six dots as rouge-chinese does; the last part is empty where the break is at the end."""
    return DOTTED.sub(r"\1\n\2", token).split("\n")


def _new_letters() -> Letters:
    """Give letters for the tokens of a pair: a token that has none yet gets the next."""
    return defaultdict(map(chr, range(FIRST, 0x110000)).__next__, MEANT)


def _as_letters(text: str, tokens: Sequence[str], letters: Letters) -> tuple[str, str]:
    """Spell a text, a letter a token.

    Of the tokens that are not white space. Of the tokens that rouge-chinese sees; the same object where they are the
    same.
    """
    if len(letters) + len(tokens) > LONGEST:
        raise MedzhError(
            _("a pair of texts is too long"),
            expected=_("at most {longest:,} tokens", longest=LONGEST),
            found=len(tokens),
            advice=_("find and shorten predictions in which generation did not stop"),
        )
    spaced = "".join(map(letters.__getitem__, tokens))
    strict = spaced.replace(" ", "").replace("\n", "")
    if DOTS in text:
        spaced = "".join([_broken(token, letters) if DOTS in token else letters[token] for token in tokens])
    elif "\n" not in spaced:
        return strict, strict
    chinese = _with_empty_tokens(spaced)
    return strict, strict if chinese == strict else chinese


def _broken(token: str, letters: Letters) -> str:
    """Spell the parts of a token that rouge-chinese breaks."""
    return BREAK.join([letters[part] if part else "" for part in broken(token)])


def rouge_chinese(common: ArrayLike, predicted: ArrayLike, referenced: ArrayLike) -> tuple[Scores, Scores, Scores]:
    """Score as rouge-chinese does, to the last bit: its F is a little lower than the harmonic mean.

    In [0, 1]; 0 where there is nothing to divide by (where a text is empty the library raises an error).
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
    """Punish predictions that are shorter than their references."""
    length = np.asarray(prediction_length)
    shorter = np.minimum(1 - np.asarray(reference_length) / np.maximum(length, 1), 0.0)
    return np.where(length > 0, _each(math.exp, shorter), 0.0)


def share(part: ArrayLike, whole: ArrayLike) -> Scores:
    """Divide, and take nothing of nothing for 0."""
    return np.where(np.greater(whole, 0), np.divide(part, np.maximum(whole, 1)), 0.0)


def _each(function: Callable[[float], float], values: Any) -> Scores:  # noqa: ANN401 - numbers or arrays of them
    """Apply a function of Python's math: numpy's own are rounded otherwise on other processors."""
    return np.asarray(np.frompyfunc(function, 1, 1)(values), np.float64)
