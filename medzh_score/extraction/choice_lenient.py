"""PeMeBench's choice sets by ``lenient-1``: what a careful reader would take, one option or several."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.config import answer
from medzh_score.extraction import choice_several as several
from medzh_score.extraction.choice_asides import plain
from medzh_score.extraction.choice_next import before_next
from medzh_score.extraction.choice_several import Several
from medzh_score.extraction.choice_side import LETTERS
from medzh_score.extraction.next_question import cut
from medzh_score.extraction.option_labels import marks, outranks, taken_back
from medzh_score.extraction.option_wordings import CONCLUDED, FAR_BEFORE
from medzh_score.extraction.preparation import prepared
from medzh_score.extraction.tcmd_choice import BINDING
from medzh_score.extraction.tcmd_lines import bare_choice, first_line, last_line, set_off
from medzh_score.extraction.tcmd_question import announcement, chosen

if TYPE_CHECKING:
    from medzh_score.config import Answer
    from medzh_score.extraction.choice_side import ChoiceSide
    from medzh_score.extraction.option_labels import Mark
    from medzh_score.extraction.tcmd_choice import Choice, Question

# A项、C项: the word behind each label goes, so that the labels stand together.
ITEM_WORD = re.compile(r"(?<=[A-H])(?:选?项)(?=[^\S\n]*(?:[、和与及]|以及)[^\S\n]*(?:选项)?[A-H])")
# What names the wrong options: 错误的是D. Beside what names the right ones it tells that those may not be asked for.
WRONG = re.compile(
    r"(?:不(?:正确|符合题意|恰当|合适|合理|准确|妥当?)|非正确|错误|有误)的?(?:选项|答案|说法|叙述|描述|一?项)?"
    r"(?:有|包括|包含|是|为)?[：:]?\s*[A-H](?:[、，, 和与及]*[A-H])*+(?![A-Za-z0-9])"
)
MARKED = re.compile(r"答案|[应故]选")
RANKED = re.compile(r"首选\s*[A-H](?![A-Za-z0-9])[^。\n]{0,12}(?:其次|次选|再选|备选)|[A-H]\s*[>＞<＜]\s*[A-H]")
ALL_OF_THEM = re.compile(r"(?:以上|上述)(?:各项|选项|所有)?[全都均皆]部?[都均]?(?:是|对|正确|包括|可以?|有)")
# A diagnosis, or what is done first, that a response ends with.
ENDING = re.compile(
    r"(?:(?:因此|所以|故|综上所述|综上)[，,]?)?(?:本[题例]|该患儿|患儿|此患儿|考虑)?"
    r"(?:最可能的?(?:诊断|病原体?|病因|原因)(?:应该?)?(?:是|为|：|:)|应(?:首选|首先做|先做|首先选用|先选用))\s*"
)
CLAUSE_ENDS = re.compile(r"(?:\A|[。；;：:\n]|(?<![者时则])[，,])[^\S\n]?\Z")  # not 过敏者应首选, which is another case
ENDS = re.compile(r"(?:[（(][A-H][)）])?[。.！!]?\Z")
ONLY = re.compile(
    r"(?:\A|[。；;，,\n])(?:因此|所以|故|综上所述|综上)?[，,]?(?:只有(?:选项)?([A-H])(?:选?项)?|选项([A-H])|([A-H])选?项)最?[是为]?"
    r"(?:正确|对|符合题意|合适|恰当)的?[。.！!]?\Z"
)
LETTER = re.compile(r"(?<![A-Za-z0-9])[A-H](?![A-Za-z0-9])")
UNFINISHED = answer(None, "unfinished thinking")
EMPTY = answer(None, "empty")
NOTHING = Several("", "nothing found")
NO_SUCH_LABEL = "no such label"
MANY = 2  # options that say that all are right


def read(text: str, side: ChoiceSide) -> Answer:
    """Read the options that a response commits itself to.

    Thinking and markup are taken off. One option is read as TCMD's ``strict-1`` reads it; several where they are joined
    (A、C、D, ACD, A和C), listed with their texts, or said to be all. The last commitment counts. What joins options by
    或, spans them (A～D) or repeats the whole list is no answer.

    Parameters
    ----------
    text : str
        The response, untouched.
    side : ChoiceSide
        What was asked.

    Returns
    -------
    Answer
        The letters in order, each once. Where there are none, the rule says why: ``empty``, ``unfinished thinking``,
        ``either``, ``range``, ``several``, ``no such label``, ``contradiction``, ``negated``, ``supposed``,
        ``example`` or ``nothing found``.

    Examples
    --------
    >>> from medzh_score.extraction.choice_side import ChoiceSide
    >>> read("小儿易缺钙和锌，故选A和C。", ChoiceSide(("钙", "铁", "锌")))
    Answer(value='AC', rule='marker', note=None)
    """
    spoken = prepared(text)
    if spoken is None:
        return UNFINISHED
    if not spoken:
        return EMPTY
    found = _of(cut(before_next(spoken), side.question), side.question)
    letters = "".join(sorted(set(found.letters)))
    if not letters:
        return answer(None, found.rule)
    known = set(LETTERS[: len(side.options)])
    return answer(letters, found.rule) if set(letters) <= known else answer(None, NO_SUCH_LABEL)


def _of(text: str, question: Question) -> Several:
    whole = question.texts.whole(text) if len(text) > 1 else None
    if whole is not None and not question.texts.repeated(whole):
        labels = text.strip("“”\"'（(【[)）】]。.")
        return Several(LETTERS[whole], "label" if labels in LETTERS else "text")
    shown = plain(text, question)
    right = WRONG.sub("", shown).strip(" 。.\n") if WRONG.search(shown) else shown
    both = right != shown and not MARKED.search(right) and several.own_marks(right)
    if both or RANKED.search(shown):
        return several.ECHO
    if not right:
        return several.NEGATED if shown else NOTHING
    return _committed(right, question)


def _committed(shown: str, question: Question) -> Several:
    found = _chosen(ITEM_WORD.sub("", shown), question)
    if found.rule == "all":
        return _all(question)
    return found if found.letters or found.rule in BINDING else _ending(shown, question) or found


def _all(question: Question) -> Several:
    """Take the option that says that all are right, where the question has one, for all of them."""
    named = [place for place, text in enumerate(question.texts.plain) if ALL_OF_THEM.fullmatch(text)]
    letters = "".join(LETTERS[place] for place in named) if named else LETTERS[: len(question.order)]
    return Several(letters, "all") if len(named) < MANY else several.ECHO


def _ending(text: str, question: Question) -> Several | None:
    """Read the last words, where they name one option as the diagnosis, or as what is done first, or as right."""
    only = ONLY.search(text)
    if only and len(set(LETTER.findall(text))) == 1:
        return _one(question.labelled(only[only.lastindex or 0], "marker"))
    for mark in ENDING.finditer(text):
        if taken_back(text, mark.start()) or not CLAUSE_ENDS.search(text, max(0, mark.start() - 2), mark.start()):
            continue
        met = question.texts.leading(text, mark.end())
        label = LETTER.match(text, mark.end())
        if met and ENDS.fullmatch(text, len(text) - len(met.rest)) and not question.texts.repeated(met.option):
            return Several(LETTERS[met.option], "marker and text")
        if label and ENDS.fullmatch(text, label.end()):
            return _one(question.labelled(label[0], "marker"))
    return None


def _chosen(text: str, question: Question) -> Several:
    found = several.whole(text, question)
    if found:
        return found
    if not several.hinted(text, question):
        return _one(chosen(text, question))
    bare = bare_choice(text, question)
    if bare:
        return _one(bare)
    line = several.last_line(text) or _one_or_none(last_line(text, question))
    if not line or not set_off(text):
        line = _last_announced(text, question, line)
    if line and _binding(line):
        return line
    return _first_line(text, question) or line or NOTHING


def _last_announced(text: str, question: Question, line: Several | None) -> Several | None:
    """Read what the last marker announces; a bare one, and a last line, give way to an earlier marker of the answer."""
    closing = several.concluded(text) or _concluded(text, question)
    if closing:
        return closing
    why, bare = None, line
    for mark in sorted([*marks(text), *several.own_marks(text)], key=lambda mark: -mark.start):
        found = _at(text, mark, question)
        if found and _binding(found):
            if outranks(text, mark):
                return found
            bare = bare or found
        why = why or found
    return bare or why


def _concluded(text: str, question: Question) -> Several | None:
    found = CONCLUDED.search(text, max(0, len(text) - FAR_BEFORE))
    return _one(question.labelled(found[1], "marker")) if found and not taken_back(text, found.start(1)) else None


def _at(text: str, mark: Mark, question: Question) -> Several | None:
    return several.after_mark(text, mark, question) or _one_or_none(announcement(text, mark, question))


def _first_line(text: str, question: Question) -> Several | None:
    opening = several.line(text.partition("\n")[0].rstrip(), opens=True)
    return opening or _one_or_none(first_line(text, question))


def _binding(found: Several) -> bool:
    return bool(found.letters) or found.rule in BINDING or found in {several.ONE_OF_THEM, several.SPAN}


def _one_or_none(choice: Choice | None) -> Several | None:
    return None if choice is None else _one(choice)


def _one(choice: Choice) -> Several:
    return Several("" if choice.shown is None else LETTERS[choice.shown], choice.rule)
