"""JSON as text: the values are what they were, and what acts on a terminal that shows it stands as an escape."""

from __future__ import annotations

from typing import Any

import msgspec

from medzh_score.messages.errors import CONTROLS


def json_document(value: Any) -> bytes:  # noqa: ANN401 - all that msgspec encodes
    """Write an indented document: UTF-8, equal for equal input, ending in a newline."""
    return visible(msgspec.json.format(msgspec.json.encode(value), indent=2).decode("utf-8") + "\n").encode("utf-8")


def visible(written: str) -> str:
    r"""Escape within JSON what it leaves as it is, and a terminal or UTF-8 does not take.

    Examples
    --------
    >>> visible('"a\u202e"')
    '"a\\u202e"'
    """
    for one in sorted({*CONTROLS.findall(written)} - {"\n"}):
        written = written.replace(one, f"\\u{ord(one):04x}")
    return written
