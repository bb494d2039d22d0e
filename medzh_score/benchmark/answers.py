"""What was read from one prediction: an answer, by what, and whether all of it was understood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from medzh_score.benchmark.reading import Reading


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
    >>> from medzh_score.benchmark.reading import Reading, Span
    >>> answered(Reading("A", "answer", (Span(3, 4),))) is answered(Reading("A", "answer", (Span(0, 1),)))
    True
    """
    value, why, _, clear, note = reading
    return ANSWERS[value, why, note, clear]  # type: ignore[index] # no text is refused there
