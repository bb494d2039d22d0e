"""What gives a false statement away without any knowledge: stops, length, and the word 不."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataset_scripts.recipe import BuildTable
from dataset_scripts.recipes.care_mi.records import STOP, TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dataset_scripts.recipe import Record

DENIAL = "不"


def cue_table(splits: Mapping[str, Sequence[Record]]) -> BuildTable:
    """Measure what true and false statements differ in beside their truth.

    A pair in which both are alike counts half, for whoever guesses is right half the time.
    """
    records = [record for rows in splits.values() for record in rows]
    kinds = [*(kind for kind in TYPES if any(one["type"] == kind for one in records)), "all"]
    return BuildTable(
        title="Surface cues: what true and false statements differ in beside their truth",
        columns=(
            "type",
            "questions",
            "true with a full stop",
            "false with a full stop",
            "mean length true",
            "mean length false",
            "right by: the longer is false",
            "right by: the one with 不 is false",
        ),
        rows=tuple(_row(kind, [one for one in records if kind in {one["type"], "all"}]) for kind in kinds),
    )


def _row(kind: str, records: Sequence[Record]) -> tuple[str | int, ...]:
    pairs = [(one["true_statement"], one["false_statement"]) for one in records]
    sides = list(zip(*pairs, strict=True))
    stops = [_percent(sum(text.endswith(STOP) for text in side), len(side)) for side in sides]
    lengths = [f"{sum(map(len, side)) / len(side):.1f}" for side in sides]
    longer = guessed([(len(true), len(false)) for true, false in pairs])
    denied = guessed([(true.count(DENIAL), false.count(DENIAL)) for true, false in pairs])
    return (kind, len(records), *stops, *lengths, longer, denied)


def guessed(pairs: Sequence[tuple[int, int]]) -> str:
    """Say how often the false statement is found by the higher number.

    In percent; 50 where nothing gives it away, and below where the lower number does.

    >>> guessed([(1, 2), (2, 1), (1, 1), (3, 4)])
    '62.5 %'
    """
    twice = sum(2 * (false > true) + (false == true) for true, false in pairs)
    return _percent(twice, 2 * len(pairs))


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"
