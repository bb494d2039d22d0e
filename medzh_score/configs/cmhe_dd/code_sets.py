"""Sets of codes as integers: what each case says and should say at the three levels of ICD-10."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.terminology.icd10 import LEVELS, icd10
from medzh_score.terminology.icd_codes import category_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

LABELS = 1 << 20  # more than there are labels at any level, unknown ones among them


@dataclass(frozen=True)
class Labels:
    """Codes of cells, once for each time that a cell has one, in arrays of int of shape (codes,).

    A category is its place in the terminology; from the size of it on where ICD-10 has no such category.
    """

    cells: NDArray[np.int64]
    categories: NDArray[np.int64]

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which of them ICD-10 has."""
        known: NDArray[np.bool_] = self.categories < _levels().shape[1]
        return known

    def at(self, level: int) -> NDArray[np.int64]:
        """Truncate them to a level, each label once a cell.

        Parameters
        ----------
        level : int
            0, 1 or 2.

        Returns
        -------
        array of int
            Ascending; each is ``cell * LABELS + label``. What ICD-10 does not have keeps a label of its own, which
            nothing else has.
        """
        table = _levels()[level]
        inside = np.minimum(self.categories, len(table) - 1)
        labels = np.where(self.known, table[inside], self.categories)
        return np.unique(self.cells * LABELS + labels)


@cache
def _levels() -> NDArray[np.int64]:
    """Give a number to the label of each category at each level, shape (3, categories)."""
    places = icd10().places.values()
    rows = []
    for level in range(len(LEVELS)):
        numbers: dict[str, int] = {}
        rows.append([numbers.setdefault(place.at(level), len(numbers)) for place in places])
    return np.array(rows, np.int64)


@cache
def _numbers() -> dict[str, int]:
    return {category: number for number, category in enumerate(icd10().places)}


def labels_of(cells: Sequence[Iterable[str]]) -> Labels:
    """Turn the codes of many cells into numbers.

    Parameters
    ----------
    cells : sequence of iterables of str
        The codes of each, in their normal form.

    Returns
    -------
    Labels
        In the order of the cells. What ICD-10 does not have is numbered here, from the first such code on, and means
        nothing beside the labels of another call: gold codes are all known.
    """
    known = _numbers()
    unknown: dict[str, int] = {}
    flat: list[int] = []
    sizes = np.zeros(len(cells), np.int64)
    for cell, codes in enumerate(cells):
        before = len(flat)
        for code in codes:
            category = category_of(code)
            number = known.get(category)
            flat.append(len(known) + unknown.setdefault(category, len(unknown)) if number is None else number)
        sizes[cell] = len(flat) - before
    return Labels(np.repeat(np.arange(len(cells)), sizes), np.array(flat, np.int64))


def counted(keys: NDArray[np.int64], cells: int) -> NDArray[np.float64]:
    """Count the labels of each cell.

    Parameters
    ----------
    keys : array of int
        From `Labels.at`.
    cells : int
        How many cells there are.

    Returns
    -------
    array of float, shape (cells,)
    """
    return np.bincount(keys // LABELS, minlength=cells).astype(np.float64)
