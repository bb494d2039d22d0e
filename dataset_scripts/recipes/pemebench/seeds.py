"""The seed questions of PeMeBench's few-shot prompts, ours, and which of them a prompt shows."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from medzh_score.benchmark.draws import draw_first

TABLE = Path(__file__).with_name("seeds.toml")


@cache
def seeds() -> dict[str, tuple[str, ...]]:
    """Give the seed questions by kind, in the order of ``seeds.toml``."""
    listed = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return {kind: tuple(seed["question"] for seed in listed[kind]) for kind in ("definition", "solution", "reason")}


def draw_seeds(kind: str, count: int, seed: int, block: str) -> list[str]:
    """Draw the examples of a prompt; each block has a draw of its own."""
    return draw_first(seeds()[kind], lambda question: f"{block}:{question}", count, seed)
