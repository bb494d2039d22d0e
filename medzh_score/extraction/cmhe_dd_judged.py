"""Codes of ICD-10 that a judge gives for a diagnosis: asked for nothing else, every code counts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.extraction.cmhe_dd_context import is_named, stands_alone, stands_by_a_disease
from medzh_score.extraction.cmhe_dd_other_uses import could_be_other, is_something_else
from medzh_score.extraction.cmhe_dd_written import form_of, written_in
from medzh_score.extraction.whole_text import spoken
from medzh_score.terminology.icd_codes import category_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from medzh_score.extraction.cmhe_dd_written import Written

SEPARATOR = "；"
NONE = "无"
# What joins the members of a list.
LIST = re.compile(r"[\s,、;/*`\"')\]】+†‡|-]*(?:和|与|及|以及|或|and|or|&)?[\s(\[【*`\"']*")


def read_judged(text: str, _context: Mapping[str, str]) -> Mapping[str, str] | None:
    r"""Read the codes that a judge gives.

    Parameters
    ----------
    text : str
        What the judge wrote. Thinking is passed over. ``无`` or ``none`` alone says that the diagnosis names no
        disease.
    _context : mapping
        Not looked at.

    Returns
    -------
    mapping or None
        ``codes``, joined by ``；``, or ``无``; None where there is no code, which is no verdict.

    Examples
    --------
    >>> read_judged("1. Allergic rhinitis\n2. J30.4; J45.9", {})
    {'codes': 'J30.4；J45.9'}
    >>> read_judged("过敏性鼻炎", {}) is None
    True
    """
    said = spoken(text)
    if said is None:
        return None
    codes = [one.code for one in found_codes(said)]
    if codes:
        return {"codes": SEPARATOR.join(dict.fromkeys(codes))}
    return {"codes": NONE} if said.strip(" 。.\n*").lower() in {NONE, "none"} else None


def found_codes(text: str) -> list[Written]:
    """Find what a text that was asked for codes gives as one: a bare category, too, unless something speaks against it.

    Parameters
    ----------
    text : str
        In any width.
    """
    form = form_of(text)
    written = [one for one in written_in(form) if not is_something_else(form, one)]
    counts = [_counts(form, one) for one in written]
    for order in (range(1, len(written)), range(len(written) - 2, -1, -1)):
        for place in order:
            beside = place - order.step
            first, last = sorted((place, beside))
            if counts[beside] and LIST.fullmatch(form, written[first].end, written[last].start):
                counts[place] = True
    return [one for one, is_code in zip(written, counts, strict=True) if is_code]


def _counts(form: str, one: Written) -> bool:
    if is_named(form, one) or stands_alone(form, one):
        return True
    if could_be_other(form, one):
        return False
    return one.sure or (not one.lower and one.code == category_of(one.code)) or stands_by_a_disease(form, one)
