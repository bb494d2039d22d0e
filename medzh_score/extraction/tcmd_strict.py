"""TCMD's ``strict-1`` rule: the last answer that a response commits itself to, mapped back to the record's options."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from medzh_score.config import answer
from medzh_score.extraction.option_texts import OptionTexts
from medzh_score.extraction.option_wordings import LETTERS
from medzh_score.extraction.preparation import prepared
from medzh_score.extraction.tcmd_choice import Question
from medzh_score.extraction.tcmd_groups import choices
from medzh_score.extraction.tcmd_question import chosen
from medzh_score.variants import order_of

if TYPE_CHECKING:
    from medzh_score.config import Answer
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


UNFINISHED = answer(None, "unfinished thinking")
# The two forms that most predictions have; what they say is what the rule says, only sooner.
PLAIN = re.compile(
    r"\s*+(?:"
    r"(?:【?(?:正确|最佳|参考|标准|本题)?答案】?(?:应?[是为])?[：:]? ?|[应故]?选)([A-E])(?:[.]?\s*+\Z|(?=[。，]))"
    r"|([A-E])(?:[.]?\s*+\Z|(?=。)))"
)
MORE = re.compile(r"[A-Za-zＡ-Ｚａ-ｚⒶ-ⓩ选選答<\\\n\r]")
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
    parts = side.parts
    if len(parts) > 1:
        return _of_group(text, side, variant)
    size = len(parts[0].options)
    order = order_of(variant, size, side.largest)
    plain = PLAIN.match(text)
    if plain and not MORE.search(text, plain.end()):
        letter = plain[1] or plain[2]
        shown = LETTERS.index(letter)
        if shown < size:
            return (answer(LETTERS[order[shown]], "marker" if plain[1] else "label", letter),)
    spoken = prepared(text)
    if spoken is None:
        return (UNFINISHED,)
    return (_mapped(chosen(spoken, Question(parts[0].texts, order)), order),)


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
