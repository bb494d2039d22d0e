"""Any error as one of ours, which a user can be told."""

from __future__ import annotations

from medzh_score.messages.errors import MedzhError
from medzh_score.messages.extras import extra_for, how_to_add


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
    return MedzhError(f"unexpected {type(error).__name__}: {words}; please report it")
