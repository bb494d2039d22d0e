"""Which solved questions of the train split stand before a TCMD question: the most similar by BM25."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.columns import pick
from medzh_score.configs.tcmd.questions import grouped
from medzh_score.messages.errors import MedzhError
from medzh_score.text.bm25 import Index, bm25_index, top
from medzh_score.text.tokens import TOKENS, Tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.asking import Asking
    from medzh_score.configs.tcmd.questions import Group

PAPER, SAME_TYPE = "paper", "same-type"
ICL = (PAPER, SAME_TYPE)


@dataclass(frozen=True, eq=False)
class Library:
    """The groups of the train split by id, ready to be searched: of equal scores the lower id comes first.

    ``places`` says which groups ask a question, by its text in one width and without white space. With ``icl``
    ``paper`` the most similar of all come first; with ``same-type`` those of the same type before others, and the most
    similar last, next to the question.
    """

    groups: tuple[Group, ...]
    index: Index
    kinds: NDArray[np.str_]
    places: Mapping[str, Sequence[int]]
    tokens: Tokens
    shots: int
    icl: str

    def examples(self, asked: Group, whole: Group) -> tuple[int, ...]:
        """Find the examples for a question."""
        others = np.ones(len(self.groups), bool)
        others[[place for question in whole.questions for place in self.places.get(question, ())]] = False
        if others.sum() < self.shots:
            raise MedzhError(
                "the train split has too few other questions",
                field="--shots",
                expected=f"at most {others.sum()}",
                found=self.shots,
            )
        query = self.tokens.cut(asked.text)
        if self.icl == PAPER:
            return tuple(top(self.index, query, self.shots, others).tolist())
        same = self.kinds == asked.kind
        best = [int(place) for kind in (same, ~same) for place in top(self.index, query, self.shots, others & kind)]
        return tuple(reversed(best[: self.shots]))


def library(asking: Asking) -> Library:
    """Make the train split ready to be searched."""
    if asking.icl not in ICL:
        raise MedzhError("there is none of that name", field="--icl", expected=", ".join(ICL), found=asking.icl)
    tokens = pick("--tokens", TOKENS, asking.tokens)
    groups = tuple(group for _, group in sorted(grouped(asking.train).items()))
    places: dict[str, list[int]] = {}
    for place, group in enumerate(groups):
        for question in group.questions:
            places.setdefault(question, []).append(place)
    index = bm25_index([tokens.cut(group.text) for group in groups])
    kinds = np.array([group.kind for group in groups])
    return Library(groups, index, kinds, places, tokens, asking.shots, asking.icl)
