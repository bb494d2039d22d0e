"""Codes of ICD-10 that stand in a text: what a model wrote itself, and what a judge answered."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING

from medzh_score.config import Answer, answer
from medzh_score.extraction import whole_text
from medzh_score.extraction.cmhe_dd_ruled_out import ruled_out

if TYPE_CHECKING:
    from collections.abc import Mapping

SEPARATOR = "；"
NONE = "无"
NO_CODE = "no code"
ALL_OUT = "all ruled out"
# A letter and two digits that touch no other letter or digit, and what divides them further. Without its point a
# division has one or two digits, or the Chinese extension behind it.
CODE = re.compile(
    r"(?<![A-Za-z0-9.])([A-Z][0-9][0-9])(?:\.([0-9X]{1,3})|([0-9]{1,2}|[0-9]{3}(?=X)|X[0-9]{2}))?(?:X([0-9]{1,3}))?"
    r"(?![A-Za-z0-9]|\.[0-9])"
)
# In lower case only what cannot be the name of a gene or an antigen: with its point, or in the Chinese extension.
LOWER = re.compile(r"(?<![A-Za-z0-9])[a-z][0-9]{2}(?:\.[0-9xX]{1,3}|[0-9]{3}(?=[xX]))(?:[xX][0-9]{1,3})?")
EXTENSION = re.compile(r"(?<=[A-Z][0-9][0-9])\.?[0-9x]{1,3}x[0-9]{1,3}|(?<=[A-Z][0-9][0-9]\.)x[0-9]{2}")
# Vitamins and antigens before; vertebrae and markers behind.
BEFORE = re.compile(r"(?:维生素|维他命|[Vv]itamin|VIT|Vit\.?|抗原|抗体|基因|染色体)\s*$")
BEHIND = re.compile(r"\s*(?:蛋白|基因|抗原|抗体|阳性|阴性|椎|胸椎|腰椎|节段|神经|平面|突变|染色)")
TO = re.compile(r"\s*[-~–—至到]\s*")


def found_codes(text: str) -> tuple[str, list[re.Match[str]]]:
    """Find what is written as a code; ranges of chapters and blocks (J00-J99) are none.

    Parameters
    ----------
    text : str
        In any width.

    Returns
    -------
    tuple of (str, list of re.Match)
        The text in NFKC with codes in upper case, and where they are.
    """
    form = unicodedata.normalize("NFKC", text)
    form = LOWER.sub(lambda found: found[0].upper(), form)
    form = EXTENSION.sub(lambda found: found[0].upper(), form)
    matches = list(CODE.finditer(form))
    ranges = {
        place
        for place, (one, other) in enumerate(pairwise(matches))
        if TO.fullmatch(form, one.end(), other.start()) and len(one[0]) == len(other[0]) == len("J00")
    }
    ranges |= {place + 1 for place in ranges}
    kept = [match for place, match in enumerate(matches) if place not in ranges and not _is_something_else(form, match)]
    return form, kept


def _is_something_else(form: str, match: re.Match[str]) -> bool:
    start, end = match.span()
    return BEFORE.search(form, max(0, start - 10), start) is not None or BEHIND.match(form, end) is not None


def _code(match: re.Match[str]) -> str:
    category, pointed, bare, extension = match.groups()
    division = (pointed or bare or "").lower()
    return category + (f".{division}" if division else "") + (f"x{extension}" if extension else "")


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
    form, matches = found_codes(text)
    out = ruled_out(form, [match.span() for match in matches])
    kept = [_code(match) for match, against in zip(matches, out, strict=True) if not against]
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
        What the judge wrote: every code in it counts, for the prompt asks for nothing else. A thinking block is passed
        over. ``无`` or ``none`` alone says that the diagnosis names no disease.
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
    _, matches = found_codes(said)
    if matches:
        return {"codes": SEPARATOR.join(dict.fromkeys(map(_code, matches)))}
    return {"codes": NONE} if said.strip(" 。.\n*").lower() in {NONE, "none"} else None
