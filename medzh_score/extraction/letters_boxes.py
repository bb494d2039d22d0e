"""Lists of check boxes, of which those that are ticked are the choice: ``- [x] A. …``, ``☑ A``, ``☐ B``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.extraction.option_wordings import LETTERS
from medzh_score.extraction.reading import Span

if TYPE_CHECKING:
    from medzh_score.extraction.tcmd_choice import Question

BOX = re.compile(
    r"\s*(?:[-*+]\s+|\d[.)]\s*)?(?:\[(?P<mark>[xX√✓✔ ]?)\]|(?P<sign>[☑☐]))\ufe0f?\s*(?:选项)?"
    r"(?P<label>[A-H])(?![A-Za-z0-9])[.、:：)）\s]*(?P<name>.*)"
)
HEADING = re.compile(r"[^A-H\[\]☑☐]{1,40}[：:]\s*")
FEWEST = 2  # lines of a list


def boxes(text: str, question: Question, *, several: bool) -> tuple[str, str, tuple[Span, ...]] | None:
    """Read a response that is nothing but a list of check boxes, one for each option.

    Parameters
    ----------
    text : str
        The response, untouched: what prepares it takes the signs of boxes for marks of lists.
    question : Question
        What was asked.
    several : bool
        Whether several options may be right.

    Returns
    -------
    tuple of (str, str, tuple of Span) or None
        The labels that are ticked, the rule, and the lines. None where the text is no such list, a label stands
        before another option's text, or none is ticked.
    """
    if "[ ]" not in text and "☑" not in text:
        return None
    lines, place = [], 0
    for line in text.split("\n"):
        if line.strip():
            lines.append((line, place))
        place += len(line) + 1
    if lines and HEADING.fullmatch(lines[0][0]):
        lines = lines[1:]
    found = [(box, start) for line, start in lines if (box := BOX.fullmatch(line.rstrip()))]
    labels = "".join(box["label"] for box, _ in found)
    if len(found) < max(FEWEST, len(lines)) or labels != LETTERS[: len(question.order)]:
        return None
    if not all(_fits(box["label"], box["name"], question) for box, _ in found):
        return None
    ticked = [(box, start) for box, start in found if box["sign"] == "☑" or (box["mark"] or "").strip()]
    letters = "".join(box["label"] for box, _ in ticked)
    if not letters:
        return None
    spans = tuple(Span(start + box.start("label"), start + box.end()) for box, start in ticked)
    if len(letters) > 1 and not several:
        return "", "several", spans
    return letters, "labels" if len(letters) > 1 else "label", spans


def _fits(label: str, name: str, question: Question) -> bool:
    """Say whether no text, or the option's own, stands behind a label."""
    own, met = question.own(label), question.texts.leading(name) if name else None
    return own is not None and (not name or (met is not None and question.texts.same(own, met.option)))
