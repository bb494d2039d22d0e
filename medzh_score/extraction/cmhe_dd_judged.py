"""Codes of ICD-10 that a judge gives for a diagnosis: it was asked for nothing else, so every code in its text counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.extraction.cmhe_dd_written import form_of, written_in
from medzh_score.extraction.whole_text import spoken
from medzh_score.terminology.icd_codes import category_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from medzh_score.extraction.cmhe_dd_written import Written

SEPARATOR = "；"
NONE = "无"


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
    form = form_of(said)
    codes = [one.code for one in written_in(form) if _counts(form, one)]
    if codes:
        return {"codes": SEPARATOR.join(dict.fromkeys(codes))}
    return {"codes": NONE} if said.strip(" 。.\n*").lower() in {NONE, "none"} else None


def _counts(form: str, one: Written) -> bool:
    """Take a bare category in upper case, too; small letters only where nothing else stands in the line."""
    if one.sure or (not one.lower and one.code == category_of(one.code)):
        return True
    start, end = form.rfind("\n", 0, one.start) + 1, form.find("\n", one.end)
    return form[start : len(form) if end < 0 else end].strip(" .;,") == form[one.start : one.end]
