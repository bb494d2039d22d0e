"""Verdicts on items: a word for the first of some statistics that counts an item."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray


def first_counted(
    items: int, words: Sequence[tuple[str, int]], otherwise: str | None = None
) -> Callable[[NDArray[np.float64]], str]:
    """Make the function that says in a word what became of an item in one run.

    Parameters
    ----------
    items : int
        The column that counts items; where it does not, the item was dropped: ``skipped``.
    words : sequence of (str, int)
        Words with the columns that stand for them: the first that counts the item decides.
    otherwise : str, optional
        The word where none does; not given where one of them always does, and that none did is a mistake of the config.

    Examples
    --------
    >>> import numpy as np
    >>> verdict = first_counted(0, [("right", 1)], "wrong")
    >>> [verdict(np.array(row)) for row in ([1, 1], [1, 0], [0, 0])]
    ['right', 'wrong', 'skipped']
    """

    def verdict(row: NDArray[np.float64]) -> str:
        if not row[items]:
            return "skipped"
        found = next((word for word, column in words if row[column]), otherwise)
        if found is None:
            raise ValueError(f"an item that counts has none of {[word for word, _ in words]}")
        return found

    return verdict
