"""What the rules of PeMeBench's choice sets need to know of a question."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from medzh_score.extraction.option_texts import OptionTexts
from medzh_score.extraction.option_wordings import LETTERS
from medzh_score.extraction.tcmd_choice import Question

__all__ = ["LETTERS", "ChoiceSide"]


@dataclass(frozen=True)
class ChoiceSide:
    """A question with its options, which are shown as they stand in the record.

    Attributes
    ----------
    options : tuple of str
        The texts, in order.
    """

    options: tuple[str, ...]

    @cached_property
    def question(self) -> Question:
        """The question, ready for what reads single answers."""
        return Question(OptionTexts(self.options), tuple(range(len(self.options))))
