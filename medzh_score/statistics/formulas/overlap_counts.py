"""What each answer to an open question contributes: its overlap with the reference, in words and in characters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.layout import Layout
    from medzh_score.text.overlap.counting import Overlap

REFERENCE = "reference"  # the text of the layout with which predictions are compared
ORDERS = 4
SPANS = ("1", "2", "L")
MEASURES = ("precision", "recall", "F")

# The columns of the statistics: three for all, a block for each way to cut a text, and one sum that needs characters.
ITEMS, ANSWERED, EMPTY = range(3)
_CLIPPED, _PREDICTED, _REFERENCED, _CHINESE, _STRICT, _SCORED, _SENTENCE = 0, 4, 8, 9, 18, 27, 30
_BLOCK = 34


@dataclass(frozen=True)
class Columns:
    """Where the sums of one way to cut texts stand.

    Attributes
    ----------
    tokens : {"jieba", "characters"}
        The name of the tokens.
    start : int
        The first column.
    """

    tokens: Literal["jieba", "characters"]
    start: int

    @property
    def clipped(self) -> slice:
        """The n-grams of predictions that references hold too, n from 1 to 4, as multisets."""
        return slice(self.start + _CLIPPED, self.start + _CLIPPED + ORDERS)

    @property
    def predicted(self) -> slice:
        """The n-grams of predictions, n from 1 to 4; the first is their length."""
        return slice(self.start + _PREDICTED, self.start + _PREDICTED + ORDERS)

    @property
    def length(self) -> int:
        """The length of predictions."""
        return self.start + _PREDICTED

    @property
    def referenced(self) -> int:
        """The length of references."""
        return self.start + _REFERENCED

    def chinese(self, span: int, measure: int) -> int:
        """Find a score by rouge-chinese's counting.

        Parameters
        ----------
        span, measure : int
            Places in ``SPANS`` and ``MEASURES``.
        """
        return self.start + _CHINESE + len(MEASURES) * span + measure

    def strict(self, span: int, measure: int) -> int:
        """Find a score by strict counting.

        Parameters
        ----------
        span, measure : int
            Places in ``SPANS`` and ``MEASURES``.
        """
        return self.start + _STRICT + len(MEASURES) * span + measure

    def scored(self, span: int) -> int:
        """Find how many items have a reference that is long enough for strict counting.

        Parameters
        ----------
        span : int
            A place in ``SPANS``.
        """
        return self.start + _SCORED + span

    def sentence(self, order: int) -> int:
        """Find the sum of the items' own BLEU.

        Parameters
        ----------
        order : int
            From 1 to 4.
        """
        return self.start + _SENTENCE + order - 1


WORDS = Columns("jieba", 3)
CHARACTERS = Columns("characters", WORDS.start + _BLOCK)
SENTENCE_SFT = CHARACTERS.start + _BLOCK
WIDTH = SENTENCE_SFT + 1


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
    counts[..., : SENTENCE_SFT + 1] = _counted(tuple(text or "" for row in said for text in row), references).reshape(
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
    from medzh_score.text.overlap.scores import sentence_bleu_method3

    counts = np.zeros((len(predictions), WIDTH))
    for columns in (WORDS, CHARACTERS):
        found = overlap(predictions, references, columns.tokens)
        _fill(counts, columns, found)
        if columns is CHARACTERS:
            lengths = found.predicted[:, 0], found.referenced[:, 0]
            counts[:, SENTENCE_SFT] = sentence_bleu_method3(found.clipped, found.predicted, *lengths)
    counts.flags.writeable = False
    return counts


def _fill(counts: NDArray[np.float64], columns: Columns, found: Overlap) -> None:
    from medzh_score.text.overlap.scores import corpus_bleu, rouge_chinese, strict

    lengths = found.predicted[:, 0], found.referenced[:, 0]
    counts[:, columns.clipped] = found.clipped
    counts[:, columns.predicted] = found.predicted
    counts[:, columns.referenced] = lengths[1]
    chinese = (
        (found.set_common[:, 0], found.set_predicted[:, 0], found.set_referenced[:, 0]),
        (found.set_common[:, 1], found.set_predicted[:, 1], found.set_referenced[:, 1]),
        (found.chinese_lcs, found.chinese_predicted, found.chinese_referenced),
    )
    multisets = (
        (found.clipped[:, 0], *lengths),
        (found.clipped[:, 1], found.predicted[:, 1], found.referenced[:, 1]),
        (found.lcs, *lengths),
    )
    for span in range(len(SPANS)):
        counts[:, columns.scored(span)] = multisets[span][2] > 0
        for measure, values in enumerate(rouge_chinese(*chinese[span])):
            counts[:, columns.chinese(span, measure)] = values
        for measure, values in enumerate(strict(*multisets[span])):
            counts[:, columns.strict(span, measure)] = values
    for order in range(1, ORDERS + 1):
        counts[:, columns.sentence(order)] = corpus_bleu(found.clipped, found.predicted, *lengths, order)
