"""What sentences say of a doctor's answer: that it holds untruths, or that it holds none; in Chinese and English."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.configs.cmhe_hd_words import NO, YES

if TYPE_CHECKING:
    from collections.abc import Iterator

# A clause, with the question mark that ends it: questions say nothing.
CLAUSE = re.compile(
    r"(?:(?!但是?|不过|然而|\b(?:but|however)\b)(?:[^，。；！？\n,;!?：:.]|\.(?!\s|$)))+[？?]?", re.IGNORECASE
)
HEDGE = re.compile(
    r"可能|也许|或许|大概|似乎|好像|疑似|不确定|无法|难以|不能(?:完全)?(?:确定|判断|确认|肯定)|不好说|说不准|未必|不一定|是否|是不是"
    r"|如果|假如|除非|若"
    r"|\b(?:may|might|could|maybe|perhaps|possibly|probably|seem(?:s|ed)?|appears?|likely|unsure|uncertain|unclear"
    r"|cannot|can't|unable|whether|if|depends?|hard to|difficult to|not sure)\b",
    re.IGNORECASE,
)
CONCESSION = re.compile(r"虽然|虽说|尽管|即使|\b(?:although|though|while|even)\b", re.IGNORECASE)
PARTIAL = re.compile(
    r"基本|大部分|大体|总体|整体|部分|一些|某些|有些|\b(?:mostly|largely|partly|partially|some|generally|overall|most)\b",
    re.IGNORECASE,
)
FALSE = re.compile(
    r"不真实|不属实|不实|虚假|误导|错误|不准确|不正确|有误(?!导)|不妥|欠妥|不合理|不恰当|不可靠|幻觉|谬误|(?:存在|有)(?:一些|明显的?|严重的?|很大的?)?问题"
    r"|\b(?:untrue|misleading|false|inaccura\w+|incorrect|misinformation|erroneous|wrong|hallucinat\w+)\b",
    re.IGNORECASE,
)
TRUE = re.compile(
    r"正确|准确|真实|属实|无误|可靠|合理|恰当"
    r"|\b(?:accurate|correct|true|truthful|reliable|appropriate|sound|factual|reasonable)\b",
    re.IGNORECASE,
)
NEGATION = re.compile(
    r"没有?|沒有?|未|无(?!误(?!导)|法)|不(?![仅但只同良适足当少明断管论过准正真属实妥合恰可])|非(?!常|处方)"
    r"|\b(?:no|not(?! only)|without|nothing|none|neither|nor|never|free of)\b|n't\b",
    re.IGNORECASE,
)
HOLDS = re.compile(
    r"包含|包括|含|存在|带有|具有|出现|发现|有|\b(?:contain|include|provide|give|ha[sv]|there|find|found)\w*",
    re.IGNORECASE,
)
NONE_OF_IT = re.compile(
    r"(?:there(?:'s| is| are)\s+)?(?:no|nothing)\s+(?:\w+\s+)?|并?无(?:任何|明显的?)?", re.IGNORECASE
)
SUBJECT = re.compile(
    r"医生|回答|回复|答复|内容|信息|对话|说法|建议|医师|大夫"
    r"|\b(?:answers?|responses?|doctor\S*|reply|replies|advice|dialog\w*|information|it|this|statements?|everything)\b",
    re.IGNORECASE,
)
# What may follow the word where a Chinese clause is said of the answer: 错误的, 误导性信息, not 错误认识.
ENDS = re.compile(
    r"(?:[性的地]|和|或者?|、|以及|与|不真实|不实|虚假|误导|错误|不准确|无误|[有含]|信息|内容|说法|成分|之处|建议|回答|了)*[\"”」』)）\s]*[？?]?$"
)
BUT = re.compile(r"但|不过|然而|\b(?:but|however|except)\b", re.IGNORECASE)


def stated(text: str) -> tuple[set[str], set[str]]:
    """Read what clauses say of the answer as a whole.

    Parameters
    ----------
    text : str
        A response, or a sentence of it, without markup.

    Returns
    -------
    tuple of (set of str, set of str)
        What is said in so many words (it contains something misleading, it contains nothing misleading), and what is
        said of the answer otherwise (it is wrong, it is accurate): ``Yes``, ``No``, both or none. Questions, hedges,
        concessions, what is only partly so and double negations say nothing.

    Examples
    --------
    >>> stated("医生的回答包含误导信息。"), stated("The answer is accurate.")
    (({'Yes'}, set()), (set(), {'No'}))
    >>> stated("医生的回答可能有误导性。")
    (set(), set())
    """
    held: set[str] = set()
    called: set[str] = set()
    for clause in _clauses(text):
        if found := FALSE.search(clause):
            before = clause[: found.start()]
            value = _by_negations(before, YES, NO)
            if (HOLDS.search(before) or NONE_OF_IT.fullmatch(before)) and _ends(clause, found.end()):
                held |= value
            elif SUBJECT.search(before) and _ends(clause, found.end()):
                called |= value
        elif found := TRUE.search(clause):
            before = clause[: found.start()]
            if SUBJECT.search(before) and _ends(clause, found.end()):
                value = _by_negations(before, NO, YES)
                called |= set() if value == {NO} and PARTIAL.search(clause) else value
    return held, called


def hedged(text: str) -> bool:
    """Say whether a text has a word that leaves it open.

    Parameters
    ----------
    text : str
        A response.
    """
    return HEDGE.search(text) is not None


def excepted(sentence: str) -> bool:
    """Say whether a sentence goes on after a "but" to name something false.

    Parameters
    ----------
    sentence : str
        That begins with a verdict.

    Examples
    --------
    >>> excepted("否，但剂量有误"), excepted("否，但不算错误")
    (True, False)
    """
    turn = BUT.search(sentence)
    rest = sentence[turn.end() :] if turn else ""
    found = FALSE.search(rest)
    return found is not None and not NEGATION.search(rest[: found.start()])


def _clauses(text: str) -> Iterator[str]:
    for found in CLAUSE.finditer(text.replace("’", "'")):
        clause = found.group().strip()
        if not clause.endswith(("?", "？")) and not HEDGE.search(clause) and not CONCESSION.search(clause):
            yield clause


def _by_negations(before: str, plain: str, denied: str) -> set[str]:
    count = len(NEGATION.findall(before))
    return {plain} if count == 0 else {denied} if count == 1 else set()


def _ends(clause: str, end: int) -> bool:
    """Say whether a Chinese clause ends with the word, as far as it is about the answer; English ones need not."""
    return clause[end - 1].isascii() or ENDS.match(clause, end) is not None
