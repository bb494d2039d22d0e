"""BLEU and ROUGE of open answers, each way of counting under its own name (PeMeBench, sections 2.4 and 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.metrics import Columns, Metric, block, of_open, ratio
from medzh_score.text.fold import without_radicals
from medzh_score.text.tokens import TOKENS
from medzh_score.ui.i18n import N_, _

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import AnswerTable
    from medzh_score.benchmark.items import ItemIndex
    from medzh_score.benchmark.stages import Annotations


REFERENCE = "reference"  # the text of the layout with which predictions are compared
ORDERS = 4
SPANS = ("1", "2", "L")
MEASURES = ("precision", "recall", "F")


class OverlapColumns(Columns):
    """What is counted of an open answer.

    N-grams (n from 1 to 4) are summed as multisets: those of predictions that references hold too, and those of
    predictions, of which the first are their lengths.
    """

    items: int
    answered: int
    empty: int
    clipped: slice = block(ORDERS)
    predicted: slice = block(ORDERS)
    reference_length: int
    rouge: slice = block(len(SPANS) * len(MEASURES))
    predicted_characters: int
    reference_characters: int


C = OverlapColumns


PREDICTED_LENGTH = C.predicted.start
NOTHING = _("no question was counted")
LABELS = {"precision": _("precision"), "recall": _("recall"), "F": "F"}
PRINTED = ("BLEU", "R-1", "R-2", "R-L")


def rouge_column(span: str, measure: str) -> int:
    """Find a score of ROUGE.

    Parameters
    ----------
    span : {"1", "2", "L"}
        Of which n-grams, or of the longest common subsequence.
    measure : {"precision", "recall", "F"}
        Which of the three.
    """
    return int(C.rouge.start) + len(MEASURES) * SPANS.index(span) + MEASURES.index(measure)


def overlap_statistics(layout: ItemIndex, answers: AnswerTable, width: int = C.width) -> NDArray[np.float64]:
    """Count the overlap of each answer with its reference.

    Parameters
    ----------
    layout : ItemIndex
        Questions, with their references as texts.
    answers : AnswerTable
        Of one rule: texts. What is empty or missing scores 0; its reference counts.
    width : int
        How many columns there are; those beyond ours are 0.

    Returns
    -------
    array of float, shape (questions, runs, width)
    """
    said = texts_of(layout, answers)
    runs = len(answers.runs)
    references = tuple(text for (text,) in layout.item_texts[REFERENCE] for _unused in range(runs))
    counts = np.zeros((len(layout.items), runs, width))
    counts[..., : C.width] = _counted(tuple(text or "" for row in said for text in row), references).reshape(
        len(layout.items), runs, -1
    )
    counts[..., C.items] = 1
    counts[..., C.answered] = [[bool(text) for text in row] for row in said]
    counts[..., C.empty] = [[text is not None and not text for text in row] for row in said]
    return counts


def texts_of(layout: ItemIndex, answers: AnswerTable) -> list[list[str | None]]:
    """Give the text of each answer.

    Parameters
    ----------
    layout : ItemIndex
        Questions of one record each.
    answers : AnswerTable
        Of one rule.

    Returns
    -------
    list of list of str or None
        By question and run; empty where the rule found no text, None where there is no prediction.
    """
    columns = [answers.columns[run, 0] for run in answers.runs]
    return [
        [None if (answer := column[member]) is None else answer.value or "" for column in columns]
        for member in layout.members[:, 0].tolist()
    ]


def with_text(layout: ItemIndex, answers: AnswerTable) -> NDArray[np.bool_]:
    """Tell which answers hold a text: of nothing else can a later round ask.

    Parameters
    ----------
    layout : ItemIndex
        Questions of one record each.
    answers : AnswerTable
        Of one rule.

    Returns
    -------
    array of bool, shape (questions, runs)
    """
    return np.array([[bool(text) for text in row] for row in texts_of(layout, answers)], bool)


@lru_cache(maxsize=1)  # the second rule mostly has the same texts as the first
def _counted(predictions: tuple[str, ...], references: tuple[str, ...]) -> NDArray[np.float64]:
    """Count pairs, shape (pairs, WIDTH)."""
    from medzh_score.text.overlap import overlap, rouge_chinese

    found = overlap([*map(without_radicals, predictions)], [*map(without_radicals, references)])
    counts = np.zeros((len(predictions), C.width))
    counts[:, C.clipped], counts[:, C.predicted] = found.clipped, found.predicted
    counts[:, C.reference_length] = found.reference_length
    kinds = (found.set_common, found.set_predicted, found.set_referenced)
    sequences = (found.chinese_lcs, found.chinese_predicted, found.chinese_referenced)
    for span, parts in zip(SPANS, (*zip(*(one.T for one in kinds), strict=True), sequences), strict=True):
        for measure, scores in zip(MEASURES, rouge_chinese(*parts), strict=True):
            counts[:, rouge_column(span, measure)] = scores
    for column, texts in (
        (C.predicted_characters, predictions),
        (C.reference_characters, references),
    ):
        counts[:, column] = [len("".join(text.split())) for text in texts]
    counts.flags.writeable = False
    return counts


@dataclass(frozen=True)
class Profile:
    """A named reading of the paper's four similarity metrics, whose mean enters S_total."""

    name: str  # as in S_total's name
    total: str  # what S_total is with it
    parts: tuple[str, ...]  # the metrics that are read as BLEU, R-1, R-2 and R-L


