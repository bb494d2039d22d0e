"""The tokens that rouge-chinese sees: it breaks texts into lines, and a line without tokens is an empty token."""

from __future__ import annotations

import re

SENTENCE_ENDS = "。！？?"  # it breaks a line after each
DOTS = "......"  # and after six dots, which may break a token
# In a spelled text white space is a space or ends a line; letters stand for the marks, an empty token and a break.
END_LETTERS = "\1\2\3\4"
EMPTY, BREAK = "\5", "\6"
EMPTY_LINE = re.compile(f"(?:(?<=[{END_LETTERS}{BREAK}\n]) *|^ +)\n")
# After six dots the next character cannot begin another six.
DOTTED = re.compile(r"(\.{6})(.?)")


def with_empty_tokens(text: str) -> str:
    r"""Put in the empty tokens, and leave white space out.

    rouge-chinese is given the tokens with spaces between, so every line but the first has at least a space, and is a
    token even if it has nothing else; a first line may be truly empty, and is none. White space at the end is no line.

    Examples
    --------
    >>> with_empty_tokens("ab\n\nc\n") == "ab" + EMPTY + "c"
    True
    """
    lines = EMPTY_LINE.sub(EMPTY, text.rstrip(" \n"))
    return lines.replace(" ", "").replace("\n", "").replace(BREAK, "")


def broken(token: str) -> list[str]:
    """Break a token after six dots as rouge-chinese does; the last part is empty where the break is at the end.

    Examples
    --------
    >>> broken("........")
    ['......', '..']
    """
    return DOTTED.sub(r"\1\n\2", token).split("\n")
