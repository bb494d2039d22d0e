"""A TCMD question as it was shown, and what a response chooses there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.extraction.option_wordings import LETTERS

if TYPE_CHECKING:
    from medzh_score.extraction.option_texts import OptionTexts
    from medzh_score.variants import Order

BINDING = frozenset({"several", "no such label", "contradiction"})


class Choice(NamedTuple):
    """What was chosen.

    Attributes
    ----------
    shown : int or None
        The position, from 0, at which the option was shown to the model; None where none was chosen.
    rule : str
        What found it, or why there is none.
    """

    shown: int | None
    rule: str

    @property
    def binding(self) -> bool:
        """Whether it is a commitment, which replaces earlier ones: also to several options, or to one there is not."""
        return self.shown is not None or self.rule in BINDING


EMPTY = Choice(None, "empty")
NOTHING = Choice(None, "nothing found")
NOT_GIVEN = Choice(None, "not given")
SEVERAL = Choice(None, "several")
NO_SUCH_LABEL = Choice(None, "no such label")
CONTRADICTION = Choice(None, "contradiction")
NEGATED = Choice(None, "negated")


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it was shown.

    Attributes
    ----------
    texts : OptionTexts
        Of its options.
    order : tuple of int
        For each position that was shown, the option of the record.
    """

    texts: OptionTexts
    order: Order

    def labelled(self, letter: str, rule: str) -> Choice:
        """Choose by a label.

        Parameters
        ----------
        letter : str
            The label.
        rule : str
            What found it.
        """
        shown = LETTERS.index(letter.upper())
        return Choice(shown, rule) if shown < len(self.order) else NO_SUCH_LABEL

    def told(self, option: int, rule: str) -> Choice:
        """Choose by an option's text.

        Parameters
        ----------
        option : int
            The number of the option whose text it is.
        rule : str
            What found it.
        """
        return SEVERAL if self.texts.repeated(option) else Choice(self.order.index(option), rule)

    def own(self, letter: str) -> int | None:
        """Give the number of the option that a label names.

        Parameters
        ----------
        letter : str
            The label.

        Returns
        -------
        int or None
            None where the question has no such label.
        """
        shown = LETTERS.index(letter.upper())
        return self.order[shown] if shown < len(self.order) else None
