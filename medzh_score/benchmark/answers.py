"""What was read from one prediction: an answer, by what, and whether all of it was understood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray


SHARED = 64  # characters of an answer that many predictions may give


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What was read from a prediction; made by `answer`, so that equal ones are the same object.

    Attributes
    ----------
    value : str or None
        The answer, or None: nothing was found, which is never a guess and stays in the denominator as not right.
    why : str
        The name of what decided, or of why nothing was found.
    note : str or None
        What else a config's rule saw in the text that its statistics need.
    clear : bool
        Whether what commits the text to the answer was understood whole, and nothing else casts doubt on it.
    """

    value: str | None
    why: str
    note: str | None = None
    clear: bool = False


Parts = tuple[str | None, str, str | None, bool]


class _Answers(dict[Parts, Answer]):
    """Each `Answer` by its parts: a file has many answers and few different ones."""

    def __missing__(self, parts: Parts) -> Answer:
        """Make one, and keep it; a text that is an answer whole is no one else's."""
        made, value = Answer(*parts), parts[0]
        if value is not None and not isinstance(value, str):
            raise TypeError(f"a config's rule gave {value!r}, which is no text")
        if value is None or len(value) <= SHARED:
            self[parts] = made
        return made


ANSWERS = _Answers()


def answer(value: str | None, why: str, note: str | None = None, clear: bool = False) -> Answer:  # noqa: FBT001, FBT002
    """Give the one `Answer` with these parts.

    Examples
    --------
    >>> answer("correct", "正确") is answer("correct", "正确")
    True
    """
    return ANSWERS[value, why, note, clear]


def answered(reading: Reading) -> Answer:
    """Keep what is scored of a reading whose values are texts: not where it was read.

    Examples
    --------
    >>> from medzh_score.benchmark.answers import Reading, Span
    >>> answered(Reading("A", "answer", (Span(3, 4),))) is answered(Reading("A", "answer", (Span(0, 1),)))
    True
    """
    value, why, _, clear, note = reading
    return ANSWERS[value, why, note, clear]  # type: ignore[index] # no text is refused there


Value = str | float | tuple[str, ...] | None


class Span(NamedTuple):
    """Characters of the raw text, as Python counts them.

    Attributes
    ----------
    start, end : int
        From 0; the end is exclusive.
    """

    start: int
    end: int


class Reading(NamedTuple):
    """What was read.

    Attributes
    ----------
    value : str, float, tuple of str or None
        The answer, or None: it is unread, which is never a guess.
    why : str
        What decided, or why there is no answer: ``empty``, ``unfinished thinking``, ``refusal``, ``contradiction``,
        ``denied``, ``hedge``, ``supposed``, ``nothing`` …
    spans : tuple of Span
        From where it was read, in the order of the text; empty where there is nothing to show.
    clear : bool
        Whether the clause that commits holds known signs only and no sign of doubt stands elsewhere.
    note : str or None
        What else a config's own reading saw in the text that its statistics need.
    """

    value: Value
    why: str
    spans: tuple[Span, ...] = ()
    clear: bool = False
    note: str | None = None


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
