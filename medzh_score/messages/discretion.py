"""Functions of the public API that quote no text of a private config."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from medzh_score.messages.at_work import at_work, texts_are_withheld
from medzh_score.messages.problems import problem_of

if TYPE_CHECKING:
    from collections.abc import Callable

Given = ParamSpec("Given")
Returned = TypeVar("Returned")


def discreet(function: Callable[Given, Returned]) -> Callable[Given, Returned]:
    """Let a function of the public API quote no text of a private config, be it in what another error was raised from.

    Other errors than a `MedzhError` become one, since any library may quote what it could not read.
    """

    @wraps(function)
    def quiet(*args: Given.args, **kwargs: Given.kwargs) -> Returned:
        with at_work():
            try:
                return function(*args, **kwargs)
            except Exception as error:
                if not texts_are_withheld():
                    raise
                said = problem_of(error).sayable()
        # Outside of the block, so that it leads to no other error, whose message or variables hold texts.
        raise said

    return quiet
