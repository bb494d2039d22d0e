"""What is taken off a response before the rules of the second version read it, and where in it the rest stood."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.extraction import answer_fields, dressing, thinking
from medzh_score.extraction.edits import Edit, Edits, edited, moved
from medzh_score.extraction.reading import Span

if TYPE_CHECKING:
    from collections.abc import Callable

_UNUSUAL = dressing.unusual().search
_TWIN = dressing.twin().search
_TWIN_RUNS = re.compile(f"(?:{dressing.twin().pattern})+")
_BESIDE_TWINS = dressing.beside_twins().search
_MARKUP = dressing.marked().search
_TWINS = dict(dressing.twins())
# Characters that may begin what says who speaks, and a heading before what was thought.
_MAY_OPEN = frozenset("aAbBmMcCgGrRoO助智医模答回解输【[uUhH用问题qQ思tT-+>")
_LINES = re.compile(rf"\n[^\S\n]*[-+>]|{thinking.NEXT.pattern}").search


class _Text:
    """A text that is edited, and nothing else."""

    def __init__(self, text: str) -> None:
        self.text = text

    def edit(self, edits: Edits) -> None:
        """Apply edits."""
        if edits:
            self.text = edited(self.text, edits)

    def translate(self) -> None:
        """Put characters for others, one for one."""
        if _TWIN(self.text):
            self.text = _TWIN_RUNS.sub(_of_usual_width, self.text)


class _Traced(_Text):
    """A text that is edited and keeps where its characters stood."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.places = list(range(len(text) + 1))

    def edit(self, edits: Edits) -> None:
        """Apply edits to the text and the places."""
        super().edit(edits)
        if edits:
            self.places = moved(self.places, edits)


def prepare(text: str) -> str | None:
    r"""Take off a response what is not said to the reader, or only dresses it.

    Thinking blocks go, and so does all that stands before a closing tag without an opening one; the tokens and the
    text of other turns; who speaks (``Assistant:``, ``助手：``); code fences, emphasis, headings, marks of lists, tags;
    pictures and characters without width. Of a JSON object the value of its answer remains; a box of LaTeX and an
    element ``<answer>`` are stated as ``答案：…`` where nothing announces them. Letters and digits of full width become
    those of half width, traditional characters simplified, ticks ``√`` and crosses ``×``. From a line on that opens a
    new question the rest is cut off.

    Parameters
    ----------
    text : str
        The response.

    Returns
    -------
    str or None
        Without white space around it; None where a thinking block is never closed.

    Examples
    --------
    >>> prepare("<think>对？</think>**正確**。"), prepare('```json\n{"答案": "Ｂ"}\n```'), prepare("<think>对？")
    ('正确。', 'B', None)
    """
    usual = not _UNUSUAL(text)
    if not usual and not _BESIDE_TWINS(text):
        text = _TWIN_RUNS.sub(_of_usual_width, text)
        usual = not _UNUSUAL(text)
    if usual and _is_plain(text.lstrip()):
        return text.strip()
    changed = _Text(text)
    return changed.text if _prepared(changed) else None


def locate(text: str) -> Located | None:
    """Prepare a response, and keep where in it the characters stood.

    Parameters
    ----------
    text : str
        The response.

    Returns
    -------
    Located or None
        Its text is as `prepare` gives it; None where that is None.

    Examples
    --------
    >>> locate("**正确**。").span(0, 2)
    Span(start=2, end=4)
    """
    traced = _Traced(text)
    return Located(traced.text, tuple(traced.places[:-1])) if _prepared(traced) else None


@dataclass(frozen=True)
class Located:
    """A prepared text that knows where its characters stood.

    Attributes
    ----------
    text : str
        As `prepare` gives it.
    places : tuple of int
        For each of its characters the place in the raw text.
    """

    text: str
    places: tuple[int, ...]

    def span(self, start: int, end: int) -> Span:
        """Give the span of the raw text from which characters of this one come.

        Parameters
        ----------
        start, end : int
            In this text, the end exclusive and after the start.
        """
        return Span(self.places[start], self.places[end - 1] + 1)


def _is_plain(text: str) -> bool:
    """Say, fast, of most texts without unusual characters that there is nothing to take off."""
    if text[:1] in _MAY_OPEN and thinking.may_open(text):
        return False
    if "~~" in text or "THINK]" in text or "INST]" in text:
        return False
    return "\n" not in text or not _LINES(text)


def _prepared(changed: _Text) -> bool:
    """Apply all steps in order; False where the text has no answer because thinking is never closed."""
    thought = thinking.thoughts(changed.text)
    if thought is None:
        return False
    changed.edit(thought)
    for marks, step in _STEPS:
        if marks(changed.text):
            changed.edit(step(changed.text))
    if _UNUSUAL(changed.text) or "~~" in changed.text or changed.text[:1] in "-+>" or "\n" in changed.text:
        changed.translate()
        changed.edit(dressing.line_marks(changed.text))
        if _MARKUP(changed.text):
            changed.edit(dressing.markup(changed.text))
            changed.edit(dressing.line_marks(changed.text))
    changed.edit(thinking.before_answer(changed.text))
    changed.edit(thinking.next_question(changed.text))
    changed.edit(_blank_ends(changed.text))
    return True


def _of_usual_width(run: re.Match[str]) -> str:
    return run[0].translate(_TWINS)


def _blank_ends(text: str) -> Edits:
    kept = text.strip()
    if len(kept) == len(text):
        return ()
    start = len(text) - len(text.lstrip())
    return (Edit(0, start), Edit(start + len(kept), len(text))) if kept else (Edit(0, len(text)),)


# What a text must hold for a step to find anything in it.
_STEPS: tuple[tuple[Callable[[str], object], Callable[[str], Edits]], ...] = (
    (re.compile("<|INST]").search, thinking.other_turns),
    (re.compile("{").search, answer_fields.fields),
    (re.compile("boxed|fbox|framebox|nswer>|NSWER>").search, answer_fields.boxes),
)
