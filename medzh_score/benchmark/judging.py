"""What a config declares of judge models that are trained on people's scores of answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from medzh_score.benchmark.judgements import Judgements, Key
    from medzh_score.benchmark.layout import Record

THRESHOLD = 0.5  # from here on an answer is right


@dataclass(frozen=True)
class Judging:
    """What judge models of a config are trained on.

    Attributes
    ----------
    labels : callable
        From what came back in a round, and the round's name, to people's score of each answer, from 0 to 1.
    statements : callable
        From a record to the answers that are made of it, by what they are, each with its label.
    fields : callable
        From a record, an answer and a number of characters to the fields of a judge's prompt, whose evidence has no
        more characters than that; None is all of it.
    texts : callable
        From a record to the texts of which none may stand on both sides of a split by questions.
    """

    labels: Callable[[Judgements, str], Mapping[Key, float]]
    statements: Callable[[Record], Mapping[str, tuple[str, float]]]
    fields: Callable[[Record, str, int | None], Mapping[str, str]]
    texts: Callable[[Record], Sequence[str]]


def cut(paragraphs: Iterable[str], characters: int | None) -> list[str]:
    """Keep the first characters of several paragraphs.

    Parameters
    ----------
    paragraphs : iterable of str
        In order.
    characters : int or None
        How many, Unicode code points; None keeps all. The paragraph that reaches the limit is cut, the rest left out.

    Examples
    --------
    >>> cut(["麻疹病毒", "飞沫传播"], 6)
    ['麻疹病毒', '飞沫']
    """
    if characters is None:
        return list(paragraphs)
    kept, left = [], characters
    for paragraph in paragraphs:
        if left <= 0:
            break
        kept.append(paragraph[:left])
        left -= len(paragraph)
    return kept


def majority(labels: Iterable[float]) -> bool | None:
    """Tell what most answers are, right or wrong; as many of each are right.

    Parameters
    ----------
    labels : iterable of float
        Scores from 0 to 1.

    Returns
    -------
    bool or None
        Whether most are right; None where there are none.

    Examples
    --------
    >>> majority([0.9, 0.5, 0.2]), majority([])
    (True, None)
    """
    right = [label >= THRESHOLD for label in labels]
    return None if not right else 2 * sum(right) >= len(right)
