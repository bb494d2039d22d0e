"""Values of a user's own format as texts and lists of texts."""

from __future__ import annotations


class UnmappedError(Exception):
    """A value that a mapping cannot bring into our form.

    Parameters
    ----------
    problem : str
        What is wrong, in words that are the same for all rows with this fault.
    expected : str or None
        What would have been right.
    found : object
        What was there.
    """

    def __init__(self, problem: str, expected: str | None = None, found: object = None) -> None:
        self.problem = problem
        self.expected = expected
        self.found = found
        super().__init__(problem)


def as_text(value: object) -> str | None:
    """Give a value as a text without blanks around it; None where there is nothing."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UnmappedError("is no text", "a text", value)
    return str(value).strip() or None


def as_list(value: object, separator: str | None) -> list[str] | None:
    """Give a value as a list of texts without blanks around them; None where there is nothing.

    Examples
    --------
    >>> as_list("贫血； 缺铁；", "；"), as_list(["贫血", None], None)
    (['贫血', '缺铁'], ['贫血'])
    """
    if isinstance(value, list):
        return [text for text in map(as_text, value) if text]
    text = as_text(value)
    if text is None:
        return None
    if separator is None:
        expected = "a list of texts, or in [separators] of the mapping file what separates them"
        raise UnmappedError("is no list", expected, value)
    return [part.strip() for part in text.split(separator) if part.strip()]
