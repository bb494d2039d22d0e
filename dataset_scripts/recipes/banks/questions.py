"""A question of a bank, and why a row of a bank is none that could be asked and scored."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dataset_scripts.files.digests import content_digest
from medzh_score.text.folding import fold

LETTERS = "ABCDE"
DAMAGED = "damaged"
# Control characters but tab and line ends, the sign for a lost character, private use, and Kangxi radicals.
DAMAGE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd\ue000-\uf8ff\u2f00-\u2fd5]")
# Why a row is no question that could be asked and scored; the columns of the report, in order.
REASONS = {
    "no text": "nothing is asked",
    "no options": "the source has none, or lost them",
    "lettering": "the letters of the options do not run from A without a gap, or there are not two to five options",
    "empty option": "an option has no text",
    "equal options": "two options are the same",
    "no answer": "the source has none, or something else in its place",
    "answer without option": "a right letter is none of the options",
    DAMAGED: "it holds a control, replacement or private-use character, or a Kangxi radical",
    "link": "an address stands where the answer should",
}


@dataclass(frozen=True)
class Question:
    """A question of a bank."""

    source: str
    text: str  # what is asked
    answer: str  # the right letters in order, or the reference answer
    options: tuple[str, ...] = ()  # without letters; empty where the question is open
    key: str = ""  # what the source calls it; empty where it has no name
    spare: int = 0  # how many other wordings and answers its row has

    @property
    def digest(self) -> str:
        """Ten hex digits of the SHA-256 of question and options, spaces and compatibility forms folded."""
        return content_digest([fold(self.text), [fold(option) for option in self.options]])

    @property
    def damaged(self) -> bool:
        """Whether a text of it holds a character that no sound text has."""
        return DAMAGE.search("\n".join([self.text, self.answer, *self.options])) is not None

    @property
    def identity(self) -> tuple[str, ...]:
        """The question and what its right options say: equal where two banks have the same question.

        One of them may have dropped or reordered wrong options. An open question is told by its text alone.
        """
        right = [option for letter, option in zip(LETTERS, self.options, strict=False) if letter in self.answer]
        return (fold(self.text), *sorted(map(fold, right)))
