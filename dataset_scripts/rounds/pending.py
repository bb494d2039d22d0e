"""What a build waits for: which files go to models or people, and under which name their answers come back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True)
class PendingStage:
    """What a stage of a recipe waits for.

    Attributes
    ----------
    stage : str
        Its name.
    files : tuple of Path
        What was written and is to be answered.
    back : Path
        A name under which what comes back is found.
    fill : mapping of str to tuple of str
        The columns that a person fills in, with what they may hold; empty where prompts go to a model.
    """

    stage: str
    files: tuple[Path, ...]
    back: Path
    fill: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __str__(self) -> str:
        """Say in one sentence what to do."""
        names = ", ".join(map(str, self.files))
        if self.fill:
            columns = ", ".join(
                f"{column} ({' or '.join(allowed)})" if allowed else column for column, allowed in self.fill.items()
            )
            return f"{self.stage}: fill in {columns} of {names}, and save it as {self.back}"
        return f"{self.stage}: send {names} to a model, and save its answers as {self.back}"


class AnswersPending(Exception):  # noqa: N818 - nothing is wrong
    """A build stops because a stage lacks answers; nothing is wrong, and it goes on when they are there.

    Parameters
    ----------
    *stages : PendingStage
        What each of the stages waits for that can be answered now.
    """

    def __init__(self, *stages: PendingStage) -> None:
        self.stages = stages
        super().__init__("; ".join(map(str, stages)))


def both(first: Callable[[], A], second: Callable[[], B]) -> tuple[A, B]:
    """Take two steps of which neither needs the other, so that the user can answer both at once.

    Examples
    --------
    >>> both(lambda: 1, lambda: "a")
    (1, 'a')
    """
    try:
        done = first()
    except AnswersPending as pending:
        try:
            second()
        except AnswersPending as also:
            raise AnswersPending(*pending.stages, *also.stages) from None
        raise
    return done, second()
