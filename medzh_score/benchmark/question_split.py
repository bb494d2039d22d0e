"""Questions held out so that no text of theirs stands among the others: what shares a text stays together."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from medzh_score.benchmark.draws import draw_first
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SHARE = 0.2  # of the questions, at least
SEED = 0


def together(texts: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Put questions together that share a text, directly or through others; each group sorted, by their first ids.

    Width, case and white space do not tell texts apart; blank ones are nobody's.

    Examples
    --------
    >>> together({"a": ["麻疹会传染吗？", "麻疹会传染。"], "b": ["", "麻疹会传染。"], "c": ["HIV"], "d": ["hiv"]})
    [['a', 'b'], ['c', 'd']]
    """
    leader = {name: name for name in texts}

    def find(name: str) -> str:
        while leader[name] != name:
            leader[name] = leader[leader[name]]
            name = leader[name]
        return name

    first: dict[str, str] = {}
    for name in sorted(texts):
        for text in texts[name]:
            if folded := fold(text).casefold():
                one, two = sorted((find(name), find(first.setdefault(folded, name))))
                leader[two] = one
    groups: dict[str, list[str]] = {}
    for name in sorted(texts):
        groups.setdefault(find(name), []).append(name)
    return list(groups.values())


def held_out(texts: Mapping[str, Sequence[str]], share: float = SHARE, seed: int = SEED) -> set[str]:
    """Draw the questions of a test set.

    Parameters
    ----------
    texts : mapping of str to sequence of str
        For each id its texts, of which none may stand on both sides.
    share : float
        Between 0 and 1: whole groups are drawn until they hold so many of the questions.
    seed : int
        Of the draw, which is by SHA-256 of seed and the first id of a group.

    Examples
    --------
    >>> len(held_out({str(number): [f"q{number}"] for number in range(10)}))
    2
    """
    groups = together(texts)
    wanted = math.ceil(round(share * len(texts), 9))
    drawn: set[str] = set()
    for group in draw_first(groups, lambda group: group[0], len(groups), seed):
        if len(drawn) >= wanted:
            break
        drawn.update(group)
    return drawn
