"""What is written like a code of ICD-10 in a text, before anybody asks whether it is one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from medzh_score.terminology.icd_codes import (
    DIVISION,
    MORPHOLOGY,
    SECOND,
    category_of,
    is_manifestation,
    normal_code,
    plainly,
)
from medzh_score.terminology.traditional import simplified_characters

# ICD-10, ICD10-CM, ICD-10-CN: its number must not run into a code that follows.
CODE_WORD = re.compile(
    r"(?<![A-Za-z])[Ii][Cc][Dd][- ]?1[01](?:[- ]?(?:CM|CN|GM|WHO))?(?P<touches>-?(?=[A-Za-z][0-9]{2}))?"
)
# I10.2型糖尿病: a full stop, and a number that belongs to what follows. J30. 4 is one code only where a bracket closes.
_POINT = r"(?:\.(?![0-9]\s?[型级期度])|[ \t]?\.[ \t]?(?=[0-9X]{1,3}[ \t]*[)\]】]))"
_WITHOUT_POINT = r"[0-9]{1,3}(?:[Xx][0-9]{2,4})?|[Xx][0-9]{2,4}"
_EITHER_CASE = DIVISION.replace("9X]", "9Xx]").replace("}X[", "}[Xx][")
_WRITTEN = re.compile(
    rf"(?<![A-Za-z0-9])[A-Za-z][ \t]?[0-9](?:[0-9]|[AB](?=\.[0-9]))"
    rf"(?:(?P<point>{_POINT})(?:(?P<divided>{_EITHER_CASE})|(?P<open>[-–](?![A-Za-z0-9])))|(?P<bare>{_WITHOUT_POINT}))?"
    # Behind it neither a word goes on nor a number with points; a second code may touch the first.
    rf"(?:(?=[A-Z][0-9]{{2}})|(?![A-Za-z0-9]|\.[0-9](?:[0-9]|\.|$|[^\s\u4e00-\u9fff])))"
)
_MORPHOLOGY = re.compile(rf"{MORPHOLOGY}(?![0-9])")
_TO = re.compile(r"\s*(?:[-~–—]+|至|到|\bto\b|through)\s*")
_MARK = re.compile(r"\s*[*∗](?![*∗])")
_DAGGER = re.compile(r"\s*[†‡]\s*/?\s*")
_ASIDE = re.compile(r"[\s/+*∗†‡]*")
_TOUCHING = re.compile(rf"{SECOND}[*∗]?|{MORPHOLOGY}")


@dataclass(frozen=True)
class Written:
    """What is written like a code.

    Attributes
    ----------
    start, end : int
        Where it stands, with what touches it.
    code : str
        In its normal form.
    sure : bool
        Whether its form alone tells that it is a code: a point, or the Chinese extension.
    spaced, lower : bool
        Whether there is a space inside, and whether it is in lower case.
    """

    start: int
    end: int
    code: str
    sure: bool
    spaced: bool = False
    lower: bool = False


def form_of(text: str) -> str:
    """Bring a text into the form in which codes are looked for.

    Parameters
    ----------
    text : str
        In any width.

    Examples
    --------
    >>> form_of("ICD10J30.4，①Ｉ１０")
    'ICD:J30.4, I10'
    """
    simple = plainly(text).translate(simplified_characters())
    return CODE_WORD.sub(code_word, simple)


def code_word(found: re.Match[str]) -> str:
    """Give what stands for a word that says code, so that its number is none of a code that follows.

    Parameters
    ----------
    found : re.Match
        Of `CODE_WORD`.
    """
    return "ICD" + (":" if found["touches"] is not None else "")


def written_in(form: str) -> list[Written]:
    """Find all that is written like a code and stands for itself.

    Parameters
    ----------
    form : str
        From `form_of`.

    Returns
    -------
    list of Written
        From left to right, without ranges of chapters and blocks, morphologies, and codes of manifestations that are
        written as one with that of their disease. A range inside a category is that category.

    Examples
    --------
    >>> [found.code for found in written_in("J00-J99, J30.401, A17.0†G01*, K29.0-K29.7, M8140/3")]
    ['J30.401', 'A17.0', 'K29']
    """
    found = [one for match in _WRITTEN.finditer(form) if (one := _written(form, match)) is not None]
    return _without_seconds(form, _without_ranges(form, found))


def _written(form: str, match: re.Match[str]) -> Written | None:
    if _MORPHOLOGY.match(form, match.start()):
        return None
    code = normal_code(match[0].replace(" ", "").replace("\t", ""))
    if code is None:
        return None
    touching = _TOUCHING.match(form, match.end())
    pointed = match["point"] is not None and match["point"] == "."
    extended = "x0" in (match["bare"] or "").lower()
    spaced = " " in match[0] or "\t" in match[0]
    return Written(
        match.start(),
        touching.end() if touching else match.end(),
        code,
        (pointed or extended) and not spaced,
        spaced,
        match[0][0].islower(),
    )


def _without_ranges(form: str, found: list[Written]) -> list[Written]:
    ends: set[int] = set()
    inside: dict[int, Written] = {}
    for place, (one, other) in enumerate(pairwise(found)):
        if not _TO.fullmatch(form, one.end, other.start):
            continue
        categories = category_of(one.code), category_of(other.code)
        if categories[0] == categories[1]:
            inside[place] = Written(one.start, other.end, categories[0], one.sure and other.sure)
            ends.add(place + 1)
        elif categories[0] < categories[1] and (
            one.code[0] == other.code[0] or one.code + other.code == "".join(categories)
        ):
            ends |= {place, place + 1}
    return [inside.get(place, one) for place, one in enumerate(found) if place not in ends]


def _without_seconds(form: str, found: list[Written]) -> list[Written]:
    """Leave out the code of a manifestation right behind that of its disease."""
    kept: list[Written] = []
    for one in found:
        if kept and _is_second(form, kept[-1], one):
            continue
        kept.append(one)
    return kept


def _is_second(form: str, first: Written, other: Written) -> bool:
    if _DAGGER.fullmatch(form, first.end, other.start):
        return True
    mark = "*" if _MARK.match(form, other.end) else ""
    return _ASIDE.fullmatch(form, first.end, other.start) is not None and is_manifestation(other.code + mark)
