"""Names of diseases in the diagnosis that a text states, linked to codes by a dictionary: rule ``names-2``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.config import answer
from medzh_score.extraction import diagnosis
from medzh_score.extraction.cmhe_dd_codes import SEPARATOR, coded
from medzh_score.extraction.cmhe_dd_names import NO_NAME, linked
from medzh_score.extraction.preparing import locate, prepare
from medzh_score.extraction.reading import Reading
from medzh_score.terminology.icd_codes import category_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from medzh_score.config import Answer
    from medzh_score.terminology.disease_names import Dictionary


def codes_of(names: Sequence[str], dictionary: Dictionary) -> dict[str, int]:
    """Link names of diseases, each by itself.

    Parameters
    ----------
    names : sequence of str
        As `diagnosis.stated` gives them.
    dictionary : Dictionary
        By which they are linked.

    Returns
    -------
    dict of str to int
        The codes, one a category, in order, and which of the names gave each.

    Examples
    --------
    >>> from medzh_score.terminology.disease_names import our_dictionary
    >>> codes_of(["急性阑尾炎", "某种新病"], our_dictionary())
    {'K35.8': 0}
    """
    found: dict[str, tuple[str, int]] = {}
    for place, name in enumerate(names):
        for code in linked(name, dictionary)[0]:
            found.setdefault(category_of(code), (code, place))
    return dict(found.values())


def reader(dictionary: Callable[[], Dictionary]) -> Callable[[str, object], Answer]:
    """Make the rule that links the names in a stated diagnosis.

    Parameters
    ----------
    dictionary : callable
        Gives it; called when the first text is read.
    """

    def read(text: str, _side: object) -> Answer:
        said = prepare(text)
        if said is None:
            return answer(None, "unclosed")
        found = diagnosis.stated(said)
        if not found.names:
            return answer(None, found.rule)
        return coded(list(codes_of(found.names, dictionary())), 0, "names", NO_NAME)

    return read


def explainer(dictionary: Callable[[], Dictionary]) -> Callable[[str, object], Reading]:
    """Make what explains the rule: the spans are those of the names that gave the codes.

    Parameters
    ----------
    dictionary : callable
        As for `reader`.
    """

    def explain(text: str, _side: object) -> Reading:
        located = locate(text)
        if located is None:
            return Reading(None, "unclosed")
        found = diagnosis.stated(located.text)
        spans = tuple(located.span(*place) for place in found.places)
        if not found.names:
            return Reading(None, found.rule, spans)
        codes = codes_of(found.names, dictionary())
        if not codes:
            return Reading(None, NO_NAME, spans)
        return Reading(SEPARATOR.join(codes), "names", tuple(spans[place] for place in sorted(set(codes.values()))))

    return explain
