"""The kind "option letters": the option, or options, that a whole response commits itself to, or why there are none."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from medzh_score.config import Answer, answer
from medzh_score.extraction import option_wordings as older
from medzh_score.extraction.choice_lenient import WRONG
from medzh_score.extraction.choice_next import before_next
from medzh_score.extraction.letters_agreed import (
    CONTRADICTION,
    DOUBT,
    Found,
    agreed,
    doubted,
    left_out,
    retracted,
    weighed,
)
from medzh_score.extraction.letters_boxes import boxes
from medzh_score.extraction.letters_cues import WORDINGS, cues
from medzh_score.extraction.letters_each import each
from medzh_score.extraction.letters_lines import last_sentence, lines
from medzh_score.extraction.letters_others import all_others
from medzh_score.extraction.letters_plain import plain
from medzh_score.extraction.letters_said import Said, announced
from medzh_score.extraction.letters_small import small_letters
from medzh_score.extraction.letters_verdicts import behind_text, ending, verdicts
from medzh_score.extraction.letters_whole import whole
from medzh_score.extraction.next_question import COMMITTED, cut
from medzh_score.extraction.option_texts import OptionTexts
from medzh_score.extraction.option_wordings import LETTERS
from medzh_score.extraction.preparing import locate, prepare
from medzh_score.extraction.reading import Reading
from medzh_score.extraction.refusals import refused
from medzh_score.extraction.tcmd_choice import Question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.extraction.letters_cues import Cue
    from medzh_score.extraction.preparing import Located

__all__ = ["WORDINGS", "Found", "choose", "explain", "question_of", "read", "reading"]

NO_SUCH_LABEL = "no such label"
COMMITTED_TO_SEVERAL = re.compile(  # as next_question has it, or of several labels: ABCE
    rf"{COMMITTED.pattern}|(?:\A[“\"（(【\[]?|(?:答案|故选|应选|[Aa]nswer)[】\]是为应选\s]*+(?:[：:]|is\b)?[^\S\n]*+)"
    r"[A-H](?:[、，, ]?[A-H])++(?![A-Za-z0-9])"
)
RANKED = re.compile(r"首选\s*[A-H](?![A-Za-z0-9])[^。\n]{0,12}(?:其次|次选|再选|备选)|[A-H]\s*[>＞<＜]\s*[A-H]")
RANKS = frozenset("首><＞＜")
LETTER = re.compile("[A-Ha-h]")
DECLINES = r"抱歉|对不起|无法|不能|不便|不会|不知|不清楚|[Ss]orry|cannot|can't|unable|not able"
TROUBLED = re.compile(f"{DECLINES}|{DOUBT.pattern}")  # what may decline, or doubt


UNCLOSED = "unclosed"
EMPTY, NOTHING, REFUSAL = Found("", "empty"), Found("", "nothing"), Found("", "refusal")


@lru_cache(maxsize=1 << 12)
def question_of(options: tuple[str, ...]) -> Question:
    """Make a question of options that are shown in their order.

    Parameters
    ----------
    options : tuple of str
        Their texts.
    """
    return Question(OptionTexts(options), tuple(range(len(options))))


def read(text: str, options: tuple[str, ...], *, several: bool = False) -> Answer:
    """Read the option, or the options, that a response commits itself to.

    Parameters
    ----------
    text : str
        The response, untouched.
    options : tuple of str
        The texts of the options, as they were shown.
    several : bool
        Whether several may be right.

    Returns
    -------
    Answer
        The letters in order; None where the text commits itself to none, by the rule ``empty``, ``unclosed``,
        ``refusal``, ``contradiction`` (commitments that differ, or a label with another option's text), ``several``
        (where one is right), ``either`` (A或B), ``range`` (A-D), ``no such label``, ``negated``, ``supposed``,
        ``example``, ``hedge`` or ``nothing``.

    Examples
    --------
    >>> shown = ("桂枝汤", "麻黄汤", "银翘散")
    >>> read("患者无汗，故选B。", shown).value, read("答案：A。因此选B。", shown).rule
    ('B', 'contradiction')
    """
    question = question_of(options)
    if sooner := plain(text, question):
        return answer(*sooner)
    if "\n" in text and ("[ ]" in text or "☑" in text) and (ticked := boxes(text, question, several=several)):
        return answer(ticked[0] or None, ticked[1])
    prepared = prepare(text)
    if prepared is None:
        return answer(None, UNCLOSED)
    found = choose(prepared, question, several=several)
    return answer(found.letters or None, found.rule)


def explain(text: str, options: tuple[str, ...], *, several: bool = False) -> Reading:
    """Read as `read` does, and say from where.

    Parameters
    ----------
    text : str
        The response, untouched.
    options : tuple of str
        The texts of the options, as they were shown.
    several : bool
        Whether several may be right.

    Examples
    --------
    >>> explain("本题选**B**。", ("桂枝汤", "麻黄汤"))
    Reading(value='B', rule='choose', spans=(Span(start=2, end=6),))
    """
    if ticked := boxes(text, question_of(options), several=several):
        return Reading(ticked[0] or None, ticked[1], ticked[2])
    located = locate(text)
    if located is None:
        return Reading(None, UNCLOSED)
    return reading(choose(located.text, question_of(options), several=several), located)


def reading(found: Found, located: Located) -> Reading:
    """Say from which characters of the raw text something was found.

    Parameters
    ----------
    found : Found
        What was found in the prepared text.
    located : Located
        The prepared text.
    """
    spans = {located.span(said.start, said.end) for said in found.said if said.end > said.start}
    return Reading(found.letters or None, found.rule, tuple(sorted(spans)))


def choose(text: str, question: Question, *, several: bool) -> Found:
    """Find the options to which a prepared response commits itself.

    Every commitment in the text is found, and all must agree. One that is corrected is none any more.

    Parameters
    ----------
    text : str
        The prepared response.
    question : Question
        What was asked.
    several : bool
        Whether several options may be right.

    Returns
    -------
    Found
        The labels as shown.
    """
    if not text:
        return EMPTY
    if "\n" in text or "题目" in text:
        text = cut(before_next(text), question, COMMITTED_TO_SEVERAL)
    text = small_letters(text)
    said = whole(text, question, several=several)
    if said:
        return _checked(text, Found("", "", [said]), question, several=several)
    troubled = TROUBLED.search(text) is not None
    found = agreed(text, _commitments(text, question, several=several, troubled=troubled))
    if (found is None or found.letters) and troubled and refused(text):
        return REFUSAL
    if found is None:
        return NOTHING
    return _checked(text, found, question, several=several) if found.said else found


def _commitments(text: str, question: Question, *, several: bool, troubled: bool) -> list[Said]:
    if not LETTER.search(text) and not question.texts.may_hold(text):
        return []
    found: list[tuple[Said, Cue | None]] = [(said, None) for said in lines(text, question)]
    for cue in cues(text):
        said = announced(text, cue, question)
        if said is None and cue.kind in older.QUALIFIABLE:
            said = behind_text(text, cue.start, cue.end, question)
        if said:
            found.append((said, cue))
    found += [(said, None) for said in verdicts(text, question, several=several)]
    found += [(said, None) for said in ending(text, question)]
    if text[-1] in "。！!" and (said := last_sentence(text)):
        found.append((said, None))
    if said := each(text, question, several=several):
        found.append((said, None))
    if several and (said := all_others(text, question)):
        found.append((said, None))
    many = [said for said, _ in found if len(said.letters) > 1]
    if many:
        found = [one for one in found if not _inside_another(one[0], many)]
    # What counts more need not be known where all agree.
    differ = troubled or len({said.letters or said.rule for said, _ in found if said.weight}) > 1
    weighty = [weighed(text, cue, said) if differ and cue else said for said, cue in found]
    return sorted(weighty, key=lambda said: (said.end, said.start))


def _inside_another(said: Said, many: Sequence[Said]) -> bool:
    """Say whether it is a part of what another says: 选项C是正确答案 in 选项A、选项C是正确答案."""
    return any(
        other.start <= said.start and said.end <= other.end and len(other.letters) > len(said.letters) > 0
        for other in many
    )


def _checked(text: str, found: Found, question: Question, *, several: bool) -> Found:
    """Take no letters that were not shown, no more than can be right, none of doubt."""
    if found.rule == CONTRADICTION or not found.said[-1].letters:
        return found if found.rule else Found("", found.said[-1].rule, found.said)
    last = found.said[-1]
    why = ""
    if any(LETTERS.index(letter) >= len(question.order) for letter in last.letters):
        why = NO_SUCH_LABEL if several or len(last.letters) == 1 else "several"
    elif (
        (len(last.letters) > 1 and not several)
        or (not RANKS.isdisjoint(text) and RANKED.search(text))
        or (last.rule == "holding" and WRONG.search(text))
    ):
        why = "several"
    elif doubted(text, last):
        why = "hedge"
    elif retracted(text, last):
        why = "negated"
    elif left_out(text, last):
        why = CONTRADICTION
    return Found("" if why else last.letters, why or last.rule, found.said)
