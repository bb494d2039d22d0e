"""SDAK's unit of construction, the pair of claims, and the two records that it becomes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.configs.sdak.prompts import PAPER_1

if TYPE_CHECKING:
    from dataset_scripts.recipe import Record
    from dataset_scripts.recipes.sdak.types import AtomicType

ANSWERS = {"factual": "正确", "counterfactual": "错误"}
LABELS = {"factual": "support", "counterfactual": "refute"}


@dataclass(frozen=True)
class Pair:
    """An item of SDAK: a factual claim and the counterfactual made from it (paper, section 3.2)."""

    kind: AtomicType
    number: int  # within the type upstream, from 1
    factual: str
    counterfactual: str
    # names and values in upstream order: the subject, then, if there is one, the object
    slots: tuple[tuple[str, str], ...]
    # of the two claims, factual first; the same text twice where the source knows only the item
    upstream_keys: tuple[str, str]

    @property
    def pair_id(self) -> str:
        """The id that both records share, from the upstream number."""
        return f"sdak-{self.kind.slug}-{self.number:04d}"


def records_of(pair: Pair, source: str, recipe: str) -> list[Record]:
    """Make the factual and the counterfactual record of a pair."""
    return [
        _record(pair, "factual", source, recipe),
        _record(pair, "counterfactual", source, recipe),
    ]


def _record(pair: Pair, polarity: str, source: str, recipe: str) -> Record:
    claim = pair.factual if polarity == "factual" else pair.counterfactual
    values = [value for _, value in pair.slots]
    return {
        "id": f"{pair.pair_id}-{polarity[0]}",
        "pair_id": pair.pair_id,
        "type": pair.kind.name,
        "type_zh": pair.kind.chinese,
        "polarity": polarity,
        "label": LABELS[polarity],
        "claim": claim,
        "subject": values[0] if values else None,
        "object": values[1] if len(values) > 1 else None,
        "slot_names": [name for name, _ in pair.slots],
        "slot_values": values,
        "prompt": PAPER_1.fill(claim=claim),
        "answer": ANSWERS[polarity],
        "source": source,
        "recipe": recipe,
        "sources": [source],
        "n_sources": None,
        "upstream_key": pair.upstream_keys[0 if polarity == "factual" else 1],
    }
