"""Yes or No to whether a doctor's answer misleads: what a whole response commits itself to, rule ``strict-2``.

Beside what ``strict-1`` of CMHE-HD reads: a statement that concludes a reasoning, a correction of oneself, a reason
that judges what the doctor says, and where in the text the answer stands.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from medzh_score.config import answer
from medzh_score.extraction import yes_no_marks as marks
from medzh_score.extraction import yes_no_wordings as wordings
from medzh_score.extraction.cmhe_hd_cues import PRAISED, SPARED
from medzh_score.extraction.preparing import locate, prepare
from medzh_score.extraction.reading import Reading
from medzh_score.extraction.refusals import refused
from medzh_score.extraction.yes_no_fields import FIELDS, fields_deny
from medzh_score.extraction.yes_no_parts import (
    CORRECTION,
    DIALOGUE,
    ECHO,
    FALSE,
    PRAISE,
    RIGHTING,
    SPARING,
    STANCE,
    TRUE,
    parted,
)
from medzh_score.extraction.yes_no_parts import DOCTOR as DOCTOR_CUE
from medzh_score.extraction.yes_no_stated import of_statements
from medzh_score.extraction.yes_no_words import Text, Verdict, correction, of_words, words_said

if TYPE_CHECKING:
    from medzh_score.config import Answer

VALUES = wordings.VALUES
WORDINGS = (*wordings.WORDINGS, FIELDS)
PLAIN = VALUES | {word.capitalize(): value for word, value in VALUES.items()}  # most responses are one of these words
SHORT = 40  # characters: such responses come again and again
DOCTOR = re.compile(r"[\s*【\[]*(?:医生|医师)(?:的)?(?:回答|回复|答复)?[*】\]]*\s*[:：]")
OPENING = frozenset("yYnNoO是没可当")
STRUCK = ("划", "删", "作废", "out", "deleted")
QUOTING = DOCTOR_CUE | STANCE
ASKED = ("答“否", "选“否", '答"否', "答「否")
LINE = 30  # characters in which the doctor's line would begin with its answer
SIGN = re.compile(r"[^\n]")


def read(text: str, _side: object = None) -> Answer:
    r"""Read the verdict of a response.

    Parameters
    ----------
    text : str
        The response, untouched.
    _side : object
        Not looked at.

    Returns
    -------
    Answer
        ``Yes`` or ``No`` by the name of one of `WORDINGS`; None by the rule ``empty``, ``unclosed``, ``refusal``,
        ``either`` (the choice or the question itself), ``contradiction``, ``hedge``, ``unsupported`` (which may be said
        to the patient) or ``nothing``.

    Examples
    --------
    >>> read("**否**。医生的回答没有误导信息。").value, read("剂量过大。因此医生的回答包含误导信息。").value
    ('No', 'Yes')
    >>> read("答案：是。等等，应该是否。").value, read("是的，注意休息。").rule
    ('No', 'unsupported')
    """
    if len(text) > SHORT:
        return _read(text)
    value = PLAIN.get(text.rstrip("。.!！ \n"))
    return answer(value, wordings.BEGINNING.name) if value else _read_short(text)


def explain(text: str, _side: object = None) -> Reading:
    """Read the verdict of a response, and say where it stands.

    Parameters
    ----------
    text : str
        The response, untouched.
    _side : object
        Not looked at.

    Examples
    --------
    >>> explain("**否**。").spans
    (Span(start=2, end=3),)
    """
    located = locate(text)
    if located is None:
        return Reading(None, "unclosed")
    found = _found(located.text, text)
    return Reading(found.value, found.rule, tuple(located.span(*place) for place in found.places))


def _read(text: str) -> Answer:
    said = prepare(text)
    if said is None:
        return answer(None, "unclosed")
    found = _found(said, text)
    return answer(found.value, found.rule)


_read_short = lru_cache(maxsize=1 << 14)(_read)


def _is_doctor(text: str) -> bool:
    """Tell whether a response begins as if it were the doctor's line of the dialogue, which preparation takes off."""
    return "医" in text[:8] and DOCTOR.match(text) is not None


