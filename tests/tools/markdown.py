"""Tables in Markdown, read back."""

from __future__ import annotations

import re


def cells_of(row):
    """Take a row apart, what is escaped as it is meant."""
    return [re.sub(r"\\(.)", r"\1", cell) for cell in row.removeprefix("| ").removesuffix(" |").split(" | ")]
