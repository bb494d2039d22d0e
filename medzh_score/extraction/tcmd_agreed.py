"""TCMD's ``strict-2`` rule: what all commitments of a response agree on, mapped back to the record's options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.config import answer
from medzh_score.extraction.letters_plain import plain
from medzh_score.extraction.option_letters import UNCLOSED, choose, reading
from medzh_score.extraction.option_wordings import LETTERS
from medzh_score.extraction.preparing import locate, prepare
from medzh_score.extraction.reading import Reading
from medzh_score.extraction.tcmd_agreed_groups import choices_that_agree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.config import Answer
    from medzh_score.extraction.letters_agreed import Found
    from medzh_score.extraction.tcmd_choice import Question
    from medzh_score.extraction.tcmd_strict import Side
    from medzh_score.variants import Order


def read(text: str, side: Side, variant: int) -> tuple[Answer, ...]:
    """Read the answers of a response, each where all that commits itself to one agrees.

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
        shown. Where there is none, the rule says why, as `option_letters.read` names it; ``not given`` of a part
        where other parts were.

    Examples
    --------
    >>> from medzh_score.extraction.tcmd_strict import Part, Side
    >>> question = Side((Part(("桂枝", "麻黄", "杏仁")),), largest=3)
    >>> read("君药是麻黄，故选A。", question, 2)
    (Answer(value='B', rule='conclusion', note='A'),)
    >>> read("A。君药是麻黄，故选B。", question, 2)
    (Answer(value=None, rule='contradiction', note=None),)
    """
    questions = side.questions(variant)
    if len(questions) == 1 and (sooner := plain(text, questions[0])):
        letter, rule = sooner
        return (answer(LETTERS[questions[0].order[LETTERS.index(letter)]], rule, letter),)
    prepared = prepare(text)
    if prepared is None:
        return (answer(None, UNCLOSED),) * len(questions)
    return tuple(
        _mapped(found, question.order) for found, question in zip(_found(prepared, questions), questions, strict=True)
    )


def explain(text: str, side: Side, variant: int) -> tuple[Reading, ...]:
    """Read as `read` does, and say from where.

    Parameters
    ----------
    text : str
        The response, untouched.
    side : Side
        What was asked.
    variant : int
        The number of the permutation in which options were shown.
    """
    questions = side.questions(variant)
    located = locate(text)
    if located is None:
        return (Reading(None, UNCLOSED),) * len(questions)
    found = _found(located.text, questions)
    return tuple(
        reading(one, located)._replace(value=_mapped(one, question.order).value)
        for one, question in zip(found, questions, strict=True)
    )


def _found(text: str, questions: Sequence[Question]) -> list[Found]:
    if len(questions) == 1:
        return [choose(text, questions[0], several=False)]
    return choices_that_agree(text, questions)


def _mapped(found: Found, order: Order) -> Answer:
    """Name the record's option that was shown where the model chose."""
    if not found.letters:
        return answer(None, found.rule)
    return answer(LETTERS[order[LETTERS.index(found.letters)]], found.rule, found.letters)