def _found(text: str, raw: str) -> Verdict:
    """Find the verdict of a prepared text."""
    if not text or text.isspace():
        return Verdict(None, "empty")
    if "’" in text:
        text = text.replace("’", "'")
    if "资" in text:
        text = text.replace("资信", "信息").replace("资讯", "信息")
    if "\n" in text and (found := _before_a_dialogue(text)):
        return found
    own = _own_words(text)
    if not own.text.strip("。.!！ \n"):
        return Verdict(None, "either")
    found = _verdict(own)
    if found.value:
        return _beside(found, own.text, raw) if "医" in raw[:8] or "{" in raw else found
    return Verdict(None, "refusal") if refused(text) else found


def _beside(found: Verdict, own: str, raw: str) -> Verdict:
    """Look at what preparation takes off: a verdict that it speaks against is none."""
    if "{" in raw and found.value and fields_deny(raw, found.value):
        return Verdict(None, "contradiction", found.places)
    start, end = found.places[0]
    if start <= LINE and "\n" not in own[:end] and _is_doctor(raw):
        return Verdict(None, "unsupported", found.places)
    return found


def _before_a_dialogue(text: str) -> Verdict | None:
    """Find the verdict of a text that goes on with nothing but another dialogue."""
    begins = wordings.NEXT_DIALOGUE.search(text, 1)
    if begins is None or not text[: begins.start()].strip():
        return None
    if not all(map(wordings.OF_A_DIALOGUE.match, text[begins.end() :].split("\n"))):
        return None
    if wordings.IN_A_DIALOGUE.fullmatch(text, 0, begins.start()):
        return Verdict(None, "unsupported")
    found = _verdict(_own_words(text[: begins.start()]))
    return found if found.value else None


def _own_words(text: str) -> Text:
    """Blank what is repeated of the prompt, what a doctor is praised for saying, and risks that something lowers."""
    parts, cues = parted(text)
    left = text
    if text[:1] in OPENING and (opener := wordings.OPENER.match(text)):
        left = _blank(opener)[:-1] + "\n" + text[opener.end() :]
    if cues & QUOTING == QUOTING or "）" in left or ")" in left:
        left = _without_strikes_and_quotes(left)
    if cues & DIALOGUE:
        last = max((found.start() for found in wordings.ANNOUNCED.finditer(left)), default=0)
        left = wordings.DIALOGUE.sub(_blank, left[:last]) + left[last:]
    if cues & SPARING and cues & FALSE:
        left = SPARED.sub(_blank, left)
    if cues & PRAISE and cues & TRUE:
        left = PRAISED.sub(_blank_behind, left)
    if cues & RIGHTING:
        left = marks.PUT_RIGHT.sub(_blank, left)
    if "]" in left and ("[ ]" in left or "[]" in left):
        left = wordings.UNCHECKED.sub(_blank, left)
    if cues & ECHO:
        left = _without_task(left)
    return Text(left, *(parted(left) if left != text else (parts, cues)))


def _without_strikes_and_quotes(left: str) -> str:
    """Blank answers that are struck out, and what a doctor is quoted with."""
    if any(word in left for word in STRUCK):
        left = wordings.STRUCK.sub(_blank, left)
    if any(mark in left for mark in '“「『"'):
        left = wordings.QUOTED.sub(_blank, left)
    return left


def _without_task(left: str) -> str:
    """Blank the form and the question of the prompt."""
    if any(word in left for word in ASKED):
        left = wordings.TASK.sub(_blank, left)
    return wordings.ECHO.sub(_blank, left)


def _blank(found: re.Match[str]) -> str:
    return SIGN.sub(" ", found[0])


def _blank_behind(found: re.Match[str]) -> str:
    return str(found[1]).ljust(len(found[0]))


def _verdict(own: Text) -> Verdict:
    said = list(words_said(own))
    if own.cues & CORRECTION:
        last = correction(own, said)
        if last is not None:
            start, said = last
            # What stood before is taken back.
            text = " " * start + own.text[start:]
            return of_words(Text(text, *parted(text)), said)
    return of_words(own, said) if said else of_statements(own)
