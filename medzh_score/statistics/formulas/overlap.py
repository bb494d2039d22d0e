"""BLEU and ROUGE of open answers, each way of counting under its own name (PeMeBench, sections 2.4 and 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.choices import pick
from medzh_score.benchmark.metrics import Metric
from medzh_score.statistics.formulas.overlap_counts import (
    ANSWERED,
    CHARACTERS,
    EMPTY,
    ITEMS,
    MEASURES,
    ORDERS,
    SENTENCE_SFT,
    SPANS,
    WORDS,
    Columns,
    overlap_statistics,
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
TOO_SHORT = "no reference is long enough"
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
    Profile("zh-sft", "the habit of the field", ("BLEU-4-sft", "R-1-F", "R-2-F", "R-L-F")),
    Profile("strict", "multisets throughout", ("BLEU", "R-1-F-strict", "R-2-F-strict", "R-L-F-strict")),
)
HEADLINE = "BLEU"
SHOWN = PROFILES[0].parts
# Per question: a reading of each kind that means something there.
ITEM_METRICS = (*SHOWN, "R-1-recall", "R-2-recall", "R-L-recall", "BLEU-4-sft", *PROFILES[3].parts[1:])


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
    {'tokenizer': 'jieba ..., characters'}
    """
    return {"tokenizer": ", ".join(str(pick("tokens", TOKENS, block.tokens)) for block in (WORDS, CHARACTERS))}


def _metrics() -> tuple[Metric, ...]:
    words = [_precision(WORDS, ""), *_rouge(WORDS, ""), *_bleu(WORDS, "")]
    sft = Metric(
        "BLEU-4-sft",
        "each answer's own BLEU-4 over characters, white space aside, nltk's smoothing method 3, mean over questions",
        ratio(SENTENCE_SFT, ITEMS, 100.0),
        ITEMS,
        NOTHING,
    )
    characters = [_precision(CHARACTERS, "-chars"), *_rouge(CHARACTERS, "-chars"), *_bleu(CHARACTERS, "-chars")]
    return (*words, sft, *characters)


def _over(columns: Columns) -> str:
    return "jieba words" if columns is WORDS else columns.tokens


def _precision(columns: Columns, suffix: str) -> Metric:
    def formula(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        from medzh_score.text.overlap.scores import unigram_precision

        return _percent(sums, unigram_precision(sums[..., columns.clipped], sums[..., columns.predicted]))

    summary = f"eq. (1) for n = 1 over {_over(columns)}: {PRECISION}"
    return Metric(f"BLEU{suffix}", summary, formula, ITEMS, NOTHING, of_answers=True)


def _percent(sums: NDArray[np.float64], share: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(sums[..., ITEMS] != 0, 100.0 * share, np.nan)


def _rouge(columns: Columns, suffix: str) -> list[Metric]:
    made = []
    for measure in ("F", "recall", "precision"):
        place = MEASURES.index(measure)
        for index, span in enumerate(SPANS):
            name, text = f"R-{span}-{measure}{suffix}", f"ROUGE-{span}, {measure}, over {_over(columns)}: {MEANS}"
            made.append(Metric(name, text, ratio(columns.chinese(index, place), ITEMS, 100.0), ITEMS, NOTHING))
    for measure in ("F", "recall", "precision"):
        place = MEASURES.index(measure)
        for index, span in enumerate(SPANS):
            counted = "the longest common subsequence" if span == "L" else "n-grams as multisets"
            text = f"ROUGE-{span}, {measure}, over {_over(columns)}, no inserted tokens: {counted}, mean over questions"
            scored = columns.scored(index)
            formula = ratio(columns.strict(index, place), scored, 100.0)
            made.append(Metric(f"R-{span}-{measure}-strict{suffix}", text, formula, scored, TOO_SHORT))
    return made


def _bleu(columns: Columns, suffix: str) -> list[Metric]:
    smoothed = "brevity penalty, add-one smoothing from 2-grams on"
    pooled = [
        Metric(
            f"BLEU-{order}{suffix}",
            f"n-grams up to {order} over {_over(columns)}, {smoothed}; pooled",
            _pooled(columns, order),
            ITEMS,
            NOTHING,
            of_answers=True,  # the n-grams that are said; a brevity penalty of 1 leaves it at that
        )
        for order in range(1, ORDERS + 1)
    ]
    means = [
        Metric(
            f"BLEU-{order}-sentence{suffix}",
            f"each answer's own BLEU-{order} over {_over(columns)}, {smoothed}; mean over questions",
            ratio(columns.sentence(order), ITEMS, 100.0),
            ITEMS,
            NOTHING,
        )
        for order in range(1, ORDERS + 1)
    ]
    return [*pooled, *means]


def _pooled(columns: Columns, order: int) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    def formula(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        from medzh_score.text.overlap.scores import corpus_bleu

        lengths = sums[..., columns.length], sums[..., columns.referenced]
        return _percent(sums, corpus_bleu(sums[..., columns.clipped], sums[..., columns.predicted], *lengths, order))

    return formula


METRICS = _metrics()


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
