"""Stand-in."""

from __future__ import annotations

import re

from medzh_score.extraction.reading import Reading


def read_diagnosis(text: str) -> Reading:
    """Read the names of diseases to which a text commits itself."""
    found = re.search("诊断[是为：:]+([^。]+)", text)
    return Reading(tuple(found[1].split("、")), "diagnosis", clear=True) if found else Reading(None, "nothing")
