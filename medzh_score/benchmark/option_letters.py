"""Options by their letters: how they are shown, how answers to several questions are written, which one is right."""

from __future__ import annotations

from string import ascii_uppercase
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError
from medzh_score.messages.privacy import quotable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from medzh_score.benchmark.layout import Record

LETTERS = ascii_uppercase


def lettered(options: Sequence[str], order: Iterable[int] | None = None) -> str:
    """Show options, a line each, in their own order or in another.

    Parameters
    ----------
    options : sequence of str
        At most 26.
    order : iterable of int, optional
        For each position that is shown the option that stands there.

    Examples
    --------
    >>> print(lettered(["1岁", "2岁"]))
    A. 1岁
    B. 2岁
    """
    places = range(len(options)) if order is None else order
    return "\n".join([f"{LETTERS[position]}. {options[place]}" for position, place in enumerate(places)])


def numbered(letters: Sequence[str]) -> str:
    """Write the answers to several questions as they are asked for.

    Examples
    --------
    >>> numbered("ACB")
    '1.A 2.C 3.B'
    """
    return " ".join(f"{number}.{letter}" for number, letter in enumerate(letters, start=1))


def gold_place(record: Record, letters: str = LETTERS) -> int:
    """Give the place of a record's right option, its ``answer`` being the letter; refuse what is none of them.

    Examples
    --------
    >>> gold_place({"id": "q1", "options": ["肝", "脾"], "answer": "B"})
    1
    """
    held = letters[: len(record["options"])]
    if len(record["answer"]) != 1 or record["answer"] not in held:
        raise _none_of_its_options(record, " or ".join(held))
    return held.index(record["answer"])


def gold_letters(record: Record, letters: str = LETTERS) -> str:
    """Give a record's right options, one or several in their order; refuse what is none of them.

    Examples
    --------
    >>> gold_letters({"id": "q1", "options": ["肝", "脾", "肾"], "answer": "AC"})
    'AC'
    """
    held, answer = letters[: len(record["options"])], str(record["answer"])
    if not answer or [*answer] != sorted({*answer} & {*held}):
        raise _none_of_its_options(record, f"letters of {held} in their order, each once")
    return answer


def _none_of_its_options(record: Record, expected: str) -> MedzhError:
    problem = f"the answer of record {quotable(record['id'])} is none of its options"
    return MedzhError(problem, field="answer", expected=expected, found=record["answer"])
