"""TCMD: what a response chooses in each question of a group, mapped back from the letters that were shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.benchmark.answers import Reading, Span
from medzh_score.benchmark.prompts import LETTERS
from medzh_score.benchmark.variants import order_of
from medzh_score.extraction.groups import read_groups
from medzh_score.extraction.letters import asks_for_wrong, read_letters
from medzh_score.extraction.vocabulary import expression

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from medzh_score.benchmark.variants import Order


@dataclass(frozen=True)
class SubQuestion:
    """A question: its options in the record's order, and what is asked; empty where it is not known."""

    options: tuple[str, ...]
    question: str = ""

    @cached_property
    def wrong(self) -> bool:
        """Whether it asks for what does not hold."""
        return asks_for_wrong(self.question)


@dataclass(frozen=True)
class GroupContext:
    """The sub-questions that were asked, and the most options of any of the group, which variants are numbered by."""

    parts: tuple[SubQuestion, ...]
    largest: int

    def orders(self, variant: int) -> list[Order]:
        """Give for each part which option a variant shows at each place."""
        return [order_of(variant, len(part.options), self.largest) for part in self.parts]

    def shuffled(self, orders: Sequence[Sequence[int]]) -> GroupContext:
        """Give the options of each part as they were shown, by their places in the record."""
        shown = [
            replace(part, options=tuple(part.options[place] for place in order))
            for part, order in zip(self.parts, orders, strict=True)
        ]
        return replace(self, parts=tuple(shown))


def read(text: str, side: GroupContext, variant: int) -> tuple[Reading, ...]:
    """Read the answers of a response.

    Examples
    --------
    >>> question = GroupContext((SubQuestion(("桂枝", "麻黄", "杏仁")),), largest=3)
    >>> (found,) = read("A。君药是它。", question, 2)
    >>> found.value, found.note
    ('B', 'A')
    """
    parts = side.parts
    if len(parts) == 1:
        part = parts[0]
        order = order_of(variant, len(part.options), side.largest)
        sooner = plain(text, part.options, order)
        if sooner is not None:
            return (sooner,)
        return (_mapped(read_letters(text, _shown(part, order), wrong=part.wrong), order),)
    orders = side.orders(variant)
    shown = [_shown(part, order) for part, order in zip(parts, orders, strict=True)]
    found = read_groups(text, shown, wrong=[part.wrong for part in parts])
    return tuple(_mapped(one, order) for one, order in zip(found, orders, strict=True))


def _shown(part: SubQuestion, order: Order) -> list[str]:
    return [part.options[place] for place in order]


def _mapped(found: Reading, order: Order) -> Reading:
    """Name the record's options that were shown where the model chose."""
    letters = found.value
    if not isinstance(letters, str):
        return found
    own = "".join(sorted(LETTERS[order[LETTERS.index(letter)]] for letter in letters))
    return Reading(own, found.reason, found.spans, found.unambiguous, letters)


_ANSWER = r"(?:【?(?:正确|最佳|参考|标准|本题)?答案】?(?:应?[是为])?[：:]? ?)"
ALONE = expression(
    "plain label alone",
    rf"\A(?:[（(](?P<brackets>[A-Z])[)）]|(?:选|{_ANSWER}|(?:故|应)选)?(?P<label>[A-Z]))[.。]?\s*\Z",
    matches="答案：A",
    misses="A或B",
)
FRONT = expression(
    "plain label in front",
    rf"(?:{_ANSWER}|(?:故|因此|所以)应?选|(?:本题)?应?选)?([A-Z])[。\n]",
    matches="故选C。君药",
    misses="选项C，",
)
# Traditional characters of words that doubt: texts with them are not read here, for `DOUBTS` has the simplified forms.
TRADITIONAL = "問審對檢沒準為無確糾細絕訂試誤說選錯難題"
_BETWEEN = "".join(
    f"{chr(ord(one) + 1)}-{chr(ord(other) - 1)}" for one, other in pairwise(f"\u33ff{TRADITIONAL}\ua000")
)
STRANGE = expression(
    "no plain prose",
    r"[^\n 0-9()\-\u2014\u2018\u2019\u201c\u201d\u2026\u3001-\u301b\uff01\uff08\uff09\uff0c\uff1a\uff1b"
    rf"{_BETWEEN}\U00020000-\U0003ffff]",
    matches="無法確定",
    misses="“麻黄”为君药，阳虚不能制阴。",
)
# Words that may take a label back or doubt it, refuse, or begin what others say: then the whole reading is needed.
DOUBTS = expression(
    "plain doubts",
    # Each begins with a literal character, which is fast.
    "题目|问题|试题|格式|示例|例如|比如|假设|如果|不太[确肯]|不是很[确肯]|不大[确肯]|不敢|不可[确肯]|不确|不肯|不好说|没把|没有把|没有十|没十"
    "|拿不准|说不准|错误|错了|错的|有误|不对|不正确|不能(?:[确肯判断得给]|选择|作答|回答)|无法|难以|没法|抱歉|对不起|拒绝|不便|不知道"
    "|更正|修正|纠正|订正|改[为选成]|应改|重新|再[看想查思次检审核]|仔细|等一?下|等等|答案|选",
    matches="不对，应为麻黄",
    misses="阳虚不能制阴，麻黄为君药。",
)
MOST = 12  # characters of a text that is a label alone, and before which one in front ends
NOTHING = Reading(None, "nothing")


def plain(text: str, options: Sequence[str], order: Order) -> Reading | None:
    """Read a label alone, or before plain words, or plain words that name no option; None where more must be read.

    Examples
    --------
    >>> options = ("桂枝", "麻黄")
    >>> plain("答案：A。君药是它。", options, (1, 0)).value, plain("A。错了，是麻黄。", options, (1, 0))
    ('B', None)
    """
    if len(text) <= MOST and (label := _alone(text)) is not None and label.place < len(order):
        return label.readings[order[label.place]]
    head, stop, _ = text[:MOST].partition("。")
    if "\n" in head:
        head, stop, _ = head.partition("\n")
    label = _front(head + stop) if stop else None
    found = None if label is None or label.place >= len(order) else label.readings[order[label.place]]
    end = 0 if found is None else len(head) + 1
    if STRANGE.pattern.search(text, end) or DOUBTS.pattern.search(text, end):
        return None
    if found is not None:
        return found
    return None if not text or text.isspace() or any(option in text for option in options) else NOTHING


class _Label(NamedTuple):
    """A label in a text: its place in the alphabet, and its reading for each option that may have been shown there."""

    place: int
    readings: tuple[Reading, ...]


@lru_cache(maxsize=1 << 12)
def _alone(text: str) -> _Label | None:
    match = ALONE.pattern.match(text)
    return None if match is None else _label(match, match.lastgroup or 0)


@lru_cache(maxsize=1 << 12)
def _front(head: str) -> _Label | None:
    match = FRONT.pattern.fullmatch(head)
    return None if match is None else _label(match, 1)


def _label(match: re.Match[str], group: int | str) -> _Label:
    shown, spans = match[group], (Span(*match.span(group)),)
    lead = match.string[: match.start(group)]
    bare = "bracket at the end" if lead else "opening" if group == 1 and match[0].endswith("。") else "alone"
    pattern = "answer" if "答案" in lead else "choice" if "选" in lead else bare
    return _Label(
        LETTERS.index(shown),
        tuple(Reading(letter, pattern, spans, True, shown) for letter in LETTERS),  # noqa: FBT003
    )
