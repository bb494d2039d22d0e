"""A caution where answers look as if their variants were numbered otherwise than by rank, and nothing says what was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.layout import Layout
    from medzh_score.predictions.collected import Collected

FEWEST = 100  # answers, below which chance alone may set the identity apart
TIMES = 2  # as often as the others: permuted options cost a model that reads them far less


def notes_on_variants(config: Config, layout: Layout, collected: Collected, rule: str) -> list[str]:
    """Caution where the order as it stands is answered far better than all others, and nothing says what was asked.

    Letters are mapped back by the number of the variant. Where it is another than the rank of the permutation that was
    shown, they are mapped to other options, and all variants but the identity are right by chance alone.
    """
    table = collected.tables[rule]
    if collected.variants_stated or config.right is None or 0 not in table.variants or len(table.variants) == 1:
        return []
    came = right = np.zeros(len(table.variants), np.int64)
    for one in table.by_run():
        there = (table.due[:, np.newaxis] & ~one.missing)[layout.members[:, 0]]
        came = came + there.sum(axis=(0, 1))
        right = right + (config.right(layout, one) & there).sum(axis=(0, 1))
    identity = np.array(table.variants) == 0
    answers, others = int(came[identity].sum()), int(came[~identity].sum())
    if not answers or not others or answers + others < FEWEST:
        return []
    first, rest = right[identity].sum() / answers, right[~identity].sum() / others
    if not first or first < TIMES * rest:
        return []
    return [
        (
            f"Variant 0 is right in {100 * first:.1f} % of {answers} answers, the other variants in {100 * rest:.1f} % "
            f"of {others}, and nothing says which were asked: numbered otherwise than by the rank of the permutation, "
            "they are read wrongly. Name them with --variants, or the prompts file with --prompts."
        )
    ]
