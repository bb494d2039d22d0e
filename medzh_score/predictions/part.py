"""What was read of one range of a large file, small enough to be sent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from medzh_score.benchmark.answer_table import Cell
    from medzh_score.benchmark.answers import Parts
    from medzh_score.predictions.place import Place


@dataclass(frozen=True)
class PartOfCell:
    """Of one run and variant the records that were answered, in which forms, and by rule the answers' numbers."""

    records: NDArray[np.unsignedinteger[Any]]
    forms: NDArray[np.uint8]
    numbers: Mapping[str, NDArray[np.integer[Any]]]


@dataclass(frozen=True)
class Part:
    """What was read of a range, with each different answer of each rule once, as what it is made of."""

    cells: Mapping[Cell, PartOfCell]
    answers: Mapping[str, Sequence[Parts]]
    ways: Mapping[str, str]
    failed: Sequence[tuple[str, int, Cell, str]]
    model: tuple[str, int] | None
    read: int
    empty: int
    truncated: int
    filtered: Sequence[tuple[Cell, int]]
    too_long: Sequence[Place]
