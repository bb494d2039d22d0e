"""Names of diseases in a model's text, linked to codes by a dictionary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.extraction import whole_text
from medzh_score.extraction.cmhe_dd_codes import coded
from medzh_score.extraction.cmhe_dd_ruled_out import ruled_out
from medzh_score.terminology.disease_names import folded
from medzh_score.terminology.icd10 import icd10
from medzh_score.terminology.icd_codes import category_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from medzh_score.config import Answer
    from medzh_score.terminology.disease_names import Dictionary

NO_NAME = "no name"
# Symptoms, external causes and contacts with health services, unspecified infection and injury: what a diagnosis
# mentions on its way. They count where it names nothing else.
WEAK_CHAPTERS = frozenset({"XVIII", "XX", "XXI"})
WEAK_CATEGORIES = frozenset({"B99", "T14"})


def linked(text: str, dictionary: Dictionary) -> tuple[list[str], int]:
    """Link the diseases that a text names and does not rule out.

    Parameters
    ----------
    text : str
        What a model wrote.
    dictionary : Dictionary
        By which names are found, the longest at each place.

    Returns
    -------
    tuple of (list of str, int)
        Codes, one a category, in order; and how many mentions the text rules out. Symptoms and other weak categories
        count where there is nothing else.

    Examples
    --------
    >>> from medzh_score.terminology.disease_names import dictionary_of
    >>> names = dictionary_of([("J18.9", "肺炎"), ("J18.0", "支气管肺炎"), ("A16.2", "肺结核"), ("R50.9", "发热")], "")
    >>> linked("发热，考虑支气管肺炎，排除肺结核", names)
    (['J18.0'], 1)
    """
    form = folded(text)
    mentions = list(dictionary.mentions(text, form))
    out = ruled_out(form, [(mention.start, mention.end) for mention in mentions])
    kept: dict[str, str] = {}
    for mention, against in zip(mentions, out, strict=True):
        if not against:
            kept.setdefault(category_of(mention.code), mention.code)
    strong = [code for code in kept.values() if not _is_weak(code)]
    return strong or list(kept.values()), sum(out)


def _is_weak(code: str) -> bool:
    place = icd10().place(code)
    return place is not None and (place.chapter in WEAK_CHAPTERS or place.category in WEAK_CATEGORIES)


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
