"""Ids of what a recipe asks: from the stage and the texts alone, so that an answer finds what it answers."""

from __future__ import annotations

import re
from hashlib import sha256

DIGITS = 16


def question_id(stage: str, *texts: str) -> str:
    """Give what is asked an id that follows from its texts alone.

    Gives the stage and 16 hex digits: so many that thousands of prompts never share one.

    Examples
    --------
    >>> question_id("review", "a", "b") == question_id("review", "ab")
    False
    """
    digest = sha256(b"\0".join(text.encode("utf-8", "surrogatepass") for text in texts)).hexdigest()
    return f"{stage}-{digest[:DIGITS]}"


def is_id_of(stage: str, identifier: str) -> bool:
    """Say whether an id is one of a stage, of whatever was asked there.

    Examples
    --------
    >>> [is_id_of("review", one) for one in (question_id("review", "a"), question_id("other", "a"), "1")]
    [True, False, False]
    """
    return re.fullmatch(rf"{re.escape(stage)}-[0-9a-f]{{{DIGITS}}}", identifier) is not None
