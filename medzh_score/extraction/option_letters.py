"""The kind "option letters": the option, or options, that a whole response commits itself to, or why there are none."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from medzh_score.config import Answer, answer
from medzh_score.extraction import option_wordings as older
from medzh_score.extraction.choice_lenient import WRONG
from medzh_score.extraction.choice_next import before_next
from medzh_score.extraction.letters_cues import EXPLICIT as EXPLICIT_KINDS
from medzh_score.extraction.letters_cues import WORDINGS, cues
from medzh_score.extraction.letters_lines import lines, whole
from medzh_score.extraction.letters_plain import plain
from medzh_score.extraction.letters_said import BARE, EXPLICIT, Said, announced
from medzh_score.extraction.letters_verdicts import behind_text, ending, verdicts
from medzh_score.extraction.next_question import cut
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
# What another said, or what was thought at first.
OTHERS = re.compile(
    r"(?:虽然|尽管|网上|流传|教材|题库|书上|有人|[您你]的|考生|学生|以前|原来|起初|一开始|最初|初步|先前|刚才|之前|原以为|乍看|表面)"
    r"[^。；;，,\n]{0,14}\Z"
)
OWN = re.compile(
    r"(?:我|个人|\bI|\bI(?: think|'ll|'d| would| will)|\bMy |\bmy )\s*(?:就|会|也|还是|更|比较|还|认为|觉得)*\Z"
)
# What is to be chosen in another case: 有青紫时答案是D.
OTHER_CASE = re.compile(
    r"(?:\A|[。；;，,\n])[^\S\n]*[^。；;，,：:\n]{1,14}(?<!同)(?:时|者|则|的话)[，,]?[应则宜可]*首?\Z"
)
OF_THOSE = re.compile(r"(?:选?项)?(?:的(?!\s*(?:\Z|[。，,；;！!]|原因|理由|依据|是因为))|者)")  # 选D的可能是忽略了烦躁
RANKED = re.compile(r"首选\s*[A-H](?![A-Za-z0-9])[^。\n]{0,12}(?:其次|次选|再选|备选)|[A-H]\s*[>＞<＜]\s*[A-H]")
# 选 that is said of the question, not of a case in it: 本题选B; not 表虚者选A.
OF_THE_QUESTION = re.compile(
    r"(?:\A|[\n。！!？?；;：:]|故|因此|所以|综上|本题|此题|该题|这道?题|我)[^\S\n]*(?:[那这]么?|本题|此题|该题|这道?题|我|个人|会|将|建议|首|[应该当最终故也还是就，,])*\Z"
)
# Nor after a clause that tells a case: 如为风热，应选E.
AFTER_REASONS = re.compile(
    r"(?:\A|[。；;！!？?\n])(?:(?![如若当倘时者则伴兼]|对于|合并)[^。；;！!？?\n])*[，,][应该当最终故也就可]*\Z"
)
CORRECTS = re.compile(
    r"更正|修正|纠正|订正|[应更]?改[为选成]|应改|不对[，,。！!…]|[说写选答看想弄搞判]错了?|有误[，,。]|重新|再[看想查思次检审核]|仔细[想看分一]|复[核查]|反思|修改|[…。—，,\s]不[，,]|[哦噢啊]，?不是?"
    r"|等等|等一下|\b(?:[Ww]ait|WAIT|[Aa]ctually|[Cc]orrection|mistaken?|second thought|[Rr]e-?(?:check|consider|think|read)\w*|[Ss]orry|[Oo]ops)\b"
)
TURNS = re.compile(r"(?:但|不过|然而|可是|其实|实际上|而我|\b[Bb]ut\b|[Hh]owever|\b[Nn]o,)[^。；;\n]{0,30}\Z")
DOUBT = re.compile(
    r"不(?:太|是很|大|能|敢|可)?(?:确定|肯定)|无法(?:判断|确定|断定|得出|确认)|难以(?:判断|确定)|没有?(?:十足的?)?把握|not (?:entirely |quite |completely )?(?:sure|certain)|unsure|uncertain|拿不准|说不准|不好说"
)
MAYBE = re.compile(r"(?<!最)(?<!最有)可能|也许|或许|大概|似乎|估计|猜|maybe|probably|might|perhaps|possibl|guess")
NO_ANSWER = re.compile(r"(?:无法|不能|难以|没法)(?:判断|确定|断定|得出|选择|作答|回答|给出)[^。\n]*[。.]?\s*\Z")
DECLINES = re.compile(r"抱歉|对不起|无法|不能|不便|不会|不知|不清楚|[Ss]orry|cannot|can't|unable|not able")


class Found:
    """What was found: letters as shown, or none; the rule; and all of its sides."""

    __slots__ = ("letters", "rule", "said")

    def __init__(self, letters: str, rule: str, said: Sequence[Said] = ()) -> None:
        self.letters, self.rule, self.said = letters, rule, said


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
    if (sooner := plain(text, question.texts)) and LETTERS.index(sooner[0]) < len(options):
        return answer(*sooner)
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
        text = cut(before_next(text), question)
    said = whole(text, question, several=several)
    if said:
        return _checked([said], question, several=several)
    if ("选" in text or ">" in text or "<" in text or "＞" in text) and RANKED.search(text):
        return Found("", "several")
    found = _agreed(text, _commitments(text, question, several=several))
    if found is None:
        return REFUSAL if DECLINES.search(text) and refused(text) else NOTHING
    if found.letters:
        if found.rule == "holding" and WRONG.search(text):  # 正确的有A、B；错误的是C: nobody knows what was asked
            return Found("", "several", found.said)
        if DECLINES.search(text) and refused(text):
            return REFUSAL
        if _doubted(text, found.said[-1]):
            return Found("", "hedge", found.said)
        return _checked(found.said, question, several=several)
    return found


def _commitments(text: str, question: Question, *, several: bool) -> list[Said]:
    found = list(lines(text, question))
    for cue in cues(text):
        said = announced(text, cue, question)
        if said is None and cue.kind in older.QUALIFIABLE:
            said = behind_text(text, cue.start, cue.end, question)
        if said:
            found.append(_weighed(text, cue, said))
    found += verdicts(text, question, several=several)
    found += ending(text, question)
    many = [said for said in found if len(said.letters) > 1]
    if many:
        found = [said for said in found if not _inside_another(said, many)]
    return sorted(found, key=lambda said: (said.end, said.start))


def _inside_another(said: Said, many: Sequence[Said]) -> bool:
    """Say whether it is a part of what another says: 选项C是正确答案 in 选项A、选项C是正确答案."""
    return any(
        other.start <= said.start and said.end <= other.end and len(other.letters) > len(said.letters) > 0
        for other in many
    )


def _weighed(text: str, cue: Cue, said: Said) -> Said:
    """Give way where it is said in passing: by another, of another case, before the conclusion."""
    if not said.weight or said.rule == "named":
        return said
    start = cue.start
    before = text[max(0, start - older.FAR_BEFORE) : start]
    if OTHERS.search(before) or OTHER_CASE.search(before):
        return said._replace(weight=BARE)
    if cue.kind == "choose" and OF_THOSE.match(text, said.end):
        return said._replace(weight=BARE)
    if cue.kind in EXPLICIT_KINDS or OWN.search(before) or older.CONCLUDES.search(before):
        return said
    if cue.kind == "choose" and (OF_THE_QUESTION.search(before) or AFTER_REASONS.search(before)):
        return said
    if CORRECTS.search(text, max(0, start - 20), start):
        return said
    return said._replace(weight=BARE)


def _agreed(text: str, said: list[Said]) -> Found | None:
    """Take what all of the weightiest say, after the last correction."""
    weight = max((one.weight for one in said), default=0)
    if not weight:
        return Found("", said[-1].rule, said[-1:]) if said else None
    pool = [one for one in said if one.weight == weight]
    last = pool[-1]
    agreeing = [last]
    for place in range(len(pool) - 2, -1, -1):
        if _meaning(pool[place]) != _meaning(last):
            after, following = pool[place].end, pool[place + 1]
            if CORRECTS.search(text, after, following.end) or TURNS.search(text[after : following.start]):
                break
            return Found("", "contradiction", pool)
        agreeing.append(pool[place])
    return Found(last.letters, last.rule, agreeing[::-1])


def _meaning(said: Said) -> str:
    return said.letters or said.rule


def _doubted(text: str, said: Said) -> bool:
    if not DOUBT.search(text):
        return False
    if said.weight == BARE:
        return True
    around = text[max(0, said.start - 8) : said.end]
    return MAYBE.search(around) is not None or NO_ANSWER.search(text, said.end) is not None


def _checked(said: Sequence[Said], question: Question, *, several: bool) -> Found:
    letters, rule = said[-1].letters, said[-1].rule
    if not letters:
        return Found("", rule, said)
    if any(LETTERS.index(letter) >= len(question.order) for letter in letters):
        return Found("", "several" if len(letters) > 1 and not several else NO_SUCH_LABEL, said)
    if len(letters) > 1 and not several:
        return Found("", "several", said)
    return Found(letters, rule, said)