PROFILES = (
    Profile(
        "rouge-f",
        N_("Equation (3), in the form closest to the printed table: (mean of {parts} + {recall} + 100 - {hall}) / 3"),
        ("BLEU", "R-1-F", "R-2-F", "R-L-F"),
    ),
    Profile(
        "rouge-recall",
        N_("Equation (3), as worded in the paper: (mean of {parts} + {recall} + 100 - {hall}) / 3"),
        ("BLEU", "R-1-recall", "R-2-recall", "R-L-recall"),
    ),
)
SUMMARY = PROFILES[0].parts
# Per question: a reading of each kind that means something there.
ITEM_METRICS = (*SUMMARY, *PROFILES[1].parts[1:])


def statistics(layout: ItemIndex, answers: AnswerTable, _judged: Mapping[str, Annotations]) -> NDArray[np.float64]:
    """Count, for each question and run, what the overlap metrics sum.

    Parameters
    ----------
    layout : ItemIndex
        Questions, with their references as texts.
    answers : AnswerTable
        Of one rule.
    _judged : mapping of str to Annotations
        There are no later rounds.

    Returns
    -------
    array of float, shape (questions, runs, k)
    """
    return overlap_statistics(layout, answers)


def signature_entries() -> dict[str, str]:
    """Name the tokens that overlap is counted in, with their versions, for the signature."""
    return {"tokenizer": str(pick("tokens", TOKENS, "jieba"))}


def _percent(sums: NDArray[np.float64], share: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(sums[..., C.items] != 0, 100.0 * share, np.nan)


def _unigrams(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    from medzh_score.text.overlap import unigram_precision

    return _percent(sums, unigram_precision(sums[..., C.clipped], sums[..., C.predicted]))


def _pooled(order: int) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    def formula(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        from medzh_score.text.overlap import corpus_bleu

        lengths = sums[..., PREDICTED_LENGTH], sums[..., C.reference_length]
        return _percent(sums, corpus_bleu(sums[..., C.clipped], sums[..., C.predicted], *lengths, order))

    return formula


# Of the pooled ones the denominator is what the answers say; a brevity penalty of 1 leaves it at that. An open answer
# is as long as its reference: at the least it shares nothing with it, at the most it is the reference. Those with a
# brevity penalty have no ends: how long an open answer should be for them depends on all others.
METRICS = (
    Metric(
        "BLEU",
        _(
            "Equation (1) for n = 1 over jieba words: clipped unigrams of all answers divided by all their unigrams; "
            "pooled, without brevity penalty"
        ),
        _unigrams,
        C.items,
        NOTHING,
        of_answers=True,
        ends=of_open(
            {PREDICTED_LENGTH: C.reference_length},
            {
                PREDICTED_LENGTH: C.reference_length,
                C.clipped.start: C.reference_length,
            },
        ),
    ),
    *(
        Metric(
            f"R-{span}-{measure}",
            _(
                (
                    "ROUGE-{span} {measure} over jieba words, averaged over questions; counted as in "
                    "rouge-chinese (n-grams as sets, including the empty tokens that it inserts)"
                ),
                span=span,
                measure=LABELS[measure],
            ),
            ratio(rouge_column(span, measure), C.items, 100.0),
            C.items,
            NOTHING,
            ends=of_open({}, {rouge_column(span, measure): C.items}),
        )
        for measure in ("F", "recall", "precision")
        for span in SPANS
    ),
    *(
        Metric(
            f"BLEU-{order}",
            _(
                (
                    "BLEU with n-grams up to {order} over jieba words, with a brevity penalty and add-one "
                    "smoothing for 2-grams and longer n-grams; pooled over answers"
                ),
                order=order,
            ),
            _pooled(order),
            C.items,
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
    if not row[C.items]:
        return "skipped"
    if row[C.answered]:
        return "answered"
    return "empty" if row[C.empty] else "missing"
