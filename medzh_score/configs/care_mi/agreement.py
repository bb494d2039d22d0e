"""How far those who rated CARE-MI's answers agree: Pearson's r, equal bands of Table 7, Krippendorff's alpha."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Literal

import numpy as np

from medzh_score.benchmark.tables import Table
from medzh_score.configs.care_mi.ratings import ASPECTS, band
from medzh_score.statistics.formulas.correlation import pearson

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.judgements import Key
    from medzh_score.configs.care_mi.ratings import Rated

Row = tuple["str | int | float | None", ...]
COLUMNS = ("aspect", "who", "answers of both", "Pearson", "equal band", "alpha (interval)", "alpha (bands, ordinal)")
TITLE = (
    "Agreement of raters, and of judge models: of each two over the answers that both scored, and of all over those "
    "that two or more scored (Pearson: mean over pairs; equal band: all who scored); without the arbiter"
)


def agreement(rated: Mapping[str, Mapping[Key, Rated]]) -> Table:
    """Make the table of agreement.

    Parameters
    ----------
    rated : mapping of str to mapping of (str, int) to Rated
        For each aspect what each answer was given.

    Returns
    -------
    Table
        Without rows where nobody shares an answer with another of the same kind. What is undefined, such as the
        correlation with one who gives all the same score, is None.
    """
    rows: list[Row] = []
    for aspect in ASPECTS:
        given = rated.get(aspect, {})
        keys = sorted(given)
        for who, scores in (
            ("raters", [given[key].raters for key in keys]),
            ("judge models", [given[key].judges for key in keys]),
        ):
            names = sorted({name for mine in scores for name in mine})
            matrix = np.array([[float(mine.get(name, np.nan)) for mine in scores] for name in names])
            rows += [(aspect, *row) for row in _rows(names, matrix, aspect, f"all {who}")]
    return Table(TITLE, COLUMNS, tuple(rows))


def _rows(names: Sequence[str], matrix: NDArray[np.float64], aspect: str, everybody: str) -> list[Row]:
    """Compare each two, then all."""
    found = [
        (f"{names[one]}, {names[two]}", *_compared(matrix[[one, two]], aspect))
        for one, two in combinations(range(len(names)), 2)
    ]
    found = [pair for pair in found if pair[1]]
    pairs: list[Row] = [*found]
    if len(names) > 2 and pairs:  # noqa: PLR2004 - of two the pair says it all
        shared, _, *others = _compared(matrix, aspect)
        pairs.append((everybody, shared, _mean(pair[2] for pair in found), *others))
    return pairs


def _compared(
    matrix: NDArray[np.float64], aspect: str
) -> tuple[int, float | None, float | None, float | None, float | None]:
    """Give how many answers two or more scored, r of the first two, the share of equal bands, and both alphas."""
    shared = matrix[:, (~np.isnan(matrix)).sum(axis=0) > 1]
    count = shared.shape[1]
    if not count:
        return 0, None, None, None, None
    bands = np.where(np.isnan(shared), np.nan, np.vectorize(lambda score: band(score, aspect))(np.nan_to_num(shared)))
    equal = float((np.nanmin(bands, axis=0) == np.nanmax(bands, axis=0)).mean())
    return count, pearson(shared[0], shared[1]), equal, alpha(shared, "interval"), alpha(bands, "ordinal")


def alpha(values: NDArray[np.float64], level: Literal["interval", "ordinal"]) -> float | None:
    """Compute Krippendorff's alpha.

    Parameters
    ----------
    values : array, shape (raters, answers)
        nan where one did not rate.
    level : {"interval", "ordinal"}
        Of the scale.

    Returns
    -------
    float or None
        None where it is undefined: no answer has two values, or all of those are equal.

    References
    ----------
    Krippendorff 2011, Computing Krippendorff's alpha-reliability.

    Examples
    --------
    >>> alpha(np.array([[0.0, 0.5, 1.0], [0.0, 0.5, 1.0]]), "interval")
    1.0
    >>> alpha(np.array([[1.0, 1.0], [1.0, 1.0]]), "interval") is None
    True
    """
    import krippendorff

    pairable = values[:, (~np.isnan(values)).sum(axis=0) > 1]
    if len(np.unique(pairable[~np.isnan(pairable)])) < 2:  # noqa: PLR2004 - one value leaves nothing to disagree on
        return None
    return float(krippendorff.alpha(reliability_data=pairable, level_of_measurement=level))


def _mean(values: Iterable[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else None
