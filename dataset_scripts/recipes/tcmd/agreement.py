"""Whether the words of a question speak for the subject that a rule gave it, by those of all other questions."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dataset_scripts.recipes.tcmd.groups import Group

FEWEST = 100  # groups of a subject, from which on its words are known; smaller ones are not judged and no rivals
# Times as likely as in any other: of 500 groups that were read those below were 4 of the 8 with a wrong subject, most
# of the doubtful ones (diagnostics or internal medicine?) and 60 others.
SURE = 3_000
WEIGHT = 20  # groups' worth of all subjects' words that each subject's are smoothed with
PAIR = 2  # characters


def in_doubt(groups: Sequence[Group]) -> set[int]:
    """Find, by their places, groups whose pairs of characters are not much likelier in their subject than in another.

    A naive Bayes of pairs of characters, each group held against all the others, and against those of all subjects
    together.
    """
    words = [_pairs(group) for group in groups]
    sizes = Counter(group.subject for group in groups)
    known = sorted(subject for subject, size in sizes.items() if size >= FEWEST)
    by_subject: dict[str, Counter[str]] = defaultdict(Counter)
    everywhere: Counter[str] = Counter()
    for group, pairs in zip(groups, words, strict=True):
        by_subject[group.subject].update(pairs)
        everywhere.update(pairs)
    doubtful = set()
    for place, (group, pairs) in enumerate(zip(groups, words, strict=True)):
        if group.subject not in known:
            continue
        shared = {pair: (everywhere[pair] - 1) / (len(groups) - 1) for pair in sorted(pairs) if everywhere[pair] > 1}
        scores = {
            subject: _likelihood(shared, by_subject[subject], sizes[subject], own=subject == group.subject)
            for subject in known
        }
        rivals = [score for subject, score in scores.items() if subject != group.subject]
        if scores[group.subject] < max(*rivals, sum(map(math.log, shared.values()))) + math.log(SURE):
            doubtful.add(place)
    return doubtful


def _likelihood(shared: dict[str, float], counts: Counter[str], size: int, *, own: bool) -> float:
    """Give the logarithm of how likely these pairs are in a subject, the group itself left out of its own."""
    scale = size - own + WEIGHT
    return sum(math.log((counts[pair] - own + WEIGHT * share) / scale) for pair, share in shared.items())


def _pairs(group: Group) -> set[str]:
    options = group.parts[0].options
    texts = [group.stem or "", *(part.question for part in group.parts), *options]
    return {text[at : at + PAIR] for text in map(fold, texts) for at in range(len(text) - PAIR + 1)}
