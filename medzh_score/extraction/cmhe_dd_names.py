"""Names of diseases in a model's text, linked to codes by a dictionary."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from medzh_score.extraction import whole_text
from medzh_score.extraction.cmhe_dd_codes import coded
from medzh_score.extraction.cmhe_dd_cues import STATED
from medzh_score.extraction.cmhe_dd_edges import is_in_pregnancy, is_term
from medzh_score.extraction.cmhe_dd_ruled_out import OFFERED, OUT, PLAIN, said
from medzh_score.package_files import package_file
from medzh_score.terminology.disease_names import Mention, folded_with_gaps
from medzh_score.terminology.icd10 import icd10
from medzh_score.terminology.icd_codes import category_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from medzh_score.config import Answer
    from medzh_score.terminology.disease_names import Dictionary

NO_NAME = "no name"
# Symptoms, external causes and contacts with health services, unspecified infection, injury and tumour: what a
# diagnosis mentions on its way. They count where it is short and names nothing else.
WEAK_CHAPTERS = frozenset({"XVIII", "XX", "XXI"})
WEAK_CATEGORIES = frozenset({"B99", "T14", "C80"})
# Symptoms and findings that have their code in the chapter of an organ, and names of hardly any content.
WEAK = "terminology/weak_names.txt"
GRADES = re.compile(r"孕[0-9]+[周次]|产[0-9]+次|心功能.*")
SHORT = 40  # characters: a longer text that names only symptoms has a diagnosis that the dictionary lacks


def linked(text: str, dictionary: Dictionary) -> tuple[list[str], int]:
    """Link the diseases that a text names and offers as diagnoses.

    Parameters
    ----------
    text : str
        What a model wrote.
    dictionary : Dictionary
        By which names are found, the longest at each place. A name that is a part of a longer term, as 高血压 is of
        肺动脉高血压, is not linked where the dictionary lacks the longer one, nor is one in another's name (肺炎疫苗).

    Returns
    -------
    tuple of (list of str, int)
        Codes, one a category, in order; and how many mentions the text rules out or names without offering them
        (`ruled_out`). What it offers as possible (可能, 考虑, 疑似, 待排, 不能排除) is in; where something is offered,
        or a diagnosis stated that the dictionary lacks, what is only mentioned in a sentence is not. Symptoms and
        other weak names count where a short text names nothing else.

    Examples
    --------
    >>> from medzh_score.terminology.disease_names import dictionary_of
    >>> names = dictionary_of([("J18.9", "肺炎"), ("J18.0", "支气管肺炎"), ("A16.2", "肺结核"), ("R50.9", "发热")], "")
    >>> linked("发热，考虑支气管肺炎，排除肺结核", names), linked("新生儿肺炎", names)
    ((['J18.0'], 1), ([], 0))
    """
    kept, out = mentioned(text, dictionary)
    return [mention.code for mention in kept], len(out)


def mentioned(text: str, dictionary: Dictionary) -> tuple[list[Mention], list[Mention]]:
    """Find the names that count, and those that a text rules out.

    Parameters
    ----------
    text : str
        What a model wrote.
    dictionary : Dictionary
        As for `linked`.

    Returns
    -------
    tuple of (list of Mention, list of Mention)
        In the folded text: the first of each category that counts, and all that are ruled out.
    """
    form, gaps = folded_with_gaps(text)
    found = [part for whole in dictionary.mentions(text, form) for part in _parted(whole, text, form, gaps, dictionary)]
    edges = {one.start for one in found} & {one.end for one in found} if gaps else set()
    terms = [_is_whole(form, gaps, edges, mention) for mention in found]
    ways = said(form, [(mention.start, mention.end) for mention in found])
    strong = [not _is_weak(form[mention.start : mention.end], mention.code) for mention in found]
    named = [(way, mention) for way, mention, *of in zip(ways, found, terms, strong, strict=True) if all(of)]
    if not any(strong) and len(form) <= SHORT:
        named = [(way, mention) for way, mention, term in zip(ways, found, terms, strict=True) if term]
    offered = any(way == OFFERED and is_strong for way, is_strong in zip(ways, strong, strict=True))
    kept: dict[str, Mention] = {}
    for way, mention in named:
        if way == OFFERED or (way == PLAIN and not offered and not STATED.search(form)):
            kept.setdefault(category_of(mention.code), mention)
    out = [one for way, one, term in zip(ways, found, terms, strict=True) if way == OUT and term]
    return list(kept.values()), out


def _parted(
    whole: Mention, text: str, form: str, gaps: Mapping[int, int], dictionary: Dictionary
) -> tuple[Mention, ...]:
    """Part a name at a space where both sides are names: 糖尿病 高血压 are two diseases."""
    for place in range(whole.start + 1, whole.end) if gaps else ():
        if place in gaps:
            codes = [dictionary.code_of(form[a:b], text) for a, b in ((whole.start, place), (place, whole.end))]
            if codes[0] and codes[1]:
                return Mention(whole.start, place, codes[0]), Mention(place, whole.end, codes[1])
    return (whole,)


def _is_whole(form: str, gaps: Mapping[int, int], edges: set[int], one: Mention) -> bool:
    """Tell whether a name is a term of its own, and not what it means outside a pregnancy."""
    return is_term(form, one.start, one.end, gaps, edges) and (
        one.code.startswith("O") or not is_in_pregnancy(form, one.start)
    )


@cache
def _weak_names() -> frozenset[str]:
    return frozenset(package_file("medzh_score", WEAK).read_text(encoding="utf-8").split())


@lru_cache(maxsize=1 << 16)
def _is_weak(name: str, code: str) -> bool:
    place = icd10().place(code)
    return (
        name in _weak_names()
        or GRADES.fullmatch(name) is not None
        or (place is not None and (place.chapter in WEAK_CHAPTERS or place.category in WEAK_CATEGORIES))
    )


def reader(dictionary: Callable[[], Dictionary]) -> Callable[[str, object], Answer]:
    """Make the rule that links names by a dictionary.

    Parameters
    ----------
    dictionary : callable
        Gives it; called when the first text is read.
    """

    def read(text: str, side: object) -> Answer:
        said = whole_text.prepared(text, side)
        if said.value is None:
            return said
        codes, out = linked(said.value, dictionary())
        return coded(codes, out, "names", NO_NAME)

    return read
