"""What a response says at a place: labels, options by their texts, or both; one or several of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.extraction import option_wordings as older
from medzh_score.extraction.letters_cues import rhetorical
from medzh_score.extraction.letters_listed import listed_at, text_end
from medzh_score.extraction.letters_runs import Run, in_order, run_at
from medzh_score.extraction.option_labels import taken_back
from medzh_score.extraction.option_wordings import LETTERS
from medzh_score.extraction.tcmd_lines import SENTENCE_ENDS
from medzh_score.extraction.tcmd_question import SETS_OFF

if TYPE_CHECKING:
    from medzh_score.extraction.letters_cues import Cue
    from medzh_score.extraction.option_texts import Met
    from medzh_score.extraction.tcmd_choice import Question

BARE, EXPLICIT = 1, 2  # what is only said in passing gives way to what is said to be the answer
AFTER_WEAK = re.compile(
    r"(?:选?项)?(?:[^\S\n]?[吧呀啊哦啦了]){0,2}(?:[，,]?而?(?:不是|非)|因为|\s*\Z|[。．.！!，,；;\n）)】\]”\"])"
)
DENIED_BEFORE = re.compile(
    r"(?:(?:没有?|无|毫无)(?:任何)?(?:理由|依据|根据|必要)|不足以|很难|难以|难说|不能(?:认为|说)|不(?:认为|同意|觉得)|难道|怎么会|怎能|岂能|谁说)"
    r"[^，,。；;：:\n]{0,6}\Z"
)
LABEL_AFTER = re.compile(r"\s*[（(【]\s*([A-H])(?:选?项)?\s*[)）】]")
OPENS = re.compile(r"(?:应?该?选择?)?[】\]是为：:\s“\"「（(【\[]*+")
HOLDS = re.compile(r"(?:有|包括|包含|共有)[^\S\n]*[：:]?\s*")
# 选 and a text are a commitment only where they conclude or are all: not in 太阳伤寒选麻黄汤。
CONCLUDING = re.compile(r"(?:\A|\n|故|因此|所以|综上|我|本题|[。；;])[，,\s]*(?:我|本题|此题|该题)?应?该?\Z")
PART = re.compile(r"[\u4e00-\u9fff]{2,8}(?=[。！!；;\n]|\.?\Z)")
LABELS = frozenset("ABCDEFGHabcdefgh")
IN_A_WORD = re.compile("[A-Za-z0-9]")
STOPS_AT_ONCE = frozenset({"", "。", "，", "；", "！"})
TIES = frozenset("-–/")


JUDGED_EACH = re.compile(
    r"(?:选?项)?[是为]?(?:正确|对|√|错误?)[；;，,、。\s]+(?:选项)?[A-H](?:选?项)?[是为]?(?:正确|对|√|错误?)"
)
SHOWN_FORM = re.compile(r"(?:格式|示例|样例|例子|模板|形式)[^。；;\n]{0,8}[：:]\s*\Z")
# What is named by these is what is not to be chosen: 不符合题意的选项有A.
WRONG_ONES = re.compile(
    r"(?:不|非|错|误)(?:太|甚)?(?:正确|符合题意|恰当|合适|合理|准确|妥当?|对)?的?(?:选?项|说法|答案)?\Z"
)


class Said(NamedTuple):
    """What was said.

    Attributes
    ----------
    letters : str
        The labels, in order, each once; empty where they are no answer.
    rule : str
        What found them, or why they are none.
    start, end : int
        Where it stands in the prepared text.
    weight : int
        How much it counts; 0 for what was taken back.
    """

    letters: str
    rule: str
    start: int
    end: int
    weight: int


def withdrawn(text: str, start: int) -> str:
    """Say why what is said at a place is no answer, as far as what stands before it tells.

    Parameters
    ----------
    text : str
        A prepared response.
    start : int
        Where it begins.

    Returns
    -------
    str
        As of `option_labels.taken_back`.
    """
    why = taken_back(text, start)
    if not why and DENIED_BEFORE.search(text, max(0, start - older.BEFORE), start):
        return "negated"
    return why


def announced(text: str, cue: Cue, question: Question) -> Said | None:
    """Read what a cue announces.

    Parameters
    ----------
    text : str
        A prepared response.
    cue : Cue
        The cue.
    question : Question
        What was asked.

    Returns
    -------
    Said or None
        None where it announces nothing, or a word that begins as a label does. Its weight is to be set.
    """
    place = cue.end
    if cue.strong and (holds := HOLDS.match(text, place)):
        place = holds.end()
    if text[place : place + 1] not in LABELS or place == len(text):
        return _told(text, cue, place, question)
    named = question.texts.leading(text, place)  # an option may itself begin as a label does: B超
    said = _told(text, cue, place, question) if named and len(question.texts.plain[named.option]) > 1 else None
    return said or _labelled(text, cue, place, question) or _told(text, cue, place, question)


def _labelled(text: str, cue: Cue, place: int, question: Question) -> Said | None:
    if text[place + 1 : place + 2] in STOPS_AT_ONCE:  # no text can follow
        run = run_at(text, place, question)
        return _announced_run(text, cue, run, place) if run else None
    several = listed_at(text, place, question, explained="\n" in text[cue.word : place])
    if several and (cue.strong or cue.kind == "reply"):
        return _weighed(text, cue, _all_but_echo(several[0], question), several[1])
    run = run_at(text, place, question)
    alone = run is None or not (run.rule or len(run.letters) > 1)
    said = _with_text(text, cue, place, question) if alone else None
    return said or (_announced_run(text, cue, run, place) if run else None)


def _announced_run(text: str, cue: Cue, run: Run, place: int) -> Said | None:
    """Read labels by what follows them: a word tells that they are none, a denial that they are no answer."""
    small = text[place].islower()
    if run.rule == "no labels" or (small and not cue.strong) or JUDGED_EACH.match(text, run.end):
        return None
    if older.EXAMPLE_AFTER.match(text, run.end):
        return Said("", "example", cue.start, run.end, 0)
    if rhetorical(text, cue.word, place):
        said = _weighed(text, cue, run, run.end)
        return said._replace(weight=min(said.weight, BARE))  # for it asks
    if older.DENIED_AFTER.match(text, run.end):
        return Said("", "negated", cue.start, run.end, 0)
    after = older.AFTER_WEAK if small else _after(cue)
    return _weighed(text, cue, run, run.end) if after.match(text, run.end) else None


def _all_but_echo(letters: str, question: Question) -> Run:
    """Take options that are listed with their texts; all of them are the question again."""
    echo = len(set(letters)) == len(question.order)
    return Run("" if echo else in_order(letters), "several" if echo else "", 0)


def _with_text(text: str, cue: Cue, place: int, question: Question) -> Said | None:
    """Read a label with its option's text, or with another's, which is a contradiction."""
    own = question.own(text[place]) if text[place] in LETTERS else None
    if own is None or IN_A_WORD.match(text, place + 1):
        return None
    gap = SETS_OFF.match(text, place + 1)
    start = gap.end() if gap else place + 1
    met = question.texts.leading(text, start)
    if met is None and text[start : start + 1] in TIES:
        met = question.texts.leading(text, start + 1)
    if met is None:
        part = PART.match(text, start)
        return (
            _weighed(text, cue, Run(text[place], "", 0), part.end()) if part and _of(part[0], own, question) else None
        )
    end = text_end(text, start, met, question)
    if question.texts.same(own, met.option):
        denied = older.DENIED_AFTER.match(met.rest)
        return Said("", "negated", cue.start, end, 0) if denied else _weighed(text, cue, Run(text[place], "", end), end)
    another = gap and gap.group() and SENTENCE_ENDS.match(met.rest)
    return _weighed(text, cue, Run("", "contradiction", end), end) if another else None


def _of(part: str, own: int, question: Question) -> bool:
    """Say whether words are a part of one option's text, and of no other's: B湿热 of 湿热泄泻."""
    return [option for option, shown in enumerate(question.texts.texts) if part in shown] == [own]


def _told(text: str, cue: Cue, place: int, question: Question) -> Said | None:
    """Read options by their texts after a cue."""
    start = OPENS.match(text, cue.word)
    early = question.texts.leading(text, start.end()) if start and start.end() < cue.end else None
    if cue.strong and not early and _may_be_told(text, cue, ends=True):
        listed = listed_at(text, place, question, explained="\n" in text[cue.word : place])
        if listed:
            return _weighed(text, cue, _all_but_echo(listed[0], question), listed[1])
    met = early or question.texts.leading(text, place)
    if met is None or not _may_be_told(text, cue, ends=SENTENCE_ENDS.match(met.rest) is not None):
        return None
    end = text_end(text, start.end() if early and start else place, met, question)
    why = "negated" if cue.denied and not early else withdrawn(text, cue.start)
    if why or older.DENIED_AFTER.match(met.rest):
        return Said("", why or "negated", cue.start, end, 0)
    return _named(met, cue, end, question)


def _may_be_told(text: str, cue: Cue, *, ends: bool) -> bool:
    """Say whether an option's text after a cue is a commitment, where the sentence ends behind it or goes on."""
    if cue.kind == "choose":
        return ends and CONCLUDING.search(text, max(0, cue.start - older.FAR_BEFORE), cue.start) is not None
    if cue.kind in {"conclusion", "verdict"}:
        return ends and (cue.strong or cue.kind == "verdict")
    # 不对，青霉素是… goes on to discuss it.
    return cue.strong or (cue.kind == "reply" and (ends or text[cue.word - 1 : cue.word] != "，"))


