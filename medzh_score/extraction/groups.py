"""Stand-in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.extraction.reading import Reading, Span
from medzh_score.extraction.whole_text import spoken

if TYPE_CHECKING:
    from collections.abc import Sequence


def read_groups(
    text: str,
    options: Sequence[Sequence[str] | None],
    numbers: Sequence[str] | None = None,  # noqa: ARG001
    several: bool = False,  # noqa: ARG001, FBT001, FBT002
) -> tuple[Reading, ...]:
    """Read the answers to a group."""
    said = spoken(text)
    if said is None or not said.strip():
        return (Reading(None, "unfinished thinking" if said is None else "empty"),) * len(options)
    found = {
        int(match[1]): Reading(match[2], "answer", (Span(*match.span(2)),), clear=True)
        for match in re.finditer(r"(\d)\s*[.、:：)）]?\s*(?:答案[是为：:]*)?([A-Z])(?![A-Za-z])", text)
    }
    letters = re.findall(r"(?<![A-Za-z])[A-Z](?![A-Za-z])", text)
    if not found and len(letters) == len(options):
        found = {number: Reading(letter, "in order", clear=True) for number, letter in enumerate(letters, 1)}
    return tuple(
        found.get(number, Reading(None, "not given" if found else "nothing")) for number in range(1, len(options) + 1)
    )
