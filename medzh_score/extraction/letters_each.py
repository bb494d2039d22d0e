"""Options that a response judges one by one, as in A项不符合；B项符合；C项不符合, where it says no more than that."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.extraction.letters_said import BARE, EXPLICIT, Said
from medzh_score.extraction.option_wordings import LETTERS

if TYPE_CHECKING:
    from medzh_score.extraction.tcmd_choice import Question

# Where an item begins: a label at the head of a line or of a sentence, and what sets it off.
ITEM = re.compile(
    r"(?:\A|(?<=[\n。；;]))[^\S\n]*(?:选项)?([A-H])(?![A-Za-z0-9])(?:选?项)?(?![、和与及或/]\s*[A-H](?![A-Za-z0-9]))"
)
# What an item ends with. 选 and 符合 are said of what is chosen; 正确 of a statement, whatever was asked.
CHOSEN = re.compile(
    r"(?<![不未非勿可])(?:(?:最|完全|基本|正好|恰好)?(?:符合|相符|吻合)(?:本[例题证方]|题意|题干|要求|此证|该证|患者|病机|描述)*"
    r"|(?:应|故|当|入|可)?选|最(?:合适|恰当|佳|适合))[。；;，.!！]?\s*\Z"
)
LEFT = re.compile(
    r"(?:不(?:太|完全|甚|大)?(?:符合|相符|吻合|合适|适合|选|考虑|宜选|应选|可选|予考虑)(?:本[例题证方]|题意|题干|要求|此证|该证|患者|病机|描述)*"
    r"|不符|(?<![不未])(?<!不[能可应宜])(?<!不可以)(?<!无法)(?<!难以)排除)[。；;，.!！]?\s*\Z"
)
RIGHT = re.compile(r"(?<![不未非])(?:(?:是|说法|叙述|描述)?(?:正确|对)的?|√)[。；;，.!！]?\s*\Z")
WRONG = re.compile(r"(?:(?<!没有)(?<!没)错误?的?|不正确|不对|有误|×)[。；;，.!！]?\s*\Z")
FIRST = re.compile(r"[是为]?(对|错误?|正确|不对|不正确|√|×)的?[，,：:。]\s*")
IS_A = re.compile(r"(?:是|为|属|系)")
FEWEST = 3  # options that are dismissed, of which the one that remains is the choice
SUMMED_UP = re.compile(r"(?:综上|因此|所以|总之|答案|故(?!选?[。；;]))")


class _Judged(NamedTuple):
    """An option and what was said of it: chosen, or right."""

    letter: str
    taken: bool
    choosing: bool


def each(text: str, question: Question, *, several: bool) -> Said | None:
    """Read what is left where every option is judged in turn, and no more is said.

    Parameters
    ----------
    text : str
        A prepared response.
    question : Question
        What was asked.
    several : bool
        Whether several options may be right.

    Returns
    -------
    Said or None
        Where one may be right, the only one that is chosen, or called right, while all others are not; where several
        may be, those that are chosen by words of choosing: what is called right is not always what was asked for.
        None where an option is not judged, or judged twice.
    """
    if LETTERS[len(question.order) - 1] not in text or ("A" not in text and (several or "排除" not in text)):
        return None
    items = list(ITEM.finditer(text))
    if "A" not in text or len(items) != len(question.order):
        return None if several else _remaining(text, items, question)
    if "".join(item[1] for item in items) != LETTERS[: len(items)]:
        return None
    ends = [*(item.start() for item in items[1:]), len(text)]
    if closing := SUMMED_UP.search(text, items[-1].end()):
        ends[-1] = closing.start()
    bodies = [text[item.end() : end].rstrip() for item, end in zip(items, ends, strict=True)]
    judged = [_judged(item[1], body) for item, body in zip(items, bodies, strict=True)]
    if several and None in judged:
        judged = [_first(item[1], body, question) for item, body in zip(items, bodies, strict=True)]
    taken = "".join(one.letter for one in judged if one and one.taken)
    if None in judged or not taken or (len(taken) > 1 and not several):
        return None
    choosing = all(one and one.choosing for one in judged)
    if several and not choosing:
        return None
    return Said(taken, "each", items[0].start(), ends[-1], EXPLICIT if choosing else BARE)


def _first(letter: str, body: str, question: Question) -> _Judged | None:
    """Read what is judged first and explained by what the option is: A对，美托洛尔是…; so it is no statement."""
    found = FIRST.match(body)
    own = question.own(letter)
    name = question.texts.texts[own].strip() if own is not None else ""
    if (
        found is None
        or not name
        or not IS_A.match(body[found.end() :].removeprefix(name))
        or (not body.startswith(name, found.end()))
    ):
        return None
    return _Judged(letter, taken=found[1] in {"对", "正确", "√"}, choosing=True)


def _remaining(text: str, items: list[re.Match[str]], question: Question) -> Said | None:
    """Read the only option, not the last, that is not dismissed by words of choosing, where every other is."""
    shown = LETTERS[: len(question.order)]
    left = [letter for letter in shown if all(item[1] != letter for item in items)]
    if len(items) != len(shown) - 1 or len(items) < FEWEST or len(left) != 1 or left[0] == shown[-1]:
        return None
    ends = [*(item.start() for item in items[1:]), len(text)]
    dismissed = all(LEFT.search(text[item.end() : end].rstrip()) for item, end in zip(items, ends, strict=True))
    if not dismissed or [item[1] for item in items] != sorted(item[1] for item in items) or left[0] in text:
        return None
    return Said(left[0], "each", items[0].start(), len(text), BARE)


def _judged(letter: str, body: str) -> _Judged | None:
    if LEFT.search(body):
        return _Judged(letter, taken=False, choosing=True)
    if CHOSEN.search(body):
        return _Judged(letter, taken=True, choosing=True)
    if WRONG.search(body):
        return _Judged(letter, taken=False, choosing=False)
    return _Judged(letter, taken=True, choosing=False) if RIGHT.search(body) else None