def _named(met: Met, cue: Cue, end: int, question: Question) -> Said:
    """Take the option whose text was met, unless another's label stands behind it."""
    label = LABEL_AFTER.match(met.rest)
    own = question.own(label[1]) if label else met.option
    if own is None or not question.texts.same(own, met.option):
        return Said("", "contradiction", cue.start, end, EXPLICIT)
    if not label and question.texts.repeated(met.option):
        return Said("", "several", cue.start, end, EXPLICIT)
    return Said(LETTERS[question.order.index(own)], cue.kind, cue.start, end, EXPLICIT)


def _weighed(text: str, cue: Cue, run: Run, end: int) -> Said:
    why = "negated" if cue.denied else withdrawn(text, cue.start)
    before = max(0, cue.start - older.BEFORE)
    if not why and SHOWN_FORM.search(text, before, cue.start):
        why = "example"
    if not why and cue.kind in {"option", "holding"} and WRONG_ONES.search(text, before, cue.start):
        why = "negated"
    if why:
        return Said("", why, cue.start, end, 0)
    return Said("" if run.rule else run.letters, run.rule or cue.kind, cue.start, end, EXPLICIT)


def _after(cue: Cue) -> re.Pattern[str]:
    if cue.strong:
        return older.AFTER_STRONG
    return older.AFTER_CONCLUSION if cue.kind == "conclusion" else AFTER_WEAK
