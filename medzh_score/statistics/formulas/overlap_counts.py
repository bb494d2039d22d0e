"""What each answer to an open question contributes: its overlap with the reference, in words."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.text.folding import without_radicals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.layout import Layout

REFERENCE = "reference"  # the text of the layout with which predictions are compared
ORDERS = 4
SPANS = ("1", "2", "L")
MEASURES = ("precision", "recall", "F")

# The columns of the statistics. N-grams (n from 1 to 4) are summed as multisets: those of predictions that references
# hold too, and those of predictions, of which the first are their lengths.
ITEMS, ANSWERED, EMPTY = range(3)
CLIPPED, PREDICTED = slice(3, 3 + ORDERS), slice(7, 7 + ORDERS)
PREDICTED_LENGTH, REFERENCE_LENGTH = PREDICTED.start, PREDICTED.stop
ROUGE = REFERENCE_LENGTH + 1
PREDICTED_CHARACTERS, REFERENCE_CHARACTERS = range(ROUGE + 9, ROUGE + 11)
WIDTH = ROUGE + 11


def rouge_column(span: str, measure: str) -> int:
    """Find a score of ROUGE.

    Parameters
    ----------
    span : {"1", "2", "L"}
        Of which n-grams, or of the longest common subsequence.
    measure : {"precision", "recall", "F"}
        Which of the three.
    """
    return ROUGE + len(MEASURES) * SPANS.index(span) + MEASURES.index(measure)


def overlap_statistics(layout: Layout, answers: AnswerTable, width: int = WIDTH) -> NDArray[np.float64]:
    """Count the overlap of each answer with its reference.

    Parameters
    ----------
    layout : Layout
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
    references = tuple(text for (text,) in layout.texts[REFERENCE] for _ in range(runs))
    counts = np.zeros((len(layout.items), runs, width))
    counts[..., :WIDTH] = _counted(tuple(text or "" for row in said for text in row), references).reshape(
        len(layout.items), runs, -1
    )
    counts[..., ITEMS] = 1
    counts[..., ANSWERED] = [[bool(text) for text in row] for row in said]
    counts[..., EMPTY] = [[text is not None and not text for text in row] for row in said]
    return counts


def texts_of(layout: Layout, answers: AnswerTable) -> list[list[str | None]]:
    """Give the text of each answer.

    Parameters
    ----------
    layout : Layout
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


def with_text(layout: Layout, answers: AnswerTable) -> NDArray[np.bool_]:
    """Tell which answers hold a text: of nothing else can a later round ask.

    Parameters
    ----------
    layout : Layout
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
    from medzh_score.text.overlap.counting import overlap
    from medzh_score.text.overlap.scores import rouge_chinese

    found = overlap([*map(without_radicals, predictions)], [*map(without_radicals, references)])
    counts = np.zeros((len(predictions), WIDTH))
    counts[:, CLIPPED], counts[:, PREDICTED] = found.clipped, found.predicted
    counts[:, REFERENCE_LENGTH] = found.reference_length
    kinds = (found.set_common, found.set_predicted, found.set_referenced)
    sequences = (found.chinese_lcs, found.chinese_predicted, found.chinese_referenced)
    for span, parts in zip(SPANS, (*zip(*(one.T for one in kinds), strict=True), sequences), strict=True):
        for measure, scores in zip(MEASURES, rouge_chinese(*parts), strict=True):
            counts[:, rouge_column(span, measure)] = scores
    for column, texts in ((PREDICTED_CHARACTERS, predictions), (REFERENCE_CHARACTERS, references)):
        counts[:, column] = [len("".join(text.split())) for text in texts]
    counts.flags.writeable = False
    return counts
