"""JSON as text: the values are what they were, and what acts on a terminal that shows it stands as an escape."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from medzh_score.messages.errors import CONTROLS
from medzh_score.messages.privacy import quotable_key

# What decoding raises where bytes are no JSON of a kind, or are nested deeply.
NO_JSON = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


QUOTED = re.compile(r"(?<=unknown field )\S.*|(?<=enum value )\S.*")


def what_is_wrong(message: str) -> str:
    """Give what msgspec says of a value of the wrong kind, without the marks in which it puts names and types."""
    return QUOTED.sub(lambda found: quotable_key(found.group()), message.replace("`", ""))


def json_document(value: Any) -> bytes:  # noqa: ANN401 - all that msgspec encodes
    """Write an indented document: UTF-8, equal for equal input, ending in a newline."""
    encoded = msgspec.json.encode(value)
    written = msgspec.json.format(encoded, indent=2) + b"\n"
    # Looked at before the line ends of the form come in: of what is printable nothing acts on a terminal.
    return written if encoded.decode("utf-8").isprintable() else visible(written.decode("utf-8")).encode("utf-8")


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


# A text, which stays as it is, even one that never ends; or a constant outside of texts.
TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|(?P<constant>-?Infinity|NaN)', re.DOTALL)


def without_constants(content: bytes) -> bytes:
    """Write null for NaN and Infinity.

    Examples
    --------
    >>> without_constants(b'{"acc": NaN, "of": "NaN"}')
    b'{"acc": null, "of": "NaN"}'
    """
    if b"NaN" not in content and b"Infinity" not in content:
        return content
    return TOKEN.sub(lambda found: b"null" if found["constant"] else found[0], content)
