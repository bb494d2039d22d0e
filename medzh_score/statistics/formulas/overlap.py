"""BLEU and ROUGE of open answers, each way of counting under its own name (PeMeBench, sections 2.4 and 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.metrics import Metric, of_open
from medzh_score.statistics.formulas.overlap_counts import (
    ANSWERED,
    CLIPPED,
    EMPTY,
    ITEMS,
    ORDERS,
    PREDICTED,
    PREDICTED_LENGTH,
    REFERENCE_LENGTH,
    SPANS,
    overlap_statistics,
    rouge_column,
)
from medzh_score.statistics.formulas.ratio import ratio
from medzh_score.text.tokens import TOKENS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.judgements import Judgements
    from medzh_score.benchmark.layout import Layout

NOTHING = "no question was counted"
MEANS = "rouge-chinese's counting (n-grams as sets, its inserted empty tokens), mean over questions"
PRECISION = "clipped unigrams of all answers, of their unigrams; pooled, no brevity penalty"


@dataclass(frozen=True)
class Profile:
    """A named reading of the paper's four similarity metrics, whose mean enters S_total.

    Attributes
    ----------
    name : str
        As in S_total's name.
    summary : str
        Whose reading it is.
    parts : tuple of str
        The metrics that are read as BLEU, R-1, R-2 and R-L.
    """

    name: str
    summary: str
    parts: tuple[str, ...]


PRINTED = ("BLEU", "R-1", "R-2", "R-L")
PROFILES = (
    Profile("rouge-f", "nearest to the printed table", ("BLEU", "R-1-F", "R-2-F", "R-L-F")),
    Profile("rouge-recall", "the paper's words", ("BLEU", "R-1-recall", "R-2-recall", "R-L-recall")),
)
HEADLINE = "BLEU"
SHOWN = PROFILES[0].parts
# Per question: a reading of each kind that means something there.
ITEM_METRICS = (*SHOWN, *PROFILES[1].parts[1:])


def statistics(layout: Layout, answers: AnswerTable, _judged: Mapping[str, Judgements]) -> NDArray[np.float64]:
    """Count, for each question and run, what the overlap metrics sum.

    Parameters
    ----------
    layout : Layout
        Questions, with their references as texts.
    answers : AnswerTable
        Of one rule.
    _judged : mapping of str to Judgements
        There are no later rounds.

    Returns
    -------
    array of float, shape (questions, runs, k)
    """
    return overlap_statistics(layout, answers)


def signed() -> dict[str, str]:
    """Name the tokens that overlap is counted in, with their versions, for the signature.

    Examples
    --------
    >>> signed()
    {'tokenizer': 'jieba ...'}
    """
    return {"tokenizer": str(pick("tokens", TOKENS, "jieba"))}


def _percent(sums: NDArray[np.float64], share: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(sums[..., ITEMS] != 0, 100.0 * share, np.nan)


def _unigrams(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    from medzh_score.text.overlap.scores import unigram_precision

    return _percent(sums, unigram_precision(sums[..., CLIPPED], sums[..., PREDICTED]))


def _pooled(order: int) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    def formula(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        from medzh_score.text.overlap.scores import corpus_bleu

        lengths = sums[..., PREDICTED_LENGTH], sums[..., REFERENCE_LENGTH]
        return _percent(sums, corpus_bleu(sums[..., CLIPPED], sums[..., PREDICTED], *lengths, order))

    return formula


# Of the pooled ones the denominator is what the answers say; a brevity penalty of 1 leaves it at that. An open answer
# is as long as its reference: at the least it shares nothing with it, at the most it is the reference. Those with a
# brevity penalty have no ends: how long an open answer should be for them depends on all others.
METRICS = (
    Metric(
        "BLEU",
        f"eq. (1) for n = 1 over jieba words: {PRECISION}",
        _unigrams,
        ITEMS,
        NOTHING,
        of_answers=True,
        ends=of_open(
            {PREDICTED_LENGTH: REFERENCE_LENGTH}, {PREDICTED_LENGTH: REFERENCE_LENGTH, CLIPPED.start: REFERENCE_LENGTH}
        ),
    ),
    *(
        Metric(
            f"R-{span}-{measure}",
            f"ROUGE-{span}, {measure}, over jieba words: {MEANS}",
            ratio(rouge_column(span, measure), ITEMS, 100.0),
            ITEMS,
            NOTHING,
            ends=of_open({}, {rouge_column(span, measure): ITEMS}),
        )
        for measure in ("F", "recall", "precision")
        for span in SPANS
    ),
    *(
        Metric(
            f"BLEU-{order}",
            f"n-grams up to {order} over jieba words, brevity penalty, add-one smoothing from 2-grams on; pooled",
            _pooled(order),
            ITEMS,
            NOTHING,
            of_answers=True,
        )
        for order in range(1, ORDERS + 1)
    ),
)


def verdict(row: NDArray[np.float64]) -> str:
    """Say in a word what became of a question in one run.

    Parameters
    ----------
    row : array, shape (k,)
        Its statistics.

    Returns
    -------
    str
        ``answered``, ``empty`` where the rule finds no text, ``missing``, or ``skipped`` where it was dropped for that.
    """
    if not row[ITEMS]:
        return "skipped"
    if row[ANSWERED]:
        return "answered"
    return "empty" if row[EMPTY] else "missing"
