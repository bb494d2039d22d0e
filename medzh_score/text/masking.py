"""Masking what names a concept in a text: its names in any width, case and spelling; the rest stays byte for byte."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from medzh_score.text.fold import concept_character, fold_concept_name, is_invisible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

SHORTEST_PLURAL = 3  # letters of a name that may stand in the plural: ass is no plural of AS
NO_PLURAL = ("ss", "us", "is")  # ends of names that are no plurals: virus, analysis

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class NameForm:
    """A folded name (of a Latin plural without its s), and where a word must end around it.

    Where it opens or ends with a Latin letter or digit no other may touch it, for MS is not named in symptoms, nor
    维生素B1 in 维生素B12. Behind a plural s or es may follow.
    """

    text: str
    opens: bool
    ends: bool
    plural: bool


@dataclass(frozen=True)
class Masked:
    """A text in which no name is left, and the rest that the model wrote between the mentions."""

    text: str
    rest: tuple[str, ...]

    @property
    def mentions(self) -> int:
        """How many stretches were masked."""
        return len(self.rest) - 1


def masked(text: str, forms: Sequence[NameForm], label: str) -> Masked:
    """Put a label in the place of every mention of a name, the longest names first.

    A label may make a new name together with what stands beside it: then the whole stretch becomes one label. Each
    turn masks a character more or joins two stretches, so there is a last turn, and after it no name is left.
    """
    spans: list[Span] = []
    shown = text
    while found := mentions(shown, forms):
        spans = _grown(spans, found, len(label))
        shown = label.join(_between(text, spans))
    return Masked(shown, tuple(_between(text, spans)))


def _between(text: str, spans: Sequence[Span]) -> Iterator[str]:
    for (_, start), (end, _) in pairwise([(0, 0), *spans, (len(text), 0)]):
        yield text[start:end]


def _grown(spans: Sequence[Span], found: Sequence[Span], width: int) -> list[Span]:
    """Add what was found where each span is shown as a label of this width; what touches a label takes it in."""
    grown: list[Span] = []
    rest = list(spans)
    shift = 0  # from a place as it is shown to its place in the text, behind the spans so far
    for first, last in found:
        while rest and rest[0][0] - shift + width <= first:
            start, end = rest.pop(0)
            grown.append((start, end))
            shift = shift + (end - start) - width
        start = min(first + shift, rest[0][0]) if rest else first + shift
        end = last + shift
        while rest and rest[0][0] - shift < last:
            taken = rest.pop(0)
            shift = shift + (taken[1] - taken[0]) - width
            end = max(taken[1], last + shift)
        if grown and start < grown[-1][1]:  # two that touch the same label
            start = grown.pop()[0]
        grown.append((start, end))
    return [*grown, *rest]


@lru_cache(maxsize=1 << 10)  # the questions on a concept stand together
def forms_of(names: tuple[str, ...], label: str) -> tuple[NameForm, ...]:
    """Fold the names of a concept, the longest first."""
    return tuple(sorted(_forms(names, fold_concept_name(label)), key=lambda form: (-len(form.text), form.text)))


def _forms(names: Iterable[str], label: str) -> set[NameForm]:
    found = set()
    for name in names:
        text = fold_concept_name(name)
        if text and text not in label and (len(text) > 1 or not _in_word(text)):
            found.add(_name(text, is_plural=unicodedata.normalize("NFKC", name).rstrip().endswith("s")))
    return found


def _name(text: str, *, is_plural: bool) -> NameForm:
    """Describe a folded name; one that ends in a small s may be a plural, of which the singular is a name, too."""
    opens, ends = _in_word(text[0]), _in_word(text[-1])
    plural = ends and text[-1].isalpha() and len(text) >= SHORTEST_PLURAL
    if plural and is_plural and len(text) > SHORTEST_PLURAL and not text.endswith(NO_PLURAL):
        text = text[:-1]
    return NameForm(text, opens, _in_word(text[-1]), plural)


def form_of(text: str) -> NameForm:
    """Describe a folded text that is looked for as it stands."""
    return NameForm(text, _in_word(text[0]), _in_word(text[-1]), plural=False)


@lru_cache(maxsize=1 << 12)
def _in_word(sign: str) -> bool:
    """Say whether a folded character is a letter of an alphabet or a digit; Chinese has no borders of words."""
    return sign.isalnum() and unicodedata.category(sign) != "Lo"


def mentions(text: str, forms: Sequence[NameForm]) -> list[Span]:
    """Find what names one of these in a text."""
    shown = fold_concept_name(text)
    there = [form for form in forms if form.text in shown]
    if not there:
        return []
    places = [place for place, sign in enumerate(text) for _ in concept_character(sign)]
    taken: list[Span] = []
    for form in there:
        start = shown.find(form.text)
        while start >= 0:
            span = _span(text, shown, places, form, start)
            if span and not any(span[0] < end and begin < span[1] for begin, end in taken):
                taken.append(span)
            start = shown.find(form.text, start + 1)
    return sorted(taken)


def _span(text: str, shown: str, places: Sequence[int], form: NameForm, start: int) -> Span | None:
    """Give the stretch of the text that a form found in its folded text covers; None where it is part of a word."""
    if form.opens and _continues(text, shown, places, start, before=True):
        return None
    end = start + len(form.text)
    if form.ends and _continues(text, shown, places, end, before=False):
        more = next((more for more in ("s", "es") if form.plural and shown.startswith(more, end)), "")
        end += len(more)
        if not more or _continues(text, shown, places, end, before=False):
            return None
    stop = places[end - 1] + 1
    while stop < len(text) and unicodedata.category(text[stop]) == "Mn":
        stop += 1  # an accent of the last letter
    return places[start], stop


def _continues(text: str, shown: str, places: Sequence[int], place: int, *, before: bool) -> bool:
    """Say whether a word goes on over a place of the folded text: a letter or digit beyond, and nothing between."""
    if not 0 < place < len(shown) or not _in_word(shown[place - 1 if before else place]):
        return False
    return all(is_invisible(sign) for sign in text[places[place - 1] + 1 : places[place]])
