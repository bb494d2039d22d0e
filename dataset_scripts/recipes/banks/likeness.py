"""Which questions say the same in other words."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from medzh_score.text.folding import fold

ALIKE = 0.4  # of the pairs of characters that either question has; in a test set none but twins share over 0.3


@dataclass
class Seen:
    """The questions of a build so far, by their answer."""

    _pairs: dict[str, list[frozenset[str]]] = field(default_factory=lambda: defaultdict(list))

    def is_like_one(self, text: str, answer: str) -> bool:
        """Say whether a question before, with the same answer, shares most of its pairs of characters."""
        pairs = _pairs(text)
        return any(len(pairs & other) >= ALIKE * len(pairs | other) for other in self._pairs[fold(answer)])

    def add(self, text: str, answer: str) -> None:
        """Take a question down."""
        self._pairs[fold(answer)].append(_pairs(text))


def _pairs(text: str) -> frozenset[str]:
    folded = fold(text)
    return frozenset(folded[place : place + 2] for place in range(len(folded) - 1))
