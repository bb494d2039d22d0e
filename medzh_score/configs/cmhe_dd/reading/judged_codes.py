"""Codes of ICD-10 that a judge gives for a diagnosis: asked for nothing else, every code counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.configs.cmhe_dd.reading.stated_codes import found_codes
from medzh_score.extraction.expressions import expression
from medzh_score.extraction.preparation import prepare

if TYPE_CHECKING:
    from collections.abc import Mapping

SEPARATOR = "；"
NONE = "无"
SPACED = expression(
    "space in a code", r"(?<![A-Za-z0-9])([A-Z])[ \t](?=[0-9]{2}(?![0-9]))", matches="I 10", misses="I10"
)


def read_judged(text: str, _context: Mapping[str, str]) -> Mapping[str, str] | None:
    r"""Read the codes that a judge gives for a diagnosis, joined by ``；``, or ``无``; no code at all is no verdict.

    Examples
    --------
    >>> read_judged("1. Allergic rhinitis\n2. J30.4; J45.9", {})
    {'codes': 'J30.4；J45.9'}
    >>> read_judged("过敏性鼻炎", {}) is None
    True
    """
    said = prepare(text)
    if said.lacks:
        return None
    if codes := found_codes(SPACED.pattern.sub(r"\1", said.text), openly=True):
        return {"codes": SEPARATOR.join(dict.fromkeys(one.code for one in codes))}
    return {"codes": NONE} if said.folded.strip(" 。.\n*") in {NONE, "none"} else None
