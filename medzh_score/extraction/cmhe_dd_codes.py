"""Codes of ICD-10 that stand in a text: what a model wrote itself, and what a judge answered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.config import Answer, answer
from medzh_score.extraction import whole_text
from medzh_score.extraction.cmhe_dd_context import is_named, stands_alone, stands_by_a_disease
from medzh_score.extraction.cmhe_dd_other_uses import could_be_other, is_something_else
from medzh_score.extraction.cmhe_dd_own_names import for_ruling_out
from medzh_score.extraction.cmhe_dd_ruled_out import ruled_out
from medzh_score.extraction.cmhe_dd_written import form_of, written_in
from medzh_score.terminology.icd_codes import category_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from medzh_score.extraction.cmhe_dd_written import Written

SEPARATOR = "；"
NONE = "无"
NO_CODE = "no code"
ALL_OUT = "all ruled out"
# What joins the members of a list.
LIST = re.compile(r"[\s,、;/*`\"')\]】+†‡|-]*(?:和|与|及|以及|或|and|or|&)?[\s(\[【*`\"']*")


def found_codes(text: str, *, openly: bool = False) -> tuple[str, list[Written]]:
    """Find what a text gives as a code.

    Parameters
    ----------
    text : str
        In any width.
    openly : bool
        Whether the text was asked for codes: then a bare category counts, too, unless something speaks against it. Else
        something must speak for it: a word that says code, brackets, a disease beside it, a line or cell of its own, or
        a list in which it stands with a code.

    Returns
    -------
    tuple of (str, list of Written)
        The text as `form_of` gives it, and the codes in it, from left to right.
    """
    form = form_of(text)
    written = [one for one in written_in(form) if not is_something_else(form, one)]
    counts = [_counts(form, one, openly=openly) for one in written]
    for order in (range(1, len(written)), range(len(written) - 2, -1, -1)):
        for place in order:
            beside = place - order.step
            first, last = sorted((place, beside))
            if counts[beside] and LIST.fullmatch(form, written[first].end, written[last].start):
                counts[place] = True
    return form, [one for one, is_code in zip(written, counts, strict=True) if is_code]


def _counts(form: str, one: Written, *, openly: bool) -> bool:
    if is_named(form, one) or stands_alone(form, one):
        return True
    if could_be_other(form, one):
        return False
    return (
        one.sure or (openly and not one.lower and one.code == category_of(one.code)) or stands_by_a_disease(form, one)
    )


def codes_in(text: str) -> tuple[list[str], int]:
    """Find the codes in a text that it does not rule out.

    Parameters
    ----------
    text : str
        In any width.

    Returns
    -------
    tuple of (list of str, int)
        The codes in their normal form, each once, in order, whether or not ICD-10 has them; and how many the text
        rules out.

    Examples
    --------
    >>> codes_in("过敏性鼻炎（J30.401），不考虑 J45.9。维生素B12正常。")
    (['J30.401'], 1)
    >>> codes_in("呼吸系统疾病（J00-J99），ICD-10：ｊ30.4")
    (['J30.4'], 0)
    """
    form, codes = found_codes(text)
    out = ruled_out(*for_ruling_out(form, codes))
    kept = [one.code for one, against in zip(codes, out, strict=True) if not against]
    return list(dict.fromkeys(kept)), sum(out)


def read(text: str, side: object) -> Answer:
    """Take a model at the codes that it wrote.

    Parameters
    ----------
    text : str
        The prediction.
    side : object
        Not looked at.

    Returns
    -------
    Answer
        The codes by the rule ``codes``, with the number of those that the text rules out as note; none by the rule
        ``no code``, ``all ruled out``, ``empty`` or ``unclosed``.

    Examples
    --------
    >>> read("诊断：过敏性鼻炎（J30.4）。", None).value
    'J30.4'
    """
    said = whole_text.prepared(text, side)
    if said.value is None:
        return said
    codes, out = codes_in(said.value)
    return coded(codes, out, "codes", NO_CODE)


def coded(codes: list[str], out: int, rule: str, nothing: str) -> Answer:
    """Make an answer of codes.

    Parameters
    ----------
    codes : list of str
        In their normal form.
    out : int
        How many mentions were ruled out.
    rule, nothing : str
        The rule that found them, and the one that says that there is none.
    """
    note = f"ruled out {out}" if out else None
    if not codes:
        return answer(None, ALL_OUT if out else nothing, note)
    return Answer(SEPARATOR.join(codes), rule, note)


def read_judged(text: str, _context: Mapping[str, str]) -> Mapping[str, str] | None:
    r"""Read the codes that a judge gives for a diagnosis.

    Parameters
    ----------
    text : str
        What the judge wrote: every code in it counts, for the prompt asks for nothing else, a bare category too. A
        thinking block is passed over. ``无`` or ``none`` alone says that the diagnosis names no disease.
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
    said = whole_text.prepared(text, None).value
    if said is None:
        return None
    _, codes = found_codes(said, openly=True)
    if codes:
        return {"codes": SEPARATOR.join(dict.fromkeys(one.code for one in codes))}
    return {"codes": NONE} if said.strip(" 。.\n*").lower() in {NONE, "none"} else None
