"""Where CMHE-DD's rules read their codes and names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.extraction import cmhe_dd_codes, whole_text
from medzh_score.extraction.cmhe_dd_names import mentioned, reader
from medzh_score.extraction.cmhe_dd_own_names import for_ruling_out
from medzh_score.extraction.cmhe_dd_ruled_out import ruled_out
from medzh_score.extraction.cmhe_dd_written import CODE_WORD, code_word
from medzh_score.extraction.locating import substituted, translated
from medzh_score.extraction.reading import Reading
from medzh_score.terminology.disease_names import BULLET, DIGITS, FOLDING, SPACE, TYPED
from medzh_score.terminology.icd_codes import HIGH_POINT, PLAINLY
from medzh_score.terminology.traditional import simplified_characters

if TYPE_CHECKING:
    from collections.abc import Callable

    from medzh_score.extraction.preparing import Located
    from medzh_score.terminology.disease_names import Dictionary


def explain_codes(text: str, side: object) -> Reading:
    """Say where codes were read.

    Parameters
    ----------
    text : str
        The prediction.
    side : object
        Not looked at.

    Returns
    -------
    Reading
        As ``codes-1`` gives it, with every code that counts; where all are ruled out, with these.

    Examples
    --------
    >>> explain_codes("过敏性鼻炎（J30.4）。", None)
    Reading(value='J30.4', rule='codes', spans=(Span(start=6, end=11),))
    """
    answered = cmhe_dd_codes.read(text, side)
    said = whole_text.locate(text)
    if said is None or not said.text:
        return Reading(answered.value, answered.rule)
    form, codes = cmhe_dd_codes.found_codes(said.text)
    out = ruled_out(*for_ruling_out(form, codes))
    located = _as_form(said)
    shown = [one for one, against in zip(codes, out, strict=True) if against is (answered.value is None)]
    return Reading(answered.value, answered.rule, tuple(located.span(one.start, one.end) for one in shown))


def names_explainer(dictionary: Callable[[], Dictionary]) -> Callable[[str, object], Reading]:
    """Make what says where names were read.

    Parameters
    ----------
    dictionary : callable
        Gives the one that the rule links by; called when the first text is read.
    """
    read = reader(dictionary)

    def explain(text: str, side: object) -> Reading:
        answered = read(text, side)
        said = whole_text.locate(text)
        if said is None or not said.text:
            return Reading(answered.value, answered.rule)
        kept, out = mentioned(said.text, dictionary())
        located = _folded(said)
        shown = sorted({(one.start, one.end) for one in (out if answered.value is None else kept)})
        return Reading(answered.value, answered.rule, tuple(located.span(*place) for place in shown))

    return explain


def _as_form(located: Located) -> Located:
    """Follow a text into the form in which codes are looked for (`form_of`)."""
    plain = substituted(translated(located, PLAINLY), HIGH_POINT, ".")
    return substituted(translated(plain, simplified_characters()), CODE_WORD, code_word)


def _folded(located: Located) -> Located:
    """Follow a text into the form in which names are looked for (`folded`)."""
    located = substituted(located, BULLET, lambda found: f"{found[1]}-")
    located = substituted(translated(located, FOLDING), TYPED, lambda found: DIGITS[found[1]])
    return substituted(located, SPACE)
