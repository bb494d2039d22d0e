"""What a rule of a JSON Schema asks for, in words for whoever has to mend the data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LONGEST = 300
NOT_BLANK = "\\S"
TYPES = {
    "string": "a text",
    "array": "a list",
    "object": "an object",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}


def in_words(path: Sequence[str | int], schema: Mapping[str, Any]) -> str:
    """Say what a rule asks for.

    Examples
    --------
    >>> in_words(["properties", "options", "maxItems"], {"properties": {"options": {"minItems": 2, "maxItems": 5}}})
    '2 to 5 options'
    """
    around: Any = schema
    for step in path[:-1]:
        around = around[step]
    keyword, value = path[-1], around[path[-1]]
    words = _of_lists(around, path) or _of_values(str(keyword), value)
    words = words or f"{keyword} {json.dumps(value, ensure_ascii=False)}"
    return words if len(words) <= LONGEST else words[:LONGEST] + "…"


def _of_lists(around: Mapping[str, Any], path: Sequence[str | int]) -> str | None:
    """Count what a list may have, by the name of the field that is the list."""
    if path[-1] not in {"minItems", "maxItems"}:
        return None
    what = path[-2] if len(path) > 2 and path[-3] == "properties" else "entries"  # noqa: PLR2004 - the name of a property
    low, high = around.get("minItems"), around.get("maxItems")
    if low is None or high is None:
        return f"{low} {what} or more" if high is None else f"at most {high} {what}"
    return f"{low} to {high} {what}"


def _of_values(keyword: str, value: Any) -> str | None:  # noqa: ANN401 - any value that JSON has
    if keyword == "type":
        return " or ".join(TYPES[name] for name in ([value] if isinstance(value, str) else value))
    if keyword == "enum":
        return "one of " + ", ".join(map(_plain, value))
    if keyword == "pattern" and value == NOT_BLANK:
        return "a text that is not blank"
    words = {
        "const": "{}",
        "minLength": "a text of {} or more characters",
        "maxLength": "a text of at most {} characters",
        "minimum": "{} or more",
        "maximum": "at most {}",
        "pattern": "a text of the form {}",
    }
    return words[keyword].format(_plain(value)) if keyword in words else None


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
