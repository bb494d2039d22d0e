"""What a config declares for its answers to be read by somebody else than a rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.benchmark.rules import OURS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from medzh_score.benchmark.layout import Asked, Layout, Record
    from medzh_score.benchmark.rules import Rule


@dataclass(frozen=True)
class ResponsesOf:
    """A later round of the same model, each item a record: its responses are what is read, not the first answers.

    Attributes
    ----------
    round : str
        Its name.
    asked : callable
        As `Config.asked`: each record alone, with what the rule needs to know of it.
    rule : Rule
        Ours, as it reads these responses.
    """

    round: str
    asked: Callable[[Sequence[Record], Layout], Sequence[Asked]]
    rule: Rule


@dataclass(frozen=True)
class Reads:
    """How the answers of a config can be read by a person or a model.

    Attributes
    ----------
    question : callable
        From a record with all its columns, what was `Asked` and the number of the variant to what the reader is shown
        of the question: its options as they were shown, never the gold.
    choices : str
        In Chinese, in which form the reader writes an answer.
    rules : tuple of str
        The rules of the config that read answers from texts: those that an audit counts the errors of.
    shares : tuple of str
        The metrics that are shares of items, records or groups, to which each answer gives at most its own part.
    second : bool
        Whether there is a second reading; not where it is measured how well a form is followed.
    lead : str
        What stands before the reader's words when the rule reads them.
    same : callable
        From two values to whether they are one answer.
    of : ResponsesOf or None
        Of which responses the answers are read; None where it is the first.
    """

    question: Callable[[Record, Asked, int], str]
    choices: str
    rules: tuple[str, ...] = (OURS,)
    shares: tuple[str, ...] = ()
    second: bool = True
    lead: str = ""
    same: Callable[[str, str], bool] = str.__eq__
    of: ResponsesOf | None = None


def same_set(separator: str) -> Callable[[str, str], bool]:
    """Make a comparison of values that are lists with a separator: their order does not matter.

    Examples
    --------
    >>> same_set("；")("J30.4；J45.9", "J45.9；J30.4")
    True
    """

    def same(one: str, other: str) -> bool:
        return set(one.split(separator)) == set(other.split(separator))

    return same
