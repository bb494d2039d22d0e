"""Which option of one question a prepared response commits itself to; the last commitment counts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.extraction.next_question import cut
from medzh_score.extraction.option_labels import Labels, announced, label_at, marks, outranks, qualified, taken_back
from medzh_score.extraction.option_wordings import CONCLUDED, FAR_BEFORE
from medzh_score.extraction.tcmd_choice import CONTRADICTION, EMPTY, NO_SUCH_LABEL, NOTHING, SEVERAL, Choice
from medzh_score.extraction.tcmd_lines import LINE, SENTENCE_ENDS, bare_choice, first_line, last_line, set_off

if TYPE_CHECKING:
    from medzh_score.extraction.option_labels import Mark
    from medzh_score.extraction.tcmd_choice import Question

SETS_OFF = re.compile(r"[.、:：)）】\]”\"（(\t ]*+(?:—|-(?=\s))*+\s?")  # what may stand between a label and its text
LABEL_AFTER = re.compile(r"\s*[（(【]\s*([A-H])(?:选?项)?\s*[)）】]")
OPENS = re.compile(
    r"(?:应?该?选择?)?[】\]是为：:\s“\"「（(【\[]*+"
)  # what may stand between a marker and an option's text, at the least
TIES = frozenset("-–/")
LIST_GAP = " ,，;；、"
# 选 and a text are a commitment only where they conclude or are all: not in 太阳伤寒选麻黄汤。
CONCLUDING = re.compile(r"(?:\A|\n|故|因此|所以|综上|我)[，,\s]*(?:我|本题|此题|该题)?应?该?\Z")


def chosen(text: str, question: Question) -> Choice:
    """Read what a response to one question commits itself to.

    Parameters
    ----------
    text : str
        The prepared response.
    question : Question
        What was asked.

    Returns
    -------
    Choice
        The last commitment: a first or last line that is an answer, or what a marker announces. Where there is none,
        why: ``empty``, ``nothing found``, or what took the last announced label back.
    """
    if not text:
        return EMPTY
    text = cut(text, question)
    bare = bare_choice(text, question)
    if bare:
        return bare
    found = last_line(text, question)
    if not found or not set_off(text):
        found = _last_announced(text, question, found)
    if found and found.binding:
        return found
    return first_line(text, question) or found or NOTHING


def _last_announced(text: str, question: Question, line: Choice | None = None) -> Choice | None:
    """Read what the last marker announces that is not taken back; else why the last one is.

    A bare marker, and a last line, give way to an earlier marker of the answer.
    """
    closing = CONCLUDED.search(text, max(0, len(text) - FAR_BEFORE))
    if closing and not taken_back(text, closing.start(1)):
        return question.labelled(closing[1], "marker")
    why, bare = None, line
    for mark in marks(text):
        choice = announcement(text, mark, question)
        if choice and choice.binding:
            if outranks(text, mark):
                return choice
            bare = bare or choice
        why = why or choice
    return bare or why


def announcement(text: str, mark: Mark, question: Question) -> Choice | None:
    """Read what a marker announces.

    Parameters
    ----------
    text : str
        The prepared response.
    mark : Mark
        The marker.
    question : Question
        What was asked.

    Returns
    -------
    Choice or None
        None where it announces nothing.
    """
    labels = _before_own_text(text, mark, question) or announced(text, mark)
    if labels and len(set(labels.letters)) == 1:
        return Choice(None, labels.why) if labels.why else _with_text(text, labels, question)
    told = _told(text, mark, question)
    if told:
        return told
    if labels and question.own(max(labels.letters)) is not None:
        return Choice(None, labels.why or "several")
    before = qualified(text, mark)
    if before:
        return Choice(None, before.why) if before.why else question.labelled(before.letters, "marker")
    return None


def _before_own_text(text: str, mark: Mark, question: Question) -> Labels | None:
    """Read a label that runs into its own option's text: 答案：C小青龙汤."""
    letter = label_at(text, mark.end)
    own = question.own(letter) if len(letter) == 1 else None
    if own is None:
        return None
    start = mark.end + 1
    met = question.texts.leading(text, start + (text[start : start + 1] in TIES))
    if not met or not question.texts.same(own, met.option):
        return None
    return Labels(letter, start, "negated" if mark.denied else taken_back(text, mark.start))


def _with_text(text: str, labels: Labels, question: Question) -> Choice:
    """Compare a label with the option's text after it, if there is one."""
    letter, end = labels.letters[0], labels.end
    own = question.own(letter)
    if own is None:
        return NO_SUCH_LABEL
    label = question.labelled(letter, "marker")
    gap = SETS_OFF.match(text, end)
    met = question.texts.leading(text, gap.end() if gap else end)
    if not met:
        return label
    if not question.texts.same(own, met.option):
        return CONTRADICTION if gap and gap.group() and SENTENCE_ENDS.match(met.rest) else label
    return SEVERAL if _list_goes_on(text, end, letter, met.rest, question) else label


def _list_goes_on(text: str, end: int, letter: str, rest: str, question: Question) -> bool:
    """Say whether the next option follows, as where all are listed after the word 答案."""
    line = rest.lstrip(LIST_GAP)
    if not line:
        start = text.find("\n", end) + 1
        line = text[start : start + FAR_BEFORE].lstrip() if start else ""
    following = LINE.match(line)
    if not following or not following[2] or ord(following[1]) - ord(letter) != 1:
        return False
    own, met = question.own(following[1]), question.texts.leading(line, following.end())
    if own is None or met is None or not question.texts.same(own, met.option):
        return False
    return not met.rest.strip() or LINE.match(met.rest.lstrip(LIST_GAP)) is not None


def _told(text: str, mark: Mark, question: Question) -> Choice | None:
    """Read an option's text after a marker."""
    if not mark.strong and mark.kind != "reply":
        return None
    start = OPENS.match(text, mark.word)
    early = question.texts.leading(text, start.end()) if start and start.end() < mark.end else None
    met = early or question.texts.leading(text, mark.end)
    if not met or (mark.kind in {"choose", "conclusion"} and not SENTENCE_ENDS.match(met.rest)):
        return None
    if mark.kind == "choose" and not CONCLUDING.search(text, max(0, mark.start - FAR_BEFORE), mark.start):
        return None
    why = "negated" if mark.denied and not early else taken_back(text, mark.start)
    if why:
        return Choice(None, why)
    label = LABEL_AFTER.match(met.rest)
    own = question.own(label[1]) if label else met.option
    agreed = own is not None and question.texts.same(own, met.option)
    return question.told(met.option if own is None else own, "marker and text") if agreed else CONTRADICTION
