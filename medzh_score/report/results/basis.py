"""What a report was made of, as far as a result folder holds it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.layout import Asked, Layout
    from medzh_score.benchmark.rules import Rule
    from medzh_score.predictions.readers.several import PredictionFiles

Texts = Literal["none", "spans", "full"]


@dataclass(frozen=True)
class RuleBasis:
    """What one rule's values were made of: its answers, and what each item contributed, shape (items, runs, k)."""

    rule: Rule
    answers: AnswerTable
    statistics: NDArray[np.float64]


@dataclass(frozen=True)
class Basis:
    """What a report was made of.

    Attributes
    ----------
    config : str
        The config's name.
    layout : Layout
        Items, members, units and groups.
    ids : sequence of str
        Those of the records.
    rules : mapping of str to RuleBasis
        By the name under which the report has what a rule found, in its order.
    asked : sequence of Asked
        What the predictions answer.
    files : PredictionFiles
        Where the texts are read again.
    """

    config: str
    layout: Layout
    ids: Sequence[str]
    rules: Mapping[str, RuleBasis]
    asked: Sequence[Asked]
    files: PredictionFiles
