"""Any error as one of ours, which a user can be told."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from medzh_score.messages.errors import MedzhError
from medzh_score.messages.extras import extra_for, how_to_add
from medzh_score.messages.privacy import at_work, quotable, texts_are_withheld

if TYPE_CHECKING:
    from collections.abc import Callable

Given = ParamSpec("Given")
Returned = TypeVar("Returned")


def problem_of(error: Exception) -> MedzhError:
    """Put any error in one line's words."""
    match error:
        case MedzhError():
            return error
        case OSError():
            return MedzhError(error.strerror or str(error), file=error.filename)
        case MemoryError():
            return MedzhError("there is not enough memory")
        case ImportError() if extra := extra_for(error):
            return MedzhError(f"a library is missing: {error.name}", advice=how_to_add(extra))
    words = " ".join(str(error).split())
    return MedzhError(f"unexpected {type(error).__name__}: {quotable(words)}; please report it")


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
                said = problem_of(error).alone()
        # Outside of the block, so that it leads to no other error, whose message or variables hold texts.
        raise said

    return quiet
