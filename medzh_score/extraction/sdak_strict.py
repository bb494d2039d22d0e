"""SDAK's ``strict-1`` rule: the verdict must be what the first clause of the response says.

The paper wants the answer "at the start of its response" and leaves open how far that reaches, which synonyms count
and what a hedge is. Here the first clause decides, by the longest verdict word at its end.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from medzh_score.config import answer
from medzh_score.extraction.reading import Reading, Span

if TYPE_CHECKING:
    from medzh_score.config import Answer
    from medzh_score.extraction.sdak_reason import ClaimSide

CLAUSE_LENGTH = 10
LONGEST_CLAUSE = 20  # what is looked at: the ten characters and what may follow a verdict word

CORRECT_WORDS = ("没有错误", "正确", "属实", "无误", "没错")
INCORRECT_WORDS = ("不完全正确", "不正确", "不准确", "不属实", "不成立", "错误", "不对", "有误")
CORRECT_CLAUSES = ("对", "对的", "是", "是的")
INCORRECT_CLAUSES = ("不是", "不是的", "否")
HEDGES = ("无法", "不能", "不确定", "不一定", "未必", "部分", "与否", "是否", "不太", "是不是", "对不对", "正不正确")

_FIRST_CLAUSE = re.compile(
    r"(?:\s|[\"'“”‘’「」『』《》〈〉【】\[\]`]"  # space and quotes
    r"|[-*•·●○▪#>]+|[(（]?\d{1,2}[.、)）．:：]|[①-⑩]"  # list marks
    r"|(?:回答|答案)(?:是|为)?\s*[:：]?)*"  # a label
    rf"([^。，；：！\n.,;:!]{{0,{LONGEST_CLAUSE}}})"  # the clause, up to a stop mark
)
_VERDICT = re.compile("|".join(sorted((*CORRECT_WORDS, *INCORRECT_WORDS), key=len, reverse=True)))
_TAIL = re.compile(r"(?:的说法|的观点|的|了)?[\s\"'“”‘’」』》】\]`]*$")
_NOT_BEFORE = re.compile(r"不是(?:完全|很|十分|非常)?$")
_NEGATED_BEFORE = re.compile(
    r"(?:不是|不能说|不能算|不算|不可能|并非|没有|绝非|不|非|没|未|无)(?:什么|任何|完全|是|说|有)*$"
)
# Words with a negation character in them that negate no verdict.
HARMLESS = (
    "非常",
    "毫无疑问",
    "毫无疑义",
    "毫无保留",
    "无疑",
    "没问题",
    "不孕",
    "不育",
    "不良",
    "不仅",
    "不但",
    "非处方",
)
_HARMLESS = re.compile("|".join(HARMLESS))
_PASSED_OVER = re.compile(
    "|".join(sorted((*HARMLESS, *HEDGES, *CORRECT_WORDS, *INCORRECT_WORDS), key=len, reverse=True))
)
_NEGATION = re.compile(r"[不没无未非]")

NOTHING = answer(None, "nothing")
EMPTY = answer(None, "empty")
HEDGE = answer(None, "hedge")
NEGATION = answer(None, "negation")
CONTRADICTION = answer(None, "contradiction")


def read(text: str, side: ClaimSide) -> Answer:
    """Read the verdict of the first clause.

    Spaces, quotes, list marks and a leading 回答 or 答案 are passed over. The clause ends at the first stop mark. A
    verdict word must end within the first ten characters and close the clause (的, 了, 的说法, 的观点 aside); 对, 是,
    不是 and 否 must be the whole clause. The longest word decides, so 不正确 is never "correct"; 不是 before a word for
    "correct" is "incorrect".

    Parameters
    ----------
    text : str
        The prediction, untouched.
    side : ClaimSide
        Which side of its pair the claim is.

    Returns
    -------
    Answer
        ``correct`` or ``incorrect`` with the wording that says so, or None with the rule ``empty``, ``negation`` (a
        negation before the verdict word, such as 不是错误, 没有明显错误 or 不见得正确), ``hedge`` (无法, 不一定 …),
        ``contradiction`` (both) or ``nothing``.

    References
    ----------
    SDAK, section 4.2.2, whose "start of its response" this settles.
    """
    found = _FIRST_CLAUSE.match(text)
    clause = found.group(1) if found else ""
    if not clause:
        return EMPTY if not text or text.isspace() else NOTHING
    answered = _of_clause(clause)
    return side.noted(answered, text) if side.counterfactual else answered


def explain(text: str, side: ClaimSide) -> Reading:
    """Say where a verdict was read.

    Parameters
    ----------
    text : str
        The prediction, untouched.
    side : ClaimSide
        Which side of its pair the claim is.

    Returns
    -------
    Reading
        As `read` gives it, with the verdict word; where there is none for a hedge, a negation or a contradiction, with
        the words that make it, or the clause.

    Examples
    --------
    >>> from medzh_score.extraction.sdak_reason import FACTUAL
    >>> explain("回答：不是正确的。", FACTUAL)
    Reading(value='incorrect', rule='不是…正确', spans=(Span(start=3, end=7),))
    """
    answered = read(text, side)
    found = _FIRST_CLAUSE.match(text)
    if answered.rule in {EMPTY.rule, NOTHING.rule} or found is None:
        return Reading(answered.value, answered.rule)
    first = found.start(1)
    spans = tuple(Span(first + start, first + end) for start, end in _places(found.group(1), answered.rule))
    return Reading(answered.value, answered.rule, spans)


def _places(clause: str, rule: str) -> list[tuple[int, int]]:
    """Find in a clause the words that a rule names."""
    words = [(word.start(), word.end()) for word in _VERDICT.finditer(clause) if word.end() <= CLAUSE_LENGTH]
    if rule.endswith(" as the clause"):
        return [(0, len(rule) - len(" as the clause"))]
    if rule == HEDGE.rule:
        return sorted((clause.index(hedge), clause.index(hedge) + len(hedge)) for hedge in HEDGES if hedge in clause)
    if rule == NEGATION.rule:
        return [(0, max(end for _, end in words))]
    if rule == CONTRADICTION.rule:
        return words
    start, end = words[-1]
    before = _NOT_BEFORE.search(clause, 0, start) if rule.startswith("不是…") else None
    return [(before.start() if before else start, end)]


@lru_cache(maxsize=1 << 16)
def _of_clause(clause: str) -> Answer:
    whole = clause.rstrip().rstrip("\"'“”‘’」』》】]`")
    if whole in CORRECT_CLAUSES:
        return answer("correct", f"{whole} as the clause")
    if whole in INCORRECT_CLAUSES:
        return answer("incorrect", f"{whole} as the clause")
    return _of_words(clause)


def _of_words(clause: str) -> Answer:  # noqa: PLR0911 - one for each way in which a clause ends
    words = [word for word in _VERDICT.finditer(clause) if word.end() <= CLAUSE_LENGTH]
    if any(word.group() in INCORRECT_WORDS and _negated(clause, word.start()) for word in words):
        return NEGATION
    if any(hedge in clause for hedge in HEDGES):
        return HEDGE
    if not words:
        return NOTHING
    if len({word.group() in CORRECT_WORDS for word in words}) > 1:
        return CONTRADICTION
    last = words[-1]
    if not _TAIL.match(clause, last.end()):
        return NOTHING
    if last.group() in INCORRECT_WORDS:
        return answer("incorrect", last.group())
    if _NOT_BEFORE.search(clause, 0, last.start()):
        if not all(_NOT_BEFORE.search(clause, 0, word.start()) for word in words):
            return CONTRADICTION
        return answer("incorrect", f"不是…{last.group()}")
    if _negated(clause, last.start()):
        return NEGATION
    return answer("correct", last.group())


def _negated(clause: str, start: int) -> bool:
    """Say whether a verdict word is negated: right before it, or anywhere before it in the clause."""
    if _NEGATED_BEFORE.search(_HARMLESS.sub("", clause[:start])):
        return True
    return _NEGATION.search(_PASSED_OVER.sub("", clause[:start])) is not None
