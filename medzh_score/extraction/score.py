"""Stand-in."""

from __future__ import annotations

import re

from medzh_score.extraction.reading import Reading
from medzh_score.extraction.whole_text import spoken


def read_score(text: str, low: float, high: float) -> Reading:
    """Read a score."""
    found = re.findall(r"(?<![\d.%-])\d*\.?\d+(?![\d.%])", (spoken(text) or "").replace("*", ""))
    values = {float(number) for number in found if low <= float(number) <= high}
    if len(values) != 1 or len(values) < len(set(map(float, found))):
        return Reading(None, "contradiction" if values else "nothing")
    return Reading(values.pop(), "score", clear=True)
