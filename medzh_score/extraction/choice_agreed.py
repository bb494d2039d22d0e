"""PeMeBench's choice sets by ``strict-2``: the options on which all that a response commits itself to agrees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.extraction import option_letters

if TYPE_CHECKING:
    from medzh_score.config import Answer
    from medzh_score.extraction.choice_side import ChoiceSide
    from medzh_score.extraction.reading import Reading


def read(text: str, side: ChoiceSide) -> Answer:
    """Read the options that a response commits itself to, one or several.

    Parameters
    ----------
    text : str
        The response, untouched.
    side : ChoiceSide
        What was asked.

    Returns
    -------
    Answer
        The letters in order, each once; None by a rule of `option_letters.read`.

    Examples
    --------
    >>> from medzh_score.extraction.choice_side import ChoiceSide
    >>> read("小儿易缺钙和锌，故选A和C。", ChoiceSide(("钙", "铁", "锌"))).value
    'AC'
    """
    return option_letters.read(text, side.options, several=True)


def explain(text: str, side: ChoiceSide, _variant: int) -> tuple[Reading]:
    """Read as `read` does, and say from where.

    Parameters
    ----------
    text : str
        The response, untouched.
    side : ChoiceSide
        What was asked.
    _variant : int
        Options are shown in one order.
    """
    return (option_letters.explain(text, side.options, several=True),)
