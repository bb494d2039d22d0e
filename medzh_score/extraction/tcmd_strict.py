"""TCMD's ``strict-1`` rule: the last answer that a response commits itself to, mapped back to the record's options."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from medzh_score.config import Answer, answer
from medzh_score.extraction.option_texts import OptionTexts
from medzh_score.extraction.option_wordings import LETTERS
from medzh_score.extraction.preparation import prepared
from medzh_score.extraction.tcmd_choice import Question
from medzh_score.extraction.tcmd_groups import choices
from medzh_score.extraction.tcmd_question import chosen
from medzh_score.variants import Variants, order_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from medzh_score.extraction.tcmd_choice import Choice
    from medzh_score.variants import Order


@dataclass(frozen=True)
class Part:
    """A question as the rule needs it.

    Attributes
    ----------
    options : tuple of str
        The texts, in the record's order.
    """

    options: tuple[str, ...]

    @cached_property
    def texts(self) -> OptionTexts:
        """The options, ready to be looked for."""
        return OptionTexts(self.options)


@dataclass(frozen=True)
class Side:
    """What was asked.

    Attributes
    ----------
    parts : tuple of Part
        The sub-questions; one where a question is asked alone.
    largest : int
        The most options of any part of the group, which variants are numbered by.
    """

    parts: tuple[Part, ...]
    largest: int

    @cached_property
    def alone(self) -> Part | None:
        """The part, where it is asked alone."""
        return self.parts[0] if len(self.parts) == 1 else None

    @cached_property
    def orders(self) -> Mapping[int, Order]:
        """What each variant shows of the first part."""
        size = len(self.parts[0].options)
        variants = Variants(self.largest, shifts_only=size < self.largest)
        return {variant: order_of(variant, size, self.largest) for variant in variants.numbers}

    def questions(self, variant: int) -> tuple[Question, ...]:
        """Give the parts as a variant shows them.

        Parameters
        ----------
        variant : int
            Its number.
        """
        shown = self._shown.get(variant)
        if shown is None:
            orders = [order_of(variant, len(part.options), self.largest) for part in self.parts]
            shown = tuple(Question(part.texts, order) for part, order in zip(self.parts, orders, strict=True))
            self._shown[variant] = shown
        return shown

    @cached_property
    def _shown(self) -> dict[int, tuple[Question, ...]]:
        return {}


Told = tuple[tuple[Answer], ...]  # the answers that name one position, by the original option that stands there


def _told(rule: str) -> tuple[Told, ...]:
    return tuple(tuple((answer(option, rule, shown),) for option in LETTERS) for shown in LETTERS)


UNFINISHED = answer(None, "unfinished thinking")
PLACES = {letter: place for place, letter in enumerate(LETTERS)}
MARKED, LABELLED = _told("marker"), _told("label")
# The two forms that most predictions have; what they say is what the rule says, only sooner.
AT_LABEL_END = r"(?:[.]?\s*+\Z|(?=[。，]|\n(?!\s|不对|不正确|错|有误|的?[格形样]式)))"
PLAIN = re.compile(
    r"\s*+(?:"
    rf"(?:【?(?:正确|最佳|参考|标准|本题)?答案】?(?:应?[是为])?[：:]? ?|[应故]?选)([A-E]){AT_LABEL_END}"
    r"|([A-E])(?:[.]?\s*+\Z|(?=。|\n(?!\s|不对|不正确|错|有误|的?[格形样]式)))"
    r")(?![^\0]{0,16}(?:[更修纠]正|改[为选]|应改|不对|错))"  # which may begin a correction: 答案：A，不对
)
# What may change what was read: letters, markers, tags, the opening of a next question.
MORE = re.compile(r"[A-Za-zＡ-Ｚａ-ｚⒶ-ⓩ选選答題题問问户执<\\\r]")
# A conclusion that ends the response; what stands before it matters only if it announces, supposes or quotes.
CLOSING = re.compile(
    r"(?:(?:[。；！]\n?|\A)(?:因此|所以)?(?:正确|最佳|参考|标准|本题)?答案(?:应?[是为])?[：:]?|[。；！，]\n?故选)"
    r"([A-E])[。.]?\s*+\Z"
)
QUOTED = re.compile(r"[A-Za-zＡ-Ｚａ-ｚⒶ-ⓩ选選答題题問问户执<\\\r例比譬示格形似如按]")
TAIL = 16  # characters in which a closing conclusion stands
COLON = re.compile("[：:]")
SLACK = 8  # characters by which a last line is longer than any option that it could be
PAIRS = re.compile(
    r"\s*+1[.、:：)）]?\s?([A-E])[\s,，;；]++2[.、:：)）]?\s?([A-E])(?:[\s,，;；]++3[.、:：)）]?\s?([A-E]))?[\s.。]*+\Z"
)


def read(text: str, side: Side, variant: int) -> tuple[Answer, ...]:
    """Read the answers of a response.

    Parameters
    ----------
    text : str
        The response, untouched.
    side : Side
        What was asked.
    variant : int
        The number of the permutation in which options were shown.

    Returns
    -------
    tuple of Answer
        One a part. The value is the letter of the record's option, the note that of the position at which it was
        shown. Where there is none, the rule says why: ``empty``, ``unfinished thinking``, ``several``,
        ``no such label``, ``contradiction`` (a label with another option's text), ``negated``, ``supposed`` (as in
        如果选A), ``example`` (as in 格式为“答案：A”), ``not given`` (other parts were) or ``nothing found``.

    Examples
    --------
    >>> question = Side((Part(("桂枝", "麻黄", "杏仁")),), largest=3)
    >>> read("君药是麻黄，故选A。", question, 2)
    (Answer(value='B', rule='marker', note='A'),)
    """
    part = side.alone
    if part is None:
        return _of_group(text, side, variant)
    plain = _plain(text, part)
    if plain:
        place, told = plain
        order = side.orders[variant]
        if place < len(order):
            return told[order[place]]
    spoken = prepared(text)
    if spoken is None:
        return (UNFINISHED,)
    order = side.orders[variant]
    return (_mapped(chosen(spoken, Question(part.texts, order)), order),)


def _plain(text: str, part: Part) -> tuple[int, Told] | None:
    """Read the forms that most predictions have: the position, and its answers by original option.

    None where the whole rule is needed.
    """
    found = PLAIN.match(text)
    if found:
        if MORE.search(text, found.end()) or ("\n" in text and not _ends_in_prose(text, found.end(), part)):
            return None
        place = PLACES[found[found.lastindex or 0]]
        if found.lastindex == 1:
            return place, MARKED[place]
        return None if part.texts.may_begin(text, found.end() + 1) else (place, LABELLED[place])
    found = CLOSING.search(text, max(0, len(text) - TAIL))
    if found and not QUOTED.search(text, 0, found.start()):
        place = PLACES[found[1]]
        return place, MARKED[place]
    return None


def _ends_in_prose(text: str, start: int, part: Part) -> bool:
    """Say whether the last line, if there are several, is no option's text, by its length or its beginning."""
    last = text.rfind("\n", start)
    if last < 0 or len(text) - last > part.texts.reach + SLACK:
        return True
    # 解：桂枝汤 may announce an option, too.
    return last + 1 < len(text) and not part.texts.may_begin(text, last + 1) and not COLON.search(text, last)


def _of_group(text: str, side: Side, variant: int) -> tuple[Answer, ...]:
    orders = [order_of(variant, len(part.options), side.largest) for part in side.parts]
    pairs = PAIRS.match(text)
    if pairs and (letters := [letter for letter in pairs.groups() if letter]) and len(letters) == len(orders):
        shown = [LETTERS.index(letter) for letter in letters]
        if all(place < len(order) for place, order in zip(shown, orders, strict=True)):
            return tuple(
                answer(LETTERS[order[place]], "numbered", LETTERS[place])
                for place, order in zip(shown, orders, strict=True)
            )
    spoken = prepared(text)
    if spoken is None:
        return (UNFINISHED,) * len(orders)
    questions = [Question(part.texts, order) for part, order in zip(side.parts, orders, strict=True)]
    return tuple(map(_mapped, choices(spoken, questions), orders))


def _mapped(choice: Choice, order: Order) -> Answer:
    """Name the record's option that was shown where the model chose."""
    if choice.shown is None:
        return answer(None, choice.rule)
    return answer(LETTERS[order[choice.shown]], choice.rule, LETTERS[choice.shown])
